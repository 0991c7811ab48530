"""What Python does with whole numbers, and how its `math` refuses numbers, while a graph runs.

    integer_call(n, call="factorial")             # math.factorial(n), as int64
    integer_call(x, call="floor")                 # math.floor(x) of a float
    in_domain(sqrt(x), [x])                       # sqrt(x) as it is; ValueError where it is nan and x is none

An integer that leaves int64 is an IntegerRangeError. All other errors are Python's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np

from runtime.dtypes import BOOLS, FLOATS, INTEGERS, REALS, DType, int64
from runtime.errors import IntegerRangeError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.elementwise.functions import function
from runtime.ops.kernels.ranges import in_float64
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, by_element, calls, unary
from runtime.ops.records.shape_rules import broadcast
from runtime.shapes import TensorShape

__all__ = ["INTEGER_CALLS", "exact_sum", "gamma", "in_domain", "integer_call", "refuse_large", "round_to"]

INTEGER_CALLS: Final[dict[str, Callable[..., Any]]] = {
    **{name: getattr(math, name) for name in ("ceil", "comb", "factorial", "floor", "gcd", "isqrt", "lcm", "perm")},
    "trunc": math.trunc,
    "bit_count": lambda n: int(n).bit_count(),
    "bit_length": lambda n: int(n).bit_length(),
    "pow": pow,
    "round": round,
}
"""What makes an integer of numbers: functions of `math`, methods of int, `pow` with a modulus, `round`."""


def _call_shape(*values: Operand, call: str) -> TensorShape:
    _check_call(call)
    for value in values:
        if value.shape.rank not in (0, None):
            raise ValueError(f"{call} takes single numbers; got shape {value.shape}")
    return TensorShape([])


def _check_call(call: str) -> None:
    if call not in INTEGER_CALLS:
        raise InvalidArgumentError(f"integer_call: {call!r} is none of {', '.join(INTEGER_CALLS)}")


def _call_samples(dtype: DType) -> Any:
    x: Any = lambda value: np.array(value, dtype.numpy)
    if dtype in FLOATS:
        for value in (2.5, 0.0, -1.5, 7.0):
            for call in ("floor", "ceil", "trunc", "round"):
                yield Sample((x(value),), {"call": call})
        return
    for call in ("factorial", "isqrt", "bit_length", "bit_count", "gcd", "lcm"):
        for value in (0, 1) if dtype.is_bool else (0, 1, 5):
            yield Sample((x(value),), {"call": call})
    for call in ("gcd", "lcm", "comb", "perm"):
        yield Sample((x(1), x(1)), {"call": call})
    yield Sample((x(1), x(1), np.array(7, np.int32)), {"call": "pow"})


def _by_hand(*values: Array, call: str) -> Any:
    """The same from sums and products."""
    items = [v.item() for v in values]
    first = items[0]
    if call in ("floor", "ceil", "trunc", "round"):
        low = int(first // 1)
        up = {"floor": 0, "ceil": first > low, "trunc": first < 0 and first > low, "round": round(first - low, 9) > 0.5}
        is_half = call == "round" and first - low == 0.5
        return low + (low % 2 if is_half else int(up[call]))
    if call == "factorial":
        return np.prod(np.arange(1, first + 1, dtype=np.int64))
    if call == "isqrt":
        return max(i for i in range(int(first) + 1) if i * i <= first)
    if call in ("bit_length", "bit_count"):
        bits = bin(first)[2:].lstrip("0")
        return len(bits) if call == "bit_length" else bits.count("1")
    return {"gcd": first if len(items) == 1 else 1, "lcm": first, "comb": 1, "perm": 1, "pow": 1}[call]


@op(
    raises=Raises((IntegerRangeError, OverflowError, TypeError, ValueError), shapes=True),
    shape=_call_shape, dtypes=REALS | BOOLS, mixed=True, result=int64, samples=_call_samples, reference=_by_hand,
    errors=[Failure(([1],), InvalidArgumentError, ("'nothing'",), {"call": "nothing"}),
            Failure(([np.ones(2, np.int32)],), ShapeMismatchError, ("(2,)",), {"call": "isqrt"}),
            Failure(([-1],), ValueError, ("nonnegative",), {"call": "isqrt"}),
            Failure(([21],), IntegerRangeError, ("factorial", "int64", "66 bits"), {"call": "factorial"}),
            Failure(([np.float32("nan")],), ValueError, ("NaN",), {"call": "floor"})],
)  # fmt: skip
def integer_call(*values: Array, call: str) -> Any:
    """The integer that a function of Python makes of numbers, as int64. values: real numbers or bools of rank 0.

    call: its name in `INTEGER_CALLS`.
    """
    _check_call(call)
    items = [elements(value) for value in values]
    if any(item.ndim for item in items):
        raise ShapeMismatchError(f"integer_call: {call} takes single numbers; got {[item.shape for item in items]}")
    result = INTEGER_CALLS[call](*[item.item() for item in items])
    if not -(2**63) <= result < 2**63:
        refuse_large(result, call)
    return np.int64(result)


def refuse_large(result: int, call: str) -> NoReturn:
    """Raises IntegerRangeError for the result of a function of Python's that does not fit int64."""
    bits = result.bit_length()
    raise IntegerRangeError(f"integer_call: the result of {call} does not fit int64: it has {bits} bits")


def _domain_samples(dtype: DType) -> Any:
    x: Any = lambda *items: np.array(items[0] if len(items) == 1 else items, dtype.numpy)
    for result, given in ((x(1.5), x(2)), (x(-1), x(3)), (x(2.5), x(0)), (x(1, 2), x(0, 1))):
        yield Sample((result, given))


@op(
    raises=Raises((OverflowError, ValueError)),
    shape=lambda result, *given, overflows: result.shape, dtypes=FLOATS, view=True,
    samples=_domain_samples, reference=lambda result, *given, overflows=False: result,
    errors=[Failure((np.float32("nan"), [np.float32(1)]), ValueError, ("math domain error",)),
            Failure((np.float32("inf"), [np.float32(0)]), ValueError, ("math domain error",))],
)  # fmt: skip
def in_domain(result: Array, *given: Array, overflows: bool = False) -> Any:
    """The result of a function of floats, unless Python's `math` raises for what the function was given.

    result, given: float tensors. A nan that does not come of nan is a ValueError; an infinity of finite numbers is one,
    too, or with overflows=True an OverflowError.
    """
    if np.isnan(result).any() and not any(np.isnan(x).any() for x in given):
        raise ValueError("math domain error")
    if np.isinf(result).any() and all(np.isfinite(x).all() for x in given):
        raise OverflowError("math range error") if overflows else ValueError("math domain error")
    return result


@in_domain.gradient
def _(upstream: Any, given: Any) -> Any:
    return upstream, [None] * len(given)


@function(
    samples=unary(0.1, 6), reference=by_element(math.gamma),
)  # fmt: skip
@in_float64
def gamma(x: Array) -> Any:
    """The gamma function; infinite at 0, nan at -1, -2, ..., inf where the result is too large. x: float tensor."""
    result = np.empty(np.shape(x), np.float64)
    for place in np.ndindex(result.shape):
        result[place] = _gamma(float(np.asarray(x)[place]))
    return result


def _gamma(x: float) -> float:
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf
    except ValueError:
        return math.copysign(math.inf, x) if x == 0 else math.nan


@gamma.gradient
def _(upstream: Any, result: Any, x: Any) -> Any:
    return upstream * result * ops.digamma(x)


def _total_shape(values: Operand) -> TensorShape:
    if values.shape.rank not in (1, None):
        raise ValueError(f"numbers in a row are added; got shape {values.shape}")
    return TensorShape([])


@op(
    raises=Raises((OverflowError, ValueError), shapes=True),
    shape=_total_shape, dtypes=FLOATS, samples=calls(lambda x: [(x(0),), (x(1),), (x(7),), (x(9)[::-2],)]),
    reference=lambda values: math.fsum(values.astype(float).tolist()),
    errors=[Failure((np.ones((2, 3), np.float32),), ShapeMismatchError, ("(2, 3)",))],
)  # fmt: skip
def exact_sum(values: Array) -> Any:
    """The sum of numbers, rounded once: as `math.fsum`. values: float vector."""
    if np.ndim(values) != 1:
        raise ShapeMismatchError(f"exact_sum: numbers in a row are added; got shape {np.shape(values)}")
    return np.asarray(math.fsum(values.tolist()), values.dtype)


@exact_sum.gradient
def _(upstream: Any, values: Any) -> Any:
    return ops.broadcast_to(upstream, ops.shape(values))


def _rounded_by_text(x: float, digits: int) -> float:
    return float(f"{x:.{digits}f}") if digits >= 0 else float(round(x / 10**-digits) * 10**-digits)


def _round_samples(dtype: DType) -> Any:
    for value, digits in ((2.675, 2), (1.5, 0), (-123.456, -1), (2.5, 0)):
        yield Sample((np.array(value, dtype.numpy), np.array(digits, np.int32)))
    yield Sample((np.array([0.125, 0.375], dtype.numpy), np.array([[1], [2]], np.int64)))


@op(
    raises=Raises((OverflowError,), shapes=True),
    shape=broadcast, dtypes={"x": FLOATS, "digits": INTEGERS}, samples=_round_samples, no_gradient="it has steps",
    reference=by_element(_rounded_by_text),
    errors=[Failure((np.ones(2, np.float32), np.ones(3, np.int32)), ShapeMismatchError, ("(2,)", "(3,)"))],
)  # fmt: skip
def round_to(x: Array, digits: Array) -> Any:
    """x rounded to so many digits after the point, halves of its exact value to the even neighbour: Python's `round`.

    x: float tensor; digits: integers that broadcast with it.
    """
    rounded = np.frompyfunc(lambda value, places: round(float(value), int(places)), 2, 1)(x, digits)
    return np.asarray(rounded, x.dtype)
