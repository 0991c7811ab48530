"""Functions of numbers, element by element, that JAX has; they are NumPy's, so most are one line."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.exits.xla.library import jax, jnp, lax
from runtime.exits.xla.rules import is_function, lowers
from runtime.ops.records.gradients import ops

__all__: list[str] = []

is_function(
    {
        ops.add: "add", ops.subtract: "subtract", ops.multiply: "multiply", ops.negative: "negative",
        ops.abs: "abs", ops.square: "square", ops.sign: "sign", ops.pow: "power", ops.fmod: "fmod",
        ops.left_shift: "left_shift", ops.right_shift: "right_shift", ops.gcd: "gcd", ops.lcm: "lcm",
        ops.equal: "equal", ops.not_equal: "not_equal", ops.less: "less", ops.less_equal: "less_equal",
        ops.greater: "greater", ops.greater_equal: "greater_equal",
        ops.logical_and: "logical_and", ops.logical_or: "logical_or", ops.logical_xor: "logical_xor",
        ops.logical_not: "logical_not", ops.where: "where",
        ops.bitwise_and: "bitwise_and", ops.bitwise_or: "bitwise_or", ops.bitwise_xor: "bitwise_xor",
        ops.invert: "invert",
        ops.exp: "exp", ops.expm1: "expm1", ops.log: "log", ops.log1p: "log1p", ops.sqrt: "sqrt",
        ops.rsqrt: "lax.rsqrt", ops.sin: "sin", ops.cos: "cos", ops.tan: "tan",
        ops.asin: "arcsin", ops.acos: "arccos", ops.atan: "arctan", ops.atan2: "arctan2",
        ops.sinh: "sinh", ops.cosh: "cosh", ops.tanh: "tanh", ops.sigmoid: "nn.sigmoid",
        ops.floor: "floor", ops.ceil: "ceil", ops.round: "round", ops.trunc: "trunc",
        ops.is_nan: "isnan", ops.is_inf: "isinf", ops.is_finite: "isfinite",
        ops.log2: "log2", ops.log10: "log10", ops.exp2: "exp2", ops.cbrt: "cbrt",
        ops.asinh: "arcsinh", ops.acosh: "arccosh", ops.atanh: "arctanh",
        ops.signbit: "signbit", ops.copysign: "copysign", ops.hypot: "hypot", ops.logaddexp: "logaddexp",
        ops.nextafter: "nextafter",
        ops.erf: "scipy.special.erf", ops.erfc: "scipy.special.erfc", ops.erfinv: "lax.erf_inv",
        ops.lgamma: "lax.lgamma", ops.digamma: "lax.digamma",
        ops.real: "real", ops.imag: "imag", ops.conj: "conj", ops.angle: "angle",
        ops.stop_gradient: "lax.stop_gradient",
    }
)  # fmt: skip


@lowers(ops.identity, ops.distinct)
def _(input: Any) -> Any:
    return input


@lowers(ops.ensure_shape)
def _(x: Any) -> Any:
    """Whether it has the shape is known before."""
    return x


@lowers(ops.in_domain)
def _(result: Any) -> Any:
    return result


@lowers(ops.complex)
def _(real: Any, imag: Any) -> Any:
    return lax.complex(*jnp.broadcast_arrays(real, imag))


@lowers(ops.relu)
def _(features: Any) -> Any:
    return jnp.where(features <= 0, jnp.zeros_like(features), features)


@lowers(ops.gamma)
def _(x: Any) -> Any:
    wide = jnp.asarray(x, np.float64)
    whole = (wide <= 0) & (wide == jnp.floor(wide)) & (wide != 0)
    return jnp.where(whole, np.nan, jax.scipy.special.gamma(wide))


@lowers(ops.custom_gradient)
def _(values: Any, count: int) -> Any:
    """The values as they are; JAX does not take its own gradient for the one that the program has written."""
    own = jax.custom_vjp(lambda *given: given[:count])
    own.defvjp(lambda *given: (given[:count], None), _refuse_gradient)
    return own(*map(jnp.asarray, values))


def _refuse_gradient(*_: Any) -> Any:
    raise NotImplementedError("it has a gradient of its own, which JAX does not take: use runtime.GradientTape")
