"""A Function made of a generator function gives the list of its items."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import autograph
import runtime as tf


def squares(n):
    for i in range(n):
        yield i * i


def fibonacci(n):
    a, b = 0, 1
    while a < n:
        yield a
        a, b = b, a + b


def divisors(n):
    """Some items, with others between them that go through another generator."""
    for d in range(1, n + 1):
        if n % d == 0:
            yield d
    yield from squares(n)


def three(n):
    yield n
    yield n + 1
    yield n * 2


def collatz(n):
    yield n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        yield n


def nothing(n):
    if n < 0:
        yield n


@pytest.mark.parametrize("program", [squares, fibonacci, divisors, three, collatz, nothing], ids=lambda f: f.__name__)
def test_its_items_in_a_list(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for n in (6, 1, 7):
        for given in (tf.constant(n), n):
            found = function(given)
            assert isinstance(found, list)
            assert [item.numpy() for item in found] == list(program(n))
        with tf.config.run_functions_eagerly(True):
            assert function(n) == list(program(n))


def test_a_method_and_two_kinds_of_items() -> None:
    class Model:
        rate = 0.5

        @tf.function
        def parts(self, x):
            yield x * self.rate
            yield "half", [x]

    half, (name, (whole,)) = Model().parts(tf.constant(3.0))
    assert (half.numpy(), name.numpy(), whole.numpy()) == (1.5, b"half", 3.0)


def test_it_is_a_list_for_other_functions_and_for_gradients() -> None:
    @tf.function
    def powers(x):
        y = x
        for _ in range(3):
            y = y * x
            yield y

    @tf.function
    def total(x):
        return tf.add_n(powers(x))

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = total(x)
    assert y.numpy() == 4 + 8 + 16 and tape.gradient(y, x).numpy() == 2 * 2 + 3 * 4 + 4 * 8


def test_items_of_several_kinds_whose_number_a_tensor_decides_are_refused() -> None:
    @tf.function
    def mixed(x):
        if x > 0:
            yield x
        yield "end"

    with pytest.raises(autograph.StagingTypeError, match="elements of the list are int32, a new one is string"):
        mixed(tf.constant(1))


def countdown(n):
    if n > 0:
        yield n
        yield from countdown(n - 1)


def test_a_generator_that_goes_through_itself() -> None:
    assert [t.numpy() for t in tf.function(lambda: list(countdown(5)))()] == [5, 4, 3, 2, 1]
    with pytest.raises(autograph.StagingError, match="'countdown' goes through itself too often"):
        tf.function(countdown)(tf.constant(5))
