"""Public forms of operations on elements by their place: what `runtime` has beside indexing and `runtime.gather`.

    runtime.gather_nd(x, [[0, 1], [2, 2]])          # the elements x[0, 1] and x[2, 2]
    runtime.strided_slice(x, [0], [10], [2])        # x[0:10:2]
    runtime.repeat([7, 8], [1, 2])                  # 7, 8, 8

The names and the order of the arguments are those of TensorFlow's functions.
"""

from __future__ import annotations

import builtins
from typing import Any, NamedTuple

from runtime.dtypes import as_dtype, bool_, int32, int64
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays import create, index, join, repeating, scatter, shape
from runtime.ops.arrays.slices import ensure_shape as ensure_shape_of
from runtime.ops.arrays.slices import slice_ as block
from runtime.ops.elementwise import compare, limits, logic
from runtime.ops.flow import check
from runtime.ops.reductions import counting, order, reduce, scan
from runtime.shapes import TensorShape, as_shape, broadcast_shapes
from runtime.tensor.convert import convert_to_tensor, is_tensor
from runtime.tensor.dispatch import integer_of
from runtime.tensor.tensor import Tensor

__all__ = [
    "Unique", "UniqueWithCounts", "broadcast_dynamic_shape", "broadcast_static_shape", "ensure_shape", "gather_nd",
    "invert_permutation", "meshgrid", "repeat", "scatter_nd", "searchsorted", "sequence_mask", "shape_n", "slice",
    "strided_slice", "unique", "unique_with_counts",
]  # fmt: skip


class Unique(NamedTuple):
    """What `unique` returns."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` returns."""

    y: Tensor
    idx: Tensor
    count: Any


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """The elements or slices of params at positions: result[...] is params[indices[..., 0], indices[..., 1], ...].

    params: any tensor; indices: integers, [..., k]; batch_dims: how many leading axes both share.
    """
    return scatter.gather_nd(params, indices, batch_dims, name=name)


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of a shape with the updates added at the positions, as often as each is named. indices: integers, [..., k];
    updates: numeric, of shape indices.shape[:-1] + shape[k:]."""
    return scatter.scatter_nd(indices, updates, shape, name=name)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The block of size[i] elements from begin[i] on along each axis i; -1 stands for all that follow. input_: any."""
    return block(input_, begin, size, name=name)


def strided_slice(
    input_: Any, begin: Any, end: Any, strides: Any = None, begin_mask: int = 0, end_mask: int = 0,
    ellipsis_mask: int = 0, new_axis_mask: int = 0, shrink_axis_mask: int = 0, var: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """input_[begin[0]:end[0]:strides[0], begin[1]:end[1]:strides[1], ...]. input_: any tensor; strides: 1 by default.

    Bit i of a mask changes entry i: begin_mask, end_mask leave that end open; ellipsis_mask makes it `...`,
    new_axis_mask a new axis of size 1, shrink_axis_mask the single element begin[i]. The number of entries is known.
    """
    if var is not None:
        raise InvalidArgumentError("strided_slice: var is not there; assign to `variable[...]` instead")
    starts, stops = _entries(begin, "begin"), _entries(end, "end")
    steps = [1] * len(starts) if strides is None else _entries(strides, "strides")
    if not len(starts) == len(stops) == len(steps):
        raise ShapeMismatchError(
            f"strided_slice: begin has {len(starts)}, end {len(stops)} and strides {len(steps)} entries"
        )
    begin_mask, end_mask = (integer_of("strided_slice", "a mask", m) for m in (begin_mask, end_mask))
    masks = (ellipsis_mask, new_axis_mask, shrink_axis_mask)
    ellipsis_mask, new_axis_mask, shrink_axis_mask = (integer_of("strided_slice", "a mask", m) for m in masks)
    key: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(starts, stops, steps, strict=True)):
        bit = 1 << i
        key.append(
            ... if ellipsis_mask & bit else None if new_axis_mask & bit else start if shrink_axis_mask & bit
            else builtins.slice(None if begin_mask & bit else start, None if end_mask & bit else stop, step)
        )  # fmt: skip
    return convert_to_tensor(input_)[tuple(key)]


def _entries(values: Any, name: str) -> list[Any]:
    """A list of integers (or integer scalars) out of one, or out of a vector of known length."""
    if isinstance(values, list | tuple):
        return list(values)
    vector = convert_to_tensor(values)
    if vector.shape.rank != 1 or vector.shape[0] is None:
        raise InvalidArgumentError(f"strided_slice: {name} must be a vector of known length; got {vector.shape}")
    return [vector[i] for i in range(vector.shape[0])]


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:
    """Each element as often as `repeats` says, one after the other. input: any tensor; without an axis it is flattened.

    repeats: integers >= 0: one for each element along the axis, or one for all.
    """
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = shape.reshape(x, [-1]), 0
    counts = shape.cast(convert_to_tensor(repeats), int64)
    if counts.shape.rank is not None and counts.shape.rank > 1:
        raise ShapeMismatchError(f"repeat: repeats is a number or a vector; its shape is {counts.shape}")
    size = shape.shape(x, int64)[axis]
    every = repeating.broadcast_to(shape.reshape(counts, [-1]), shape.reshape(size, [1]))
    ends = scan.cumsum(every)
    numbers = create.range_(shape.cast(0, int64), reduce.reduce_sum(every), shape.cast(1, int64))
    return index.gather(x, counting.search_rows(ends, numbers, "right", int64), axis, name=name)


def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = bool_, name: str | None = None) -> Tensor:
    """A new last axis of size maxlen (the largest length by default), true at the first lengths[...] places.

    lengths: integers of any shape; dtype: that of the result.
    """
    lengths = convert_to_tensor(lengths)
    if maxlen is None:
        maxlen = _longest(lengths)
    limit = maxlen if is_tensor(maxlen) else convert_to_tensor(maxlen, lengths.dtype)
    steps = create.range_(shape.cast(0, lengths.dtype), shape.cast(limit, lengths.dtype), shape.cast(1, lengths.dtype))
    mask = compare.less(steps, shape.expand_dims(lengths, axis=-1))
    return mask if as_dtype(dtype) is bool_ else shape.cast(mask, dtype, name=name)


def _longest(lengths: Any) -> Any:
    """The largest of some lengths; 0 if there is none."""
    flat = join.concat([shape.reshape(lengths, [-1]), create.zeros([1], lengths.dtype)], axis=0)
    return reduce.reduce_max(flat)


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """For each of some vectors its values along an axis of its own, in the shape of all of them together.

    indexing: "ij": vector i lies along axis i; "xy": the first two axes are exchanged. Scalars count as one value.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing is 'xy' or 'ij'; got {indexing!r}")
    vectors = [shape.reshape(v, [-1]) for v in map(convert_to_tensor, args)]
    axes = list(range(len(vectors)))
    if indexing == "xy" and len(axes) > 1:
        axes[:2] = 1, 0
    sizes: list[Any] = [None] * len(axes)
    for axis, vector in zip(axes, vectors, strict=True):
        sizes[axis] = shape.size(vector) if vector.shape[0] is None else vector.shape[0]
    lines = [[-1 if i == axis else 1 for i in range(len(axes))] for axis in axes]
    return [repeating.broadcast_to(shape.reshape(v, line), sizes) for v, line in zip(vectors, lines, strict=True)]


def unique(x: Any, out_idx: Any = int32, name: str | None = None) -> Unique:
    """The different elements of a vector in the order of their first appearance, and the place of each element of x
    among them. x: any vector; out_idx: int32 or int64."""
    return Unique(*counting.unique_in_order(x, as_dtype(out_idx), name=name)[:2])


def unique_with_counts(x: Any, out_idx: Any = int32, name: str | None = None) -> UniqueWithCounts:
    """As `unique`, and how often each of the different elements occurs."""
    return UniqueWithCounts(*counting.unique_in_order(x, as_dtype(out_idx), name=name))


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = int32, name: str | None = None
) -> Tensor:
    """Where each value would go in its row: before its equals (left) or after them (right).

    sorted_sequence: real, [..., n], each row in ascending order; values: of its dtype, [..., m]; out_type: int32 or
    int64.
    """
    return counting.search_rows(sorted_sequence, values, side, as_dtype(out_type), name=name)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """x itself, whose static shape is from here on as far as known `shape` (None for any size).

    Raises ShapeMismatchError where the shapes do not fit, at the latest when the graph runs.
    """
    return ensure_shape_of(x, shape=as_shape(shape), name=name)


def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """Where each number stands in a permutation of 0, 1, ..., n - 1. x: an int32 or int64 vector."""
    x = convert_to_tensor(x)
    if x.shape.rank not in (1, None) or not x.dtype.is_integer:
        raise ShapeMismatchError(f"invert_permutation: a vector of integers is needed; got {x.dtype.name}{x.shape}")
    numbers = create.range_(shape.cast(0, x.dtype), shape.size(x, x.dtype), shape.cast(1, x.dtype))
    right = reduce.reduce_all(compare.equal(order.sort(x), numbers))
    check.check(right, [x], message="invert_permutation: this is no permutation of 0, 1, ..., n - 1: ")
    return shape.cast(order.argsort(x), x.dtype, name=name)


def shape_n(input: Any, out_type: Any = int32, name: str | None = None) -> list[Tensor]:
    """The shape of each tensor of a list, as vectors of integers."""
    return [shape.shape(x, as_dtype(out_type)) for x in input]


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two static shapes broadcast to. Raises ValueError if they do not fit."""
    return broadcast_shapes(as_shape(shape_x), as_shape(shape_y))


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shapes broadcast to, as a tensor. shape_x, shape_y: vectors of integers, of one dtype.

    Raises InvalidArgumentError if they do not fit.
    """
    x, y = convert_to_tensor(shape_x), convert_to_tensor(shape_y)
    rank = limits.maximum(shape.size(x), shape.size(y))
    x, y = (join.concat([create.ones([rank - shape.size(v)], v.dtype), v], axis=0) for v in (x, y))
    fits = logic.logical_or(compare.equal(x, y), logic.logical_or(compare.equal(x, 1), compare.equal(y, 1)))
    check.check(reduce.reduce_all(fits), [x, y], message="broadcast_dynamic_shape: these shapes do not fit: ")
    return logic.where(compare.equal(x, 1), y, x)
