"""Convolutions and poolings, with the channels last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.exits.xla.library import jax, jnp, lax
from runtime.exits.xla.lowerings.shapes import sizes
from runtime.exits.xla.rules import lowers
from runtime.ops.kernels.windows import axes_of
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.reduce import lowest

__all__: list[str] = []


def _around(spatial: Any, kernel: Any, strides: Any, dilations: Any, padding: Any) -> list[tuple[int, int]]:
    """How many zeros are before and after each spatial axis."""
    return [(axis.before, axis.after) for axis in axes_of(spatial, kernel, strides, dilations, padding)]


@lowers(ops.convolution)
def _(input: Any, filters: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    return convolved(input, filters, strides, padding, dilations)


def convolved(x: Any, w: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    """The convolution; in float16 it is computed in float32, and rounded once."""
    count, dtype = x.ndim - 2, x.dtype
    wide = np.float32 if dtype == np.float16 else dtype
    places = _around(x.shape[1:-1], w.shape[:-2], strides, dilations, padding)
    letters = "DHW"[-count:] if count <= 3 else "ABCDEFGH"[:count]
    groups = max(x.shape[-1] // max(w.shape[-2], 1), 1)
    made = lax.conv_general_dilated(
        jnp.asarray(x, wide), jnp.asarray(w, wide), tuple(strides), places, rhs_dilation=tuple(dilations),
        dimension_numbers=(f"N{letters}C", f"{letters}IO", f"N{letters}C"), feature_group_count=groups,
    )  # fmt: skip
    return made.astype(dtype)


@lowers(ops.convolution_input_gradient)
def _(sizes: Any, filters: Any, gradient: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    """The convolution is linear: what its transpose makes of the gradient."""
    shape = _sizes(sizes)
    function = lambda x: convolved(x, filters, strides, padding, dilations)
    like = jax.ShapeDtypeStruct(shape, gradient.dtype)
    return jax.linear_transpose(function, like)(jnp.asarray(gradient))[0]


@lowers(ops.convolution_filter_gradient)
def _(input: Any, sizes: Any, gradient: Any, strides: Any, padding: Any, dilations: Any) -> Any:
    shape = _sizes(sizes)
    function = lambda w: convolved(input, w, strides, padding, dilations)
    like = jax.ShapeDtypeStruct(shape, gradient.dtype)
    return jax.linear_transpose(function, like)(jnp.asarray(gradient))[0]


def _sizes(value: Any) -> tuple[int, ...]:
    return sizes(value, "the shape of the result")


@lowers(ops.max_pool)
def _(input: Any, ksize: Sequence[int], strides: Sequence[int], padding: Any) -> Any:
    start = np.asarray(lowest(np.dtype(input.dtype)))
    return _pooled(jnp.asarray(input), lax.max, start, ksize, strides, padding)


@lowers(ops.avg_pool)
def _(input: Any, ksize: Sequence[int], strides: Sequence[int], padding: Any) -> Any:
    wide = jnp.asarray(input, np.float32 if input.dtype == np.float16 else input.dtype)
    zero = np.zeros((), wide.dtype)
    total = _pooled(wide, lax.add, zero, ksize, strides, padding)
    counts = _pooled(jnp.ones_like(wide), lax.add, zero, ksize, strides, padding)
    return total / counts


def _pooled(x: Any, function: Any, start: Any, ksize: Any, strides: Any, padding: Any) -> Any:
    around = _around(x.shape[1:-1], ksize, strides, (1,) * len(ksize), padding)
    return lax.reduce_window(
        x, start, function, (1, *ksize, 1), (1, *strides, 1), [(0, 0), *around, (0, 0)]
    )  # fmt: skip
