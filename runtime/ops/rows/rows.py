"""Rows of different lengths in one vector: the integer work behind ragged tensors.

    values      [a, b, c, d]
    row_splits  [0, 2, 2, 4]            # row i is values[row_splits[i]:row_splits[i + 1]]: [a, b], [], [c, d]
    row_ids     [0, 0, 2, 2]            # the row of each value
    lengths     [2, 0, 2]

Whatever is given in one of these forms is checked: an error names the position that is wrong.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.shapes import TensorShape

__all__ = [
    "as_vector", "by_loop", "check_scalar", "lengths_to_row_splits", "row_ids", "row_ids_to_splits",
    "row_splits_checked", "vector_size",
]  # fmt: skip

SPLITS: Final = frozenset({int32, int64})

SCALAR: Final = TensorShape([])

_SPLITS: Final = ([0], [0, 0], [0, 2, 2, 5], [0, 1, 3])


def vector_size(x: Operand, what: str) -> int | None:
    """The static size of a vector. Raises ValueError for what is none."""
    if x.shape.rank not in (1, None):
        raise ValueError(f"{what} is a vector; its shape is {x.shape}")
    return x.shape[0] if x.shape.rank == 1 else None


def check_scalar(x: Operand, what: str) -> None:
    if x.shape.rank not in (0, None):
        raise ValueError(f"{what} is a scalar; its shape is {x.shape}")


def as_vector(name: str, what: str, x: Any) -> Array:
    array = np.asarray(x)
    if array.ndim != 1:
        raise ShapeMismatchError(f"{name}: {what} is a vector; its shape is {array.shape}")
    return array


def by_loop(splits: Array) -> list[range]:
    """For references: the positions of each row."""
    return [range(int(splits[i]), int(splits[i + 1])) for i in range(len(splits) - 1)]


# -- checks --------------------------------------------------------------------------------------------------------


def _checked_shape(row_splits: Operand, count: Operand) -> TensorShape:
    size = vector_size(row_splits, "row_splits")
    check_scalar(count, "count")
    if size == 0:
        raise ValueError("row_splits has at least one element, the 0 at its beginning")
    return TensorShape([size])


def _checked_samples(dtype: DType) -> Any:
    for splits in _SPLITS:
        yield Sample((np.array(splits, dtype.numpy), np.array(splits[-1], dtype.numpy)))


@op(
    raises=VALUES,
    shape=_checked_shape, dtypes={("row_splits", "count"): SPLITS}, view=True,
    samples=_checked_samples, reference=lambda row_splits, count: row_splits,
    errors=[Failure(([1, 2], 2), InvalidArgumentError, ("begin with 0", "1")),
            Failure(([0, 3, 2, 4], 4), InvalidArgumentError, ("position 2", "2", "3")),
            Failure(([0, 2], 3), InvalidArgumentError, ("end with 3", "2")),
            Failure(([[0]], 0), ShapeMismatchError, ("vector", "(1, 1)"))],
)  # fmt: skip
def row_splits_checked(row_splits: Any, count: Any) -> Array:
    """row_splits, once they are found to begin with 0, never to fall, and to end with `count`, an integer scalar."""
    splits = as_vector("row_splits_checked", "row_splits", row_splits)
    if not splits.size:
        raise InvalidArgumentError("row_splits_checked: row_splits has at least one element, the 0 at its beginning")
    if splits[0] != 0:
        raise InvalidArgumentError(f"row_splits_checked: row_splits must begin with 0; got {splits[0]}")
    falls = np.flatnonzero(splits[1:] < splits[:-1])
    if falls.size:
        i = int(falls[0]) + 1
        raise InvalidArgumentError(
            f"row_splits_checked: row_splits must never fall, but at position {i} it is {splits[i]}"
            f" after {splits[i - 1]}"
        )
    if splits[-1] != count:
        raise InvalidArgumentError(
            f"row_splits_checked: row_splits must end with {count}, the number of values; got {splits[-1]}"
        )
    return splits


# -- from one form to another --------------------------------------------------------------------------------------


def _lengths_shape(lengths: Operand) -> TensorShape:
    size = vector_size(lengths, "row_lengths")
    return TensorShape([None if size is None else size + 1])


def _lengths_samples(dtype: DType) -> Any:
    for lengths in ([], [0], [2, 0, 3], [1, 1]):
        yield Sample((np.array(lengths, dtype.numpy),))


@op(
    raises=VALUES,
    shape=_lengths_shape, dtypes=SPLITS, samples=_lengths_samples,
    reference=lambda lengths: np.array([sum(lengths[:i].tolist()) for i in range(len(lengths) + 1)]),
    errors=[Failure(([2, -1],), InvalidArgumentError, ("position 1", "-1")),
            Failure((3,), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def lengths_to_row_splits(lengths: Any) -> Array:
    """row_splits of rows with these lengths, an integer vector; none is negative."""
    sizes = as_vector("lengths_to_row_splits", "row_lengths", lengths)
    negative = np.flatnonzero(sizes < 0)
    if negative.size:
        i = int(negative[0])
        raise InvalidArgumentError(
            f"lengths_to_row_splits: no row has a negative length, but at position {i} it is {sizes[i]}"
        )
    splits = np.zeros(sizes.size + 1, sizes.dtype)
    np.cumsum(sizes, out=splits[1:], dtype=sizes.dtype)
    return splits


def _ids_shape(row_splits: Operand) -> TensorShape:
    vector_size(row_splits, "row_splits")
    known = None if row_splits.value is None or not row_splits.value.size else int(row_splits.value[-1])
    return TensorShape([known])


def _splits_samples(dtype: DType) -> Any:
    for splits in _SPLITS:
        yield Sample((np.array(splits, dtype.numpy),))


@op(
    shape=_ids_shape, dtypes=SPLITS, samples=_splits_samples,
    reference=lambda row_splits: np.array([i for i, row in enumerate(by_loop(row_splits)) for _ in row], np.int64),
    errors=[Failure((3,), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def row_ids(row_splits: Any) -> Array:
    """The number of the row of each value. row_splits: integer vector."""
    splits = as_vector("row_ids", "row_splits", row_splits)
    return np.repeat(np.arange(splits.size - 1, dtype=splits.dtype), np.diff(splits))


def _ids_to_splits_shape(ids: Operand, nrows: Operand) -> TensorShape:
    vector_size(ids, "value_rowids")
    check_scalar(nrows, "nrows")
    return TensorShape([None if nrows.value is None else int(nrows.value) + 1])


def _ids_samples(dtype: DType) -> Any:
    for ids, nrows in (([], 0), ([], 2), ([0, 0, 2], 3), ([1, 1], 4)):
        yield Sample((np.array(ids, dtype.numpy), np.array(nrows, dtype.numpy)))


@op(
    raises=VALUES,
    shape=_ids_to_splits_shape, dtypes={("ids", "nrows"): SPLITS}, samples=_ids_samples,
    reference=lambda ids, nrows: np.array([sum(i < row for i in ids.tolist()) for row in range(int(nrows) + 1)]),
    errors=[Failure(([0, 2, 1], 3), InvalidArgumentError, ("position 2", "1", "2")),
            Failure(([0, 3], 3), InvalidArgumentError, ("position 1", "3 rows")),
            Failure(([-1], 3), InvalidArgumentError, ("position 0", "-1")),
            Failure(([0], -1), InvalidArgumentError, ("nrows", "-1"))],
)  # fmt: skip
def row_ids_to_splits(ids: Any, nrows: Any) -> Array:
    """row_splits of `nrows` rows, where value i is in row ids[i]. ids: integer vector that never falls."""
    rows, count = as_vector("row_ids_to_splits", "value_rowids", ids), int(nrows)
    if count < 0:
        raise InvalidArgumentError(f"row_ids_to_splits: nrows is not negative; got {count}")
    outside = np.flatnonzero((rows < 0) | (rows >= count))
    if outside.size:
        i = int(outside[0])
        raise InvalidArgumentError(f"row_ids_to_splits: the row {rows[i]} at position {i} is none of the {count} rows")
    falls = np.flatnonzero(rows[1:] < rows[:-1])
    if falls.size:
        i = int(falls[0]) + 1
        raise InvalidArgumentError(
            f"row_ids_to_splits: value_rowids must never fall, but at position {i} it is {rows[i]} after {rows[i - 1]}"
        )
    return np.searchsorted(rows, np.arange(count + 1)).astype(rows.dtype)
