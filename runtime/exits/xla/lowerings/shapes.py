"""Shapes: all sizes are known while JAX traces."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.exits.rules import Refused
from runtime.exits.xla.library import jnp, lax
from runtime.exits.xla.rules import known, lowers
from runtime.graph.operation import Operation
from runtime.ops.arrays.padding import MODES
from runtime.ops.records.gradients import ops

__all__ = ["sizes"]


def sizes(value: Any, what: str) -> tuple[int, ...]:
    """A shape that is an operand. Raises Refused unless it is known."""
    return tuple(int(size) for size in np.reshape(known(value, what), -1))


@lowers(ops.shape)
def _(input: Any) -> Any:
    return np.array(np.shape(input), np.int64)


@lowers(ops.size)
def _(input: Any) -> Any:
    return np.asarray(int(np.prod(np.shape(input), dtype=np.int64)))


@lowers(ops.rank)
def _(input: Any) -> Any:
    return np.asarray(np.ndim(input))


@lowers(ops.reshape)
def _(tensor: Any, shape: Any) -> Any:
    return jnp.reshape(tensor, sizes(shape, "its shape"))


@lowers(ops.transpose)
def _(a: Any, perm: Any) -> Any:
    return jnp.transpose(a, None if perm is None else tuple(perm))


@lowers(ops.expand_dims)
def _(input: Any, axis: int) -> Any:
    return jnp.expand_dims(input, axis)


@lowers(ops.squeeze)
def _(input: Any, axis: Any) -> Any:
    return jnp.squeeze(input, None if axis in (None, ()) else axis)


@lowers(ops.swap_first_axes)
def _(x: Any) -> Any:
    return jnp.swapaxes(x, 0, 1)


@lowers(ops.broadcast_to)
def _(input: Any, shape: Any) -> Any:
    return jnp.broadcast_to(input, sizes(shape, "the shape that it is broadcast to"))


@lowers(ops.tile)
def _(input: Any, multiples: Any) -> Any:
    return jnp.tile(input, sizes(multiples, "how often it is repeated"))


@lowers(ops.sum_to)
def _(x: Any, shape: Any) -> Any:
    target = sizes(shape, "the shape that it is summed to")
    missing = x.ndim - len(target)
    axes = tuple(i for i, n in enumerate(x.shape) if i < missing or target[i - missing] != n)
    return jnp.sum(x, axis=axes, keepdims=True, dtype=x.dtype).reshape(target) if axes else x


@lowers(ops.pad)
def _(tensor: Any, paddings: Any, constant_values: Any, mode: str) -> Any:
    widths = known(paddings, "what is added around it").tolist()
    if mode.upper() == "CONSTANT":
        return jnp.pad(tensor, widths, constant_values=jnp.asarray(constant_values))
    return jnp.pad(tensor, widths, mode=MODES[mode.upper()])


@lowers(ops.concat)
def _(values: Any, axis: int) -> Any:
    return jnp.concatenate([jnp.asarray(v) for v in values], axis)


@lowers(ops.stack)
def _(values: Any, axis: int) -> Any:
    return jnp.stack([jnp.asarray(v) for v in values], axis)


@lowers(ops.unstack)
def _(value: Any, axis: int, operation: Operation) -> Any:
    if len(operation.outputs) != value.shape[axis]:
        raise Refused(f"it is unstacked to {len(operation.outputs)} tensors, and has {value.shape[axis]}")
    return tuple(jnp.moveaxis(value, axis, 0))


@lowers(ops.split)
def _(value: Any, num_or_size_splits: Any, axis: int) -> Any:
    if isinstance(num_or_size_splits, int):
        return tuple(jnp.split(value, num_or_size_splits, axis))
    lengths = list(num_or_size_splits)
    if -1 in lengths:
        lengths[lengths.index(-1)] = value.shape[axis] - sum(n for n in lengths if n != -1)
    ends = np.cumsum(lengths)[:-1].tolist()
    return tuple(jnp.split(value, ends, axis))[: len(lengths)]


@lowers(ops.slice)
def _(input_: Any, begin: Any, size: Any) -> Any:
    lengths = sizes(size, "the size of the slice")
    starts = [jnp.asarray(begin)[i] for i in range(len(lengths))]
    if -1 in lengths:
        corner = sizes(begin, "the size of the slice")
        lengths = tuple(n - b if s == -1 else s for n, b, s in zip(input_.shape, corner, lengths, strict=True))
    return lax.dynamic_slice(jnp.asarray(input_), starts, lengths)


@lowers(ops.reverse)
def _(tensor: Any, axis: Any) -> Any:
    return jnp.flip(tensor, axis)


@lowers(ops.roll)
def _(input: Any, shift: Any, axis: Any) -> Any:
    return jnp.roll(input, shift, axis)


# -- tensors that are made --------------------------------------------------------------------------------------------


@lowers(ops.constant)
def _(value: Any) -> Any:
    return jnp.asarray(value)


@lowers(ops.zeros)
def _(shape: Any, dtype: DType) -> Any:
    return jnp.zeros(sizes(shape, "its shape"), dtype.numpy)


@lowers(ops.ones)
def _(shape: Any, dtype: DType) -> Any:
    return jnp.ones(sizes(shape, "its shape"), dtype.numpy)


@lowers(ops.fill)
def _(dims: Any, value: Any) -> Any:
    return jnp.full(sizes(dims, "its shape"), value)


@lowers(ops.zeros_like)
def _(input: Any, operation: Operation) -> Any:
    return jnp.zeros(np.shape(input), operation.outputs[0].dtype.numpy)


@lowers(ops.ones_like)
def _(input: Any, operation: Operation) -> Any:
    return jnp.ones(np.shape(input), operation.outputs[0].dtype.numpy)


@lowers(ops.eye)
def _(num_rows: Any, num_columns: Any, dtype: DType) -> Any:
    return jnp.eye(int(known(num_rows, "its size")), int(known(num_columns, "its size")), dtype=dtype.numpy)


@lowers(ops.range)
def _(start: Any, limit: Any, delta: Any) -> Any:
    first, last, step = (known(v, "how many numbers there are") for v in (start, limit, delta))
    count = len(np.arange(first, last, step))
    return jnp.asarray(first) + jnp.arange(count).astype(first.dtype) * jnp.asarray(step)


@lowers(ops.one_hot)
def _(indices: Any, depth: Any, on_value: Any, off_value: Any, axis: int) -> Any:
    positions = np.arange(int(known(depth, "its depth")), dtype=np.int64)
    hit = jnp.equal(jnp.asarray(indices)[..., None], positions)
    return jnp.moveaxis(jnp.where(hit, on_value, off_value), -1, axis)
