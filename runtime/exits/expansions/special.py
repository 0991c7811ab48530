"""Functions of floats that are nodes nowhere, or that onnxruntime computes in float32 alone.

Those of float64 are made of exp, log, sin, cos and sqrt, so that no digits are lost on the way.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import float16, float32, float64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.elementwise.error_functions import erf, erfc, erfinv
from runtime.ops.elementwise.functions import acos, asin, atan, atan2, cosh, expm1, is_finite, log1p, rsqrt, sinh, tan
from runtime.ops.elementwise.special import (
    acosh,
    asinh,
    atanh,
    cbrt,
    copysign,
    exp2,
    hypot,
    log2,
    log10,
    logaddexp,
    signbit,
)
from runtime.ops.records.gradients import ops

__all__ = ["in_float64"]

LOG_2 = math.log(2)


def in_float64(x: Any, compute: Any) -> Any:
    """What is computed in float64, in the dtype of x."""
    return ops.cast(compute(ops.cast(x, dtype=float64)), dtype=x.dtype)


@expands(is_finite)
def _(x: Any) -> Any:
    return ops.logical_not(ops.logical_or(ops.is_nan(x), ops.is_inf(x)))


@expands(rsqrt)
def _(x: Any) -> Any:
    return ops.reciprocal(ops.sqrt(x))


@expands(expm1)
def _(x: Any) -> Any:
    """By tanh where the difference would lose digits."""
    near = ops.less(ops.abs(x), constant(x, 1))
    half = ops.tanh(ops.multiply(ops.where(near, x, constant(x, 0)), constant(x, 0.5)))
    small = ops.divide(ops.multiply(half, constant(x, 2)), ops.subtract(constant(x, 1), half))
    return ops.where(near, small, ops.subtract(ops.exp(x), constant(x, 1)))


@expands(log1p)
def _(x: Any) -> Any:
    """With what the sum has lost of x."""
    one = constant(x, 1)
    total = ops.add(x, one)
    kept = ops.subtract(total, one)
    is_lost = ops.equal(kept, constant(x, 0))
    corrected = ops.multiply(ops.log(total), ops.divide(x, ops.where(is_lost, one, kept)))
    near = ops.where(is_lost, x, corrected)
    return ops.where(ops.less(ops.abs(x), constant(x, 0.5)), near, ops.log(total))


@expands(signbit)
def _(x: Any) -> Any:
    zero = constant(x, 0)
    return ops.logical_or(ops.less(x, zero), ops.logical_and(ops.equal(x, zero), ops.less(ops.reciprocal(x), zero)))


@expands(copysign)
def _(x: Any, y: Any) -> Any:
    """By a product: what picks one of two values does not keep the sign of a zero in onnxruntime."""
    return ops.multiply(ops.abs(x), ops.where(ops.signbit(y), constant(x, -1), constant(x, 1)))


# -- angles ---------------------------------------------------------------------------------------------------------


@expands(tan)
def _(x: Any) -> Any:
    return NotImplemented if x.dtype is not float64 else ops.divide(ops.sin(x), ops.cos(x))


@expands(atan)
def _(x: Any) -> Any:
    """The angle in float32, and one step of Newton's method."""
    if x.dtype is not float64:
        return NotImplemented
    size = ops.abs(x)
    outside = ops.greater(size, constant(x, 1))
    z = ops.where(outside, ops.reciprocal(size), size)
    angle = ops.cast(ops.atan(ops.cast(z, dtype=float32)), dtype=float64)
    sine, cosine = ops.sin(angle), ops.cos(angle)
    step = ops.divide(
        ops.subtract(ops.multiply(z, cosine), sine), ops.add(cosine, ops.multiply(z, sine))
    )
    angle = ops.add(angle, step)
    return ops.copysign(ops.where(outside, ops.subtract(constant(x, math.pi / 2), angle), angle), x)


@expands(asin)
def _(x: Any) -> Any:
    if x.dtype is not float64:
        return NotImplemented
    one = constant(x, 1)
    return ops.atan(ops.divide(x, ops.sqrt(ops.multiply(ops.subtract(one, x), ops.add(one, x)))))


@expands(acos)
def _(x: Any) -> Any:
    if x.dtype is not float64:
        return NotImplemented
    one = constant(x, 1)
    share = ops.divide(ops.subtract(one, x), ops.add(one, x))
    return ops.multiply(ops.atan(ops.sqrt(share)), constant(x, 2))


@expands(atan2)
def _(y: Any, x: Any) -> Any:
    zero = constant(x, 0)
    nowhere = ops.logical_and(ops.equal(x, zero), ops.equal(y, zero))
    far = ops.logical_and(ops.is_inf(x), ops.is_inf(y))
    ratio = ops.divide(ops.abs(y), ops.abs(x))
    ratio = ops.where(nowhere, zero, ops.where(far, constant(x, 1), ratio))
    angle = ops.atan(ratio)
    angle = ops.where(ops.signbit(x), ops.subtract(constant(x, math.pi), angle), angle)
    angle = ops.copysign(angle, y)
    return ops.where(ops.is_nan(ops.add(ops.abs(x), ops.abs(y))), ops.add(x, y), angle)


# -- hyperbolic functions -------------------------------------------------------------------------------------------


@expands(sinh)
def _(x: Any) -> Any:
    if x.dtype is not float64:
        return NotImplemented
    size, half, one = ops.abs(x), constant(x, 0.5), constant(x, 1)
    near = ops.less(size, one)
    low = ops.expm1(ops.where(near, size, one))
    small = ops.multiply(half, ops.add(low, ops.divide(low, ops.add(low, one))))
    root = ops.exp(ops.multiply(size, half))
    large = ops.subtract(
        ops.multiply(root, ops.multiply(root, half)), ops.divide(ops.divide(half, root), root)
    )
    return ops.copysign(ops.where(near, small, large), x)


@expands(cosh)
def _(x: Any) -> Any:
    if x.dtype is not float64:
        return NotImplemented
    half = constant(x, 0.5)
    root = ops.exp(ops.multiply(ops.abs(x), half))
    return ops.add(ops.multiply(root, ops.multiply(root, half)), ops.divide(ops.divide(half, root), root))


@expands(asinh)
def _(x: Any) -> Any:
    size, one = ops.abs(x), constant(x, 1)
    is_far = ops.greater(size, constant(x, 100 if x.dtype is float16 else 1e9))
    near = ops.where(is_far, one, size)
    squared = ops.multiply(near, near)
    found = ops.log1p(ops.add(near, ops.divide(squared, ops.add(one, ops.sqrt(ops.add(one, squared))))))
    return ops.copysign(ops.where(is_far, ops.add(ops.log(size), constant(x, LOG_2)), found), x)


@expands(acosh)
def _(x: Any) -> Any:
    one = constant(x, 1)
    is_far = ops.greater(x, constant(x, 100 if x.dtype is float16 else 1e9))
    t = ops.subtract(ops.where(is_far, one, x), one)
    found = ops.log1p(ops.add(t, ops.sqrt(ops.add(ops.add(t, t), ops.multiply(t, t)))))
    found = ops.where(is_far, ops.add(ops.log(x), constant(x, LOG_2)), found)
    return ops.where(ops.less(x, one), constant(x, np.nan), found)


@expands(atanh)
def _(x: Any) -> Any:
    size = ops.abs(x)
    share = ops.divide(ops.add(size, size), ops.subtract(constant(x, 1), size))
    return ops.copysign(ops.multiply(constant(x, 0.5), ops.log1p(share)), x)


# -- powers and logarithms ------------------------------------------------------------------------------------------


@expands(log2)
def _(x: Any) -> Any:
    return in_float64(x, lambda wide: ops.multiply(ops.log(wide), constant(wide, 1 / LOG_2)))


@expands(log10)
def _(x: Any) -> Any:
    return in_float64(x, lambda wide: ops.multiply(ops.log(wide), constant(wide, 1 / math.log(10))))


@expands(exp2)
def _(x: Any) -> Any:
    return ops.pow(constant(x, 2), x)


@expands(cbrt)
def _(x: Any) -> Any:
    return ops.copysign(in_float64(x, lambda wide: ops.pow(ops.abs(wide), constant(wide, 1 / 3))), x)


@expands(hypot)
def _(x: Any, y: Any) -> Any:
    sizes = ops.abs(x), ops.abs(y)
    high, low = ops.maximum(*sizes), ops.minimum(*sizes)
    share = ops.divide(low, ops.where(ops.equal(high, constant(x, 0)), constant(x, 1), high))
    found = ops.multiply(high, ops.sqrt(ops.add(constant(x, 1), ops.multiply(share, share))))
    is_far = ops.logical_or(ops.is_inf(x), ops.is_inf(y))
    return ops.where(is_far, constant(x, np.inf), found)


@expands(logaddexp)
def _(x: Any, y: Any) -> Any:
    high = ops.maximum(x, y)
    distance = ops.negative(ops.abs(ops.subtract(x, y)))
    return ops.where(ops.is_inf(high), high, ops.add(high, ops.log1p(ops.exp(distance))))


# -- error functions ------------------------------------------------------------------------------------------------

NODES, WEIGHTS = np.polynomial.legendre.leggauss(48)
"""A sum over these points of [-1, 1] is the integral of a smooth function to the last digits."""


def _polynomial() -> tuple[float, ...]:
    """The one of `_short_erfc`, through the values at Chebyshev's points; exp(x²) erfc(x) is Craig's integral."""
    t = (1 + np.polynomial.chebyshev.chebpts1(10)) / 2
    x = 2 / t - 2
    points = np.tan(np.pi / 4 * (1 + NODES))
    scaled = (np.exp(-((x[:, None] / points) ** 2)) * WEIGHTS / 2).sum(-1)
    near, far = x < 1, x > 10
    series = 1 - 1 / (2 * x**2 + near) + 3 / (4 * x**4 + near) - 15 / (8 * x**6 + near)
    scaled[far] = (series / (x + near) / math.sqrt(math.pi))[far]
    scaled[near] = [math.erfc(value) * math.exp(value * value) for value in x[near]]
    return tuple(np.polynomial.polynomial.polyfit(t, np.log(scaled / t), 9).tolist())


POLYNOMIAL = _polynomial()


def _integral(x: Any, integrand: Any, low: float, high: float) -> Any:
    """The integral over t from low to high of a function of (x, t), for each element of x (float64)."""
    middle, half = (low + high) / 2, (high - low) / 2
    points = x.graph.constant(middle + half * NODES)
    values = integrand(ops.expand_dims(x, axis=-1), points)
    return ops.reduce_sum(ops.multiply(values, x.graph.constant(half * WEIGHTS)), axis=-1)


@expands(erf)
def _(x: Any) -> Any:
    if x.dtype is not float64:
        return NotImplemented
    near = ops.clip_by_value(x, constant(x, -6), constant(x, 6))
    total = _integral(near, lambda x, t: ops.exp(ops.negative(ops.square(ops.multiply(x, t)))), 0, 1)
    found = ops.multiply(ops.multiply(near, total), constant(x, 2 / math.sqrt(math.pi)))
    return ops.clip_by_value(found, constant(x, -1), constant(x, 1))


@expands(erfc)
def _(x: Any) -> Any:
    if x.dtype is float64:
        return _erfc(x)
    return ops.cast(_short_erfc(ops.cast(x, dtype=float32)), dtype=x.dtype)


def _short_erfc(x: Any) -> Any:
    """For float32: Chebyshev's polynomial in t = 1 / (1 + |x| / 2), of the logarithm of erfc(|x|) exp(x²) / t."""
    size = ops.minimum(ops.abs(x), constant(x, 20))
    t = ops.reciprocal(ops.add(constant(x, 1), ops.multiply(size, constant(x, 0.5))))
    total = constant(x, POLYNOMIAL[-1])
    for factor in POLYNOMIAL[-2::-1]:
        total = ops.add(ops.multiply(total, t), constant(x, factor))
    tail = ops.multiply(t, ops.exp(ops.subtract(total, ops.square(size))))
    found = ops.where(ops.less(x, constant(x, 0)), ops.subtract(constant(x, 2), tail), tail)
    return ops.where(ops.is_nan(x), x, found)


def _erfc(x: Any) -> Any:
    """Above 1 by Craig's integral, which keeps all digits where the result is small."""
    one = constant(x, 1)
    is_large = ops.greater(x, one)
    size = ops.minimum(ops.where(is_large, x, one), constant(x, 40))
    cotangents = 1 / np.tan(np.pi / 4 * (1 + NODES))
    points = x.graph.constant(cotangents**2)
    powers = ops.exp(ops.negative(ops.multiply(ops.square(ops.expand_dims(size, axis=-1)), points)))
    total = ops.reduce_sum(ops.multiply(powers, x.graph.constant(WEIGHTS / 2)), axis=-1)
    large = ops.multiply(ops.exp(ops.negative(ops.square(size))), total)
    return ops.where(is_large, large, ops.subtract(one, ops.erf(x)))


@expands(erfinv)
def _(x: Any) -> Any:
    return in_float64(x, _erfinv)


def _erfinv(x: Any) -> Any:
    """Winitzki's approximation, and steps of Newton's method on erfc."""
    size, one = ops.abs(x), constant(x, 1)
    inside = ops.less(size, one)
    size = ops.where(inside, size, constant(x, 0.5))
    rest = ops.subtract(one, size)
    log = ops.log(ops.multiply(rest, ops.add(one, size)))
    a = 0.147
    first = ops.add(constant(x, 2 / (math.pi * a)), ops.multiply(log, constant(x, 0.5)))
    inner = ops.subtract(ops.square(first), ops.divide(log, constant(x, a)))
    y = ops.sqrt(ops.maximum(ops.subtract(ops.sqrt(inner), first), constant(x, 0)))
    for _ in range(4):
        slope = ops.multiply(ops.exp(ops.square(y)), constant(x, math.sqrt(math.pi) / 2))
        y = ops.add(y, ops.multiply(ops.subtract(ops.erfc(y), rest), slope))
    series = ops.multiply(size, ops.add(one, ops.multiply(ops.square(size), constant(x, math.pi / 12))))
    tiny = ops.less(size, constant(x, 1e-3))
    y = ops.where(tiny, ops.multiply(series, constant(x, math.sqrt(math.pi) / 2)), y)
    outside = ops.where(ops.equal(ops.abs(x), one), constant(x, np.inf), constant(x, np.nan))
    return ops.copysign(ops.where(inside, y, outside), x)
