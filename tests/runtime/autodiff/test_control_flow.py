"""Gradients through branches and tapes in them: every way of taking them agrees with central differences."""

from __future__ import annotations

import runtime as tf
from tests.runtime.autodiff.ways import agree


def test_branch_that_is_taken_counts():
    def f(x, y):
        if x > y:
            z = tf.exp(x) * y
        else:
            z = x - y * y
        return z * x

    agree(f, 1.5, 0.5)
    agree(f, 0.5, 1.5)


def test_branch_without_a_gradient():
    def f(x):
        if x > 1.0:
            y = tf.floor(x) * 2.0
        else:
            y = x * x
        return y + 0.0 * x

    agree(f, 1.5)
    agree(f, 0.5)


def test_variable_that_only_one_branch_uses():
    def f(x, y):
        z = x
        if y > 0.0:
            z = x * y
        return z

    agree(f, 1.5, 0.5)
    agree(f, 1.5, -0.5)


def test_branches_in_branches():
    def f(x, y):
        if x > 0.0:
            if y > 0.0:
                z = tf.sin(x * y)
            else:
                z = tf.cos(x) - y * y * x
        elif y > 0.0:
            z = tf.exp(y) * x * x
        else:
            z = x * y
        return z

    for x in (1.5, -1.5):
        for y in (0.5, -0.5):
            agree(f, x, y)


def test_early_returns():
    def f(x):
        if x > 2.0:
            return x * x
        y = tf.sin(x)
        if y > 0.5:
            return y * x
        return y - x * x

    for x in (2.5, 1.5, 0.3):
        agree(f, x)


def test_cond_and_case_and_switch_case():
    def f(x, n):
        y = tf.cond(x > 1.0, lambda: x * x, lambda: tf.sin(x))
        z = tf.case([(y > 3.0, lambda: y * 2.0), (y > 1.0, lambda: y * y)], default=lambda: -y)
        return z + tf.switch_case(n, [lambda: x, lambda: x * y, lambda: tf.exp(z * 0.1)])

    for x, n in ((0.5, 0), (1.2, 1), (2.5, 2), (1.2, 7)):
        agree(f, x, n)


def test_while_loop_with_a_limit():
    def f(x, n):
        return tf.while_loop(
            lambda i, y: i < n, lambda i, y: (i + 1, y * x), [0, x], maximum_iterations=3
        )[1]

    agree(f, 1.2, 2)
    agree(f, 1.2, 20)


def test_tape_in_a_loop():
    def f(x, n):
        y = x * 1.0  # a tensor of its own: eagerly `y = x` is x itself
        for _ in tf.range(n):
            with tf.GradientTape() as tape:
                tape.watch(y)
                z = y * y * x
            y = y - 0.1 * tape.gradient(z, y)
        return y

    agree(f, 0.7, 4)


def test_tape_in_a_branch():
    def f(x):
        y = x
        if x > 0.0:
            with tf.GradientTape() as tape:
                tape.watch(x)
                z = tf.sin(x) * x
            y = tape.gradient(z, x)
        return y * x

    agree(f, 0.7)
    agree(f, -0.7)


def test_gradient_asked_for_in_a_branch():
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            while y < 3.0:
                y = y * x
        g = x
        if x > 1.5:
            g = tape.gradient(y, x)
        return g * x

    agree(f, 1.7)
    agree(f, 1.2)
