"""Python's `math`, `cmath` and `statistics` of tensors: what Python gives, its errors included, in one trace each."""

from __future__ import annotations

import cmath
import math
import math as m
import operator
import statistics
from collections.abc import Callable
from functools import reduce
from math import sqrt
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import observe

FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 2.5, -2.5, 7.0, 100.25, -1e-9, 1e300, -1e300, math.inf, -math.inf, math.nan)
WHOLE = (0, 1, 2, 5, 12, 20, -1, -7, 10**6, 2**40)


def alike(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(alike, found, wanted))
    if isinstance(wanted, float | complex):
        if wanted != wanted:
            return bool(found != found)
        is_close = cmath.isclose(found, wanted, rel_tol=1e-12, abs_tol=1e-300)
        return type(found) is type(wanted) and (is_close or found == wanted)
    return type(found) is type(wanted) and bool(found == wanted)


def assert_as_python(function: Callable[..., Any], inputs: Any) -> None:
    """The same results (floats to 1e-12), or errors of the same class in the same words, from one trace."""
    staged = tf.function(function)
    for given in inputs:
        args = given if isinstance(given, tuple) else (given,)
        wanted, _ = observe(function, *args)
        if type(wanted) is int and abs(wanted) >= 2**63:
            wanted = OverflowError("the result of")
        found, _ = observe(staged, *[tf.constant(np.array(a)) for a in args])
        if isinstance(wanted, Exception):
            assert isinstance(found, type(wanted)), f"{args}: {wanted!r} in Python, {found!r} staged"
            assert str(wanted).split(",")[0] in str(found) or math.nan in args or "int64" in str(found), (wanted, found)
        else:
            assert alike(found, wanted), f"{args}: {wanted!r} in Python, {found!r} staged"
    assert staged.experimental_get_tracing_count() == 1


OF_ONE = [
    name
    for name in (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh degrees erf erfc exp exp2 expm1 fabs floor gamma isfinite"
        " isinf isnan lgamma log log10 log1p log2 modf radians sin sinh sqrt tan tanh trunc"
    ).split()
    if hasattr(math, name)
]
OF_TWO = ("atan2", "copysign", "fmod", "hypot", "pow", "remainder", "isclose", "log", "nextafter")


@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_float(name: str) -> None:
    function = getattr(math, name)
    assert_as_python(lambda x: function(x), [x for x in FLOATS if not (name in ("sin", "cos", "tan") and abs(x) > 1e9)])
    if name not in ("gamma", "lgamma", "floor", "ceil", "trunc"):
        assert_as_python(lambda n: function(n), [n for n in WHOLE if not (name in ("sin", "cos", "tan") and n > 1e9)])


@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_floats(name: str) -> None:
    function = getattr(math, name)
    values = (0.0, 0.5, -2.5, 7.0, 3.0, -1.0, 1e200, math.inf, math.nan)
    pairs = [(x, y) for x in values for y in values if not (name == "log" and y == 1)]
    assert_as_python(lambda x, y: function(x, y), pairs)
    assert_as_python(lambda n: (function(n, 2), function(3, n)), [1, 2, 7])


@pytest.mark.parametrize("name", ["gcd", "lcm", "comb", "perm", "factorial", "isqrt"])
def test_functions_of_integers(name: str) -> None:
    function = getattr(math, name)
    if name in ("factorial", "isqrt"):
        assert_as_python(lambda n: function(n), [n for n in WHOLE if not (name == "factorial" and n > 20)])
    else:
        assert_as_python(lambda n: function(n, 4), WHOLE[:-1])
        assert_as_python(lambda n, k: function(n, k), [(12, 8), (5, 0), (0, 3), (7, 7), (3, 5), (-4, 6)])
    with pytest.raises(TypeError, match="interpreted as an integer"):
        tf.function(lambda x: function(x, x) if name in ("gcd", "lcm", "comb") else function(x))(tf.constant(2.5))


def in_positions(n):
    root = sqrt(n)
    total, divisors, digits = 0.0, 0, 0
    for i in range(1, int(m.sqrt(n)) + 1):
        if n % i == 0:
            divisors += 2 if i != n // i else 1
        total = total + math.log(i + 1)
    if n > 50:
        root = math.floor(root)
    else:
        root = math.ceil(root)
    largest = max(math.sqrt(n), 3.0)
    while math.pow(10, digits) <= float(n):
        digits += 1
    logs = [math.log2(i + n) for i in range(3)]
    return root, divisors, total, largest, digits, logs, math.floor(math.log10(n)) + 1, math.isqrt(n) ** 2 == n


def of_many(a, b, c):
    values = [a, b, c]
    return (
        math.prod(values), math.fsum(values), math.dist([a, b], [c, 1]), math.hypot(a, b, c),
        reduce(math.gcd, [12, 18]),
        sum(map(math.sqrt, [abs(a), abs(b)])), math.prod(x + 1 for x in values), math.prod(values, start=2.0),
        sorted(values, key=math.fabs), operator.mul(a, b), operator.not_(a > b), operator.contains(values, c),
        operator.truth(a), operator.is_(a > b, True), operator.getitem([1, 2, 3], int(abs(b)) % 3),
        math.isclose(a, b, rel_tol=0.5), math.isclose(a, c, abs_tol=1e-3),
    )  # fmt: skip


def a_branch_not_taken(x):
    if x > 0:
        y = math.sqrt(x)
    else:
        y = -math.sqrt(-x)
    try:
        z = math.log(x)
    except ValueError:
        z = -1.0
    return y, z, math.sqrt(x) if x >= 0 else 0.5


def described(a, b, c):
    values = [a, b, c, a + b]
    return (
        statistics.fmean(values), statistics.mean([a, 0.5]), statistics.median(values), statistics.median([c, b, a]),
        statistics.median_low(values), statistics.median_high(values), statistics.stdev(values),
        statistics.variance(values), statistics.pstdev(values), statistics.pvariance(values, mu=1.5),
    )  # fmt: skip


def test_in_every_position() -> None:
    assert_as_python(in_positions, [1, 7, 36, 50, 99, 1000])
    assert_as_python(of_many, [(3.0, 4.5, -2.0), (0.0, 1.0, 1.0)])
    assert_as_python(a_branch_not_taken, [4.0, -4.0, 0.0])
    assert_as_python(described, [(3.0, 4.5, -2.0), (0.0, 1.0, 1.0)])


def complex_numbers(x, y):
    z = complex(x, y)
    size, turn = cmath.polar(z)
    return (
        cmath.sqrt(x), cmath.exp(z), cmath.sqrt(z), cmath.phase(z), size, turn, cmath.rect(size, turn), cmath.cos(z),
        cmath.log(z), cmath.log(z, 2), cmath.isfinite(z), complex(x) + 1j,
    )  # fmt: skip


def test_complex_numbers() -> None:
    assert_as_python(complex_numbers, [(1.0, 2.0), (-3.5, 0.25), (0.0, -1.0), (0.0, 0.0)])


def test_the_line_of_a_domain_error_is_the_users() -> None:
    @tf.function
    def root(x):
        if x < 10:
            return math.sqrt(x)
        return x

    assert root(tf.constant(4.0)).numpy() == 2.0
    with pytest.raises(ValueError, match="math domain error") as caught:
        root(tf.constant(-4.0))
    assert "test_math_functions.py" in caught.value.__notes__[0]


def test_dtypes_are_those_of_floats_and_literals_adapt() -> None:
    @tf.function
    def dtypes(n, x):
        return math.sqrt(n), math.sqrt(x), math.sqrt(n) * x, math.floor(x), math.floor(x) + n, math.hypot(x, n)

    found = dtypes(tf.constant(9), tf.constant(2.5))
    assert [t.dtype.name for t in found] == ["float64", "float32", "float32", "int64", "int32", "float32"]
    assert [float(t) for t in found][:5] == [3.0, np.sqrt(np.float32(2.5)), 7.5, 2.0, 11.0]


def test_only_single_numbers_are_taken() -> None:
    with pytest.raises(TypeError, match="takes one number; got a tensor of shape"):
        tf.function(lambda x: math.sqrt(x))(tf.constant([1.0, 4.0]))
    with pytest.raises(TypeError, match="must be real number, not str"):
        tf.function(lambda x: math.sqrt(x))(tf.constant("4"))
    with pytest.raises(OverflowError, match="does not fit int64"):
        tf.function(lambda n: math.factorial(n))(tf.constant(21))


SMOOTH: list[Callable[[Any], Any]] = [
    lambda x: math.sqrt(x) + math.log(x) * math.sin(x), lambda x: math.exp(math.atan2(x, 2)) + math.gamma(x),
    lambda x: math.hypot(x, 3) * math.pow(x, 1.5), lambda x: math.fsum([x, x * x]) + math.dist([x, 1], [2, x]),
    lambda x: math.log(x, 3) + math.degrees(x) + math.fmod(x, 1.1) + math.erf(x), lambda x: math.prod([x, x, 3]),
    lambda x: statistics.stdev([x, 1.0, x * x]) + statistics.median([x, 9, 1]),
    lambda x: math.copysign(x, -1) + math.fabs(x),
]  # fmt: skip


@pytest.mark.parametrize("function", SMOOTH)
def test_gradients(function: Callable[[Any], Any]) -> None:
    """Beside differences of Python's own functions."""

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    for x in (0.7, 2.3):
        difference = (function(x + 1e-6) - function(x - 1e-6)) / 2e-6
        assert slope(tf.constant(np.float64(x))).numpy() == pytest.approx(difference, rel=1e-6)
