"""What operations on ragged tensors do to the values of their rows: `same_rows` checks, `repeat_rows` spreads.

    same_rows(values, row_splits, others)         # the values, once both say the same rows
    repeat_rows([10, 20, 30], [0, 2, 2, 3])       # [10, 10, 30]: each row's item for each of its values
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import ANY, DType, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["repeat_rows", "same_rows"]

SPLITS = frozenset({int32, int64})


def _same_shape(x: Operand, row_splits: Operand, others: Operand) -> TensorShape:
    if not row_splits.shape.is_compatible_with(others.shape):
        sizes = [shape[0] - 1 for shape in (row_splits.shape, others.shape) if shape.rank == 1 and shape[0]]
        shown = " and ".join(f"{n} row{'' if n == 1 else 's'}" for n in sizes)
        raise ValueError(f"ragged tensors must have the same rows here; there are {shown}")
    return x.shape


def _same_samples(dtype: DType) -> Any:
    splits = np.array([0, 2, 2, 3], np.int64)
    for shape in ((3,), (3, 2), (3, 0)):
        yield Sample((values(dtype, shape), splits, splits.copy()))
    yield Sample((values(dtype, (0,)), np.array([0], np.int32), np.array([0], np.int32)))


@op(
    raises=VALUES,
    shape=_same_shape, dtypes={"x": ANY, ("row_splits", "others"): SPLITS}, view=True,
    samples=_same_samples, reference=lambda x, row_splits, others: x,
    errors=[Failure(([1.0], [0, 1, 1], [0, 0, 1]), InvalidArgumentError, ("row 0", "1 value", "0 values")),
            Failure(([1.0], [0, 1], [0, 1, 1]), InvalidArgumentError, ("(2,)", "(3,)"))],
)  # fmt: skip
def same_rows(x: Any, row_splits: Any, others: Any) -> Any:
    """x, the values of rows, if `row_splits` and `others`, integer vectors, say the same rows."""
    mine, theirs = np.asarray(row_splits), np.asarray(others)
    if mine.shape != theirs.shape:
        raise ShapeMismatchError(
            f"same_rows: ragged tensors must have the same rows here; row_splits have shapes {mine.shape} and"
            f" {theirs.shape}"
        )
    differs = np.flatnonzero(np.diff(mine) != np.diff(theirs))
    if differs.size:
        row = int(differs[0])
        sizes = [int(np.diff(splits)[row]) for splits in (theirs, mine)]
        shown = " in one and ".join(f"{n} value{'' if n == 1 else 's'}" for n in sizes)
        raise InvalidArgumentError(
            f"same_rows: ragged tensors must have the same rows here, but row {row} has {shown} in the other"
        )
    return elements(x)


@same_rows.gradient
def _(upstream: Any) -> Any:
    return upstream, None, None


def _repeated_shape(x: Operand, row_splits: Operand) -> TensorShape:
    size = row_splits.shape[0] if row_splits.shape.rank is not None else None
    rows = None if size is None else size - 1
    if x.shape.rank == 0 or not x.shape[:1].is_compatible_with([rows]):
        count = "the" if rows is None else rows
        raise ValueError(f"one item for each of {count} rows is needed; the shape is {x.shape}")
    return TensorShape(None) if x.shape.rank is None else TensorShape([None]).concatenate(x.shape[1:])


def _repeated_samples(dtype: DType) -> Any:
    for shape in ((3,), (3, 2), (3, 0)):
        yield Sample((values(dtype, shape), np.array([0, 2, 2, 3], np.int64)))
    yield Sample((values(dtype, (0, 2)), np.array([0], np.int32)))


def _repeated_reference(x: Array, row_splits: Array) -> Array:
    made = [x[i] for i in range(len(x)) for _ in range(int(row_splits[i]), int(row_splits[i + 1]))]
    result = np.empty((len(made), *x.shape[1:]), x.dtype)
    for i, item in enumerate(made):
        result[i] = item
    return result


@op(
    raises=VALUES,
    shape=_repeated_shape, dtypes={"x": ANY, "row_splits": SPLITS},
    samples=_repeated_samples, reference=_repeated_reference,
    errors=[Failure(([1.0, 2.0], [0, 1]), InvalidArgumentError, ("(2,)",)),
            Failure((1.0, [0, 1]), InvalidArgumentError, ("()",))],
)  # fmt: skip
def repeat_rows(x: Any, row_splits: Any) -> Array:
    """Item i of x for each value of row i. x: tensor of rank 1 or more; row_splits: integer vector of its rows."""
    items, splits = elements(x), np.asarray(row_splits)
    if not items.ndim or len(items) != splits.size - 1:
        raise ShapeMismatchError(
            f"repeat_rows: one item for each of {splits.size - 1} rows is needed; the shape is {items.shape}"
        )
    return np.repeat(items, np.diff(splits), axis=0)


@repeat_rows.gradient
def _(upstream: Any, x: Any, row_splits: Any) -> Any:
    return ops.unsorted_segment_sum(upstream, ops.row_ids(row_splits), ops.shape(x)[0]), None
