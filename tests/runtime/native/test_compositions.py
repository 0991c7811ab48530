"""softmax, log_softmax and logsumexp as machine code: the bits of their kernels, in loops and fused with others."""

import numpy as np
import pytest

import runtime as tf

SHAPES = [(7,), (5, 40), (3, 4, 33), (70, 50), (1, 1)]


def looped(x, n):
    for _ in tf.range(n):
        x = tf.nn.softmax(x * 2.0) + tf.nn.log_softmax(x - 1.0)
    return x


def columns(x, n):
    for _ in tf.range(n):
        x = tf.nn.softmax(x, axis=0) * 3.0 - tf.nn.log_softmax(x, axis=0)
    return x


def attention(x, n):
    state = x
    for _ in tf.range(n):
        weights = tf.nn.softmax(state @ tf.transpose(x) * 0.1)
        state = weights @ x
    return state


def sums(x, n):
    total = x
    for _ in tf.range(n):
        last = tf.reduce_logsumexp(total, axis=-1, keepdims=True)
        total = x - last + tf.reduce_logsumexp(total) * 0.5 + tf.reduce_logsumexp(total, axis=0)
    return total, tf.reduce_logsumexp(total, axis=-1)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("function", [looped, columns, attention, sums], ids=lambda f: f.__name__)
def test_program(function, shape, dtype):
    if function is attention and len(shape) != 2:
        shape = (6, 5)
    x = np.random.default_rng(0).normal(size=shape).astype(dtype)
    x.flat[0] = -np.inf
    x = tf.constant(x)
    staged = tf.function(function, backend="native")
    found, wanted = staged(x, tf.constant(3)), tf.function(function, backend="numpy")(x, tf.constant(3))
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())
    plan = staged.get_concrete_function(x, tf.constant(3)).plan
    assert [str(reason) for reason in plan.refused] == []
    assert [region.given_up for region in plan.regions] == [0]


def test_lines_without_elements_are_left_to_numpy():
    x = tf.constant(np.zeros((2, 0)))
    assert tf.function(looped, backend="native")(x, tf.constant(2)).shape == (2, 0)
