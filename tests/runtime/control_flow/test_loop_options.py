"""Options of staged loops: bounds on the iterations, shape invariants; tensors that a loop captures."""

from __future__ import annotations

import pytest

import runtime as tf


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
