"""The logarithm of the gamma function and its derivatives: lgamma, digamma, polygamma.

>>> runtime.math.lgamma(5.0)                   # log(4!)
<tf.Tensor: shape=(), dtype=float32, numpy=3.178053855895996>

lgamma in float64 is within 3 units in the last place for x > 0; for x < 0, and digamma and polygamma everywhere, the
error is a few units in the last place of the terms of their formulas, so near a zero digits are lost. Between 0.5 and 3
lgamma is (x - 1) (x - 2) times a Chebyshev series, computed in 60 digits; above 10 and after recurrences the asymptotic
series of Abramowitz and Stegun 6.1.41, 6.3.18 and 6.4.11 are used, below 0 the reflection formulas 6.1.17 and 6.3.7.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.elementwise import function
from runtime.ops.error_functions import evaluate, in_float64, product
from runtime.ops.record import Array, op
from runtime.ops.samples import Failure, by_element, each, unary
from runtime.ops.shape_rules import same_shape

__all__ = ["digamma", "lgamma", "polygamma"]

BETWEEN: Final = (
    0.9938392992482564, -0.18983770295364127, 0.051642363278249136, -0.01620888582719529, 0.005480868756901195,
    -0.0019373470781938534, 0.0007048910082035581, -0.00026169697337740814, 9.861130565519249e-05,
    -3.7584856908988406e-05, 1.4455839828556131e-05, -5.6014342781194404e-06, 2.1839963102639326e-06,
    -8.560510993494189e-07, 3.3707703487176757e-07, -1.3325698991082197e-07, 5.286623421759879e-08,
    -2.1039026610571943e-08, 8.396346115994458e-09, -3.3593279703588836e-09, 1.347128417758247e-09,
    -5.413413585081661e-10, 2.179523895564128e-10, -8.790476934031152e-11, 3.551107466208523e-11,
    -1.4366889879916915e-11, 5.820523962016641e-12, -2.361128116146316e-12, 9.589528652171644e-13,
    -3.8990699504056754e-13, 1.5870109734168948e-13, -6.465854220933822e-14, 2.6367771020705008e-14,
    -1.0762152407586304e-14, 4.396243296659399e-15, -1.797221357503132e-15, 7.352595459272878e-16,
    -3.010110271283285e-16, 1.2331372609685956e-16, -5.054910883766592e-17, 2.073363598084663e-17,
    -8.509128175401906e-18, 3.494064241874015e-18, -1.4354970125753624e-18,
)
"""log(gamma(x)) / ((x - 1) (x - 2)) for 0.5 <= x <= 3: Chebyshev coefficients, the first one counts half."""


def _bernoulli(count: int) -> tuple[Fraction, ...]:
    """The Bernoulli numbers B0, B1, ..., by their recurrence."""
    found = [Fraction(1)]
    for m in range(1, count):
        found.append(-sum((math.comb(m + 1, k) * found[k] for k in range(m)), Fraction(0)) / (m + 1))
    return tuple(found)


BERNOULLI: Final = tuple(float(b) for b in _bernoulli(24)[2::2])
"""B2, B4, B6, ..., of the asymptotic series."""

HALF_LOG_TAU: Final = math.log(2 * math.pi) / 2


def _stirling(x: Array) -> Array:
    """log(gamma(x)) for x >= 10."""
    inverse = 1 / (x * x)
    series = np.zeros_like(x)
    for k in range(8, 0, -1):
        series = series * inverse + BERNOULLI[k - 1] / (2 * k * (2 * k - 1))
    return np.asarray((x - 0.5) * (np.log(x) - 1) + ((HALF_LOG_TAU - 0.5) + series / x))


def _between(x: Array) -> Array:
    """log(gamma(x)) for 0.5 <= x <= 3."""
    first, rest = evaluate(BETWEEN, (x - 1.75) * 0.8)
    shape, more = product(x - 1, x - 2)
    series = first + rest
    return np.asarray(shape * series + (more * series + shape * (rest - (series - first))))


def _positive(x: Array) -> Array:
    """log(gamma(x)) for x > 0: between 3 and 10 by the recurrence from below, below 0.5 from above."""
    down, factor = np.clip(x, 0, 10), np.ones_like(x)
    for _ in range(8):
        large = down > 3
        factor = np.where(large, factor * (down - 1), factor)
        down = np.where(large, down - 1, down)
    small = down < 0.5
    low = _between(np.clip(np.where(small, down + 1, down), 0.5, 3))
    found = low + np.where(small, -np.log(np.where(small, down, 1)), np.log(factor))
    return np.where(x > 10, _stirling(np.maximum(x, 10)), found)


def _log_gamma(x: Array) -> Array:
    negative = x <= 0
    found = _positive(np.where(negative, 1 - x, np.where(x > 0, x, 1)))
    sine = np.abs(np.sin(math.pi * (x - np.round(np.where(np.isfinite(x), x, 0)))))
    reflected = np.log(math.pi) - np.log(sine) - found
    result = np.where(negative, np.where(x == np.floor(x), np.inf, reflected), found)
    return np.where(np.isinf(x), np.inf, np.where(np.isnan(x), np.nan, result))


@function(samples=unary(0.1, 9), reference=by_element(math.lgamma))
@in_float64
def lgamma(x: Array) -> Any:
    """The logarithm of |gamma(x)|; infinite at 0, -1, -2, .... x: float tensor."""
    return _log_gamma(x)


@lgamma.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * digamma(x)


def _digamma(x: Array) -> Array:
    negative = x <= 0
    t = np.where(negative, 1 - x, x)
    total = np.zeros_like(x)
    for _ in range(10):
        small = t < 10
        total -= np.where(small, 1 / np.where(small, t, 1), 0)
        t = np.where(small, t + 1, t)
    inverse = 1 / (t * t)
    series = np.zeros_like(x)
    for k in range(8, 0, -1):
        series = (series + BERNOULLI[k - 1] / (2 * k)) * inverse
    found = np.log(t) - 0.5 / t - series + total
    turn = x - np.round(np.where(np.isfinite(x), x, 0))
    reflected = found - math.pi / np.tan(math.pi * turn)
    result = np.where(negative, np.where(x == np.floor(x), np.nan, reflected), found)
    return np.where(x == -np.inf, np.nan, result)


def _psi(x: float) -> float:
    """By the same recurrence, but exactly rounded sums and another expansion point."""
    parts = []
    while x < 40:
        parts.append(-1 / x)
        x += 1
    tail = [-(1 / (12 * x**2)), 1 / (120 * x**4), -1 / (252 * x**6), 1 / (240 * x**8)]
    return math.fsum([math.log(x), -0.5 / x, *tail, *parts])


@function(samples=unary(0.1, 9), reference=by_element(_psi))
@in_float64
def digamma(x: Array) -> Any:
    """The derivative of lgamma; nan at 0, -1, -2, .... x: float tensor."""
    return _digamma(x)


@digamma.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * polygamma(x, order=1)


def _zeta_like(order: int, x: float) -> float:
    """The sum of order! / (x + k)^(order + 1), its tail by the formula of Euler and Maclaurin."""
    power = order + 1
    parts = [(x + k) ** -power for k in range(60)]
    end = x + 60
    parts += [end**-order / order, end**-power / 2, power * end ** -(power + 1) / 12,
              -power * (power + 1) * (power + 2) * end ** -(power + 3) / 720]  # fmt: skip
    sign = 1 if order % 2 else -1
    return sign * math.factorial(order) * math.fsum(parts)


@op(
    shape=same_shape, dtypes=FLOATS, samples=each(unary(0.3, 9), order=(1, 2, 3)),
    reference=lambda x, order: by_element(lambda v: _zeta_like(order, v))(x),
    errors=[Failure((1.0,), InvalidArgumentError, ("order", "0"), {"order": 0}),
            Failure((1,), DtypeMismatchError, ("int32",), {"order": 1})],
)  # fmt: skip
def polygamma(x: Array, *, order: int) -> Any:
    """The derivative of digamma of this order, an integer >= 1. x: float tensor; nan for x <= 0."""
    if order < 1:
        raise InvalidArgumentError(f"polygamma: the order is 1 or more (digamma is order 0); got {order}")
    t = np.asarray(x, np.float64)
    positive, power = t > 0, order + 1
    t = np.where(positive, t, 1)
    total = np.zeros_like(t)
    for _ in range(12 + order):
        small = t < 12 + order
        total += np.where(small, t**-power, 0)
        t = np.where(small, t + 1, t)
    term = np.full_like(t, power) * t ** -(power + 1)
    total += t**-order / order + t**-power / 2
    for k in range(1, 9):
        total += BERNOULLI[k - 1] / math.factorial(2 * k) * term
        term = term * (power + 2 * k - 1) * (power + 2 * k) / (t * t)
    result = np.where(positive, (-1) ** power * math.factorial(order) * total, np.nan)
    return result.astype(x.dtype, copy=False)


@polygamma.gradient
def _(upstream: Any, x: Any, order: int) -> Any:
    return upstream * polygamma(x, order=order + 1)
