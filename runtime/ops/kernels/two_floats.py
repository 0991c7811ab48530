"""Arithmetic with numbers that are the sum of two floats: about 32 digits, for functions near their zeros.

    log_of(add((x, 0.0), (1.0, 0.0)))         # log(1 + x) as a pair: the float nearest to it, and what is left

A pair (high, low) of float64 arrays stands for high + low. Sums after Knuth, products after Dekker (Numerische
Mathematik 18, 1971); each operation is right to about 2⁻¹⁰⁴ of its operands. Nothing here knows infinities: callers put
them in afterwards.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any, Final

import numpy as np

from runtime.ops.records.record import Array

__all__ = [
    "LOG_PI", "PI", "Pair", "add", "divide", "log_of", "minus", "multiply", "pair_of", "polynomial", "product",
    "sine_and_cosine_of_pi", "two_sum",
]  # fmt: skip

Pair = tuple[Any, Any]


def pair_of(number: Fraction | Decimal) -> Pair:
    """An exact number as a pair."""
    exact = Fraction(number)
    high = float(exact)
    return high, float(exact - Fraction(high))


PI: Final = pair_of(Decimal("3.14159265358979323846264338327950288419716939937511"))
LOG_PI: Final = pair_of(Decimal("1.14472988584940017414342735135305871164729481291531"))
LOG_2: Final = pair_of(Decimal("0.69314718055994530941723212145817656807550013436026"))
SQRT_HALF: Final = math.sqrt(0.5)

ODD: Final = [pair_of(Fraction(1, n)) for n in (1, 3, 5, 7)]
"""The first coefficients of atanh(s) / s as a series in s²."""

SINE: Final = [pair_of(Fraction((-1) ** k, math.factorial(2 * k + 1))) for k in range(14)]
COSINE: Final = [pair_of(Fraction((-1) ** k, math.factorial(2 * k))) for k in range(14)]


def two_sum(a: Any, b: Any) -> Pair:
    """a + b and what its rounding lost."""
    found = a + b
    part = found - a
    return found, (a - (found - part)) + (b - part)


def product(a: Any, b: Any) -> Pair:
    """a * b and what its rounding lost."""
    found = a * b
    a_high, b_high = ((v * 134217729.0) - (v * 134217729.0 - v) for v in (a, b))
    a_low, b_low = a - a_high, b - b_high
    return found, a_low * b_low - (((found - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _joined(high: Any, low: Any) -> Pair:
    """The same sum, with as much as possible in its first part; low is the smaller one."""
    found = high + low
    return found, low - (found - high)


def add(p: Pair, q: Pair) -> Pair:
    high, low = two_sum(p[0], q[0])
    return _joined(high, low + (p[1] + q[1]))


def minus(p: Pair) -> Pair:
    return -p[0], -p[1]


def multiply(p: Pair, q: Pair) -> Pair:
    high, low = product(p[0], q[0])
    return _joined(high, low + (p[0] * q[1] + p[1] * q[0]))


def divide(p: Pair, q: Pair) -> Pair:
    found = p[0] / q[0]
    high, low = product(found, q[0])
    return _joined(found, (((p[0] - high) - low) + p[1] - found * q[1]) / q[0])


def polynomial(coefficients: Sequence[Pair], x: Pair) -> Pair:
    """The sum of coefficients[k] * x**k."""
    found = coefficients[-1]
    for c in coefficients[-2::-1]:
        found = add(multiply(found, x), c)
    return found


@functools.cache
def _logarithms() -> tuple[Array, Array]:
    """log(k / 64) for k < 92 (of 0 anything), as two arrays."""
    with localcontext() as context:
        context.prec = 40
        pairs = [(0.0, 0.0), *(pair_of((Decimal(k) / 64).ln()) for k in range(1, 92))]
    return np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])


def log_of(p: Pair) -> Pair:
    """The logarithm of a positive pair: log(2ᵉ c (1 + s) / (1 - s)) with c = k / 64, and a series for atanh(s)."""
    mantissa, exponent = np.frexp(p[0])
    below = mantissa < SQRT_HALF
    exponent = exponent - below
    high = np.where(below, 2 * mantissa, mantissa)
    low = np.ldexp(p[1], -exponent)
    place = np.rint(high * 64).astype(np.int64)
    c = place / 64.0
    s = divide(add((high, low), (-c, 0.0)), add((high, low), (c, 0.0)))
    square = multiply(s, s)
    t = square[0]
    rest = (((t / 15 + 1 / 13) * t + 1 / 11) * t + 1 / 9) * (t * t) * (t * t)
    series = multiply(add(polynomial(ODD, square), (rest, 0.0)), s)
    table = _logarithms()
    found = add((table[0][place], table[1][place]), (2 * series[0], 2 * series[1]))
    return add(found, multiply((exponent.astype(np.float64), 0.0), LOG_2))


def sine_and_cosine_of_pi(t: Array) -> tuple[Pair, Pair]:
    """sin(pi t) and cos(pi t) for |t| <= 0.5."""
    size = np.abs(t)
    turned = size > 0.25
    angle = multiply((np.where(turned, 0.5 - size, size), 0.0), PI)
    square = multiply(angle, angle)
    sine, cosine = multiply(polynomial(SINE, square), angle), polynomial(COSINE, square)
    first = [np.where(turned, c, s) for s, c in zip(sine, cosine, strict=True)]
    second = [np.where(turned, s, c) for s, c in zip(sine, cosine, strict=True)]
    sign = np.sign(t)
    return (sign * first[0], sign * first[1]), (second[0], second[1])
