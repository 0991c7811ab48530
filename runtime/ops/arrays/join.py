"""Tensors put together and taken apart: concat, stack, unstack, split.

>>> runtime.concat([[1, 2], [3]], axis=0)
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([1, 2, 3], dtype=int32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import NUMBERS, DType, int32
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError, of_the_trace
from runtime.ops.kernels.values import elements, show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import known_parts, merged, normalized_axis
from runtime.shapes import TensorShape

__all__ = ["concat", "split", "stack", "unstack"]

ONE_DTYPE = Failure(([np.ones(2, np.float32), "a"],), DtypeMismatchError, ("float32", "string"), {"axis": 0})


def _concatenated(*values: Operand, axis: int) -> TensorShape:
    if not values:
        raise ValueError("at least one tensor is needed")
    ranks = {v.shape.rank for v in values} - {None}
    if len(ranks) > 1 or 0 in ranks:
        raise ValueError("all tensors must have one rank, at least 1")
    if not ranks:
        return TensorShape(None)
    place = normalized_axis(axis, ranks.pop() or 0)
    total: int | None = 0
    rest = TensorShape(None)
    for dims in (v.shape.dims for v in values):
        if dims is None:
            total = None
            continue
        total = None if total is None or dims[place] is None else total + dims[place]  # type: ignore[operator]
        rest = rest.merge_with([*dims[:place], None, *dims[place + 1 :]])
    assert rest.dims is not None
    return TensorShape([*rest.dims[:place], total, *rest.dims[place + 1 :]])


def _in_order(*values: Array, axis: int) -> Array:
    """Concatenation by assignment of each element."""
    shape = list(values[0].shape)
    shape[axis] = sum(v.shape[axis] for v in values)
    result = np.empty(shape, object)
    offset = 0
    for value in values:
        for index in np.ndindex(value.shape):
            target = list(index)
            target[axis] += offset
            result[tuple(target)] = value[index]
        offset += value.shape[axis]
    return result


def _joined_parts(*values: Operand, axis: int) -> tuple[int | None, ...] | None:
    parts = [known_parts(v) for v in values]
    if any(v.shape.rank != 1 for v in values) or None in parts:
        return None
    return tuple(item for part in parts for item in part or ())


@op(
    shape=_concatenated, static_parts=_joined_parts,
    samples=calls(lambda x: [((x(2), x(3)), {"axis": 0}), ((x(2, 3), x(1, 3), x(0, 3)), {"axis": 0}),
                             ((x(2, 3), x(3, 2).T), {"axis": 1}), ((x(4)[::-1],), {"axis": -1})]),
    reference=_in_order,
    errors=[Failure(([np.ones((2, 3), np.float32), np.ones((2, 4), np.float32)], 0), ShapeMismatchError,
                    ("(2, 3)", "(2, 4)")),
            Failure(([np.float32(1), np.float32(2)], 0), ShapeMismatchError, ("rank",)),
            Failure(([np.ones(2, np.float32)], 1), ShapeMismatchError, ("axis 1",)),
            Failure(([], 0), InvalidArgumentError, ("at least one",)), ONE_DTYPE],
)  # fmt: skip
def concat(*values: Array, axis: int) -> Any:
    """The tensors of a list one after the other along an axis. They have one dtype, one rank >= 1, and the same sizes
    but along that axis."""
    try:
        return np.concatenate([elements(v) for v in values], axis=axis)
    except ValueError:
        shapes = ", ".join(map(show_shape, values))
        raise ShapeMismatchError(f"concat: the shapes {shapes} do not fit along axis {axis}") from None


@concat.gradient
def _(upstream: Any, values: Any, axis: int) -> Any:
    ranks = [v.shape.rank for v in values if v.shape.rank is not None]
    place = normalized_axis(axis, ranks[0]) if ranks else axis
    sizes = [None if v.shape.dims is None else v.shape.dims[place] for v in values]
    if None not in sizes:
        return list(split(upstream, num_or_size_splits=sizes, axis=axis))
    all_of: Any = (None, None, None)
    before, after = ((all_of,) * place, ()) if place >= 0 else (("...",), (all_of,) * (-1 - place))
    parts, end = [], ops.cast(0, int32)
    for value, size in zip(values, sizes, strict=True):
        start, end = end, end + (ops.shape(value)[place] if size is None else size)
        parts.append(ops.getitem(upstream, [start, end], spec=(*before, ("at", "at", None), *after)))
    return parts


def _stacked(*values: Operand, axis: int) -> TensorShape:
    dims = merged(*values).dims
    if dims is None:
        return TensorShape(None)
    place = normalized_axis(axis, len(dims) + 1)
    return TensorShape([*dims[:place], len(values), *dims[place:]])


def _scalar_parts(*values: Operand, axis: int) -> tuple[int | None, ...] | None:
    if any(v.shape.rank != 0 for v in values):
        return None
    return tuple((known_parts(v) or (None,))[0] for v in values)


@op(
    tame=True,
    shape=_stacked, static_parts=_scalar_parts,
    samples=each(calls(lambda x: [(x(3), x(3)), (x(2, 3), x(3, 2).T, x(2, 3)[::-1]), (x(0, 2),)]), axis=(0, 1, -1)),
    reference=lambda *values, axis: _in_order(*(np.expand_dims(v, axis) for v in values), axis=axis),
    errors=[Failure(([np.ones((2, 3), np.float32), np.ones((2, 4), np.float32)],), ShapeMismatchError,
                    ("(2, 3)", "(2, 4)")),
            Failure(([np.float32(1)], 2), ShapeMismatchError, ("axis 2",)),
            Failure(([],), InvalidArgumentError, ("at least one",)), ONE_DTYPE],
)  # fmt: skip
def stack(*values: Array, axis: int = 0) -> Any:
    """The tensors of a list side by side along a new axis. They have one dtype and one shape."""
    arrays = [*map(elements, values)]
    try:
        ranks = {array.ndim for array in arrays}
        is_first = axis == 0 or (axis == -1 and ranks == {0})
        if is_first and ranks <= {0, 1} and all(array.dtype.kind in NUMBERS for array in arrays):
            return np.array(arrays, arrays[0].dtype)  # several times faster for short ones
        key = (slice(None),) * normalized_axis(axis, arrays[0].ndim + 1) + (None,)
        return np.concatenate([array[key] for array in arrays], axis)
    except (IndexError, ValueError):
        shapes = ", ".join(map(show_shape, values))
        raise ShapeMismatchError(f"stack: all tensors must have one shape; got {shapes}") from None


@stack.gradient
def _(upstream: Any, values: Any, axis: int) -> Any:
    return list(unstack(upstream, len(values), axis))


def _rows(value: Operand, num: int | None, axis: int) -> tuple[TensorShape, ...]:
    dims = value.shape.dims
    if dims is None:
        count, rest = num, TensorShape(None)
    else:
        place = normalized_axis(axis, len(dims))
        if num is not None and dims[place] not in (num, None):
            raise ValueError(f"num is {num}, but axis {axis} has size {dims[place]}")
        count = dims[place] if num is None else num
        rest = TensorShape([*dims[:place], *dims[place + 1 :]])
    if count is None:
        raise of_the_trace(InvalidArgumentError(
            f"unstack: the size of axis {axis} of the shape {value.shape} must be known while the graph is built;"
            " give `num`, or loop over the tensor"
        ))
    return (rest,) * count


def _row_dtypes(value: Operand, num: int | None, axis: int) -> tuple[DType, ...]:
    return (value.dtype,) * len(_rows(value, num, axis))


@op(
    raises=VALUES, of_text=True, shape=_rows, result=_row_dtypes, outputs=0, view=True,
    samples=each(calls(lambda x: [(x(3),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(0, 2),)]), axis=(0, -1)),
    reference=lambda value, axis: tuple(value.take(i, axis) for i in range(value.shape[axis])),
    errors=[Failure((np.float32(1),), ShapeMismatchError, ("axis 0", "rank 0")),
            Failure((np.ones((2, 3), np.float32), 3), ShapeMismatchError, ("3", "(2, 3)"))],
)  # fmt: skip
def unstack(value: Array, num: int | None = None, axis: int = 0) -> Any:
    """The slices of a tensor along an axis, each without it. value: any tensor; num: how many, where its static shape
    does not tell."""
    if not -value.ndim <= axis < value.ndim:
        raise ShapeMismatchError(f"unstack: axis {axis} is out of range for rank {value.ndim}")
    rows = value if not axis else value.T if value.ndim == 2 else np.moveaxis(value, axis, 0)
    if num is not None and len(rows) != num:
        raise ShapeMismatchError(f"unstack: num is {num}, but axis {axis} of the shape {value.shape} has {len(rows)}")
    return tuple(rows)


@unstack.gradient
def _(upstream: Any, axis: int) -> Any:
    return stack(upstream, axis=axis)


def _refuse_sizes(num_or_size_splits: Any) -> None:
    """Raises ValueError for what is wrong whatever the size of the tensor."""
    if isinstance(num_or_size_splits, tuple):
        if num_or_size_splits.count(-1) > 1 or any(s < -1 for s in num_or_size_splits):
            raise ValueError(f"sizes are not negative, and one may be -1; got {list(num_or_size_splits)}")
    elif num_or_size_splits < 1:
        raise ValueError(f"a tensor cannot be split into {num_or_size_splits} equal parts")


def _sizes(num_or_size_splits: Any, total: int) -> tuple[int, ...]:
    """The length of each part. Raises ValueError if they do not add up."""
    _refuse_sizes(num_or_size_splits)
    if isinstance(num_or_size_splits, tuple):
        sizes: tuple[int, ...] = num_or_size_splits
        if sizes.count(-1) == 1:
            rest = total - sum(s for s in sizes if s != -1)
            sizes = tuple(rest if s == -1 else s for s in sizes)
        if sum(sizes) != total or any(s < 0 for s in sizes):
            raise ValueError(f"the sizes {list(num_or_size_splits)} do not add up to {total}")
        return sizes
    if total % num_or_size_splits:
        raise ValueError(f"{total} elements cannot be split into {num_or_size_splits} equal parts")
    return (total // num_or_size_splits,) * int(num_or_size_splits)


def _parts(value: Operand, num_or_size_splits: Any, axis: int) -> tuple[TensorShape, ...]:
    _refuse_sizes(num_or_size_splits)
    dims = value.shape.dims
    count = len(num_or_size_splits) if isinstance(num_or_size_splits, tuple) else num_or_size_splits
    if dims is None:
        return (TensorShape(None),) * count
    place = normalized_axis(axis, len(dims))
    total = dims[place]
    sizes: tuple[int | None, ...] = (None,) * count
    if total is not None:
        sizes = _sizes(num_or_size_splits, total)
    elif isinstance(num_or_size_splits, tuple):
        sizes = tuple(None if s == -1 else s for s in num_or_size_splits)
    return tuple(TensorShape([*dims[:place], s, *dims[place + 1 :]]) for s in sizes)


def _part_dtypes(value: Operand, num_or_size_splits: Any, axis: int) -> tuple[DType, ...]:
    return (value.dtype,) * len(_parts(value, num_or_size_splits, axis))


@op(
    raises=VALUES, shape=_parts, result=_part_dtypes, outputs=0, view=True,
    samples=calls(lambda x: [((x(6),), {"num_or_size_splits": 3}), ((x(2, 6),), {"num_or_size_splits": 2, "axis": 1}),
                             ((x(6)[::-1],), {"num_or_size_splits": (1, 0, 5)}),
                             ((x(6),), {"num_or_size_splits": (1, -1)}),
                             ((x(0, 2),), {"num_or_size_splits": 2, "axis": 0}),
                             ((x(0, 2),), {"num_or_size_splits": (), "axis": 0})]),
    reference=lambda value, num_or_size_splits, axis=0: tuple(
        value.take(range(sum(sizes[:i]), sum(sizes[: i + 1])), axis)
        for sizes in [_sizes(num_or_size_splits, value.shape[axis])] for i in range(len(sizes))),
    errors=[Failure((np.ones(5, np.float32), 2), ShapeMismatchError, ("5", "2")),
            Failure((np.ones(5, np.float32), [2, 2]), ShapeMismatchError, ("[2, 2]", "5")),
            Failure((np.ones(5, np.float32), 0), ShapeMismatchError, ("0 equal parts",)),
            Failure((np.ones(5, np.float32), [-1, 2, -1]), ShapeMismatchError, ("[-1, 2, -1]",)),
            Failure((np.ones(5, np.float32), [7, -2]), ShapeMismatchError, ("[7, -2]",)),
            Failure((np.ones(5, np.float32), 5, 1), ShapeMismatchError, ("axis 1", "rank 1"))],
)  # fmt: skip
def split(value: Array, *, num_or_size_splits: int | tuple[int, ...], axis: int = 0) -> Any:
    """The tensor `value` cut along an axis: a number of equal parts, or a list of their lengths (one may be -1: the
    rest)."""
    try:
        place = normalized_axis(axis, np.ndim(value))
        sizes = _sizes(num_or_size_splits, value.shape[place])
    except ValueError as error:
        raise ShapeMismatchError(f"split: {error} (the shape is {show_shape(value)})") from None
    return tuple(np.split(value, np.cumsum(sizes)[:-1], axis=axis))[: len(sizes)]


@split.gradient
def _(upstream: Any, axis: int) -> Any:
    return concat(upstream, axis=axis)
