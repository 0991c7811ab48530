"""More functions of numbers, element by element: logarithms and powers of 2 and 10, hypot, gcd, copysign, ...

>>> runtime.math.hypot(3.0, 4.0)
<tf.Tensor: shape=(), dtype=float32, numpy=5.0>

They take float tensors (gcd and lcm: integers); two operands have one dtype and broadcast.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from runtime.dtypes import FLOATS, INTEGERS, REALS, bool_
from runtime.errors import DivisionByZeroError, DtypeMismatchError, ShapeMismatchError
from runtime.ops.elementwise.arithmetic import STEPS
from runtime.ops.elementwise.functions import function, of_complex, of_either
from runtime.ops.kernels.values import refuse_zero
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.raises import DIVISION
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, binary, by_element, unary
from runtime.ops.records.shape_rules import broadcast

__all__ = [
    "acosh",
    "asinh",
    "atanh",
    "cbrt",
    "copysign",
    "exp2",
    "fmod",
    "gcd",
    "hypot",
    "lcm",
    "log2",
    "log10",
    "logaddexp",
    "nextafter",
    "signbit",
    "trunc",
]  # fmt: skip

UNEQUAL = Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)"))
NO_INTEGERS = Failure((np.ones(2, np.int32), np.ones(2, np.int32)), DtypeMismatchError, ("int32",))
NO_FLOATS = Failure((np.ones(2, np.float32), np.ones(2, np.float32)), DtypeMismatchError, ("float32",))

of_two = functools.partial(op, shape=broadcast, dtypes=FLOATS, errors=[UNEQUAL, NO_INTEGERS])
"""The record of a function of two float tensors, but for what differs."""

of_integers = functools.partial(op, shape=broadcast, dtypes=INTEGERS, errors=[NO_FLOATS])


@of_complex(ufunc=np.log2, samples=unary(0.1, 9), reference=by_element(lambda x: of_either("log")(x) / math.log(2)))
def log2(x: Array) -> Any:
    """The logarithm to base 2; log2(0) is -inf, of negative numbers nan. x: float or complex tensor."""
    return np.log2(x)


@log2.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(x * math.log(2))


@of_complex(ufunc=np.log10, samples=unary(0.1, 9), reference=by_element(of_either("log10")))
def log10(x: Array) -> Any:
    """The logarithm to base 10; log10(0) is -inf, of negative numbers nan. x: float or complex tensor."""
    return np.log10(x)


@log10.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(x * math.log(10))


@of_complex(ufunc=np.exp2, samples=unary(-3, 3), reference=by_element(lambda x: 2.0**x))
def exp2(x: Array) -> Any:
    """2 to the power x. x: float or complex tensor."""
    return np.exp2(x)


@exp2.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * conjugated(result * math.log(2))


@function(ufunc=np.cbrt, samples=unary(-9, 9), reference=by_element(lambda x: math.copysign(abs(x) ** (1 / 3), x)))
def cbrt(x: Array) -> Any:
    """The cube root, also of negative numbers. x: float tensor."""
    return np.cbrt(x)


@cbrt.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream / (3 * result * result)


@of_complex(ufunc=np.arcsinh, samples=unary(-3, 3), reference=by_element(of_either("asinh")))
def asinh(x: Array) -> Any:
    """The number whose hyperbolic sine is x. x: float or complex tensor."""
    return np.arcsinh(x)


@asinh.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(ops.sqrt(x * x + 1))


@of_complex(ufunc=np.arccosh, samples=unary(1.1, 9), reference=by_element(of_either("acosh")))
def acosh(x: Array) -> Any:
    """The number >= 0 whose hyperbolic cosine is x; nan below 1. x: float or complex tensor."""
    return np.arccosh(x)


@acosh.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(ops.sqrt(x - 1) * ops.sqrt(x + 1))


@of_complex(ufunc=np.arctanh, samples=unary(-0.9, 0.9), reference=by_element(of_either("atanh")))
def atanh(x: Array) -> Any:
    """The number whose hyperbolic tangent is x; nan outside [-1, 1]. x: float or complex tensor."""
    return np.arctanh(x)


@atanh.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(1 - x * x)


@function(ufunc=np.trunc, no_gradient=STEPS, samples=unary(-3, 3), reference=by_element(math.trunc))
def trunc(x: Array) -> Any:
    """x without its fraction: rounded towards zero, as a float. x: float tensor."""
    return np.trunc(x)


@function(
    result=bool_, ufunc=np.signbit, samples=unary(), reference=by_element(lambda x: math.copysign(1, x) < 0),
)  # fmt: skip
def signbit(x: Array) -> Any:
    """Whether the sign of each element is minus; it is for -0.0, too. x: float tensor; returns bool."""
    return np.signbit(x)


@of_two(ufunc=np.hypot, samples=binary(-3, 3), reference=by_element(math.hypot))
def hypot(x: Array, y: Array) -> Any:
    """sqrt(x² + y²), without overflow on the way. x, y: float tensors of one dtype, which broadcast."""
    return np.hypot(x, y)


@hypot.gradient
def _(upstream: Any, result: Any, x: Any, y: Any) -> Any:
    return upstream * x / result, upstream * y / result


@of_two(
    ufunc=np.logaddexp, samples=binary(-3, 3),
    reference=by_element(lambda x, y: math.log(math.exp(x) + math.exp(y))),
)  # fmt: skip
def logaddexp(x: Array, y: Array) -> Any:
    """log(exp(x) + exp(y)), without overflow. x, y: float tensors of one dtype, which broadcast."""
    return np.logaddexp(x, y)


@logaddexp.gradient
def _(upstream: Any, x: Any, y: Any) -> Any:
    share = ops.sigmoid(x - y)
    return upstream * share, upstream * (1 - share)


@of_two(ufunc=np.copysign, samples=binary(-3, 3), reference=by_element(math.copysign))
def copysign(x: Array, y: Array) -> Any:
    """The magnitude of x with the sign of y. x, y: float tensors of one dtype, which broadcast."""
    return np.copysign(x, y)


@copysign.gradient
def _(upstream: Any, x: Any, y: Any) -> Any:
    same = ops.equal(signbit(x), signbit(y))
    return ops.where(same, upstream, -upstream) * ops.abs(ops.sign(x)), ops.zeros_like(upstream)


@op(
    raises=DIVISION, elementwise=True,
    shape=broadcast, dtypes=REALS, float_ufunc=np.fmod, samples=binary(-9, 9, nonzero=True),
    reference=by_element(math.fmod),
    errors=[UNEQUAL, Failure((np.ones(2, np.int32), 0), DivisionByZeroError, ("fmod", "zero"))],
)  # fmt: skip
def fmod(x: Array, y: Array) -> Any:
    """What is left of x / y, with the sign of x (`floormod` has that of y). x, y: real tensors of one dtype.

    Integer division by zero raises DivisionByZeroError.
    """
    if np.asarray(y).dtype.kind in "iu":
        refuse_zero(y, "fmod")
    return np.fmod(x, y)


@fmod.gradient
def _(upstream: Any, x: Any, y: Any, needed: Any) -> Any:
    return upstream, -upstream * trunc(x / y) if needed[1] else None


def _next(x: Array, y: Array) -> Any:
    bits = x.dtype.type
    return np.where(x == y, y, np.where(np.isnan(x) | np.isnan(y), bits(np.nan), np.nextafter(x, y)))


@of_two(ufunc=np.nextafter, no_gradient="it is for looking at single bits", samples=binary(-3, 3), reference=_next)
def nextafter(x1: Array, x2: Array) -> Any:
    """The float that follows x1 in the direction of x2. x1, x2: float tensors of one dtype, which broadcast."""
    return np.nextafter(x1, x2)


@of_integers(ufunc=np.gcd, samples=binary(-9, 9), reference=by_element(math.gcd))
def gcd(x: Array, y: Array) -> Any:
    """The greatest common divisor, not negative. x, y: integer tensors of one dtype, which broadcast."""
    return np.gcd(x, y)


@of_integers(ufunc=np.lcm, samples=binary(-9, 9), reference=by_element(math.lcm))
def lcm(x: Array, y: Array) -> Any:
    """The least common multiple, not negative. x, y: integer tensors of one dtype, which broadcast."""
    return np.lcm(x, y)
