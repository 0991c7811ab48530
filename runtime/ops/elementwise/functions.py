"""Functions of one tensor, element by element: exp, log, sqrt, sin, tanh, floor, ...

>>> runtime.math.log(-1.0)
<tf.Tensor: shape=(), dtype=float32, numpy=nan>

They take float dtypes, some complex ones, too: the square root of an integer tensor is a DtypeMismatchError that
suggests runtime.cast.
Outside of a function's domain the result is nan or inf, without a warning.
"""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS, bool_
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, binary, by_element, unary
from runtime.ops.records.shape_rules import broadcast, same_shape

__all__ = [
    "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "exp", "expm1", "floor", "is_finite", "is_inf",
    "is_nan", "log", "log1p", "reciprocal", "rsqrt", "sigmoid", "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip

INTEGERS_REFUSED = (
    Failure((np.array([1, 4], np.int32),), DtypeMismatchError, ("int32", "runtime.cast")),
    Failure((4,), DtypeMismatchError, ("int32", "runtime.cast")),
)

STEPS = "it is constant between its steps"

function = functools.partial(op, shape=same_shape, dtypes=FLOATS, errors=INTEGERS_REFUSED)
"""The record of a function of one float tensor, but for what differs."""

of_complex = functools.partial(op, shape=same_shape, dtypes=FLOATS | COMPLEX, errors=INTEGERS_REFUSED)
"""The same for functions of complex numbers, too."""


def of_either(name: str) -> Callable[[Any], Any]:
    """Python's function of this name for floats or complex numbers."""
    return lambda x: getattr(cmath if isinstance(x, complex) else math, name)(x)


@of_complex(ufunc=np.exp, samples=unary(-3, 3), reference=by_element(of_either("exp")))
def exp(x: Array) -> Any:
    """e to the power x. x: float or complex tensor; same shape and dtype."""
    return np.exp(x)


@exp.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * conjugated(result)


@of_complex(
    ufunc=np.expm1, samples=unary(-3, 3),
    reference=by_element(lambda x: cmath.exp(x) - 1 if isinstance(x, complex) else math.expm1(x)),
)  # fmt: skip
def expm1(x: Array) -> Any:
    """e to the power x, minus 1, exact for small x. x: float or complex tensor."""
    return np.expm1(x)


@expm1.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * conjugated(result + 1)


@of_complex(ufunc=np.log, samples=unary(0.1, 9), reference=by_element(of_either("log")))
def log(x: Array) -> Any:
    """The natural logarithm; log(0) is -inf, of negative numbers nan. x: float or complex tensor."""
    return np.log(x)


@log.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(x)


@of_complex(
    ufunc=np.log1p, samples=unary(-0.9, 9),
    reference=by_element(lambda x: cmath.log(1 + x) if isinstance(x, complex) else math.log1p(x)),
)  # fmt: skip
def log1p(x: Array) -> Any:
    """The natural logarithm of 1 + x, exact for small x. x: float or complex tensor."""
    return np.log1p(x)


@log1p.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(x + 1)


@of_complex(ufunc=np.sqrt, samples=unary(0, 9), reference=by_element(of_either("sqrt")))
def sqrt(x: Array) -> Any:
    """The square root; nan for negative numbers. x: float or complex tensor."""
    return np.sqrt(x)


def _asked(upstream: Any, slope: Any) -> Any:
    """upstream * slope, and 0 where upstream is: `where(x > 0, sqrt(x), 0.0)` has no nan at 0, where the slope is
    infinite."""
    if upstream.dtype.is_complex:
        return upstream * slope
    unasked = ops.logical_and(ops.equal(upstream, 0), ops.logical_not(is_finite(slope)))
    return upstream * ops.where(unasked, 0, slope)


@sqrt.gradient
def _(upstream: Any, result: Any) -> Any:
    return _asked(upstream, 0.5 / conjugated(result))


@of_complex(samples=unary(0.1, 9), reference=by_element(lambda x: 1 / of_either("sqrt")(x)))
def rsqrt(x: Array) -> Any:
    """1 / sqrt(x). x: float or complex tensor."""
    return np.reciprocal(np.sqrt(x))


@rsqrt.gradient
def _(upstream: Any, result: Any) -> Any:
    return _asked(upstream, -0.5 * conjugated(result * result * result))


@of_complex(ufunc=np.reciprocal, samples=unary(0.1, 9), reference=by_element(lambda x: 1 / x))
def reciprocal(x: Array) -> Any:
    """1 / x. x: float or complex tensor."""
    return np.reciprocal(x)


@reciprocal.gradient
def _(upstream: Any, result: Any) -> Any:
    return _asked(upstream, -conjugated(result * result))


@of_complex(ufunc=np.sin, samples=unary(-3, 3), reference=by_element(of_either("sin")))
def sin(x: Array) -> Any:
    """Sine. x: float or complex tensor, in radians."""
    return np.sin(x)


@sin.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * cos(conjugated(x))


@of_complex(ufunc=np.cos, samples=unary(-3, 3), reference=by_element(of_either("cos")))
def cos(x: Array) -> Any:
    """Cosine. x: float or complex tensor, in radians."""
    return np.cos(x)


@cos.gradient
def _(upstream: Any, x: Any) -> Any:
    return -upstream * sin(conjugated(x))


@of_complex(ufunc=np.tan, samples=unary(-1, 1), reference=by_element(of_either("tan")))
def tan(x: Array) -> Any:
    """Tangent. x: float or complex tensor, in radians."""
    return np.tan(x)


@tan.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * conjugated(1 + result * result)


@of_complex(ufunc=np.arcsin, samples=unary(-1, 1), reference=by_element(of_either("asin")))
def asin(x: Array) -> Any:
    """The angle in [-pi/2, pi/2] whose sine is x; nan outside [-1, 1]. x: float or complex tensor."""
    return np.arcsin(x)


@asin.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * conjugated(rsqrt(1 - x * x))


@of_complex(ufunc=np.arccos, samples=unary(-0.9, 0.9), reference=by_element(of_either("acos")))
def acos(x: Array) -> Any:
    """The angle in [0, pi] whose cosine is x; nan outside [-1, 1]. x: float or complex tensor."""
    return np.arccos(x)


@acos.gradient
def _(upstream: Any, x: Any) -> Any:
    return -upstream * conjugated(rsqrt(1 - x * x))


@of_complex(ufunc=np.arctan, samples=unary(-3, 3), reference=by_element(of_either("atan")))
def atan(x: Array) -> Any:
    """The angle in (-pi/2, pi/2) whose tangent is x. x: float or complex tensor."""
    return np.arctan(x)


@atan.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream / conjugated(1 + x * x)


@op(
    shape=broadcast, dtypes=FLOATS, ufunc=np.arctan2, samples=binary(-3, 3), reference=by_element(math.atan2),
    errors=[Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32)), ShapeMismatchError, ("(2, 3)", "(4,)")),
            Failure((np.ones(2, np.int32), np.ones(2, np.int32)), DtypeMismatchError, ("int32",))],
)  # fmt: skip
def atan2(y: Array, x: Array) -> Any:
    """The angle of the point (x, y) in [-pi, pi]. y, x: float tensors of one dtype, which broadcast."""
    return np.arctan2(y, x)


@atan2.gradient
def _(upstream: Any, y: Any, x: Any) -> Any:
    scaled = upstream / (x * x + y * y)
    return x * scaled, -y * scaled


@of_complex(ufunc=np.sinh, samples=unary(-3, 3), reference=by_element(of_either("sinh")))
def sinh(x: Array) -> Any:
    """Hyperbolic sine. x: float or complex tensor."""
    return np.sinh(x)


@sinh.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * cosh(conjugated(x))


@of_complex(ufunc=np.cosh, samples=unary(-3, 3), reference=by_element(of_either("cosh")))
def cosh(x: Array) -> Any:
    """Hyperbolic cosine. x: float or complex tensor."""
    return np.cosh(x)


@cosh.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * sinh(conjugated(x))


@of_complex(ufunc=np.tanh, samples=unary(-3, 3), reference=by_element(of_either("tanh")))
def tanh(x: Array) -> Any:
    """Hyperbolic tangent. x: float or complex tensor."""
    return np.tanh(x)


@tanh.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * conjugated(1 - result * result)


@function(samples=unary(-30, 30), reference=by_element(lambda x: 1 / (1 + math.exp(-x))))
def sigmoid(x: Array) -> Any:
    """1 / (1 + exp(-x)), without overflow for any x. x: float tensor."""
    small = np.exp(-np.abs(x))
    return np.where(np.greater_equal(x, 0), x.dtype.type(1), small) / (1 + small)


@sigmoid.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * result * (1 - result)


@function(ufunc=np.floor, no_gradient=STEPS, samples=unary(-3, 3), reference=by_element(math.floor))
def floor(x: Array) -> Any:
    """The largest whole number <= x, as a float. x: float tensor."""
    return np.floor(x)


@function(ufunc=np.ceil, no_gradient=STEPS, samples=unary(-3, 3), reference=by_element(math.ceil))
def ceil(x: Array) -> Any:
    """The smallest whole number >= x, as a float. x: float tensor."""
    return np.ceil(x)


@of_complex(result=bool_, ufunc=np.isnan, samples=unary(), reference=by_element(of_either("isnan")))
def is_nan(x: Array) -> Any:
    """Whether each element is nan. x: float or complex tensor; returns bool of the same shape."""
    return np.isnan(x)


@of_complex(result=bool_, ufunc=np.isinf, samples=unary(), reference=by_element(of_either("isinf")))
def is_inf(x: Array) -> Any:
    """Whether each element is inf or -inf. x: float or complex tensor; returns bool of the same shape."""
    return np.isinf(x)


@of_complex(result=bool_, ufunc=np.isfinite, samples=unary(), reference=by_element(of_either("isfinite")))
def is_finite(x: Array) -> Any:
    """Whether each element is neither nan nor infinite. x: float or complex tensor; returns bool of the same shape."""
    return np.isfinite(x)
