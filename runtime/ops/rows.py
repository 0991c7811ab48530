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

from runtime.dtypes import INTEGERS, REALS, DType, int32, int64
from runtime.errors import InvalidArgumentError, OutOfRangeError, ShapeMismatchError
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, Sample
from runtime.shapes import TensorShape, broadcast_shapes

__all__ = [
    "lengths_to_row_splits", "ragged_range", "row_bounds", "row_ids", "row_ids_to_splits", "row_slices",
    "row_splits_checked",
]  # fmt: skip

SPLITS: Final = frozenset({int32, int64})

SCALAR: Final = TensorShape([])

_SPLITS: Final = ([0], [0, 0], [0, 2, 2, 5], [0, 1, 3])


def _vector(x: Operand, what: str) -> int | None:
    """The static size of a vector. Raises ValueError for what is none."""
    if x.shape.rank not in (1, None):
        raise ValueError(f"{what} is a vector; its shape is {x.shape}")
    return x.shape[0] if x.shape.rank == 1 else None


def _scalar(x: Operand, what: str) -> None:
    if x.shape.rank not in (0, None):
        raise ValueError(f"{what} is a scalar; its shape is {x.shape}")


def _as_vector(name: str, what: str, x: Any) -> Array:
    array = np.asarray(x)
    if array.ndim != 1:
        raise ShapeMismatchError(f"{name}: {what} is a vector; its shape is {array.shape}")
    return array


def _by_loop(splits: Array) -> list[range]:
    """For references: the positions of each row."""
    return [range(int(splits[i]), int(splits[i + 1])) for i in range(len(splits) - 1)]


# -- checks --------------------------------------------------------------------------------------------------------


def _checked_shape(row_splits: Operand, count: Operand) -> TensorShape:
    size = _vector(row_splits, "row_splits")
    _scalar(count, "count")
    if size == 0:
        raise ValueError("row_splits has at least one element, the 0 at its beginning")
    return TensorShape([size])


def _checked_samples(dtype: DType) -> Any:
    for splits in _SPLITS:
        yield Sample((np.array(splits, dtype.numpy), np.array(splits[-1], dtype.numpy)))


@op(
    shape=_checked_shape, dtypes={("row_splits", "count"): SPLITS}, view=True,
    samples=_checked_samples, reference=lambda row_splits, count: row_splits,
    errors=[Failure(([1, 2], 2), InvalidArgumentError, ("begin with 0", "1")),
            Failure(([0, 3, 2, 4], 4), InvalidArgumentError, ("position 2", "2", "3")),
            Failure(([0, 2], 3), InvalidArgumentError, ("end with 3", "2")),
            Failure(([[0]], 0), ShapeMismatchError, ("vector", "(1, 1)"))],
)  # fmt: skip
def row_splits_checked(row_splits: Any, count: Any) -> Array:
    """row_splits, once they are found to begin with 0, never to fall, and to end with `count`, an integer scalar."""
    splits = _as_vector("row_splits_checked", "row_splits", row_splits)
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
    size = _vector(lengths, "row_lengths")
    return TensorShape([None if size is None else size + 1])


def _lengths_samples(dtype: DType) -> Any:
    for lengths in ([], [0], [2, 0, 3], [1, 1]):
        yield Sample((np.array(lengths, dtype.numpy),))


@op(
    shape=_lengths_shape, dtypes=SPLITS, samples=_lengths_samples,
    reference=lambda lengths: np.array([sum(lengths[:i].tolist()) for i in range(len(lengths) + 1)]),
    errors=[Failure(([2, -1],), InvalidArgumentError, ("position 1", "-1")),
            Failure((3,), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def lengths_to_row_splits(lengths: Any) -> Array:
    """row_splits of rows with these lengths, an integer vector; none is negative."""
    sizes = _as_vector("lengths_to_row_splits", "row_lengths", lengths)
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
    _vector(row_splits, "row_splits")
    known = None if row_splits.value is None or not row_splits.value.size else int(row_splits.value[-1])
    return TensorShape([known])


def _splits_samples(dtype: DType) -> Any:
    for splits in _SPLITS:
        yield Sample((np.array(splits, dtype.numpy),))


@op(
    shape=_ids_shape, dtypes=SPLITS, samples=_splits_samples,
    reference=lambda row_splits: np.array([i for i, row in enumerate(_by_loop(row_splits)) for _ in row], np.int64),
    errors=[Failure((3,), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def row_ids(row_splits: Any) -> Array:
    """The number of the row of each value. row_splits: integer vector."""
    splits = _as_vector("row_ids", "row_splits", row_splits)
    return np.repeat(np.arange(splits.size - 1, dtype=splits.dtype), np.diff(splits))


def _ids_to_splits_shape(ids: Operand, nrows: Operand) -> TensorShape:
    _vector(ids, "value_rowids")
    _scalar(nrows, "nrows")
    return TensorShape([None if nrows.value is None else int(nrows.value) + 1])


def _ids_samples(dtype: DType) -> Any:
    for ids, nrows in (([], 0), ([], 2), ([0, 0, 2], 3), ([1, 1], 4)):
        yield Sample((np.array(ids, dtype.numpy), np.array(nrows, dtype.numpy)))


@op(
    shape=_ids_to_splits_shape, dtypes={("ids", "nrows"): SPLITS}, samples=_ids_samples,
    reference=lambda ids, nrows: np.array([sum(i < row for i in ids.tolist()) for row in range(int(nrows) + 1)]),
    errors=[Failure(([0, 2, 1], 3), InvalidArgumentError, ("position 2", "1", "2")),
            Failure(([0, 3], 3), InvalidArgumentError, ("position 1", "3 rows")),
            Failure(([-1], 3), InvalidArgumentError, ("position 0", "-1")),
            Failure(([0], -1), InvalidArgumentError, ("nrows", "-1"))],
)  # fmt: skip
def row_ids_to_splits(ids: Any, nrows: Any) -> Array:
    """row_splits of `nrows` rows, where value i is in row ids[i]. ids: integer vector that never falls."""
    rows, count = _as_vector("row_ids_to_splits", "value_rowids", ids), int(nrows)
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


def _twice(row_splits: Operand, *others: Operand, **attributes: Any) -> tuple[DType, DType]:
    return row_splits.dtype, row_splits.dtype


# -- one row, and parts of all rows --------------------------------------------------------------------------------


def _bounds_shape(row_splits: Operand, index: Operand) -> tuple[TensorShape, TensorShape]:
    _vector(row_splits, "row_splits")
    _scalar(index, "the number of a row")
    return SCALAR, SCALAR


def _bounds_samples(dtype: DType) -> Any:
    for splits, index in (([0, 0], 0), ([0, 2, 2, 5], 2), ([0, 2, 2, 5], -3), ([0, 1, 3], -1)):
        yield Sample((np.array(splits, dtype.numpy), np.int32(index)))


@op(
    shape=_bounds_shape, dtypes={"row_splits": SPLITS, "index": INTEGERS}, outputs=2, result=_twice,
    samples=_bounds_samples,
    reference=lambda row_splits, index: (row_splits[:-1][index], row_splits[1:][index]),
    errors=[Failure(([0, 2], 1), OutOfRangeError, ("row 1", "1 row")),
            Failure(([0, 2, 3], -3), OutOfRangeError, ("row -3", "2 rows"))],
)  # fmt: skip
def row_bounds(row_splits: Any, index: Any) -> tuple[Array, Array]:
    """Where row `index` begins and ends. row_splits: integer vector; index: integer scalar, negative from the end."""
    splits = _as_vector("row_bounds", "row_splits", row_splits)
    count, place = splits.size - 1, int(index)
    if not -count <= place < count:
        rows = f"{count} row{'' if count == 1 else 's'}"
        raise OutOfRangeError(f"row_bounds: row {place} is out of range for a ragged tensor with {rows}")
    return np.asarray(splits[place % count]), np.asarray(splits[place % count + 1])


def _slices_shape(row_splits: Operand, begin: Operand, end: Operand, **attributes: Any) -> tuple[TensorShape, ...]:
    size = _vector(row_splits, "row_splits")
    _scalar(begin, "the start of a slice")
    _scalar(end, "the end of a slice")
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
    rows = [list(row)[part] for row in _by_loop(row_splits)]
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
    splits = _as_vector("row_slices", "row_splits", row_splits)
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
