"""Arithmetic whose result depends on the kinds of numbers. Integers wrap around, as tensors' do."""

from __future__ import annotations

from typing import Any

from runtime.dtypes import DType
from runtime.exits.xla.library import jnp, lax
from runtime.exits.xla.rules import known, lowers
from runtime.graph.operation import Operation
from runtime.ops.records.gradients import ops

__all__: list[str] = []


def is_float(x: Any) -> bool:
    """Whether an array is of real floats, the narrow ones included."""
    return bool(jnp.issubdtype(x.dtype, jnp.floating))


@lowers(ops.divide)
def _(x: Any, y: Any, operation: Operation) -> Any:
    dtype = operation.outputs[0].dtype.numpy
    return jnp.divide(jnp.asarray(x, dtype), jnp.asarray(y, dtype))


@lowers(ops.reciprocal)
def _(x: Any) -> Any:
    return jnp.ones((), x.dtype) / x


@lowers(ops.floordiv)
def _(x: Any, y: Any) -> Any:
    return floor_divided(jnp.asarray(x), jnp.asarray(y))


def floor_divided(x: Any, y: Any) -> Any:
    """Of floats as NumPy does it: by the rest, so that the quotient is whole; a zero has the sign of x / y."""
    if not is_float(x):
        return jnp.floor_divide(x, y)
    rest = lax.rem(*jnp.broadcast_arrays(x, y))
    quotient = (x - rest) / y
    quotient = jnp.where((rest != 0) & ((y < 0) != (rest < 0)), quotient - 1, quotient)
    near = jnp.floor(quotient)
    whole = jnp.where(quotient - near > 0.5, near + 1, near)
    whole = jnp.where(quotient == 0, jnp.copysign(jnp.zeros_like(quotient), x / y), whole)
    return jnp.where(y == 0, x / y, whole)


@lowers(ops.floormod)
def _(x: Any, y: Any) -> Any:
    found = jnp.remainder(x, y)
    return jnp.where(found == 0, jnp.copysign(found, y), found) if is_float(found) else found


@lowers(ops.maximum)
def _(x: Any, y: Any) -> Any:
    """Of two equal numbers the first one has the gradient."""
    return jnp.where((x >= y) | (x != x), x, y)


@lowers(ops.minimum)
def _(x: Any, y: Any) -> Any:
    return jnp.where((x <= y) | (x != x), x, y)


@lowers(ops.clip_by_value)
def _(t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    return jnp.minimum(jnp.maximum(t, clip_value_min), clip_value_max)


@lowers(ops.cast)
def _(x: Any, dtype: DType) -> Any:
    x = jnp.asarray(x)
    if dtype.is_bool:
        return x != 0
    if jnp.issubdtype(x.dtype, jnp.complexfloating) and not dtype.is_complex:
        x = x.real
    return x.astype(dtype.numpy)


@lowers(ops.linspace)
def _(start: Any, stop: Any, num: Any) -> Any:
    return jnp.linspace(start, stop, int(known(num, "how many numbers there are")), axis=0)
