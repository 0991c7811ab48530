"""Loops whose gradient runs them again: `set_loop_options(checkpoint_every=...)`, what it gives, and its memory."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.experimental import set_loop_options
from tests.one_in import one_in
from tests.runtime.autodiff.ways import agree, gradient, tensors

WAYS = [1, 3, True]


def for_with_jumps(every):
    def f(x, n):
        y, total = x, 0.0 * x
        for i in tf.range(n):
            set_loop_options(checkpoint_every=every)
            if y > 8.0:
                break
            if i == 1:
                y = y * 1.1
                continue
            if total > 2.5:
                return y * total
            total = total + tf.sin(y)
            y = y * x
        return total + y

    return f


def while_with_a_branch(every):
    def f(x, n):
        y, i = x, 0
        while i < n and y < 50.0:
            set_loop_options(checkpoint_every=every)
            if y > 3.0:
                y = tf.sqrt(y) * x
            else:
                y = y * x + 0.5
            i += 1
        return y

    return f


def loop_in_a_loop(every):
    def f(x, n):
        y = x
        for i in tf.range(n):
            set_loop_options(checkpoint_every=every)
            z = y
            for _ in tf.range(i):
                set_loop_options(checkpoint_every=every)
                z = tf.sin(z) * x + 0.1 * z
            y = y + z
        return y

    return f


def list_that_grows(every):
    def f(x, n):
        made = []
        y = x
        for _ in tf.range(n):
            set_loop_options(checkpoint_every=every)
            y = y * x
            made.append(tf.sin(y))
        for value in made:
            set_loop_options(checkpoint_every=every)
            y = y + value * x
        return y

    return f


def try_and_none(every):
    def f(x, n):
        best = None
        y = x
        for i in tf.range(n):
            set_loop_options(checkpoint_every=every)
            try:
                if i == 2:
                    raise ValueError("no")
                y = y * x
            except ValueError:
                y = x + 1.0
            if best is None or y > best:
                best = y * x
        return y if best is None else best * y

    return f


PROGRAMS = [for_with_jumps, while_with_a_branch, loop_in_a_loop, list_that_grows, try_and_none]


@pytest.mark.parametrize(
    ("program", "every"), one_in(2, itertools.product(PROGRAMS, WAYS), several=True),
    ids=lambda part: getattr(part, "__name__", str(part)),
)  # fmt: skip
def test_gradients_are_the_same(program, every):
    agree(program(every), 1.2, 5, order=2 if every is True else 1)
    agree(program(every), 1.2, 0, order=1)


def test_the_bound_holds():
    def f(x, n):
        y = x
        while y < 1e9:
            set_loop_options(checkpoint_every=True, maximum_iterations=n)
            y = y * x
        return y

    x, n = tf.constant(2.0), tf.constant(6)
    (slope,) = gradient(tf.function(f), x, n)
    assert (tf.function(f)(x, n).numpy(), slope.numpy()) == (2.0**7, 7 * 2.0**6)


def peak(every, n):
    """The most memory, in vectors of the state, that the gradient of a loop of n iterations takes."""

    @tf.function(backend="numpy")  # machine code that is made meanwhile takes memory, too
    def slope(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                set_loop_options(checkpoint_every=every)
                y = tf.sin(y) * 1.01
        return tape.gradient(y, x)

    x, n = tensors([np.ones(1000), n])
    expected = slope(x, n)
    tracemalloc.start()
    found = slope(x, n)
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(found, expected)
    return size / 8000


def test_memory():
    assert 1.8 < peak(None, 1600) / peak(None, 800) < 2.2 and peak(None, 800) > 800
    assert peak(True, 800) < 100 and peak(20, 400) < 60
    assert 1.7 < peak(True, 3200) / peak(True, 800) < 2.3
    assert 1.7 < peak(80, 6400) / peak(20, 400) / 2 < 2.3


def test_what_cannot_run_twice_is_refused():
    v = tf.Variable(1.0)

    def drawn(y):
        return y + tf.random.uniform([])

    def counted(y):
        v.assign_add(1.0)
        return y * v

    def told(y):
        tf.print(y)
        return y * 2.0

    for step in (drawn, counted, told):
        @tf.function
        def f(x, step=step):
            while x < 3.0:
                set_loop_options(checkpoint_every=2)
                x = step(x)
            return x

        with pytest.raises(autograph.StagingError, match="set_loop_options: with checkpoint_every .* not happen twice"):
            f(tf.constant(1.0))


@pytest.mark.parametrize("every", [0, -1, 1.5, "2"])
def test_what_is_no_number_of_iterations(every):
    @tf.function
    def f(x):
        while x < 3.0:
            set_loop_options(checkpoint_every=every)
            x = x * 2.0
        return x

    with pytest.raises(autograph.StagingError, match="'checkpoint_every' is a number of iterations, 1 or more, or"):
        f(tf.constant(1.0))
    loop = tf.function(lambda x: tf.while_loop(lambda x: x < 3.0, lambda x: [x + x], [x], checkpoint_every=every))
    with pytest.raises(tf.errors.InvalidArgumentError, match="checkpoint_every is a number of iterations"):
        loop(tf.constant(1.0))


@pytest.mark.parametrize("every", [None, False])
def test_none_and_false_change_nothing(every):
    def f(x, n):
        for _ in tf.range(n):
            set_loop_options(checkpoint_every=every)
            x = x * x
        return tf.while_loop(lambda x: x < 9.0, lambda x: [x * x], [x], checkpoint_every=every)[0]

    agree(f, 1.2, 2, order=1)
    graph = tf.function(f).get_concrete_function(tf.TensorSpec([]), tf.TensorSpec([], tf.int32)).graph
    loops = [o for o in graph.get_operations() if o.type == "while"]
    assert len(loops) == 2 and not any(o.subgraphs for loop in loops for g in loop.subgraphs for o in g.operations)
