"""Special functions against their series in 60 decimal digits, in units in the last place."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal as D
from decimal import localcontext
from typing import Any

import numpy as np
import pytest

import runtime

PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


def erf(x: float) -> D:
    """The power series, with so many digits that nothing is lost for |x| < 8."""
    t = D(x)
    term = total = t
    n = 0
    while abs(term) > D(10) ** -110:
        n += 1
        term = -term * t * t / n
        total += term / (2 * n + 1)
    return 2 * total / PI.sqrt()


def erfc(x: float) -> D:
    return 1 - erf(x)


def lgamma(x: float) -> D:
    """Stirling's series beyond 60, and the recurrence down to x."""
    t, factor = D(x), D(1)
    while t < 60:
        factor *= t
        t += 1
    bernoulli = [D(1) / 6, D(-1) / 30, D(1) / 42, D(-1) / 30, D(5) / 66, D(-691) / 2730, D(7) / 6]
    tail = sum(b / (2 * k * (2 * k - 1) * t ** (2 * k - 1)) for k, b in enumerate(bernoulli, 1))
    return (t - D("0.5")) * t.ln() - t + (2 * PI).ln() / 2 + tail - factor.ln()


def digamma(x: float) -> D:
    t, below = D(x), D(0)
    while t < 60:
        below += 1 / t
        t += 1
    bernoulli = [D(1) / 6, D(-1) / 30, D(1) / 42, D(-1) / 30, D(5) / 66, D(-691) / 2730, D(7) / 6]
    return t.ln() - 1 / (2 * t) - sum(b / (2 * k * t ** (2 * k)) for k, b in enumerate(bernoulli, 1)) - below


ROWS: list[tuple[Any, Callable[[float], D], tuple[float, float], float]] = [
    (runtime.math.erf, erf, (-1, 1), 2), (runtime.math.erf, erf, (1, 5), 2), (runtime.math.erf, erf, (-6, -1), 2),
    (runtime.math.erfc, erfc, (-5, 0), 2), (runtime.math.erfc, erfc, (0, 1), 2), (runtime.math.erfc, erfc, (1, 7.5), 2),
    (runtime.math.lgamma, lgamma, (1e-3, 0.5), 3), (runtime.math.lgamma, lgamma, (0.5, 3), 3),
    (runtime.math.lgamma, lgamma, (0.999, 1.001), 3), (runtime.math.lgamma, lgamma, (1.999, 2.001), 3),
    (runtime.math.lgamma, lgamma, (3, 200), 3),
    (runtime.math.digamma, digamma, (3, 200), 6),
]  # fmt: skip


@pytest.mark.parametrize(("function", "exact", "limits", "units"), ROWS)
def test_units_in_the_last_place(function: Any, exact: Any, limits: tuple[float, float], units: float) -> None:
    points = np.random.default_rng(0).uniform(*limits, 150)
    found = np.asarray(function(points))
    with localcontext() as context:
        context.prec = 140
        for x, y in zip(points.tolist(), found.tolist(), strict=True):
            wanted = exact(x)
            assert abs(D(y) - wanted) <= units * D(float(np.spacing(abs(float(wanted))))), (x, y, wanted)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_narrow_floats_are_rounded_from_float64(dtype: Any) -> None:
    x = np.linspace(-4, 4, 101).astype(dtype)
    for function in (runtime.math.erf, runtime.math.erfc, runtime.math.lgamma):
        wide = np.asarray(function(x.astype(np.float64)))
        np.testing.assert_array_equal(np.asarray(function(x)), wide.astype(dtype))


def test_corners() -> None:
    inf, nan = np.inf, np.nan
    rows = [
        (runtime.math.erf, [0.0, inf, -inf, nan], [0.0, 1.0, -1.0, nan]),
        (runtime.math.erfc, [0.0, inf, -inf, nan, 40.0], [1.0, 0.0, 2.0, nan, 0.0]),
        (runtime.math.erfinv, [0.0, 1.0, -1.0, nan, 1.5], [0.0, inf, -inf, nan, nan]),
        (runtime.math.lgamma, [1.0, 2.0, 0.0, -1.0, inf, -inf, nan], [0.0, 0.0, inf, inf, inf, inf, nan]),
        (runtime.math.digamma, [0.0, -2.0, inf, nan], [nan, nan, inf, nan]),
    ]
    for function, x, wanted in rows:
        np.testing.assert_array_equal(np.asarray(function(np.array(x))), wanted, repr(function))
    assert np.signbit(np.asarray(runtime.math.erf(np.array([-0.0])))).all()


def test_the_inverse_of_erf() -> None:
    y = np.concatenate([np.linspace(-0.999999, 0.999999, 201), 1 - 10.0 ** -np.arange(7, 16)])
    x = np.asarray(runtime.math.erfinv(y))
    np.testing.assert_allclose(np.asarray(runtime.math.erfc(x)), 1 - y, rtol=1e-14, atol=1e-16)


def test_below_zero() -> None:
    """The reflection formulas, from the other side: gamma(x) gamma(1 - x) sin(pi x) = pi."""
    x = np.array([-0.3, -1.7, -2.5, -10.1])
    lgamma, digamma_of = (lambda v: np.asarray(runtime.math.lgamma(v))), (lambda v: np.asarray(runtime.math.digamma(v)))
    np.testing.assert_allclose(lgamma(x) + lgamma(1 - x), np.log(np.pi / np.abs(np.sin(np.pi * x))), rtol=1e-13)
    np.testing.assert_allclose(digamma_of(1 - x) - digamma_of(x), np.pi / np.tan(np.pi * x), rtol=1e-12, atol=1e-14)
