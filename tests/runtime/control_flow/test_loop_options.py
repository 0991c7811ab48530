"""Options of staged loops: bounds on the iterations, shape invariants; tensors that a loop captures."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
import runtime as tf
from autograph.errors import StagingError

OPTIONS = autograph.set_loop_options


class Options:
    of_a_class = staticmethod(autograph.set_loop_options)


def test_maximum_iterations_of_a_statement() -> None:
    @tf.function
    def bounded(n, most):
        s = 0
        while s < n:
            tf.autograph.experimental.set_loop_options(maximum_iterations=most)
            s += 1
        return s

    assert bounded(tf.constant(10), 3).numpy() == 3
    assert bounded(tf.constant(2), 3).numpy() == 2
    assert bounded(tf.constant(10), tf.constant(4)).numpy() == 4
    assert bounded(tf.constant(10), 0).numpy() == 0


def test_shape_invariants_of_a_statement() -> None:
    @tf.function
    def doubled(x, n, dims):
        for _ in range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(x, tf.TensorShape(dims))])
            x = tf.concat([x, x], 0)
        return x, str(x.shape)

    x, shape = doubled(tf.ones([1, 2]), tf.constant(3), [None, 2])
    assert (x.shape, shape.numpy()) == ((8, 2), b"(None, 2)")
    with pytest.raises(ValueError, match=r"'x' has shape \(2, 2\) after one iteration, which does not conform"):
        doubled(tf.ones([1, 2]), tf.constant(3), [1, 2])
    with pytest.raises(ValueError, match=r"'x' has shape \(1, 2\) before the loop, which does not conform"):
        doubled(tf.ones([1, 2]), tf.constant(3), [None, 3])


def test_eager_tensors_captured_by_a_loop() -> None:
    step = tf.constant([1.5, 2.5])

    @tf.function
    def climb(n):
        x = tf.zeros([2])
        for _ in range(n):
            x += step
        return x

    assert climb(tf.constant(3)).numpy().tolist() == [4.5, 7.5]
    assert climb(tf.constant(0)).numpy().tolist() == [0, 0]


def by_a_name_of_its_own(n):
    options = tf.autograph.experimental.set_loop_options
    for _ in range(n):
        options(maximum_iterations=2)
        n += 1
    return n


def by_a_name_of_the_module(n):
    for _ in range(n):
        OPTIONS(maximum_iterations=2)
        n += 1
    return n


def by_an_attribute(n):
    while n < 5:
        Options.of_a_class(maximum_iterations=2)
        n += 1
    return n


def in_a_branch_of_a_python_loop(n):
    for i in range(3):
        if i > 0:
            OPTIONS(maximum_iterations=2)
        n += i
    return n


def outside_of_loops(n):
    OPTIONS(maximum_iterations=2)
    return n


@pytest.mark.parametrize(
    "program",
    [by_a_name_of_its_own, by_a_name_of_the_module, by_an_attribute, in_a_branch_of_a_python_loop, outside_of_loops],
)
def test_options_that_would_be_lost_are_refused(program: Any) -> None:
    with pytest.raises(StagingError, match="set_loop_options has no effect here, under another name or not in a loop"):
        tf.function(program)(tf.constant(3))
    assert autograph.to_graph(program)(3) == program(3)


def test_an_invariant_of_what_is_no_variable_of_the_loop() -> None:
    def other(n):
        x, y = tf.zeros([2]), tf.zeros([3])
        for _ in range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(y, [None])])
            x = x + 1
        return x

    with pytest.raises(ValueError, match=r"invariant \[None\] is for <tf.Tensor .* before it; those are 'x'$"):
        tf.function(other)(tf.constant(3))


def test_invariants_of_parts_of_variables() -> None:
    @tf.function
    def grown(n):
        pair, last = (tf.zeros([1]), tf.zeros([2])), None
        for i in range(n):
            tf.autograph.experimental.set_loop_options(shape_invariants=[(pair[0], [None]), ("last", [])])
            pair = (tf.concat([pair[0], pair[0]], 0), pair[1] + 1)
            last = i
        return pair, last

    (first, second), last = grown(tf.constant(2))
    assert (first.shape, second.numpy().tolist(), int(last)) == ((4,), [2.0, 2.0], 1)
