"""softmax, log_softmax and logsumexp as machine code: the bits of their kernels, in loops and fused with others."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.one_in import one_in

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


CASES = [*itertools.product([looped, columns, attention, sums], SHAPES, [np.float32, np.float64])]


@pytest.mark.parametrize(("function", "shape", "dtype"), one_in(3, CASES, several=True))
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


def training(x, n):
    labels = tf.range(x.shape[0]) % x.shape[1]
    total = 0.0 * tf.reduce_sum(x)
    for i in tf.range(n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits((labels + i) % x.shape[1], x)
            loss = tf.reduce_mean(losses)
        total += loss + losses[0]
        x -= tape.gradient(loss, x)
    return x, total


@pytest.mark.parametrize(
    ("shape", "dtype"),
    one_in(3, itertools.product([(5, 40), (70, 50), (1, 1), (6, 3)], [np.float32, np.float64]), several=True),
)
def test_cross_entropies(shape, dtype):
    x = tf.constant(np.random.default_rng(0).normal(size=shape).astype(dtype))
    staged = tf.function(training, backend="native")
    found, wanted = staged(x, tf.constant(3)), tf.function(training, backend="numpy")(x, tf.constant(3))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one.numpy(), other.numpy())
    plan = staged.get_concrete_function(x, tf.constant(3)).plan
    assert [str(reason) for reason in plan.refused] == []
    assert [region.given_up for region in plan.regions] == [0]


def test_a_label_that_is_no_class():
    def program(labels, x, n):
        for _ in tf.range(n):
            x = x + tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x))
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"label 4 is outside \[0, 4\)"):
        tf.function(program, backend="native")(tf.constant([0, 4]), tf.ones([2, 4]), tf.constant(2))
