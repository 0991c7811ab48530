"""Operators of Python on its own numbers raise in a graph where Python's do, whatever has been traced before.

    f(1.5); f(2.5); f(3.5); f(0.0)      # 1 / x: the trace of all values raises ZeroDivisionError for the last one
"""

from __future__ import annotations

import numpy as np
import pytest

import runtime
from runtime.errors import NotRealError


def outcome(function, *args):
    try:
        result = function(*args)
    except Exception as error:
        return type(error), str(error).split(" (")[0]
    return result.numpy() if hasattr(result, "numpy") else result


FLOATS = {
    "quotient": lambda x: 1 / x,
    "whole quotient": lambda x: 1.0 // x,
    "rest": lambda x: 1.0 % x,
    "reciprocal": lambda x: x**-1,
    "root": lambda x: x**0.5,
    "power": lambda x: 2.0**x,
    "square": lambda x: x**2,
    "own power": lambda x: x**x,
}


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.parametrize("value", [0.0, -8.0, -0.5, 2000.0, 1e300, float("inf")])
def test_the_trace_of_all_floats_raises_as_python_does(name, value):
    plain = FLOATS[name]
    staged = runtime.function(plain)
    for number in (1.5, 2.5, 3.5):
        staged(number)
    expected, found = outcome(plain, value), outcome(staged, value)
    if isinstance(expected, tuple):
        assert found == expected
    elif abs(expected) > 3e38 and abs(expected) != float("inf"):
        assert found[0] is ValueError  # float32, which Python's floats become, has no place for it
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-40)


@pytest.mark.parametrize("value", [0, -3, 5])
def test_integers_too(value):
    for plain in (lambda n: 1 / n, lambda n: 7 // n, lambda n: 1 << n, lambda n: 64 >> n):
        staged = runtime.function(plain)
        for number in (1, 2, 3):
            staged(number)
        expected, found = outcome(plain, value), outcome(staged, value)
        if not isinstance(expected, tuple):
            np.testing.assert_allclose(found, expected, rtol=1e-6)
        else:
            assert issubclass(found[0], expected[0])


def test_counters_of_a_staged_loop():
    def harmonic(n):
        total = 0.0
        for i in range(n):
            total += 1 / i
        return total

    def caught(n):
        try:
            return harmonic(n)
        except ZeroDivisionError:
            return -1.0

    with pytest.raises(ZeroDivisionError, match="division by zero"):
        runtime.function(harmonic)(runtime.constant(5))
    assert runtime.function(caught)(runtime.constant(5)).numpy() == -1.0
    assert runtime.function(caught)(runtime.constant(0)).numpy() == 0.0


def test_a_division_whose_result_nobody_reads_raises_in_a_try():
    @runtime.function
    def f(n):
        try:
            for i in range(n):
                1.0 / i
        except ZeroDivisionError:
            return "zero"
        return "none"

    assert [f(runtime.constant(n)).numpy() for n in (0, 1)] == [b"none", b"zero"]


def test_a_complex_power_is_refused_where_only_the_run_knows():
    @runtime.function
    def roots(n):
        total = 0.0
        for k in range(n):
            total += (k - 1.0) ** 0.5
        return total

    with pytest.raises(NotRealError, match=r"-1\.0 \*\* 0\.5 is a complex number"):
        roots(runtime.constant(3))
    assert roots(runtime.constant(0)).numpy() == 0.0


def test_quotients_of_large_integers_are_rounded_once():
    @runtime.function
    def last(n):
        found = 0.0
        for i in range(n):
            found = (2**62 + 1 + i) / 7
        return found

    assert last(runtime.constant(100)).numpy() == (2**62 + 1 + 99) / 7


def test_tensors_divide_as_before():
    divide = runtime.function(lambda x, y: x / y)
    assert np.isinf(divide(runtime.constant(1.0), runtime.constant(0.0)).numpy())
    assert np.isinf(runtime.function(lambda x: 1 / x)(runtime.constant(0.0)).numpy())
    assert np.isnan(runtime.function(lambda x: x**0.5)(runtime.constant(-1.0)).numpy())


def test_what_a_trace_of_all_values_returns_keeps_its_kind():
    least = runtime.function(lambda x: min(1, x))
    results = [least(x).numpy() for x in (1.5, 2.5, 3.5, 0.0)]
    assert [r.dtype.kind for r in results] == ["i", "i", "i", "f"]
    assert [r.item() for r in results] == [1, 1, 1, 0.0]
