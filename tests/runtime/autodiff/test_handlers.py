"""Gradients of what handlers have from the body of their `try`: as in Python, where nothing is staged, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.ways import gradient, second

X = tf.constant([0.55, 1.2, 0.3, 0.8], tf.float64)
V = tf.Variable(2.0, dtype=tf.float64)


def straight(x):
    y = tf.zeros_like(x)
    try:
        y = x * x
        if x[0] < 1.0:
            raise ValueError("small")
        y = y * x
    except ValueError:
        y = y * 5.0
    return y


def one_of_two(x):
    y = x
    try:
        y = y * x
        if x[0] > 1.0:
            raise ValueError("large")
        y = tf.sin(y) * x
        if x[0] > 0.5:
            raise KeyError("medium")
        y = y * x[0]
    except (ValueError, KeyError):
        y = y * y
    return y


def in_branches(x):
    y = z = x
    try:
        y = y * x
        z = z * y
        if x[0] > 0.5:
            y = tf.exp(y) * z
            if x[1] > 1.0:
                z = y * x[1]
                raise ValueError("both")
            raise ValueError("first")
        y = y * 2.0
    except ValueError:
        return y * z + x
    return z


def in_each_iteration(x):
    y = x
    for i in tf.range(3):
        try:
            y = y * x[i] + 1.0
            if i == 1:
                raise ValueError("second")
            y = y * 2.0
        except ValueError:
            y = y * y
    return y


def behind_a_loop(x):
    y = x
    try:
        for i in tf.range(3):
            y = y * x[i] + 1.0
        if tf.reduce_sum(y) > 0.0:
            raise ValueError("positive")
        y = y * 2.0
    except ValueError:
        y = y * y
    return y


def of_an_operation(x):
    y = x
    try:
        y = y * tf.gather(y, [1, 0, 2, 3])
        12 // tf.cast(x[0], tf.int32)
        y = y * 0.0
    except ZeroDivisionError:
        y = y * y[0]
    return y


def exchanged(x):
    y, z = x, x * 2.0
    try:
        y, z = z * x, y
        assert x[0] > 5.0
        y = z
    except AssertionError:
        y, z = z, y
    return y * z * z


def pairs(x):
    pair = (x, x)
    try:
        pair = (pair[0] * x, pair[1] + 1.0)
        if x[0] > 0.1:
            raise ValueError("large")
    except ValueError:
        pair = (pair[1], pair[0] * x)
    return pair[0] * pair[1]


def perhaps_none(x):
    y = None
    try:
        y = x * x
        if x[0] > 0.1:
            raise ValueError("large")
    except ValueError:
        if y is None:
            y = x
        y = y * x
    return y


def twice(x):
    return tf.function(straight)(straight(x))


PROGRAMS = [
    straight, one_of_two, in_branches, in_each_iteration, behind_a_loop, of_an_operation, exchanged, pairs,
    perhaps_none, twice,
]  # fmt: skip


@pytest.mark.parametrize("first", [0.55, 1.7, 0.05])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_gradients_are_those_of_python(program, first):
    x = tf.concat([[first], X[1:]], 0)
    wanted, twice_wanted = gradient(program, x), second(program, x)
    staged = tf.function(program)
    for found in (gradient(staged, x), tf.function(lambda x: gradient(program, x))(x)):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    for found in (second(staged, x), tf.function(lambda x: second(program, x))(x)):
        np.testing.assert_allclose(found, twice_wanted, rtol=1e-12)


@pytest.mark.parametrize("program", [straight, in_branches, in_each_iteration], ids=lambda p: p.__name__)
def test_jacobians_and_derivatives_along_a_direction(program):
    def jacobian(f):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = f(X)
        return tape.jacobian(y, X)

    wanted = jacobian(program)
    np.testing.assert_allclose(jacobian(tf.function(program)), wanted, rtol=1e-12)
    np.testing.assert_allclose(tf.function(lambda: jacobian(program))(), wanted, rtol=1e-12)
    direction = tf.constant([1.0, -1.0, 0.5, 2.0], tf.float64)
    with tf.autodiff.ForwardAccumulator(X, direction) as accumulator:
        y = tf.function(program)(X)
    np.testing.assert_allclose(accumulator.jvp(y), tf.linalg.matvec(wanted, direction), rtol=1e-12)


def from_a_loop(x, n):
    y = x
    try:
        for i in tf.range(4):
            y = y * x
            if i == n:
                raise ValueError("in the loop")
        y = y * 2.0
    except ValueError:
        y = y * 5.0
    return y


def from_another_try(x, n):
    y = x
    try:
        try:
            y = y * x
            if n == 1:
                raise KeyError("inner")
        except KeyError:
            y = tf.sin(y)
            raise ValueError("again") from None
    except ValueError:
        y = y * 3.0
    return y


def from_random_numbers(x, n):
    y = x
    try:
        y = y * tf.random.uniform([4], dtype=tf.float64)
        if n == 1:
            raise ValueError("random")
    except ValueError:
        y = y * 5.0
    return y


def from_a_variable(x, n):
    y = x
    try:
        y = y * V
        if n == 1:
            raise ValueError("a Variable")
    except ValueError:
        y = y * 5.0
    return y


def from_code_of_python(x, n):
    y = x
    try:
        y = y * tf.py_function(lambda v: v * v, [x], tf.float64)
        if n == 1:
            raise ValueError("code")
    except ValueError:
        y = y * 5.0
    return y


@pytest.mark.parametrize(
    "program", [from_a_loop, from_another_try, from_random_numbers, from_a_variable, from_code_of_python],
    ids=lambda p: p.__name__,
)  # fmt: skip
def test_what_cannot_be_computed_again_is_refused_where_it_comes(program):
    def slope(f, n):
        with tf.GradientTape() as tape:
            tape.watch(X)
            y = f(X, n)
        return tape.gradient(y, X)

    for found in (lambda n: slope(tf.function(program), n), tf.function(lambda n: slope(program, n))):
        with pytest.raises(LookupError, match="a handler .*reads 'y' with the value that the body of the `try` gave"):
            found(tf.constant(1))
        assert np.isfinite(found(tf.constant(7))).all()


def test_nothing_of_the_body_happens_twice(capfd):
    @tf.function
    def f(x):
        y = x
        try:
            tf.print("body")
            y = y * x
            if x > 1.0:
                raise ValueError("large")
        except ValueError:
            tf.print("handler")
            y = y * x
        return y

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy() == 27.0
    assert capfd.readouterr().err.split() == ["body", "handler"]
