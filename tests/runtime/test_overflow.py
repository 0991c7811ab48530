"""Whole numbers of Python that leave 64 bits in a graph raise; those of tensors where `check_overflow` asks so."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import runtime as tf


def factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product


def power(n):
    exponent = 0
    for _ in range(n):
        exponent += 1
    return 3**exponent


def shifted(n):
    bits = 0
    for _ in range(n):
        bits += 1
    return -1 << bits


def difference(n):
    low = -1
    for _ in range(n):
        low = low * 2 - 1
    return low


def negated(n):
    low = -1
    for _ in range(n):
        low = low * 2
    return -low


@pytest.mark.parametrize(
    ("program", "fits"), [(factorial, 20), (power, 39), (shifted, 63), (difference, 62), (negated, 62)]
)
def test_the_last_number_that_fits_and_the_first_that_does_not(program: Callable[..., Any], fits: int) -> None:
    function = tf.function(program)
    assert function(tf.constant(fits)).numpy() == program(fits)
    with pytest.raises(OverflowError, match="does not fit int64") as caught:
        function(tf.constant(fits + 1))
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)
    assert any(f"in {program.__name__}" in note for note in caught.value.__notes__)


def test_products_that_are_divided_may_be_larger() -> None:
    rng = Random(7)

    def products(n, a, b, m):
        found = 0
        for i in range(n):
            found = (found + a * b - i) % m
            found = found ^ (a * b // m & 255)
        return found, a * b > m, a * b == b * a

    def with_numbers(n, *values):
        a = b = m = 0
        for i in range(n):  # numbers that the graph computes
            a, b, m = values[0] + i * 0, values[1], values[2]
        return products(n, a, b, m)

    for _ in range(30):
        values = sorted(rng.randrange(1, 2 ** rng.randrange(2, 63)) for _ in range(3))
        found = tf.function(lambda n, values=values: with_numbers(n, *values))(tf.constant(3))
        assert [t.numpy() for t in found] == [*with_numbers(3, *values)], values


def large(n):
    """A number that the graph computes, of which the square leaves 64 bits."""
    number = 1
    for _ in range(n):
        number = number * 2
    return number


@pytest.mark.parametrize(
    "program",
    [lambda n, t: -n % (large(n) * large(n)), lambda n, t: t + large(n) * large(n), lambda n, t: large(n) * large(n)],
    ids=["divisor", "beside a tensor", "result"],
)
def test_what_is_too_large_for_a_tensor_goes_nowhere(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    assert function(tf.constant(20, tf.int64), tf.constant(1, tf.int64)).numpy() == program(20, 1)
    with pytest.raises(OverflowError, match="does not fit int64"):
        function(tf.constant(40, tf.int64), tf.constant(1, tf.int64))


def test_a_number_that_does_not_fit_the_tensor_beside_it() -> None:
    """As the literal: `x + 2**40` of an int32 tensor is refused."""

    @tf.function
    def f(x, n):
        return x + large(n)

    x = tf.constant([1, 2])
    assert f(x, tf.constant(30)).numpy().tolist() == [2**30 + 1, 2**30 + 2]
    with pytest.raises(OverflowError, match="1099511627776 does not fit int32"):
        f(x, tf.constant(40))
    with pytest.raises(OverflowError, match="does not fit int8"):
        f(tf.constant([1], tf.int8), tf.constant(7))


def test_integers_of_tensors_wrap_around_unless_asked() -> None:
    def grown(x):
        return x * 2 + x, x[0] * x[1], tf.reduce_sum(x), tf.reduce_prod(x), -x, x << 1

    x = tf.constant([2**30, 2**30 + 3], tf.int32)
    with np.errstate(over="ignore"):
        a = x.numpy()
        wanted = [a * 2 + a, a[0] * a[1], a.sum(dtype=np.int32), a.prod(dtype=np.int32), -a, a << 1]
    for found, value in zip(tf.function(grown)(x), wanted, strict=True):
        assert np.array_equal(found.numpy(), value)
    with tf.config.check_overflow(True):
        for part in range(6):  # 4: the negative ones fit
            function = tf.function(lambda x, part=part: grown(x)[part])
            if part == 4:
                assert function(x).numpy().tolist() == (-a).tolist()
                continue
            with pytest.raises(OverflowError, match="does not fit"):
                function(x)
        checked = tf.function(grown)
        assert [t.numpy().tolist() for t in checked(x // 2**20)] == [
            v.tolist() for v in (lambda a: [a * 3, a[0] * a[1], a.sum(), a.prod(), -a, a << 1])(a // 2**20)
        ]


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint32, np.uint64])
def test_other_integers(dtype: Any) -> None:
    most = int(np.iinfo(dtype).max)
    with tf.config.check_overflow(True):
        for compute, values in (
            (lambda x, y: x + y, [(most, 0), (most, 1)]), (lambda x, y: x * y, [(most, 1), (most // 2 + 1, 2)]),
            (lambda x, y: x**y, [(2, 3), (2, np.iinfo(dtype).bits)]),
        ):  # fmt: skip
            function = tf.function(compute)
            for (a, b), fits in zip(values, (True, False), strict=True):
                scalars = [tf.constant(v, tf.as_dtype(dtype)) for v in (a, b)]
                for given in (scalars, [tf.stack([s, s]) for s in scalars]):
                    if fits:
                        assert np.all(function(*given).numpy() == compute(a, b))
                    else:
                        with pytest.raises(OverflowError):
                            function(*given)


def test_unchecked() -> None:
    with tf.config.check_overflow(False):
        assert tf.function(factorial)(tf.constant(21)).numpy() == (math.factorial(21) + 2**63) % 2**64 - 2**63
    with pytest.raises(TypeError, match="True, False or None"):
        tf.config.check_overflow(1)  # type: ignore[arg-type]
