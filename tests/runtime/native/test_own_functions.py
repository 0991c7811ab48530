"""Functions of our own, under jit_compile=True: one unit in the last place from the correctly rounded value at most."""

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.native.own_functions import LIMITS, has_fused_multiply_add

pytestmark = [
    pytest.mark.skipif(not has_fused_multiply_add(), reason="functions are numpy's on this processor"),
    pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="the reference needs more digits than float64 has"),
]

RANGES = {
    "exp": [(-746.0, 710.0), (-1.0, 1.0), (-1e-8, 1e-8), (-745.2, -708.0)],
    "expm1": [(-45.0, 710.0), (-2.0, 2.0), (-1e-5, 1e-5)],
    "log": [(0.0, 4.0), (0.99, 1.01), (0.0, 1e300), (0.0, 1e-307)],
    "sin": [(-7.0, 7.0), (-1e-3, 1e-3), (-1e5, 1e5), (-1e9, 1e9)],
    "cos": [(-7.0, 7.0), (1.57, 1.571), (-1e5, 1e5), (-1e9, 1e9)],
    "tanh": [(-25.0, 25.0), (-1.0, 1.0), (-1e-3, 1e-3)],
}  # fmt: skip

EDGES = [
    0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e-310, -1e-310, 2.2250738585072014e-308,
    709.78, 709.79, 710.0,
    -745.1, -745.2, -708.5, 1e308, -1e308, 19.0, 22.0, 1.0, -1.0, 0.34657359, -0.34657359, 40.0, -40.0,
]  # fmt: skip


def computed(name, x):
    """By machine code, which has no loop of numpy's in it."""
    run = tf.function(lambda t: getattr(tf.math, name)(t) + t * 0.0 * 0.0, jit_compile=True)
    if not np.isfinite(x).all():  # inf * 0 is nan
        run = tf.function(lambda t: (getattr(tf.math, name)(t), -t)[0], jit_compile=True)
    text = run.lower(tf.constant(x)).as_text("native")
    return run(tf.constant(x)).numpy(), text


def rounded(name, x):
    with np.errstate(all="ignore"):
        return getattr(np, name)(x.astype(np.longdouble)).astype(np.float64)


def places_apart(found, wanted):
    """How many numbers lie between two finite ones."""
    bits = [a.view(np.int64) for a in (found, wanted)]
    order = [np.where(b < 0, np.int64(-(2**63)) - b, b) for b in bits]
    return np.abs(order[0] - order[1])


def assert_close(name, x):
    x = x[~((np.abs(x) > LIMITS.get(name, np.inf)) & np.isfinite(x))]
    assert_rounded(name, computed(name, x)[0], rounded(name, x), x)


def assert_rounded(name, found, wanted, x):
    """Within one unit in the last place, and what is not finite as it is."""
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[~finite], wanted[~finite])
    apart = places_apart(found[finite], wanted[finite])
    assert apart.max(initial=0) <= 1, (name, x[finite][np.argmax(apart)])


@pytest.mark.parametrize("name", RANGES)
def test_special_values_and_edges(name):
    assert_close(name, np.array(EDGES))
    x = np.array([0.0, -0.0])
    if name in ("expm1", "tanh"):
        np.testing.assert_array_equal(np.signbit(computed(name, x)[0]), [False, True])


@pytest.mark.parametrize("name", RANGES)
def test_random_values(name):
    drawn = np.random.default_rng(3)
    for low, high in RANGES[name]:
        assert_close(name, drawn.uniform(low, high, 20_000))


@pytest.mark.slow
@pytest.mark.parametrize("name", RANGES)
def test_a_million_values(name):
    drawn = np.random.default_rng(4)
    for low, high in RANGES[name]:
        assert_close(name, drawn.uniform(low, high, 1_000_000))
    x = drawn.integers(0, 2**63, 1_000_000, dtype=np.int64).view(np.float64)
    assert_close(name, x[np.isfinite(x)])
    if name != "log":
        assert_close(name, -x[np.isfinite(x)])


def test_which_functions_are_used():
    x = np.linspace(0.1, 3.0, 50)
    run = lambda t: tf.tanh(tf.exp(-t)) + tf.math.log(t)
    own = tf.function(run, jit_compile=True).lower(tf.constant(x)).as_text("native")
    assert "@own.exp" in own and "numpy.exp" not in own
    for text in (
        tf.function(run, backend="native").lower(tf.constant(x)).as_text("native"),
        tf.function(run, jit_compile=True).lower(tf.constant(x.astype(np.float32))).as_text("native"),
    ):
        assert "@own" not in text and "numpy.exp" in text


def test_functions_in_a_loop_over_numbers():
    def program(n):
        total = 0.0
        for i in range(n):
            total += tf.exp(-total) * 0.5 + tf.tanh(total + i)
        return total

    ours = tf.function(program, jit_compile=True)(tf.constant(200)).numpy()
    np.testing.assert_allclose(ours, tf.function(program, backend="numpy")(tf.constant(200)).numpy(), rtol=1e-12)


def test_large_angles_are_those_of_numpy():
    """Where one of them is met, the plan does all of the work."""
    x = np.array([1.0, 2.0**30, 2.0**30 + 1.0, 1e300, -1e22])
    run = tf.function(lambda t: tf.sin(t) + tf.cos(t), jit_compile=True)
    np.testing.assert_array_equal(run(tf.constant(x)).numpy(), np.sin(x) + np.cos(x))
    assert [region.given_up for region in run.get_concrete_function(tf.constant(x)).plan.regions] == [1]

    def program(start, turns):
        found = 0.0
        for i in range(turns):
            found += tf.sin(start * i)
        return found

    looped = tf.function(program, jit_compile=True)
    for start in (0.5, 1e12):
        wanted = sum(np.sin(start * i) for i in range(5))
        np.testing.assert_allclose(looped(tf.constant(start, tf.float64), 5), wanted, rtol=1e-12)


BASES = [
    0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1.5, np.inf, -np.inf, np.nan, 1e300, -1e300, 1e-300, 5e-324,
    -5e-324, 2.0**53, 2.0**52 + 1.0, -(2.0**53 + 2.0), 1e10, 0.1, 1 / 3, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 709.0, 1023.0,
    -1074.0, 1024.0, -1075.0,
]  # fmt: skip

POWERS = [
    ((0.0, 10.0), (-300.0, 300.0)), ((0.9, 1.1), (-7000.0, 7000.0)), ((0.0, 1e300), (-1.0, 1.0)),
    ((0.0, 1e-300), (-1.0, 1.0)), ((0.999999, 1.000001), (-7e8, 7e8)), ((0.0, 100.0), (0.0, 4.0)),
    ((0.0, 5e-308), (-0.9, 0.9)), ((0.5, 2.0), (-1000.0, 1000.0)),
]  # fmt: skip
"""Of bases and exponents: results of all sizes, also those that are no normal numbers."""


def assert_powers(x, y):
    run = tf.function(lambda x, y: (x**y, -y), jit_compile=True)
    given = tf.constant(x), tf.constant(y)
    assert "@own.power" in run.lower(*given).as_text("native")
    with np.errstate(all="ignore"):
        wanted = np.power(x.astype(np.longdouble), y.astype(np.longdouble)).astype(np.float64)
    found = run(*given)[0].numpy()
    np.testing.assert_array_equal(np.signbit(found[found == 0]), np.signbit(wanted[found == 0]))
    assert_rounded("power", found, wanted, x)


def test_powers_of_special_values_and_edges():
    x, y = np.array(list(itertools.product(BASES, BASES))).T.copy()
    assert_powers(x, y)


@pytest.mark.parametrize("place", range(len(POWERS)))
def test_powers_of_random_values(place):
    drawn, (bases, exponents) = np.random.default_rng(5), POWERS[place]
    assert_powers(drawn.uniform(*bases, 20_000), drawn.uniform(*exponents, 20_000))


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(POWERS)))
def test_powers_of_a_million_values(place):
    drawn, (bases, exponents) = np.random.default_rng(6), POWERS[place]
    assert_powers(drawn.uniform(*bases, 1_000_000), drawn.uniform(*exponents, 1_000_000))


OF_FLOAT32 = {
    "erf": (tf.math.erf, math.erf, (-5.0, 5.0)),
    "erfc": (tf.math.erfc, math.erfc, (-5.0, 10.5)),
    "gelu": (tf.nn.gelu, lambda x: 0.5 * x * math.erfc(-x * math.sqrt(0.5)), (-15.0, 9.0)),
    "lgamma": (tf.math.lgamma, lambda x: math.inf if x <= 0 and x % 1 == 0 else math.lgamma(x), (-30.0, 60.0)),
}  # fmt: skip
"""The Function, the value of a float64 number, and where it changes."""


def assert_near(name, x):
    """Within one unit in the last place of float32."""
    function, exact, _ = OF_FLOAT32[name]
    x = x.astype(np.float32)
    run = tf.function(lambda t: function(t), jit_compile=True)
    assert f"@own.{name}" in run.lower(tf.constant(x)).as_text("native")
    found = run(tf.constant(x)).numpy()
    assert found.dtype == np.float32
    wanted = np.array([exact(value) for value in x.tolist()])
    poles = np.isinf(wanted)
    assert np.array_equal(np.isinf(found), poles)
    steps = np.spacing(np.abs(wanted.astype(np.float32))).astype(np.float64)
    apart = np.abs(np.where(poles, 0, found) - np.where(poles, 0, wanted)) / np.where(poles, 1, steps)
    assert apart.max() <= 1, (name, x[np.argmax(apart)])


@pytest.mark.parametrize("name", OF_FLOAT32)
def test_functions_of_float32(name):
    drawn, (low, high) = np.random.default_rng(7), OF_FLOAT32[name][2]
    for x in (drawn.uniform(low, high, 20_000), drawn.uniform(-1e-3, 1e-3, 1000), 10.0 ** drawn.uniform(-37, 0, 1000)):
        assert_near(name, x)


@pytest.mark.parametrize("name", OF_FLOAT32)
def test_edges_of_functions_of_float32(name):
    """What is not finite, and where nothing is left, is as without machine code, also by itself and in a loop."""
    function = OF_FLOAT32[name][0]
    x = tf.constant(np.array([0, -0.0, np.inf, -np.inf, np.nan, 4, -4, 9.2, 20, -20, 1e30, -1e30, -11], np.float32))
    with np.errstate(all="ignore"):
        wanted = tf.function(lambda t: function(t), backend="numpy")(x).numpy()
        found = tf.function(lambda t: function(t), jit_compile=True)(x).numpy()
    np.testing.assert_array_max_ulp(found[wanted == wanted], wanted[wanted == wanted], 1)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(wanted))
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))

    def program(values, turns):
        total = values[0]
        for i in range(turns):
            total = total + function(values[i % 2] + 0.5)
        return total

    looped, plain = tf.function(program, jit_compile=True)(x, 70), tf.function(program, backend="numpy")(x, 70)
    np.testing.assert_allclose(looped, plain, rtol=1e-5)


def test_where_functions_of_float32_are_not_our_own():
    x = np.linspace(-2, 2, 50)
    for function, given, options in (
        (lambda t: tf.math.erf(t) + 1.0, x.astype(np.float32), {"backend": "native"}),
        (lambda t: tf.math.erf(t) + 1.0, x, {"jit_compile": True}),
        (lambda t: tf.nn.gelu(t, approximate=True), x.astype(np.float32), {"jit_compile": True}),
    ):
        run = tf.function(function, **options)
        assert "@own.erf" not in run.lower(tf.constant(given)).as_text("native")
        plain = tf.function(function, backend="numpy")(tf.constant(given)).numpy()
        np.testing.assert_allclose(run(tf.constant(given)), plain, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_FLOAT32)
def test_a_million_values_of_float32(name):
    low, high = OF_FLOAT32[name][2]
    assert_near(name, np.random.default_rng(8).uniform(low, high, 1_000_000))
