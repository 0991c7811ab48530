"""Slices of a tensor at positions that a tensor lists: gather_nd, scatter_nd, tensor_scatter_nd_update, ...

>>> runtime.scatter_nd([[1], [1]], [2, 3], [3])         # where positions repeat, the values add up
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([0, 5, 0], dtype=int32)>

The last dimension of `indices` is a position: k integers name a slice along the first k axes. A position outside of the
tensor, also a negative one, raises InvalidArgumentError.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import ANY, INTEGERS, NUMERIC, REALS
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, integers
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import CHECKED
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = [
    "gather_nd", "scatter_nd", "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update",
]  # fmt: skip


def _slices(shape: TensorShape, indices: TensorShape, batch: int = 0) -> TensorShape:
    """The shape of the slices at all positions together. Raises ValueError where the positions are too long."""
    if indices.dims is None or shape.dims is None:
        return TensorShape(None)
    if not indices.dims:
        raise ValueError("indices must have at least one dimension: the last one holds the positions")
    depth = indices.dims[-1]
    if depth is None:
        return TensorShape(None)
    if batch + depth > len(shape.dims):
        raise ValueError(f"positions of {depth} numbers are too long for the shape {shape}")
    return TensorShape(indices.dims[:-1]).concatenate(shape.dims[batch + depth :])


def _gathered(params: Operand, indices: Operand, batch_dims: int) -> TensorShape:
    if batch_dims:
        for dims in (params.shape.dims, indices.shape.dims):
            if batch_dims < 0 or (dims is not None and len(dims) < batch_dims + (dims is indices.shape.dims)):
                raise ValueError(f"batch_dims={batch_dims} does not fit the ranks")
        if params.shape.dims is not None and indices.shape.dims is not None:
            TensorShape(params.shape.dims[:batch_dims]).merge_with(indices.shape.dims[:batch_dims])
    return _slices(params.shape, indices.shape, batch_dims)


def _key(name: str, indices: Array, shape: tuple[int, ...], batch: int = 0) -> tuple[Array, ...]:
    """The index for numpy. Raises InvalidArgumentError for positions outside of the shape."""
    if not indices.ndim or batch + indices.shape[-1] > len(shape):
        raise ShapeMismatchError(f"{name}: indices of shape {indices.shape} do not fit a tensor of shape {shape}")
    bits = 8 * indices.itemsize
    sizes = [min(size, 1 << bits - 1) for size in shape[batch : batch + indices.shape[-1]]]
    wrong = indices.view(f"u{indices.itemsize}") >= np.array(sizes, np.uint64)  # a negative one is larger than any
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0][:-1].tolist())
        raise InvalidArgumentError(
            f"{name}: indices{list(place) if place else ''} = {indices[place].tolist()} is not within the shape {shape}"
        )
    parts = [indices[..., i] for i in range(indices.shape[-1])]
    if not batch:
        return tuple(parts)
    batches = np.ogrid[tuple(slice(n) for n in indices.shape[:batch])]
    extra = (1,) * (indices.ndim - 1 - batch)
    numbers = [np.broadcast_to(b.reshape(b.shape + extra), indices.shape[:-1]) for b in batches]  # also of no others
    return (*numbers, *parts)


def _at(*items: Any) -> Array:
    return np.array(items, np.int32)


def _one_by_one(params: Array, indices: Array, batch_dims: int = 0) -> Array:
    depth = indices.shape[-1]
    result = np.empty((*indices.shape[:-1], *params.shape[batch_dims + depth :]), object)
    for index in np.ndindex(indices.shape[:-1]):
        result[index] = params[(*index[:batch_dims], *indices[index].tolist())]
    return result


@op(
    raises=CHECKED,
    shape=_gathered, dtypes={"params": ANY, "indices": INTEGERS}, reference=_one_by_one,
    samples=calls(lambda x: [
        ((x(2, 3), _at([0, 1], [1, 2])), {}), ((x(2, 3), _at([1], [0], [1])), {}), ((x(4), _at(2)), {}),
        ((x(2, 3), np.zeros((2, 0), np.int64)), {}), ((x(3, 2).T, np.zeros((0, 2), np.int32)), {}),
        ((x(2, 3, 4), _at([[0, 1]], [[1, 2]])), {}), ((x(2, 3, 2), _at([[0], [2]], [[1], [1]])), {"batch_dims": 1}),
        ((x(6)[::-2], _at([2])), {}), ((x(2, 3), np.zeros((2, 4, 0), np.int64)), {"batch_dims": 1}),
    ]),
    errors=[Failure((np.ones((2, 3), np.float32), [[0, 3]]), InvalidArgumentError, ("indices[0] = [0, 3]", "(2, 3)")),
            Failure((np.ones(2, np.float32), [-1]), InvalidArgumentError, ("[-1]", "(2,)")),
            Failure((np.ones(2, np.float32), [[0, 0]]), ShapeMismatchError, ("(2,)",)),
            Failure((np.ones(2, np.float32), [0.5]), DtypeMismatchError, ("indices", "float32"))],
)  # fmt: skip
def gather_nd(params: Array, indices: Array, batch_dims: int = 0) -> Any:
    """The elements or slices of params at the positions. params: any tensor; indices: integers of shape [..., k].

    The result has the shape indices.shape[:-1] + params.shape[k:]. batch_dims: how many leading axes both share.
    """
    params, indices = elements(params), elements(indices)
    if batch_dims and params.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ShapeMismatchError(
            f"gather_nd: the first {batch_dims} axes of {params.shape} and {indices.shape} must be equal"
        )
    key = _key("gather_nd", indices, params.shape, batch_dims)
    return params[key] if key else np.array(np.broadcast_to(params, indices.shape[:-1] + params.shape))


@gather_nd.gradient
def _(upstream: Any, params: Any, indices: Any, batch_dims: int) -> Any:
    if batch_dims:
        indices = _with_batches(indices, batch_dims)
    return scatter_nd(indices, upstream, ops.shape(params)), None


def _with_batches(indices: Any, batch_dims: int) -> Any:
    """Positions that name their batch, too."""
    shape = ops.shape(indices)
    whole = ops.concat([shape[:-1], [1]], axis=0)
    numbers = []
    for axis in range(batch_dims):
        line = ops.cast(ops.range(0, shape[axis], 1), indices.dtype)
        count = indices.shape.rank
        place = ops.concat([ops.ones([axis], dtype=shape.dtype), shape[axis : axis + 1],
                            ops.ones([ops.rank(indices) - axis - 1 if count is None else count - axis - 1],
                                     dtype=shape.dtype)], axis=0)  # fmt: skip
        numbers.append(ops.broadcast_to(ops.reshape(line, place), whole))
    return ops.concat([*numbers, indices], axis=-1)


def _scattered(indices: Operand, updates: Operand, shape: Operand) -> TensorShape:
    target = shape_from(shape)
    if not _slices(target, indices.shape).is_compatible_with(updates.shape):
        raise ValueError(f"updates {updates.shape} do not fit positions {indices.shape} in the shape {target}")
    return target


def _check_updates(name: str, indices: Array, updates: Array, shape: tuple[int, ...]) -> None:
    wanted = (*indices.shape[:-1], *shape[indices.shape[-1] :])
    if updates.shape != wanted:
        raise ShapeMismatchError(
            f"{name}: the updates must have the shape {wanted} for indices {indices.shape} in a tensor of shape"
            f" {shape}; they have {updates.shape}"
        )


def _write(name: str, change: Callable[..., Any], tensor: Array, indices: Array, updates: Array) -> Array:
    """The tensor, which is the caller's own, with the slices at the positions changed."""
    indices, updates = elements(indices), elements(updates)
    key = _key(name, indices, tensor.shape)
    _check_updates(name, indices, updates, tensor.shape)
    change(tensor, key or (...,), updates) if indices.shape[-1] else _all_of_it(change, tensor, updates)
    return tensor


def _all_of_it(change: Callable[..., Any], tensor: Array, updates: Array) -> None:
    """A position of no numbers is the whole tensor."""
    for update in updates.reshape(-1, *tensor.shape):
        change(tensor, ..., update)


def _assign(tensor: Array, key: Any, updates: Array) -> None:
    tensor[key] = updates


def _changed(combine: Callable[[Any, Any], Any]) -> Callable[..., Array]:
    def reference(tensor: Array, indices: Array, updates: Array) -> Array:
        result = np.array(tensor, object)
        for index in np.ndindex(indices.shape[:-1]):
            position = tuple(indices[index].tolist())
            for rest in np.ndindex(result.shape[len(position) :]):
                place = (*position, *rest)
                result[place] = combine(result[place], updates[(*index, *rest)])
        return result

    return reference


@op(
    raises=CHECKED,
    shape=_scattered, dtypes={"updates": NUMERIC, "indices": INTEGERS, "shape": INDEXES},
    result=lambda indices, updates, shape: updates.dtype,
    samples=calls(lambda x: [
        (_at([1], [1], [3]), x(3), _at(4)), (_at([0, 1], [1, 2]), x(2), _at(2, 3)), (_at([1]), x(1, 3), _at(2, 3)),
        (np.zeros((0, 1), np.int64), x(0, 2), _at(3, 2)), (_at([[0], [1]], [[1], [0]]), x(2, 2, 2).T, _at(2, 2)),
        (_at([2]), x(2)[::-2], np.array([3])),
    ]),
    reference=lambda indices, updates, shape: _changed(lambda x, y: x + y)(
        np.zeros(shape, updates.dtype), indices, updates),
    errors=[Failure(([[3]], [1.0], [3]), InvalidArgumentError, ("indices[0] = [3]", "(3,)")),
            Failure(([[0], [1]], [1.0], [3]), ShapeMismatchError, ("(1,)",)),
            Failure(([[0]], [1.0], [-3]), InvalidArgumentError, ("-3",))],
)  # fmt: skip
def scatter_nd(indices: Array, updates: Array, shape: Array) -> Any:
    """Zeros of a shape with the updates added at the positions. indices: integers [..., k]; updates: numeric, of shape
    indices.shape[:-1] + shape[k:]; shape: integers."""
    target = integers(shape, "scatter_nd")
    if any(n < 0 for n in target):
        raise InvalidArgumentError(f"scatter_nd: the shape {list(target)} has a negative dimension")
    result = np.zeros(target, elements(updates).dtype)
    return _write("scatter_nd", np.add.at, result, indices, updates)


@scatter_nd.gradient
def _(upstream: Any, indices: Any) -> Any:
    return None, gather_nd(upstream, indices), None


def _same(tensor: Operand, indices: Operand, updates: Operand) -> TensorShape:
    if not _slices(tensor.shape, indices.shape).is_compatible_with(updates.shape):
        raise ValueError(f"updates {updates.shape} do not fit positions {indices.shape} in the shape {tensor.shape}")
    return tensor.shape


changing = functools.partial(
    op, raises=CHECKED, shape=_same,
    samples=calls(lambda x: [
        (x(4), _at([1], [1], [3]), x(3)), (x(2, 3), _at([0, 1], [1, 2]), x(2)), (x(3, 2).T, _at([1]), x(1, 3)),
        (x(3, 2), np.zeros((0, 1), np.int64), x(0, 2)), (x(2, 2), _at([[0], [1]], [[1], [0]]), x(2, 2, 2).T),
        (x(6)[::-2], _at([2]), x(2)[::-2]),
    ]),
    errors=[Failure((np.ones(3, np.float32), [[3]], [1.0]), InvalidArgumentError, ("indices[0] = [3]", "(3,)")),
            Failure((np.ones(3, np.float32), [[0]], [1.0, 2.0]), ShapeMismatchError, ("(3,)", "(2,)")),
            Failure((np.ones(3, np.int32), [[0]], [0.5]), DtypeMismatchError, ("int32",))],
)  # fmt: skip
"""The record of an operation that changes slices of a tensor, but for what differs."""


def _tensors(allowed: Any) -> Any:
    return {("tensor", "updates"): allowed, "indices": INTEGERS}


@changing(dtypes=_tensors(ANY), reference=_changed(lambda x, y: y))
def tensor_scatter_nd_update(tensor: Array, indices: Array, updates: Array) -> Any:
    """The tensor with the slices at the positions replaced; where positions repeat the last one stays.

    tensor: any; indices: integers [..., k]; updates: of its dtype, of shape indices.shape[:-1] + tensor.shape[k:].
    """
    return _write("tensor_scatter_nd_update", _assign, np.array(elements(tensor)), indices, updates)


@tensor_scatter_nd_update.gradient
def _(upstream: Any, tensor: Any, indices: Any, updates: Any) -> Any:
    shape = ops.shape(indices)[:-1]
    numbers = ops.reshape(ops.range(0, ops.reduce_prod(shape), 1), shape)
    board = ops.fill(ops.shape(tensor)[: ops.shape(indices)[-1]], -1)
    stays = ops.equal(gather_nd(tensor_scatter_nd_update(board, indices, numbers), indices), numbers)
    taken = gather_nd(upstream, indices)
    extra = ops.ones([ops.rank(updates) - ops.rank(stays)], dtype=shape.dtype)
    stays = ops.reshape(stays, ops.concat([shape, extra], axis=0))
    return (tensor_scatter_nd_update(upstream, indices, ops.zeros_like(updates)), None,
            ops.where(stays, taken, ops.zeros_like(taken)))  # fmt: skip


@changing(dtypes=_tensors(NUMERIC), reference=_changed(lambda x, y: x + y))
def tensor_scatter_nd_add(tensor: Array, indices: Array, updates: Array) -> Any:
    """The tensor with the updates added at the positions, as often as each is named. tensor, updates: numeric, of one
    dtype; indices: integers [..., k]; updates have the shape indices.shape[:-1] + tensor.shape[k:]."""
    return _write("tensor_scatter_nd_add", np.add.at, np.array(elements(tensor)), indices, updates)


@tensor_scatter_nd_add.gradient
def _(upstream: Any, indices: Any) -> Any:
    return upstream, None, gather_nd(upstream, indices)


@changing(dtypes=_tensors(NUMERIC), reference=_changed(lambda x, y: x - y))
def tensor_scatter_nd_sub(tensor: Array, indices: Array, updates: Array) -> Any:
    """The tensor with the updates subtracted at the positions: see `tensor_scatter_nd_add`. tensor, updates: numeric;
    indices: integers."""
    return _write("tensor_scatter_nd_sub", np.subtract.at, np.array(elements(tensor)), indices, updates)


@tensor_scatter_nd_sub.gradient
def _(upstream: Any, indices: Any) -> Any:
    return upstream, None, -gather_nd(upstream, indices)


@changing(dtypes=_tensors(REALS), reference=_changed(max))
def tensor_scatter_nd_max(tensor: Array, indices: Array, updates: Array) -> Any:
    """The tensor with the larger of it and the updates at the positions. tensor, updates: real, of one dtype; indices:
    integers; shapes as for `tensor_scatter_nd_add`."""
    return _write("tensor_scatter_nd_max", np.maximum.at, np.array(elements(tensor)), indices, updates)


@changing(dtypes=_tensors(REALS), reference=_changed(min))
def tensor_scatter_nd_min(tensor: Array, indices: Array, updates: Array) -> Any:
    """The tensor with the smaller of it and the updates at the positions. tensor, updates: real, of one dtype; indices:
    integers; shapes as for `tensor_scatter_nd_add`."""
    return _write("tensor_scatter_nd_min", np.minimum.at, np.array(elements(tensor)), indices, updates)


def _of_extreme(upstream: Any, result: Any, tensor: Any, indices: Any, updates: Any) -> Any:
    """All that equal the result share the gradient."""
    kept = ops.cast(ops.equal(tensor, result), tensor.dtype)
    chosen = ops.cast(ops.equal(updates, gather_nd(result, indices)), tensor.dtype)
    share = upstream / tensor_scatter_nd_add(kept, indices, chosen)
    return share * kept, None, gather_nd(share, indices) * chosen


tensor_scatter_nd_max.gradient(_of_extreme)
tensor_scatter_nd_min.gradient(_of_extreme)
