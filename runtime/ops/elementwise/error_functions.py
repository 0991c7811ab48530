"""The error function and its relatives: erf, erfc, erfinv.

>>> runtime.math.erfc(5.0)
<tf.Tensor: shape=(), dtype=float32, numpy=1.5374597760245513e-12>

float64 results are within 2 units in the last place (erf within 3 where it is SciPy's), float32 and float16 results are
rounded from float64. Near 0 erf is x times a polynomial in x². Elsewhere erfc is exp(-x²) g(x) / (1 + 2x), with the
Chebyshev expansion of g in the variable (x - 3.75) / (x + 3.75) after Shepherd and Laframboise, Mathematics of
Computation 36 (1981), 249; the coefficients here were computed anew in 60 digits.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from runtime.ops.elementwise.functions import function
from runtime.ops.kernels.ranges import by_range, clenshaw, in_float64
from runtime.ops.kernels.special_library import from_scipy, never, scipy_special
from runtime.ops.kernels.two_floats import product
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array
from runtime.ops.records.samples import by_element, unary

__all__ = ["erf", "erfc", "erfc_to_round", "erfinv", "evaluate"]

NEAR: Final = (
    0.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792, 0.0052239776248180145,
    -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05, 1.6461000484121368e-06,
    -1.6350312701054695e-07, 1.4659775274047436e-08, -1.1372848856791674e-09, 5.957176147748911e-11,
)
"""(erf(x) / x) - 1 for |x| <= 1, as a polynomial in x², the constant first."""

FAR: Final = (
    2.3551578691348034, -0.004590054580646478, -0.08424913336651792, 0.05920993999819189, -0.026658668435305753,
    0.009074997670705265, -0.002413163540417608, 0.0004907758365258086, -6.916973302501207e-05,
    4.13902798607301e-06, 7.74038306619849e-07, -2.1886401049234397e-07, 1.076499946567091e-08,
    4.521959811218287e-09, -7.754400208831351e-10, -6.318088340886684e-11, 2.86879501093067e-11,
    1.9455868545777347e-13, -9.65469674843344e-13, 3.25254814814874e-14, 3.3478119482868056e-14,
    -1.864562880419313e-15, -1.2507950530688648e-15, 7.418235256624044e-17, 5.068148904796111e-17,
    -2.2370566594359995e-18, -2.187342944303018e-18,
)
"""(1 + 2x) exp(x²) erfc(x) for x >= 0: Chebyshev coefficients, the first one counts half."""


def evaluate(coefficients: Sequence[float], z: Array) -> tuple[float, Array]:
    """A Chebyshev series at z: half of the first coefficient, and all that is added to it."""
    here, ahead = clenshaw(coefficients[1:], z)
    return coefficients[0] / 2, z * here - ahead


def _beyond_x(x: Array) -> Array:
    """erf(x) - x for |x| <= 1."""
    square, found = np.asarray(x * x), np.full_like(x, NEAR[-1])
    for c in NEAR[-2::-1]:
        np.multiply(found, square, out=found)
        np.add(found, c, out=found)
    return np.asarray(x * found)


def _erfc_far(x: Array) -> Array:
    """erfc for x >= 0. What rounding x², 1 + 2x, the product and the quotient lost is put back."""
    x = np.minimum(x, 30.0)  # where erfc has long been 0
    first, rest = evaluate(FAR, (x - 3.75) / (x + 3.75))
    below = 1 + 2 * x
    short = x.astype(np.float32).astype(np.float64)  # its square is exact
    small = rest + (first + rest) * (np.expm1((short - x) * (short + x)) - (2 * x - (below - 1)) / below)
    power = np.exp(-short * short)
    g = first + small
    above, lost = product(power, g)
    lost += power * (small - (g - first))
    quotient = above / below
    back, more = product(quotient, below)
    return np.asarray(quotient + ((above - back) - more + lost) / below)


def _erf(x: Array) -> Array:
    size = np.abs(x)
    return by_range(
        x, (size <= 1, lambda v: v + _beyond_x(v)), (size > 1, lambda v: np.copysign(1 - _erfc_far(np.abs(v)), v))
    )


def _erfc(x: Array) -> Array:
    return by_range(
        x,
        (x < -0.5, lambda v: 2 - _erfc_far(-v)),
        ((x >= -0.5) & (x <= 0.75), lambda v: (1 - v) - _beyond_x(v)),
        (x > 0.75, _erfc_far),
    )


@function(samples=unary(-3, 3), reference=by_element(math.erf))
@from_scipy("erf")
@in_float64
def erf(x: Array) -> Any:
    """The error function, 2 / sqrt(pi) times the integral of exp(-t²) from 0 to x. x: float tensor."""
    return _erf(x)


@erf.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * (2 / math.sqrt(math.pi)) * ops.exp(-x * x)


@function(samples=unary(-3, 3), reference=by_element(math.erfc))
@from_scipy("erfc", wide=never)
@in_float64
def erfc(x: Array) -> Any:
    """1 - erf(x), exact for large x, too, where it is small. x: float tensor."""
    return _erfc(x)


def erfc_to_round(x: Array) -> Any:
    """erfc of float64 numbers, as exact as it takes to round it to a narrower dtype."""
    library = scipy_special()
    return erfc.kernel(x) if library is None else library.erfc(x)


@erfc.gradient
def _(upstream: Any, x: Any) -> Any:
    return upstream * (-2 / math.sqrt(math.pi)) * ops.exp(-x * x)


def _erfinv(y: Array) -> Array:
    """Newton's steps, with the second derivative (Halley), on erfc where that is small."""
    size = np.abs(y)
    rest = 1 - size
    with np.errstate(divide="ignore", invalid="ignore"):
        tail = np.log(np.maximum(rest * (1 + size), 5e-324))
        w = 2 / (math.pi * 0.147) + tail / 2
        x = np.sqrt(np.maximum(np.sqrt(w * w - tail / 0.147) - w, 0))  # Winitzki (2008), within 0.2 %
        for _ in range(3):
            off = np.where(size < 0.5, _erf(x) - size, rest - _erfc(x)) * (math.sqrt(math.pi) / 2) * np.exp(x * x)
            step = off / (1 + x * off)
            x = np.where(np.isfinite(step), x - step, x)
    x = np.where(rest == 0, np.inf, np.where(rest < 0, np.nan, x))
    return np.copysign(x, y)


def _by_quantile(y: float) -> float:
    return NormalDist().inv_cdf((y + 1) / 2) / math.sqrt(2) if abs(y) < 1 else math.copysign(math.inf, y)


@function(samples=unary(-0.95, 0.95), reference=by_element(_by_quantile))
@from_scipy("erfinv")
@in_float64
def erfinv(x: Array) -> Any:
    """The number whose erf is x; infinite at -1 and 1, nan outside. x: float tensor."""
    return _erfinv(x)


@erfinv.gradient
def _(upstream: Any, result: Any) -> Any:
    return upstream * (math.sqrt(math.pi) / 2) * ops.exp(result * result)
