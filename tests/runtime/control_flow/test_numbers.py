"""Python's builtins and methods of numbers, of tensors: what Python gives, its errors included, in one trace each."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.control_flow.test_math_functions import assert_as_python

WHOLE = (0, 1, 7, -1, -45, 255, 1024, 10**12, -(2**62))


def written(n):
    return (
        bin(n), oct(n), hex(n), format(n, "08b"), f"{n:b}", f"{n:x}", f"{n:+d}", f"{n:08}", f"{n:>12}", f"{n:,}",
        "%x" % n, "%05d" % n, "{:#o}".format(n), bin(n)[2:], bin(n).count("1"), str(bin(n)), list(map(hex, [n, 10])),
    )  # fmt: skip


def bits(n):
    return (
        n.bit_length(), n.bit_count(), n % 8, n >> 2, n & 12, ~n, -n, abs(n), divmod(n, 7), divmod(n, -7), n // -3,
        n.bit_length() * 2 if n > 5 else 0, [m.bit_length() for m in (n, n // 2, 9)],
    )  # fmt: skip


def kinds(n):
    return (
        isinstance(n, int), isinstance(n, float), isinstance(n, (float, int)), isinstance(n, int | str), type(n) is int,
        type(n) == int, type(n) in (str, int), isinstance(n, bool), float(n), int(n), float(n).is_integer(),
    )  # fmt: skip


def below_zero(n):
    return n**-1, n**-2, pow(n, -3), 2 * n**-1 + 1


def modular(a, b, m):
    return pow(a, b, m), pow(a + 1, b, 97), pow(3, b, m), pow(a, 2, m)


def rounded(x, k):
    return round(x, k), round(2.675, k), round(x, 2), round(x, 0), round(x), round(12345, k), round(x, -1)


def fractions(x):
    even = x * 2 == int(x * 2) if abs(x) < 1e9 else x > 0
    return x.is_integer(), even, isinstance(x, float), type(x) is float, str(x), f"{x:.3f}", repr(x), abs(x)


def test_integers_say_whether_they_are_integers_where_those_of_python_do() -> None:
    program = tf.function(lambda n: n.is_integer())
    if sys.version_info >= (3, 12):
        assert program(tf.constant(3)).numpy()
    else:
        with pytest.raises(AttributeError, match="'int' object has no attribute 'is_integer'"):
            program(tf.constant(3))


def test_integers_are_written_in_every_base() -> None:
    assert_as_python(written, WHOLE)


def test_bits_and_divisions() -> None:
    assert_as_python(bits, WHOLE[:-1])
    with pytest.raises(AttributeError, match="bit_length"):
        tf.function(lambda x: x.bit_length())(tf.constant(2.5))


def test_kinds() -> None:
    assert_as_python(kinds, (3, -7))
    assert_as_python(lambda b: (isinstance(b, int), type(b) is bool, isinstance(b, float), str(b)), (True, False))
    found = tf.function(lambda t: (isinstance(t, int), isinstance(t, tf.Tensor)))(tf.constant([1, 2]))
    assert [bool(f) for f in found] == [False, True]


def test_powers_below_zero_are_floats() -> None:
    assert_as_python(below_zero, (1, 2, -4, 10, 0))


def test_powers_with_a_modulus() -> None:
    large = (10**9, 10**9, 10**15 + 37)
    assert_as_python(modular, [(2, 10, 1000), (3, 200, 13), (7, 0, 5), large, (3, -1, 7), (2, 5, 0)])
    assert_as_python(modular, [(3, -1, 9), (-5, 3, 7), (5, 3, -7)])


def test_rounding() -> None:
    values = (2.5, 2.675, -0.125, 1e17, 123.456, 0.0, -3.5)
    assert_as_python(rounded, [(x, k) for x in values for k in (0, 1, 2, -1, -3)])
    assert_as_python(lambda n, k: round(n, k), [(12345, -2), (150, -2), (250, -2), (7, 1), (-55, -1)])


@pytest.mark.parametrize("function", [int, round])
def test_floats_as_integers(function: Any) -> None:
    values = (0.5, 1.5, -2.5, 2.99, -0.1, 1e18, 1e19, 1e300, float("inf"), float("-inf"), float("nan"))
    assert_as_python(lambda x: function(x), values)
    assert function(tf.constant(7)) == 7
    found = tf.function(lambda x: function(x))(tf.constant([2.5, -3.7]))
    assert found.numpy().tolist() == [function(2.5), function(np.float32(-3.7))]


def test_floats() -> None:
    assert_as_python(fractions, (0.0, 2.5, -7.0, 1e22, float("inf"), 0.1))


def counted(n):
    big, even = n > 3, n % 2 == 0
    total = 0
    for i in range(4):
        total += i == n
    return (
        big + 1, big + even, n * big, -even, big - even, even / 2, 2**big, big < 2, abs(even), sum([big, even, True]),
        sum(i < n for i in range(5)), total, big * 2.5, (n > 0) + (n > 1) + (n > 2), divmod(n, even + 1),
        n // (1 + big),
    )  # fmt: skip


def test_bools_count_as_numbers() -> None:
    assert_as_python(counted, (0, 1, 4, 7))


def chosen(n):
    total = 0
    for i in range(n):
        if i.bit_count() % 2 == 0:
            total += i.bit_length()
        if hex(i)[-1] == "a":
            total += 100
    return total, [bin(i)[2:].zfill(4) for i in range(n)]


def test_in_a_loop() -> None:
    assert_as_python(chosen, (0, 3, 12))


def test_a_shape_is_no_number() -> None:
    def program(t: Any) -> Any:
        return bin(t)

    with pytest.raises(TypeError, match="takes one number"):
        tf.function(program)(tf.constant([1, 2]))
    with pytest.raises(TypeError, match="interpreted as an integer"):
        tf.function(program)(tf.constant(np.float64(1)))


@pytest.mark.parametrize("x", [200.0, -47.0, float("nan")])
def test_whole_parts_of_whole_parts_adapt(x: float) -> None:
    def turn(x):
        nearest = 0 if x != x else round(x / 90)
        quarters = int(nearest)
        return x - 90 * quarters, x * int(quarters)

    for given in (tf.constant(x, tf.float64), np.float64(x)):
        np.testing.assert_array_equal(tf.function(turn)(given), turn(x))
