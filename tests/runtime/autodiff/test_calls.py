"""Gradients through functions that call themselves depending on tensors, and through Functions in Functions."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.autodiff.ways import agree, same


def power(n, x):
    if n < 1:
        return tf.constant(1.0, tf.float64)
    return x * power(n - 1, x)


def fibonacci(n, x):
    if n < 2:
        return x * x
    return fibonacci(n - 1, x) * 0.5 + tf.sin(fibonacci(n - 2, x) * x)


def even(n, x):
    if n < 1:
        return x
    return odd(n - 1, x) * x


def odd(n, x):
    if n < 1:
        return x * x
    return tf.cos(even(n - 1, x))


def test_recursion():
    agree(lambda x, n: power(n, x) * x, 1.5, 4)
    agree(lambda x, n: power(n, x) * x, 1.5, 0)


def test_recursion_in_two_places():
    agree(lambda x, n: fibonacci(n, x), 0.8, 5)


def test_functions_that_call_each_other():
    agree(lambda x, n: even(n, x), 0.8, 5)


def test_recursion_in_a_loop():
    def f(x, n):
        y = x
        for i in tf.range(n):
            y = y + 0.1 * power(i, y)
        return y

    agree(f, 0.8, 3)


def test_functions_in_functions():
    @tf.function
    def inner(x):
        if x > 1.0:
            return x * x
        return tf.sin(x)

    @tf.function
    def outer(x, n):
        for _ in tf.range(n):
            x = inner(x) + 0.3
        return x

    agree(lambda x, n: outer(x, n) * inner(x), 0.8, 3)


def test_a_tape_in_a_function_that_is_called_under_a_tape():
    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * tf.sin(x)
        return tape.gradient(y, x)

    agree(lambda x: slope(x) * x, 0.8)


def test_a_tensor_from_around_a_recursive_function_is_not_lost():
    x = tf.constant(2.0)

    def p(n):
        if n < 1:
            return x
        return x * p(n - 1)

    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(LookupError, match="pass it as an argument"):
            tf.function(p)(tf.constant(3))
    with tf.GradientTape() as tape:
        assert tf.function(p)(tf.constant(3)).numpy() == 16.0


def test_variables_in_recursive_functions():
    w = tf.Variable(0.7, dtype=tf.float64)

    def f(n, x):
        if n < 1:
            return x * w
        return tf.sin(f(n - 1, x) * w) + w * 0.1

    def by_all(function, x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(n, x)
        return tape.gradient(y, [x, w])

    x, n = tf.constant(0.9, tf.float64), tf.constant(4)
    wanted = by_all(f, x, n)
    same(tf.function(lambda x, n: by_all(f, x, n))(x, n), wanted)
    same(by_all(tf.function(f), x, n), wanted)
