"""Places of values in rows of different lengths: of one row, of slices of all rows, of ranges, of cells.

    row_bounds([0, 2, 2, 5], -1)                    # (2, 5): where the last row begins and ends
    ragged_range([0, 5], [3, 7], 1)                 # values [0, 1, 2, 5, 6], row_splits [0, 3, 5]
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import INTEGERS, REALS, DType, int64
from runtime.errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.records.raises import PLACES, VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.rows.rows import SCALAR, SPLITS, as_vector, by_loop, check_scalar, vector_size
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = ["ragged_range", "row_bounds", "row_slices", "value_cells"]


def _twice(row_splits: Operand, *others: Operand, **attributes: Any) -> tuple[DType, DType]:
    return row_splits.dtype, row_splits.dtype


def _bounds_shape(row_splits: Operand, index: Operand) -> tuple[TensorShape, TensorShape]:
    vector_size(row_splits, "row_splits")
    check_scalar(index, "the number of a row")
    return SCALAR, SCALAR


def _bounds_samples(dtype: DType) -> Any:
    for splits, index in (([0, 0], 0), ([0, 2, 2, 5], 2), ([0, 2, 2, 5], -3), ([0, 1, 3], -1)):
        yield Sample((np.array(splits, dtype.numpy), np.int32(index)))


@op(
    raises=PLACES,
    shape=_bounds_shape, dtypes={"row_splits": SPLITS, "index": INTEGERS}, outputs=2, result=_twice,
    samples=_bounds_samples,
    reference=lambda row_splits, index: (row_splits[:-1][index], row_splits[1:][index]),
    errors=[Failure(([0, 2], 1), OutOfRangeError, ("row 1", "1 row")),
            Failure(([0, 2, 3], -3), OutOfRangeError, ("row -3", "2 rows"))],
)  # fmt: skip
def row_bounds(row_splits: Any, index: Any) -> tuple[Array, Array]:
    """Where row `index` begins and ends. row_splits: integer vector; index: integer scalar, negative from the end."""
    splits = as_vector("row_bounds", "row_splits", row_splits)
    count, place = splits.size - 1, int(index)
    if not -count <= place < count:
        rows = f"{count} row{'' if count == 1 else 's'}"
        raise OutOfRangeError(f"row_bounds: row {place} is out of range for a ragged tensor with {rows}")
    return np.asarray(splits[place % count]), np.asarray(splits[place % count + 1])


def _slices_shape(row_splits: Operand, begin: Operand, end: Operand, **attributes: Any) -> tuple[TensorShape, ...]:
    size = vector_size(row_splits, "row_splits")
    check_scalar(begin, "the start of a slice")
    check_scalar(end, "the end of a slice")
    if attributes["step"] == 0:
        raise ValueError("slice step cannot be zero")
    return TensorShape([None]), TensorShape([size])


def _slices_samples(dtype: DType) -> Any:
    splits = np.array([0, 4, 4, 5, 8], dtype.numpy)
    for begin, end, step in ((0, 2, 1), (1, -1, 1), (-2, 100, 1), (5, 0, -1), (-1, -3, -2)):
        for has_begin in (True, False):
            attributes = {"has_begin": has_begin, "has_end": not has_begin or step == 1, "step": step}
            yield Sample((splits, np.int32(begin), np.int64(end)), attributes)


def _slices_reference(
    row_splits: Array, begin: Array, end: Array, has_begin: bool, has_end: bool, step: int
) -> tuple[Array, Array]:
    part = slice(int(begin) if has_begin else None, int(end) if has_end else None, step)
    rows = [list(row)[part] for row in by_loop(row_splits)]
    return np.array([i for row in rows for i in row]), np.array([sum(map(len, rows[:i])) for i in range(len(rows) + 1)])


@op(
    shape=_slices_shape, dtypes={"row_splits": SPLITS, "begin": INTEGERS, "end": INTEGERS}, outputs=2, result=_twice,
    samples=_slices_samples, reference=_slices_reference,
    errors=[Failure(([0, 2], 0, 1), InvalidArgumentError, ("zero",), {"step": 0})],
)  # fmt: skip
def row_slices(
    row_splits: Any, begin: Any, end: Any, *, has_begin: bool = True, has_end: bool = True, step: int = 1
) -> tuple[Array, Array]:
    """The positions of the values that row[begin:end:step] takes of each row, and the row_splits of what is left.

    row_splits: integer vector; begin, end: integer scalars, which count only where has_begin and has_end say so.
    """
    if step == 0:
        raise InvalidArgumentError("row_slices: slice step cannot be zero")
    splits = as_vector("row_slices", "row_splits", row_splits)
    lengths = np.diff(splits)
    low, high = (0, lengths) if step > 0 else (-1, lengths - 1)

    def bound(given: bool, value: Any, other: Any) -> Any:
        if not given:
            return other
        place = int(value)
        return np.clip(place + lengths if place < 0 else place, low, high)

    first = bound(has_begin, begin, low if step > 0 else high)
    last = bound(has_end, end, high if step > 0 else low)
    positions, made = _ranges(splits[:-1] + first, splits[:-1] + last, np.full_like(lengths, step))
    return positions.astype(splits.dtype), made.astype(splits.dtype)


def _cells_shape(row_splits: Operand, sizes: Operand) -> TensorShape:
    vector_size(row_splits, "row_splits")
    sizes.shape.merge_with([2])
    return TensorShape([None, 2])


def _cells_samples(dtype: DType) -> Any:
    for splits in ([0, 2, 2, 3], [0, 1, 2, 3], [0, 3]):
        for sizes in ([1, 1], [len(splits) - 1, 1]):
            yield Sample((np.array(splits, dtype.numpy), np.array(sizes, dtype.numpy)))
    for sizes in ([1, 2], [2, 2]):
        yield Sample((np.array([0, 2, 4], dtype.numpy), np.array(sizes, dtype.numpy)))


def _cells_reference(row_splits: Array, sizes: Array) -> Array:
    cells = [(i % sizes[0], j % sizes[1]) for i, row in enumerate(by_loop(row_splits)) for j in range(len(row))]
    return np.array(cells, np.int64).reshape(-1, 2)


@op(
    raises=VALUES,
    shape=_cells_shape, dtypes={("row_splits", "sizes"): SPLITS}, samples=_cells_samples, reference=_cells_reference,
    errors=[Failure(([0, 2, 3], [3, 1]), InvalidArgumentError, ("3 rows", "2 rows")),
            Failure(([0, 2, 3], [2, 2]), InvalidArgumentError, ("row 1", "1 value", "2 columns"))],
)  # fmt: skip
def value_cells(row_splits: Any, sizes: Any) -> Array:
    """Where the values of rows stand in a tensor that broadcasts to them: row and column, 0 where it has only one.

    row_splits: integer vector; sizes: the first two dimensions of the tensor.
    """
    splits = as_vector("value_cells", "row_splits", row_splits)
    height, width = (int(n) for n in np.asarray(sizes))
    lengths = np.diff(splits)
    if height not in (1, lengths.size):
        raise InvalidArgumentError(
            f"value_cells: a tensor with {height} rows does not broadcast to a ragged tensor with {lengths.size} rows"
        )
    others = np.flatnonzero(lengths != width)
    if width != 1 and others.size:
        i, count = int(others[0]), int(lengths[others[0]])
        raise InvalidArgumentError(
            f"value_cells: row {i} of the ragged tensor has {count} value{'' if count == 1 else 's'}, the tensor"
            f" beside it {width} columns"
        )
    rows = np.repeat(np.arange(lengths.size), lengths)
    columns = np.arange(splits[-1]) - splits[:-1][rows]
    return np.stack([rows * (height != 1), columns * (width != 1)], axis=1).astype(splits.dtype)


# -- ranges --------------------------------------------------------------------------------------------------------


def _ranges(starts: Array, limits: Array, deltas: Array) -> tuple[Array, Array]:
    """The values of the ranges one after the other, and their row_splits."""
    whole = starts.dtype.kind in "iu"
    span = limits.astype(np.int64) - starts.astype(np.int64) if whole else limits - starts
    sizes = -(-span // deltas) if whole else np.ceil(span / deltas)
    counts = np.maximum(sizes, 0).astype(np.int64)
    splits = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    steps = np.arange(splits[-1]) - np.repeat(splits[:-1], counts)
    values = np.repeat(starts, counts) + np.repeat(deltas, counts) * steps.astype(starts.dtype)
    return values.astype(starts.dtype), splits


def _range_shape(starts: Operand, limits: Operand, deltas: Operand) -> tuple[TensorShape, TensorShape]:
    shape = broadcast_shapes(starts.shape, limits.shape, deltas.shape)
    if shape.rank not in (0, 1, None):
        raise ValueError("starts, limits and deltas are scalars or vectors")
    count = 1 if shape.rank == 0 else shape[0] if shape.rank == 1 else None
    return TensorShape([None]), TensorShape([None if count is None else count + 1])


def _range_samples(dtype: DType) -> Any:
    for starts, limits, deltas in ((0, [3, 0, 2], 1), ([2, 0], [6, 7], [2, 3]), (1, 4, 1), ([], [], 1)):
        yield Sample(tuple(np.array(x, dtype.numpy) for x in (starts, limits, deltas)))
    if not dtype.is_unsigned:
        yield Sample(tuple(np.array(x, dtype.numpy) for x in ([5, -2], [0, 2], [-2, 1])))


def _range_reference(starts: Array, limits: Array, deltas: Array) -> tuple[Array, Array]:
    rows = []
    for start, limit, delta in zip(*np.atleast_1d(*np.broadcast_arrays(starts, limits, deltas)), strict=True):
        row, number = [], start.item()
        while number < limit.item() if delta.item() > 0 else number > limit.item():
            row.append(number)
            number += delta.item()
        rows.append(row)
    return np.array([v for r in rows for v in r]), np.array([sum(map(len, rows[:i])) for i in range(len(rows) + 1)])


@op(
    raises=VALUES,
    shape=_range_shape, dtypes={("starts", "limits", "deltas"): REALS}, outputs=2,
    result=lambda starts, limits, deltas: (starts.dtype, int64), samples=_range_samples, reference=_range_reference,
    no_gradient="how many values there are jumps with the limits, as in range",
    errors=[Failure(([0, 1], [3, 4], [1, 0]), InvalidArgumentError, ("row 1", "0")),
            Failure(([0, 1], [1, 2, 3], 1), ShapeMismatchError, ("(2,)", "(3,)")),
            Failure(([[0]], 1, 1), ShapeMismatchError, ("vectors",))],
)  # fmt: skip
def ragged_range(starts: Any, limits: Any, deltas: Any) -> tuple[Array, Array]:
    """The values of range(starts[i], limits[i], deltas[i]) one after the other, and their row_splits (int64).

    starts, limits, deltas: real scalars or vectors of one size.
    """
    first, limit, delta = np.atleast_1d(*np.broadcast_arrays(starts, limits, deltas))
    if first.ndim != 1:
        raise ShapeMismatchError(f"ragged_range: starts, limits and deltas are scalars or vectors; got {first.shape}")
    if not delta.all():
        raise InvalidArgumentError(f"ragged_range: the delta of row {int(np.flatnonzero(delta == 0)[0])} is 0")
    return _ranges(first, limit, delta)
