"""The logarithm of the gamma function and its derivatives: lgamma, digamma, polygamma.

>>> runtime.math.lgamma(5.0)                   # log(4!)
<tf.Tensor: shape=(), dtype=float32, numpy=3.178053855895996>

lgamma and digamma in float64 are within 2 units in the last place everywhere, also near their zeros; polygamma is
within 6 units of its largest term. Near 1 and 2, where lgamma is 0, and near 1.46, where digamma is 0, they are the
distance to the zero times a Chebyshev series. Above 10 the asymptotic series of Abramowitz and Stegun 6.1.41, 6.3.18
and 6.4.11 are used, between them recurrences, below 0 the reflection formulas 6.1.17, 6.3.7 and 6.4.7 in 32 digits.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.elementwise.functions import function
from runtime.ops.kernels.gamma_series import (
    BERNOULLI,
    FAR,
    HALF_LOG_TAU,
    HARMONIC,
    LOG_BETWEEN,
    LOG_LOST,
    PSI_BETWEEN,
    PSI_LOST,
    ROOT,
    STIRLING,
    chebyshev,
)
from runtime.ops.kernels.ranges import Compute, by_range, in_float64
from runtime.ops.kernels.special_library import from_scipy
from runtime.ops.kernels.two_floats import (
    LOG_PI,
    PI,
    Pair,
    add,
    divide,
    log_of,
    minus,
    multiply,
    pair_of,
    polynomial,
    product,
    sine_and_cosine_of_pi,
    two_sum,
)
from runtime.ops.records.raises import CHECKED
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, by_element, each, unary
from runtime.ops.records.shape_rules import same_shape

__all__ = ["digamma", "lgamma", "polygamma"]

TINY: Final = 1e-290
"""Nearer to 0 than this only the pole counts, and products of pairs would lose digits."""


def _log_between(x: Array) -> Array:
    """log(gamma(x)) for 0.5 <= x <= 3."""
    series = chebyshev(LOG_BETWEEN, LOG_LOST, multiply((x - 1.75, 0.0), pair_of(Fraction(4, 5))))
    return np.asarray(multiply(multiply((x - 1, 0.0), two_sum(x, -2.0)), series)[0])


def _stirling(x: Array) -> Array:
    """log(gamma(x)) for x >= 10."""
    inverse = 1 / (x * x)
    series = np.zeros_like(x)
    for k in range(8, 0, -1):
        series = series * inverse + STIRLING[k - 1][0]
    return np.asarray((x - 0.5) * (np.log(x) - 1) + ((HALF_LOG_TAU[0] - 0.5) + series / x))


def _log_near(x: Array) -> Array:
    """log(gamma(x)) for 0 < x <= 10: above 3 by the recurrence from below, below 0.5 from above."""
    down, factor = x, np.ones_like(x)
    for _ in range(8):
        large = down > 3
        factor = np.where(large, factor * (down - 1), factor)
        down = np.where(large, down - 1, down)
    small = down < 0.5
    low = _log_between(np.clip(np.where(small, down + 1, down), 0.5, 3))
    return low + np.where(small, -np.log(np.where(small, down, 1)), np.log(factor))


def _log_exactly(t: Pair) -> Pair:
    """log(gamma(t)) for t >= 1."""
    factor: Pair = (np.ones_like(t[0]), np.zeros_like(t[0]))
    while np.any(near := t[0] < FAR):
        factor = _where(near, multiply(factor, t), factor)
        t = _where(near, add(t, (1.0, 0.0)), t)
    one = (np.ones_like(t[0]), 0.0)
    inverse = divide(one, t)
    series = multiply(polynomial(STIRLING, multiply(inverse, inverse)), inverse)
    main = add(multiply(add(t, (-0.5, 0.0)), log_of(t)), minus(t))
    return add(add(main, add(series, HALF_LOG_TAU)), minus(log_of(factor)))


def _where(condition: Array, p: Pair, q: Pair) -> Pair:
    return np.where(condition, p[0], q[0]), np.where(condition, p[1], q[1])


def _turn(x: Array) -> Array:
    """The distance of x to the nearest integer, with its sign."""
    return np.asarray(x - np.rint(x))


def _log_negative(x: Array) -> Array:
    """log|gamma(x)| for x < 0 between the poles: what the reflection leaves is small near each of its zeros."""
    sine, _ = sine_and_cosine_of_pi(_turn(x))
    rest = add(log_of((np.abs(sine[0]), np.copysign(sine[1], sine[0] * sine[1]))), _log_exactly(two_sum(1.0, -x)))
    return np.asarray(add(LOG_PI, minus(rest))[0])


def _by_sign(x: Array, far: Compute, near: Compute, below: Compute, tiny: Compute) -> Array:
    """Each function on the elements that it is for: x > 10, 0 < x <= 10, x < 0 between the poles, and next to 0."""
    small, usual = np.abs(x) < TINY, np.isfinite(x)
    negative = (x < 0) & usual & (x != np.floor(x))
    return by_range(
        x,
        ((x > 10) & usual, far),
        ((x >= TINY) & (x <= 10), near),
        (negative & ~small, below),
        (small & (x != 0), tiny),
    )


@function(samples=unary(-4.9, 9), reference=by_element(lambda x: math.inf if x == 0 else math.lgamma(x)))
@from_scipy("gammaln", narrow=lambda x: x > 0, wide=lambda x: (x >= 3) & (x <= 10))
@in_float64
def lgamma(x: Array) -> Any:
    """The logarithm of |gamma(x)|; infinite at 0, -1, -2, .... x: float tensor."""
    with np.errstate(over="ignore"):
        found = _by_sign(x, _stirling, _log_near, _log_negative, lambda v: -np.log(np.abs(v)))
    return np.where(np.isinf(x) | ((x <= 0) & (x == np.floor(x))), np.inf, found)


@lgamma.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * digamma(x)


def _psi_between(x: Pair) -> Pair:
    """digamma(x) for 1 <= x <= 2, and a little beyond."""
    series = chebyshev(PSI_BETWEEN, PSI_LOST, (2 * x[0] - 3, 2 * x[1]))
    return multiply(add(x, minus(ROOT)), series)


def _reciprocal(x: Any) -> Pair:
    found = 1 / x
    high, low = product(found, x)
    return found, -((high - 1) + low) / x


def _psi_near(x: Array) -> Array:
    """digamma(x) for 0 < x <= 10: above 2 by the recurrence from below, below 1 from above."""
    small, down = x < 1, x
    total: Pair = (np.zeros_like(x), np.zeros_like(x))
    for _ in range(8):
        large = down > 2
        down = np.where(large, down - 1, down)
        total = _where(large, add(total, _reciprocal(down)), total)
    first = np.where(small, x, 1)
    start = _psi_between(_where(small, two_sum(first, 1.0), (down, np.zeros_like(down))))
    return np.asarray(add(start, _where(small, minus(_reciprocal(first)), total))[0])


def _psi_far(x: Array) -> Array:
    """digamma(x) for x > 10."""
    inverse = 1 / (x * x)
    series = np.zeros_like(x)
    for k in range(8, 0, -1):
        series = (series + HARMONIC[k - 1][0]) * inverse
    return np.asarray(np.log(x) - 0.5 / x - series)


def _psi_exactly(t: Pair) -> Pair:
    """digamma(t) for t >= 1."""
    one = (np.ones_like(t[0]), np.zeros_like(t[0]))
    total: Pair = (np.zeros_like(t[0]), np.zeros_like(t[0]))
    while np.any(near := t[0] < FAR):
        total = _where(near, add(total, divide(one, t)), total)
        t = _where(near, add(t, (1.0, 0.0)), t)
    inverse = divide(one, t)
    square = multiply(inverse, inverse)
    series = add(multiply(polynomial(HARMONIC, square), square), (inverse[0] / 2, inverse[1] / 2))
    return add(log_of(t), minus(add(series, total)))


def _cotangent_of_pi(x: Array) -> Pair:
    sine, cosine = sine_and_cosine_of_pi(_turn(x))
    return divide(cosine, sine)


def _psi_negative(x: Array) -> Array:
    """digamma(x) for x < 0 between the poles."""
    return np.asarray(add(_psi_exactly(two_sum(1.0, -x)), minus(multiply(PI, _cotangent_of_pi(x))))[0])


def _psi(x: float) -> float:
    """By the same recurrence, but exactly rounded sums and another expansion point."""
    if x == math.floor(x) and x <= 0:
        return math.nan
    parts = []
    while x < 40:
        parts.append(-1 / x)
        x += 1
    tail = [-(1 / (12 * x**2)), 1 / (120 * x**4), -1 / (252 * x**6), 1 / (240 * x**8)]
    return math.fsum([math.log(x), -0.5 / x, *tail, *parts])


@function(samples=unary(-4.9, 9), reference=by_element(_psi))
@from_scipy("psi", narrow=lambda x: x > 0, wide=lambda x: x >= TINY)
@in_float64
def digamma(x: Array) -> Any:
    """The derivative of lgamma; nan at 0, -1, -2, .... x: float tensor."""
    with np.errstate(over="ignore", divide="ignore"):
        return np.where(x == np.inf, np.inf, _by_sign(x, _psi_far, _psi_near, _psi_negative, lambda v: -1 / v))


@digamma.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * polygamma(x, order=1)


def _zeta_like(order: int, x: float) -> float:
    """The sum of order! / (x + k)^(order + 1), its tail by the formula of Euler and Maclaurin."""
    power = order + 1
    if x == math.floor(x) and x <= 0:
        return math.inf if order % 2 else math.nan
    parts = [(x + k) ** -power for k in range(60)]
    end = x + 60
    parts += [end**-order / order, end**-power / 2, power * end ** -(power + 1) / 12,
              -power * (power + 1) * (power + 2) * end ** -(power + 3) / 720]  # fmt: skip
    sign = 1 if order % 2 else -1
    return sign * math.factorial(order) * math.fsum(parts)


def _sum_of_powers(t: Array, order: int) -> Array:
    """order! times the sum of 1 / (t + k)^(order + 1) over k = 0, 1, ..., for t > 0."""
    power = order + 1
    total = np.zeros_like(t)
    for _ in range(12 + order):
        small = t < 12 + order
        total += np.where(small, t**-power, 0)
        t = np.where(small, t + 1, t)
    term = np.full_like(t, power) * t ** -(power + 1)
    tail = t**-order / order + t**-power / 2
    for k in range(1, 9):
        tail += BERNOULLI[k - 1] / math.factorial(2 * k) * term
        term = term * (power + 2 * k - 1) * (power + 2 * k) / (t * t)
    return np.asarray(math.factorial(order) * (total + tail))


def _cotangent_derivative(order: int) -> list[int]:
    """The derivative of cot(x) of this order as a polynomial in cot(x): that of c is -(1 + c²)."""
    found = [0, 1]
    for _ in range(order):
        slope = [k * c for k, c in enumerate(found)][1:]
        found = [-(a + b) for a, b in zip([*slope, 0, 0], [0, 0, *slope], strict=True)]
    return found


def _polygamma_negative(x: Array, order: int) -> Array:
    """By the reflection: (-1)^n psi_n(1 - x) - psi_n(x) is pi times the derivative of cot(pi x)."""
    cotangent = _cotangent_of_pi(x)
    exact: list[Pair] = [pair_of(Fraction(c)) for c in _cotangent_derivative(order)]
    turned = polynomial(exact, cotangent)
    for _ in range(order + 1):
        turned = multiply(turned, PI)
    other = (-1) ** (order + 1) * _sum_of_powers(1 - x, order)
    return np.asarray(add(((-1) ** order * other, np.zeros_like(other)), minus(turned))[0])


@op(
    raises=CHECKED,
    shape=same_shape, dtypes=FLOATS, samples=each(unary(-2.9, 9), order=(1, 2, 3)),
    reference=lambda x, order: by_element(lambda v: _zeta_like(order, v))(x),
    errors=[Failure((1.0,), InvalidArgumentError, ("order", "0"), {"order": 0}),
            Failure((1.0,), InvalidArgumentError, ("order", "10000000"), {"order": 10**7}),
            Failure((1,), DtypeMismatchError, ("int32",), {"order": 1})],
)  # fmt: skip
def polygamma(x: Array, *, order: int) -> Any:
    """The derivative of digamma of this order, an integer >= 1. x: float tensor; at 0, -1, -2, ... it is infinite for
    odd orders, nan for even ones."""
    if not 1 <= order <= 170:
        raise InvalidArgumentError(f"polygamma: the order is 1 to 170 (digamma is order 0); got {order}")
    t = np.asarray(x, np.float64)
    sign = (-1) ** (order + 1)
    positive, negative = (lambda v: sign * _sum_of_powers(v, order)), (lambda v: _polygamma_negative(v, order))
    with np.errstate(over="ignore", divide="ignore"):
        found = _by_sign(t, positive, positive, negative, lambda v: sign * math.factorial(order) / v ** (order + 1))
    pole = (t <= 0) & (t == np.floor(t)) & np.isfinite(t)
    result = np.where(t == np.inf, 0.0, np.where(pole, np.inf if order % 2 else np.nan, found))
    return result.astype(x.dtype, copy=False)


@polygamma.gradient
def _(upstream: Any, x: Any, order: int) -> Any:
    return upstream * polygamma(x, order=order + 1)
