"""Gradients through loops, of any number of iterations, also of those that are run again for their gradient."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import runtime as tf
from tests.runtime.autodiff.ways import agree


@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_loop_with_a_trip_count_of_the_run(n):
    def f(x, y, n):
        z = x
        for _ in tf.range(n):
            z = tf.sin(z) * y + 0.1 * x
        return z * x

    agree(f, 1.5, 0.9, n)


@pytest.mark.parametrize("order", [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")])
@pytest.mark.parametrize("n", [0, 1, 3])
def test_one_value_that_several_variables_take(n, order):
    """Whichever of them is used afterwards, and in whatever order the loop has them."""
    for used in "abc":

        def f(x, y, n, used=used):
            first = {"a": x * 1.0, "b": tf.constant(0.5, tf.float64), "c": tf.constant(0.7, tf.float64)}

            def body(i, *state):
                values = dict(zip(order, state, strict=True))
                new = values["a"] * y + x * values["c"]
                return i + 1, *({"a": new, "b": new, "c": new}[name] for name in order)

            start = [tf.constant(0), *(first[name] for name in order)]
            ends = tf.while_loop(lambda i, *state: i < n, body, start)[1:]
            return dict(zip(order, ends, strict=True))[used]

        agree(f, 1.5, 0.9, n)


def test_the_last_value_of_a_loop():
    def f(x, n):
        h, last = x, tf.constant(0.0, tf.float64)
        for _ in tf.range(n):
            h = tf.sin(h) * x
            last = h
        return last

    agree(f, 1.5, 3)
    agree(f, 1.5, 0)


def test_loop_until():
    def f(x):
        y = x
        while y < 10.0:
            y = y * x + 0.5
        return y

    agree(f, 1.5)
    agree(f, 11.5)


def test_loop_with_break_and_continue():
    def f(x, n):
        y = x
        for i in tf.range(n):
            if i == 2:
                continue
            y = y * x
            if y > 20.0:
                break
            y = y + 0.1 * tf.cast(i, tf.float64)
        return y

    agree(f, 1.5, 4)
    agree(f, 1.9, 40)


def test_loop_that_returns():
    def f(x, n):
        y = x
        for _ in tf.range(n):
            y = y * x
            if y > 5.0:
                return tf.sqrt(y)
        return y - x

    agree(f, 1.5, 2)
    agree(f, 1.5, 20)


def test_state_that_is_swapped():
    def f(x, y, n):
        a, b = x, y
        for _ in tf.range(n):
            a, b = b * 0.9, a + b * x
        return a * b

    agree(f, 1.1, 0.7, 5)


def test_state_that_nothing_depends_on():
    def f(x, n):
        y, unused = x, x
        for _ in tf.range(n):
            y = y * x
            unused = unused * y + 1.0
        return y

    agree(f, 1.1, 4)


def test_state_that_is_set_anew():
    def f(x, y, n):
        z = x
        for _ in tf.range(n):
            z = y * y
        return z * y

    agree(f, 1.1, 0.7, 0)
    agree(f, 1.1, 0.7, 3)


def test_loops_in_loops():
    def f(x, n):
        y = x
        for i in tf.range(n):
            z = y
            for _ in tf.range(i):
                z = z * x + tf.sin(z) * 0.1
            if z > 2.0:
                y = z * 0.5
            else:
                y = z + x
        return y

    agree(f, 1.1, 4)


def test_loop_in_a_branch_in_a_loop():
    def f(x, n):
        y = x
        for i in tf.range(n):
            if y < 3.0:
                for _ in tf.range(2):
                    y = y * x
            else:
                while y > 1.0:
                    y = y * 0.4 * x
        return y

    agree(f, 1.3, 6)


def test_loop_that_reads_and_writes_a_variable():
    v = tf.Variable(0.5, dtype=tf.float64)

    def f(x, n):
        v.assign(0.5)
        y = x
        for _ in tf.range(n):
            y = y * v
            v.assign_add(0.25)
        return y

    def by_all(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n)
        return tape.gradient(y, [x, v])

    x, n = tf.constant(2.0, tf.float64), tf.constant(3)
    by_x, by_v = by_all(x, n)
    assert by_x.numpy() == 0.5 * 0.75 * 1.0
    assert by_v.numpy() == 2.0 * (0.75 * 1.0 + 0.5 * 1.0 + 0.5 * 0.75)
    staged = tf.function(by_all)
    assert [g.numpy() for g in staged(x, n)] == [by_x.numpy(), by_v.numpy()]
    assert v.numpy() == 1.25
    around = tf.function(f)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = around(x, n)
    assert [g.numpy() for g in tape.gradient(y, [x, v])] == [by_x.numpy(), by_v.numpy()]
    assert v.numpy() == 1.25


@pytest.mark.parametrize(("n", "limit"), [(1, None), (23, None), (23, 7)])
def test_loop_that_is_run_again_for_its_gradient(n, limit):
    w = tf.Variable(0.9, dtype=tf.float64)

    def f(x, n, every=4):
        def body(i, y):
            return i + 1, tf.sin(y) * w + 0.1 * x

        found = tf.while_loop(
            lambda i, y: i < n, body, [0, x], checkpoint_every=every, maximum_iterations=limit
        )
        return found[1]

    def by_all(x, n, every=4):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n, every)
        return tape.gradient(y, [x, w])

    agree(f, 0.7, n)
    x, n = tf.constant(0.7, tf.float64), tf.constant(n)
    for staged in (tf.function(by_all), tf.function(lambda x, n: by_all(x, n, None))):
        for a, b in zip(staged(x, n), by_all(x, n), strict=True):
            assert abs(a.numpy() - b.numpy()) < 1e-12


def test_memory_of_a_loop_that_is_run_again():
    def f(every):
        @tf.function(backend="numpy")  # machine code that is made meanwhile takes memory, too
        def slope(x, n):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.while_loop(
                    lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) * 1.01), [0, x], checkpoint_every=every
                )[1]
            return tape.gradient(y, x)

        return slope

    x, n = tf.constant(np.ones(1000)), tf.constant(900)
    peaks, found = [], []
    for slope in (f(None), f(30)):
        slope(x, n)
        tracemalloc.start()
        found.append(slope(x, n).numpy())
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    np.testing.assert_allclose(found[1], found[0])
    assert peaks[0] > 900 * 8000 and peaks[1] < peaks[0] / 8


def test_what_cannot_be_run_again():
    @tf.function
    def f(x, every):
        return tf.while_loop(
            lambda y: y < 3.0, lambda y: [y + tf.random.uniform([])], [x], checkpoint_every=every
        )[0]

    with pytest.raises(tf.errors.InvalidArgumentError, match="random_uniform.*must not happen twice"):
        f(tf.constant(1.0), 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="1 or more, or True; got 0"):
        f(tf.constant(1.0), 0)
