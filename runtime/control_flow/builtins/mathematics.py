"""Python's `math` and `cmath` in converted code: `math.sqrt(x)` of a tensor is an operation, as `math` defines it.

    math.sqrt(n)        of an integer: float64; of a float32: float32; ValueError where the run finds a negative number
    math.floor(x)       an integer, int64
    math.gcd(n, 12)     with Python's own errors

Calls without tensors, and functions that are not in the table, are Python's own.
"""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.control_flow.builtins.number_items import adapting, as_float, floats, items_in, row_of, single, whole
from runtime.control_flow.builtins.reductions import fold
from runtime.control_flow.loops.iteration import length_of
from runtime.control_flow.optional.flags import ensure, equal
from runtime.dtypes import complex64, complex128, float32
from runtime.errors import ShapeMismatchError
from runtime.ops.records.gradients import ops
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["FUNCTIONS", "complex_"]

RAISES_AS_PYTHON = True  # see runtime.control_flow.tries.raised


# -- functions of floats -------------------------------------------------------------------------------------------


def _of_floats(name: str, compute: Callable[..., Any], overflows: bool = False, checked: bool = True) -> Any:
    """The function of math with this name, by operations on floats. overflows: infinite results are too large ones."""

    def staged(*args: Any) -> Any:
        given, adapts = floats(name, args)
        result = compute(*given)
        if checked:
            result = ops.in_domain(result, given, overflows=overflows)
        return adapting(result, adapts)

    return staged


def _operation(name: str, **options: Any) -> Any:
    return _of_floats(name, lambda *given: getattr(ops, name)(*given), **options)


def _log(x: Any, base: Any = None) -> Any:
    if base is None:
        return _operation("log")(x)
    (x, base), adapts = floats("log", (x, base))
    above, below = (ops.in_domain(ops.log(value), [value]) for value in (x, base))
    ops.check(ops.not_equal(below, 0), message="float division by zero", exception="ZeroDivisionError")
    return adapting(above / below, adapts)


def _power(x: Any, y: Any) -> Any:
    is_pole = ops.logical_and(ops.equal(x, 0), y < 0)
    ops.check(ops.logical_not(is_pole), message="math domain error", exception="ValueError")
    return ops.pow(x, y)


def _remainder(x: Any, y: Any) -> Any:
    """x less the multiple of y that is nearest, of two the even one; exact, from fmod, which is."""
    size = ops.abs(y)
    low = ops.fmod(ops.abs(x), size)
    high = size - low
    odd = ops.not_equal(ops.fmod(0.5 * (ops.abs(x) - low), size), 0)
    near = ops.where(ops.logical_or(low > high, ops.logical_and(ops.equal(low, high), odd)), low - size, low)
    return ops.where(ops.logical_and(ops.is_inf(y), ops.is_finite(x)), x, ops.where(ops.signbit(x), -near, near))


def _modf(x: Any) -> tuple[Any, Any]:
    (x,), adapts = floats("modf", [x])
    part = ops.trunc(x)
    rest = ops.copysign(ops.where(ops.is_inf(x), ops.zeros_like(x), x - part), x)
    return adapting(rest, adapts), adapting(part, adapts)


def _isclose(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    (a, b, near, least), _ = floats("isclose", (a, b, rel_tol, abs_tol))
    negative = ops.logical_or(near < 0, least < 0)
    ops.check(ops.logical_not(negative), message="tolerances must be non-negative", exception="ValueError")
    within = ops.abs(a - b) <= ops.maximum(near * ops.maximum(ops.abs(a), ops.abs(b)), least)
    infinite = ops.logical_or(ops.is_inf(a), ops.is_inf(b))
    return ops.logical_or(ops.equal(a, b), ops.logical_and(ops.logical_not(infinite), within))


def _of_numpy(name: str, function: Any, whole_after: int | None = None) -> Any:
    """A function of math that numpy has, too: of a float and, from `whole_after` on, integers."""

    def staged(*args: Any) -> Any:
        given, adapts = floats(name, args[:whole_after])
        rest = [] if whole_after is None else [whole(name, value) for value in args[whole_after:]]
        result = function(*given, *rest)
        if name == "ldexp":
            result = ops.in_domain(result, given, overflows=True)
        elif isinstance(result, tuple):
            part, exponent = result
            return adapting(part, adapts), adapting(ops.cast(exponent, "int64"))
        return adapting(result, adapts)

    return staged


# -- functions of integers, and those that give integers -----------------------------------------------------------


def _of_integers(name: str) -> Any:
    def staged(*args: Any) -> Any:
        return adapting(ops.integer_call([whole(name, value) for value in args], call=name))

    return staged


def _to_integer(name: str) -> Any:
    def staged(x: Any) -> Any:
        number = convert_to_tensor(single(name, x))
        if number.dtype.is_integer:
            return number
        return adapting(ops.integer_call([number], call=name))

    return staged


# -- functions of many numbers -------------------------------------------------------------------------------------


def _prod(iterable: Any, *, start: Any = 1) -> Any:
    values = items_in(iterable) if isinstance(iterable, list | tuple) else iterable
    if isinstance(values, Tensor):
        rows = ops.cast(values, "int64") if values.dtype.is_bool else values
        return ops.reduce_prod(rows, axis=0) * start
    total = [start]

    def multiply(item: Any) -> None:
        total[0] = total[0] * item

    fold(values, multiply, total, "prod")
    return total[0]


def _fsum(iterable: Any) -> Any:
    row, adapts = row_of("fsum", iterable)
    return adapting(ops.exact_sum(row), adapts)


def _dist(p: Any, q: Any) -> Any:
    (a, a_adapts), (b, b_adapts) = row_of("dist", p), row_of("dist", q)
    if a.dtype is not b.dtype:
        a, b = (as_float(row, max(a.dtype, b.dtype, key=lambda d: d.size), "dist") for row in (a, b))
    ensure(equal(length_of(a), length_of(b)), ValueError("both points must have the same number of dimensions"))
    return adapting(ops.sqrt(ops.reduce_sum(ops.square(a - b))), a_adapts and b_adapts)


def _sumprod(p: Any, q: Any) -> Any:
    a, b = (convert_to_tensor(items_in(values)) for values in (p, q))
    ensure(equal(length_of(a), length_of(b)), ValueError("Inputs are not the same length"))
    return ops.reduce_sum(a * b)


# -- cmath ---------------------------------------------------------------------------------------------------------


def complex_(real: Any = 0, imag: Any = None) -> Any:
    """`complex(real, imag)`, also of one number that is complex already."""
    if imag is None:
        return _complex(real)
    parts = [_complex(part) if _is_complex(part) else None for part in (real, imag)]
    if any(part is not None for part in parts):
        return _complex(real) + _complex(imag) * 1j
    (x, y), _ = floats("complex", (real, imag))
    return ops.complex(x, y)


def _is_complex(value: Any) -> bool:
    return value.dtype.is_complex if isinstance(value, Tensor) else isinstance(value, complex)


def _complex(value: Any) -> Any:
    if _is_complex(value):
        return convert_to_tensor(value)
    (x,), _ = floats("complex", [value])
    return ops.cast(x, complex64 if x.dtype is float32 else complex128)


def _of_complex(compute: Callable[..., Any]) -> Any:
    """A function of one complex number."""

    def staged(z: Any) -> Any:
        number = _complex(z)
        if not number.shape.rank == 0:
            raise ShapeMismatchError(f"cmath takes one number; got a tensor of shape {number.shape}")
        return compute(number)

    return staged


def _complex_log(z: Any, base: Any = None) -> Any:
    number = _complex(z)
    ops.check(ops.not_equal(number, 0), message="math domain error", exception="ValueError")
    found = ops.log(number)
    return found if base is None else found / _complex_log(base)


def _rect(r: Any, phi: Any) -> Any:
    (size, turn), _ = floats("rect", (r, phi))
    return ops.complex(size * ops.cos(turn), size * ops.sin(turn))


def _from_parts(compute: Callable[[Any, Any], Any]) -> Any:
    """A function of one complex number by its parts: Kahan's formulas, which keep the signs of zeros."""
    return _of_complex(lambda z: compute(ops.real(z), ops.imag(z)))


def _roots(a: Any, b: Any) -> tuple[Any, Any, Any, Any]:
    """Real and imaginary parts of the square roots of two numbers, given as pairs of their parts."""
    first, second = (ops.sqrt(ops.complex(*pair)) for pair in (a, b))
    return ops.real(first), ops.imag(first), ops.real(second), ops.imag(second)


def _acos(x: Any, y: Any) -> Any:
    a, b, c, d = _roots((1 - x, -y), (1 + x, y))
    return ops.complex(2 * ops.atan2(a, c), ops.asinh(c * b - d * a))


def _acosh(x: Any, y: Any) -> Any:
    a, b, c, d = _roots((x - 1, y), (x + 1, y))
    return ops.complex(ops.asinh(a * c + b * d), 2 * ops.atan2(b, c))


def _asinh(x: Any, y: Any) -> Any:
    a, b, c, d = _roots((1 + y, -x), (1 - y, x))
    return ops.complex(ops.asinh(a * d - c * b), ops.atan2(y, a * c - b * d))


def _atanh(x: Any, y: Any) -> Any:
    size, squared = ops.abs(x), ops.square(y)
    is_pole = ops.logical_and(ops.equal(size, 1), ops.equal(y, 0))
    ops.check(ops.logical_not(is_pole), message="math domain error", exception="ValueError")
    real = ops.log1p(4 * size / (ops.square(1 - size) + squared)) / 4
    imaginary = -ops.atan2(-2 * y, (1 - size) * (1 + size) - squared) / 2
    return ops.complex(ops.copysign(real, x), imaginary)


def _turned(compute: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """-i f(iz), which makes asin of asinh, and atan of atanh."""

    def staged(x: Any, y: Any) -> Any:
        found = compute(-y, x)
        return ops.complex(ops.imag(found), -ops.real(found))

    return staged


def _close_in_the_plane(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    first, second = _complex(a), _complex(b)
    (near, least), _ = floats("isclose", (rel_tol, abs_tol))
    distance, sizes = ops.abs(first - second), (ops.abs(first), ops.abs(second))
    least, near = (ops.cast(value, distance.dtype) for value in (least, near))
    finite = ops.logical_not(ops.logical_or(ops.is_inf(sizes[0]), ops.is_inf(sizes[1])))
    within = distance <= ops.maximum(near * ops.maximum(*sizes), least)
    return ops.logical_or(ops.equal(first, second), ops.logical_and(finite, within))


# -- the table -----------------------------------------------------------------------------------------------------

_BY_OPERATION: Final = (
    "acos", "asin", "asinh", "acosh", "atan", "atan2", "atanh", "cbrt", "copysign", "cos", "erf", "erfc", "fmod",
    "lgamma", "log10", "log1p", "log2", "nextafter", "sin", "sqrt", "tan", "tanh",
)  # fmt: skip
_THAT_OVERFLOW: Final = ("cosh", "exp", "exp2", "expm1", "sinh")
_TESTS: Final = {"isnan": "is_nan", "isinf": "is_inf", "isfinite": "is_finite"}

_MATH: Final[dict[str, Callable[..., Any]]] = {
    **{name: _operation(name) for name in _BY_OPERATION},
    **{name: _operation(name, overflows=True) for name in _THAT_OVERFLOW},
    **{name: _of_integers(name) for name in ("comb", "factorial", "gcd", "isqrt", "lcm", "perm")},
    **{name: _to_integer(name) for name in ("ceil", "floor", "trunc")},
    **{
        name: lambda x, name=name, test=test: getattr(ops, test)(floats(name, [x])[0][0])
        for name, test in _TESTS.items()
    },
    "degrees": _of_floats("degrees", lambda x: x * (180.0 / math.pi), checked=False),
    "dist": _dist,
    "fabs": _of_floats("fabs", lambda x: ops.abs(x), checked=False),
    "frexp": _of_numpy("frexp", np.frexp),
    "fsum": _fsum,
    "gamma": _of_floats("gamma", lambda x: ops.where(ops.equal(x, 0), math.nan, ops.gamma(x)), overflows=True),
    "hypot": _of_floats("hypot", lambda x, *rest: functools.reduce(ops.hypot, rest, ops.abs(x)), overflows=True),
    "isclose": _isclose,
    "ldexp": _of_numpy("ldexp", np.ldexp, whole_after=1),
    "log": _log,
    "modf": _modf,
    "pow": _of_floats("pow", _power, overflows=True),
    "prod": _prod,
    "radians": _of_floats("radians", lambda x: x * (math.pi / 180.0), checked=False),
    "remainder": _of_floats("remainder", _remainder),
    "sumprod": _sumprod,
    "ulp": _of_numpy("ulp", lambda x: ops.where(ops.is_inf(x), ops.abs(x), np.spacing(ops.abs(x)))),
}

_CMATH: Final[dict[str, Callable[..., Any]]] = {
    **{
        name: _of_complex(lambda z, name=name: getattr(ops, name)(z))
        for name in ("cos", "cosh", "exp", "sin", "sinh", "sqrt", "tan", "tanh")
    },
    **{name: _of_complex(lambda z, test=test: getattr(ops, test)(z)) for name, test in _TESTS.items()},
    "acos": _from_parts(_acos),
    "acosh": _from_parts(_acosh),
    "asin": _from_parts(_turned(_asinh)),
    "asinh": _from_parts(_asinh),
    "atan": _from_parts(_turned(_atanh)),
    "atanh": _from_parts(_atanh),
    "isclose": _close_in_the_plane,
    "log": _complex_log,
    "log10": lambda z: _complex_log(z) / math.log(10),
    "phase": _of_complex(lambda z: ops.angle(z)),
    "polar": _of_complex(lambda z: (ops.abs(z), ops.angle(z))),
    "rect": _rect,
}

FUNCTIONS: Final[Mapping[Any, Callable[..., Any]]] = {
    getattr(module, name): staged
    for module, table in ((math, _MATH), (cmath, _CMATH))
    for name, staged in table.items()
    if hasattr(module, name)  # some came with later Pythons
}
"""Functions of `math` and `cmath`, and how each is staged."""
