"""Reductions, running ones, and what is made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.exits.xla.library import jax, jnp, lax
from runtime.exits.xla.rules import lowers
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.reduce import count_of, highest, lowest

__all__: list[str] = []


@lowers(ops.reduce_sum)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.sum(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


@lowers(ops.reduce_prod)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.prod(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


@lowers(ops.reduce_mean)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    if not jnp.issubdtype(input_tensor.dtype, np.integer):
        return jnp.mean(input_tensor, axis=axis, keepdims=keepdims)
    wide = np.uint64 if np.issubdtype(input_tensor.dtype, np.unsignedinteger) else np.int64
    total = jnp.sum(input_tensor, axis=axis, keepdims=keepdims, dtype=wide)
    return jnp.sign(total) * (jnp.abs(total) // wide(max(count_of(input_tensor, axis), 1)))


@lowers(ops.reduce_max)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return _extreme(jnp.max, input_tensor, axis, keepdims, lowest(np.dtype(input_tensor.dtype)))


@lowers(ops.reduce_min)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return _extreme(jnp.min, input_tensor, axis, keepdims, highest(np.dtype(input_tensor.dtype)))


def _extreme(function: Any, x: Any, axis: Any, keepdims: bool, start: Any) -> Any:
    return function(x, axis=axis, keepdims=keepdims, initial=start)


@lowers(ops.reduce_all)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.all(input_tensor, axis=axis, keepdims=keepdims)


@lowers(ops.reduce_any)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.any(input_tensor, axis=axis, keepdims=keepdims)


@lowers(ops.count_nonzero)
def _(input: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.count_nonzero(jnp.asarray(input), axis=axis, keepdims=keepdims)


@lowers(ops.argmax)
def _(input: Any, axis: Any) -> Any:
    return _position(jnp.argmax, input, axis or 0)


@lowers(ops.argmin)
def _(input: Any, axis: Any) -> Any:
    return _position(jnp.argmin, input, axis or 0)


def _position(function: Any, x: Any, axis: int) -> Any:
    """Of an axis without elements nothing counts."""
    if x.shape[axis]:
        return function(x, axis=axis)
    return np.zeros(np.delete(np.array(x.shape), axis), np.int64)


@lowers(ops.cumsum)
def _(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _running(jnp.cumsum, x, axis, exclusive, reverse, 0)


@lowers(ops.cumprod)
def _(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _running(jnp.cumprod, x, axis, exclusive, reverse, 1)


def _running(function: Any, x: Any, axis: int, exclusive: bool, reverse: bool, start: Any) -> Any:
    """exclusive: without the element itself."""
    x = jnp.asarray(x)
    x = jnp.flip(x, axis) if reverse else x
    if exclusive and x.shape[axis]:
        first = jnp.full_like(lax.slice_in_dim(x, 0, 1, axis=axis), start)
        x = jnp.concatenate([first, lax.slice_in_dim(x, 0, x.shape[axis] - 1, axis=axis)], axis)
    found = function(x, axis=axis, dtype=x.dtype)
    return jnp.flip(found, axis) if reverse else found


@lowers(ops.linear_recurrence)
def _(a: Any, b: Any, axis: int, reverse: bool) -> Any:
    first, second = (jnp.moveaxis(v, axis, 0) for v in (a, b))
    step = lambda before, pair: (pair[0] * before + pair[1],) * 2
    _, found = lax.scan(step, jnp.zeros(first.shape[1:], first.dtype), (first, second), reverse=reverse)
    return jnp.moveaxis(found, 0, axis)


@lowers(ops.softmax)
def _(logits: Any, axis: int) -> Any:
    return jax.nn.softmax(logits, axis=axis)


@lowers(ops.log_softmax)
def _(logits: Any, axis: int) -> Any:
    return jax.nn.log_softmax(logits, axis=axis)


@lowers(ops.reduce_logsumexp)
def _(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return jax.scipy.special.logsumexp(input_tensor, axis=axis, keepdims=keepdims)


# -- order ------------------------------------------------------------------------------------------------------------


@lowers(ops.sort)
def _(values: Any, axis: int, direction: str) -> Any:
    found = jnp.sort(values, axis=axis)
    return jnp.flip(found, axis) if direction == "DESCENDING" else found


@lowers(ops.searchsorted)
def _(sorted_sequence: Any, values: Any, side: str) -> Any:
    return jnp.searchsorted(sorted_sequence, values, side=side)


@lowers(ops.convolve)
def _(a: Any, v: Any, mode: str) -> Any:
    return jnp.convolve(a, v, mode=mode, precision=lax.Precision.HIGHEST)


