"""Arithmetic: quotients that are rounded down, powers of integers, sums of lists, greatest common divisors."""

from __future__ import annotations

import functools
from typing import Any, Final

import numpy as np

from runtime.control_flow.functions import while_loop
from runtime.dtypes import float16, float32, float64, int64, uint64
from runtime.exits.rules import expands
from runtime.ops.arrays.create import linspace
from runtime.ops.elementwise.arithmetic import (
    add_n,
    divide_no_nan,
    floordiv,
    floormod,
    pow_,
    round_,
    square,
    squared_difference,
)
from runtime.ops.elementwise.complex_numbers import angle, conj, imag, real
from runtime.ops.elementwise.functions import ceil, floor
from runtime.ops.elementwise.special import gcd, lcm, trunc
from runtime.ops.networks.bias import bias_add
from runtime.ops.records.gradients import ops

__all__ = ["constant"]


def constant(like: Any, number: Any) -> Any:
    """A scalar of the dtype of a tensor."""
    return like.graph.constant(np.asarray(number, like.dtype.numpy))


@expands(square)
def _(x: Any) -> Any:
    return ops.multiply(x, x)


@expands(squared_difference)
def _(x: Any, y: Any) -> Any:
    difference = ops.subtract(x, y)
    return ops.multiply(difference, difference)


@expands(add_n)
def _(inputs: Any) -> Any:
    total = inputs[0]
    for other in inputs[1:]:
        total = ops.add(total, other)
    return total


@expands(bias_add)
def _(value: Any, bias: Any) -> Any:
    return ops.add(value, bias)


@expands(divide_no_nan)
def _(x: Any, y: Any) -> Any:
    zero = ops.equal(y, constant(y, 0))
    found = ops.divide(x, ops.where(zero, constant(y, 1), y))
    return ops.where(zero, constant(found, 0), found)


@expands(floormod)
def _(x: Any, y: Any) -> Any:
    """Of floats, as Python does it: the sign of y, also of a zero."""
    if not x.dtype.is_floating:
        return NotImplemented
    rest, zero = ops.fmod(x, y), constant(x, 0)
    turned = ops.not_equal(ops.less(y, zero), ops.less(rest, zero))
    found = ops.where(turned, ops.add(rest, y), rest)
    return ops.where(ops.equal(rest, zero), ops.copysign(zero, y), found)


@expands(floordiv)
def _(x: Any, y: Any) -> Any:
    if not x.dtype.is_floating:
        return NotImplemented
    rest, zero = ops.fmod(x, y), constant(x, 0)
    turned = ops.logical_and(
        ops.not_equal(rest, zero), ops.not_equal(ops.less(y, zero), ops.less(rest, zero))
    )
    quotient = ops.divide(ops.subtract(x, rest), y)
    quotient = ops.where(turned, ops.subtract(quotient, constant(x, 1)), quotient)
    low = ops.floor(quotient)
    near = ops.where(
        ops.greater(ops.subtract(quotient, low), constant(x, 0.5)), ops.add(low, constant(x, 1)), low
    )
    near = ops.where(ops.equal(quotient, zero), ops.copysign(zero, ops.divide(x, y)), near)
    return ops.where(ops.equal(y, zero), ops.divide(x, y), near)


@expands(pow_)
def _(x: Any, y: Any) -> Any:
    """Of integers by squares, so that each bit is right; the node goes by floats."""
    if x.dtype.is_floating:
        return NotImplemented
    one, zero = constant(x, 1), constant(x, 0)

    def turn(result: Any, base: Any, left: Any) -> Any:
        is_odd = ops.equal(ops.bitwise_and(left, one), one)
        made = ops.where(is_odd, ops.multiply(result, base), result)
        return made, ops.multiply(base, base), ops.right_shift(left, one)

    zeros = ops.multiply(ops.add(x, y), zero)
    result, base, left = ops.add(zeros, one), ops.add(zeros, x), ops.add(zeros, y)
    if y.value is not None:
        for _ in range(int(y.value.max(initial=0)).bit_length()):
            result, base, left = turn(result, base, left)
        return result
    found = while_loop(lambda result, base, left: ops.reduce_any(ops.greater(left, zero)), turn, (result, base, left))
    return found[0]


@expands(gcd)
def _(x: Any, y: Any) -> Any:
    zero = constant(x, 0)
    zeros = ops.multiply(ops.add(x, y), zero)
    sizes = [part if x.dtype.is_unsigned else ops.abs(part) for part in (ops.add(zeros, x), ops.add(zeros, y))]

    def turn(a: Any, b: Any) -> Any:
        goes_on = ops.not_equal(b, zero)
        rest = ops.floormod(a, ops.where(goes_on, b, constant(x, 1)))
        return ops.where(goes_on, b, a), ops.where(goes_on, rest, zero)

    found = while_loop(lambda a, b: ops.reduce_any(ops.not_equal(b, zero)), turn, tuple(sizes))[0]
    return found if x.dtype.is_unsigned else ops.abs(found)  # the lowest integer has no size


@expands(lcm)
def _(x: Any, y: Any) -> Any:
    divisor = ops.gcd(x, y)
    if not x.dtype.is_unsigned:
        x, y = ops.abs(x), ops.abs(y)
    return ops.multiply(ops.floordiv(x, ops.where(ops.equal(divisor, constant(x, 0)), constant(x, 1), divisor)), y)


@expands(trunc)
def _(x: Any) -> Any:
    return ops.copysign(ops.floor(ops.abs(x)), x)


@expands(real)
def _(input: Any) -> Any:
    return ops.identity(input)


@expands(conj)
def _(x: Any) -> Any:
    return ops.identity(x)


@expands(imag)
def _(input: Any) -> Any:
    return ops.zeros_like(input)


@expands(angle)
def _(input: Any) -> Any:
    turned = ops.where(ops.signbit(input), constant(input, np.pi), constant(input, 0))
    return ops.where(ops.is_nan(input), input, turned)


@expands(ops.in_domain)
def _(result: Any) -> Any:
    """A file raises nothing: NaN and infinity stay."""
    return result


@expands(ops.distinct)
def _(input: Any) -> Any:
    return ops.identity(input)


@expands(ops.custom_gradient)
def _(values: Any, count: int) -> Any:
    return tuple(map(ops.identity, values[:count]))


@expands(linspace)
def _(start: Any, stop: Any, num: Any) -> Any:
    """The last one is `stop` itself."""
    low, high = ops.expand_dims(start, axis=0), ops.expand_dims(stop, axis=0)
    rank = max(start.shape.rank or 0, stop.shape.rank or 0) if None not in (start.shape.rank, stop.shape.rank) else None
    if rank is None:
        return NotImplemented
    count = ops.cast(num, dtype=int64)
    one = constant(count, 1)
    last = ops.maximum(ops.subtract(count, one), one)
    numbers = ops.range(ops.zeros_like(count), count, ops.ones_like(count))
    numbers = ops.reshape(numbers, ops.concat([ops.reshape(count, [1]), ops.ones([rank], dtype=int64)], axis=0))
    wide = float32 if start.dtype is float16 else start.dtype
    low, high = (_with_rank(ops.cast(x, dtype=wide), rank + 1) for x in (low, high))
    steps = ops.divide(ops.subtract(high, low), ops.cast(last, dtype=wide))
    line = ops.add(low, ops.multiply(ops.cast(numbers, dtype=wide), steps))
    is_last = ops.logical_and(ops.equal(numbers, last), ops.greater(count, one))
    return ops.cast(ops.where(is_last, ops.add(high, ops.multiply(line, constant(line, 0))), line), dtype=start.dtype)


def _with_rank(x: Any, rank: int) -> Any:
    """More axes of size 1 behind the first one."""
    while x.shape.rank < rank:
        x = ops.expand_dims(x, axis=1)
    return x


# -- functions of Python's integers ---------------------------------------------------------------------------------


def _bits(n: Any) -> Any:
    """The bits of the size of an integer, one element each."""
    size = ops.cast(ops.abs(n), dtype=uint64)
    places = n.graph.constant(np.arange(64, dtype=np.uint64))
    return ops.right_shift(ops.expand_dims(size, axis=0), places)


def _root(n: Any) -> Any:
    """The largest integer whose square is not above n."""
    one = constant(n, 1)
    root = ops.cast(ops.floor(ops.sqrt(ops.cast(n, dtype=float64))), dtype=int64)
    over = ops.greater(root, ops.floordiv(n, ops.maximum(root, one)))
    root = ops.where(over, ops.subtract(root, one), root)
    more = ops.add(root, one)
    return ops.where(ops.less_equal(more, ops.floordiv(n, more)), more, root)


def _product(low: Any, high: Any) -> Any:
    """low * (low + 1) * ... before high."""
    return ops.reduce_prod(ops.range(low, high, constant(low, 1)))


def _many(fold: Any) -> Any:
    return lambda first, *others: functools.reduce(fold, others, fold(first, constant(first, 0 if fold is _gcd else 1)))


def _gcd(x: Any, y: Any) -> Any:
    return ops.gcd(x, y)


def _lcm(x: Any, y: Any) -> Any:
    return ops.lcm(x, y)


_CALLS: Final[dict[str, Any]] = {
    "gcd": _many(_gcd), "lcm": _many(_lcm), "isqrt": _root,
    "bit_length": lambda n: ops.count_nonzero(_bits(n)),
    "bit_count": lambda n: ops.count_nonzero(ops.bitwise_and(_bits(n), n.graph.constant(np.array(1, np.uint64)))),
    "factorial": lambda n: _product(constant(n, 1), ops.add(n, constant(n, 1))),
    "perm": lambda n, k: _product(ops.add(ops.subtract(n, k), constant(n, 1)), ops.add(n, constant(n, 1))),
}  # fmt: skip
"""Of integers of 64 bits; the names are those of `runtime.ops.elementwise.number_calls.INTEGER_CALLS`."""

_ROUNDED: Final[dict[str, Any]] = {"floor": floor, "ceil": ceil, "trunc": trunc, "round": round_}


@expands(ops.integer_call)
def _(values: Any, call: str) -> Any:
    if call in _ROUNDED and len(values) == 1:
        (x,) = values
        return ops.cast(_ROUNDED[call](x) if x.dtype.is_floating else x, dtype=int64)
    if call not in _CALLS or any(x.dtype.is_floating for x in values):
        return NotImplemented
    return _CALLS[call](*(ops.cast(x, dtype=int64) for x in values))
