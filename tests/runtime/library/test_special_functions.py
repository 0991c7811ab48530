"""Special functions against their series in 60 decimal digits, in units in the last place."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from decimal import Decimal as D
from decimal import localcontext
from typing import Any

import numpy as np
import pytest

import runtime
from runtime.ops.elementwise import error_functions
from runtime.ops.kernels import special_library

PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899")


@pytest.fixture(params=["scipy", "no scipy"], autouse=True)
def library(request: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test with SciPy's functions and without."""
    found = importlib.import_module("scipy.special") if request.param == "scipy" else None
    for module in (special_library, error_functions):
        monkeypatch.setattr(module, "scipy_special", lambda: found)


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


BERNOULLI = [D(n) / d for n, d in (
    (1, 6), (-1, 30), (1, 42), (-1, 30), (5, 66), (-691, 2730), (7, 6), (-3617, 510), (43867, 798), (-174611, 330),
)]  # fmt: skip


def lgamma(x: float) -> D:
    """log|gamma(x)|: Stirling's series beyond 90, and the recurrence down to x, which needs no reflection below 0."""
    t, factor = D(x), D(1)
    while t < 90:
        factor *= t
        t += 1
    tail = sum(b / (2 * k * (2 * k - 1) * t ** (2 * k - 1)) for k, b in enumerate(BERNOULLI, 1))
    return (t - D("0.5")) * t.ln() - t + (2 * PI).ln() / 2 + tail - abs(factor).ln()


def digamma(x: float) -> D:
    t, below = D(x), D(0)
    while t < 90:
        below += 1 / t
        t += 1
    return t.ln() - 1 / (2 * t) - sum(b / (2 * k * t ** (2 * k)) for k, b in enumerate(BERNOULLI, 1)) - below


def trigamma(x: float) -> D:
    t, below = D(x), D(0)
    while t < 90:
        below += 1 / t**2
        t += 1
    return below + 1 / t + 1 / (2 * t**2) + sum(b / t ** (2 * k + 1) for k, b in enumerate(BERNOULLI, 1))


def slope_of_digamma(x: np.ndarray) -> Any:
    tensor = runtime.constant(x)
    with runtime.GradientTape() as tape:
        tape.watch(tensor)
        y = runtime.math.digamma(tensor)
    return tape.gradient(y, tensor)


ROWS: list[tuple[Any, Callable[[float], D], tuple[float, float], float]] = [
    (runtime.math.erf, erf, (-1, 1), 2), (runtime.math.erf, erf, (1, 5), 2), (runtime.math.erf, erf, (-6, -1), 2),
    (runtime.math.erfc, erfc, (-5, 0), 2), (runtime.math.erfc, erfc, (0, 1), 2), (runtime.math.erfc, erfc, (1, 7.5), 2),
    (runtime.math.lgamma, lgamma, (1e-3, 0.5), 2), (runtime.math.lgamma, lgamma, (0.5, 3), 2),
    (runtime.math.lgamma, lgamma, (0.999, 1.001), 2), (runtime.math.lgamma, lgamma, (1.999, 2.001), 2),
    (runtime.math.lgamma, lgamma, (3, 200), 2), (runtime.math.lgamma, lgamma, (-6, 0), 2),
    (runtime.math.lgamma, lgamma, (-2.4570248, -2.4570246), 2), (runtime.math.lgamma, lgamma, (-2.74769, -2.74767), 2),
    (runtime.math.lgamma, lgamma, (-5.00834, -5.00832), 2), (runtime.math.lgamma, lgamma, (-80, -6), 2),
    (runtime.math.digamma, digamma, (1e-3, 1), 2), (runtime.math.digamma, digamma, (1, 3), 2),
    (runtime.math.digamma, digamma, (1.461632, 1.461633), 2), (runtime.math.digamma, digamma, (3, 200), 2),
    (runtime.math.digamma, digamma, (-6, 0), 2), (runtime.math.digamma, digamma, (-0.504084, -0.504083), 2),
    (runtime.math.digamma, digamma, (-80, -6), 2),
    (slope_of_digamma, trigamma, (0.01, 20), 3), (slope_of_digamma, trigamma, (-6, 0), 3),
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
    functions = (runtime.math.erf, runtime.math.erfc, runtime.math.lgamma, runtime.math.digamma, runtime.nn.gelu)
    for function in functions:
        wide = np.asarray(function(x.astype(np.float64)))
        np.testing.assert_array_equal(np.asarray(function(x)), wide.astype(dtype))


def test_corners() -> None:
    inf, nan = np.inf, np.nan
    rows = [
        (runtime.math.erf, [0.0, inf, -inf, nan], [0.0, 1.0, -1.0, nan]),
        (runtime.math.erfc, [0.0, inf, -inf, nan, 40.0], [1.0, 0.0, 2.0, nan, 0.0]),
        (runtime.math.erfinv, [0.0, 1.0, -1.0, nan, 1.5], [0.0, inf, -inf, nan, nan]),
        (runtime.math.lgamma, [1.0, 2.0, 0.0, -1.0, inf, -inf, nan], [0.0, 0.0, inf, inf, inf, inf, nan]),
        (runtime.math.digamma, [0.0, -2.0, inf, -inf, nan], [nan, nan, inf, nan, nan]),
        (runtime.math.digamma, [5e-324, -5e-324, 2.0**-1000, -(2.0**-1000)], [-inf, inf, -(2.0**1000), 2.0**1000]),
        (runtime.math.lgamma, [5e-324, -5e-324, 1e306], [744.4400719213812, 744.4400719213812, inf]),
        (slope_of_digamma, [0.0, -1.0, inf, -inf, nan], [inf, inf, 0.0, nan, nan]),
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
