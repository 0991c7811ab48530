"""Activations, cross-entropies, norms and dropout in the forms of tf.nn, against numpy; eager and in graphs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError

RNG = np.random.default_rng(5)
X, Y = RNG.normal(size=(3, 4)), RNG.uniform(0.1, 1, size=(3, 4))


def log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


CASES: list[Any] = [
    (lambda x: tf.nn.leaky_relu(x), np.where(X > 0, X, 0.2 * X)),
    (lambda x: tf.nn.silu(x), X / (1 + np.exp(-X))),
    (lambda x: tf.nn.swish(x, beta=0.5), X / (1 + np.exp(-X / 2))),
    (lambda x: tf.nn.crelu(x), np.maximum(np.concatenate([X, -X], -1), 0)),
    (lambda x: tf.nn.crelu(x, axis=0), np.maximum(np.concatenate([X, -X], 0), 0)),
    (lambda x: tf.nn.softmax(x, axis=0), np.exp(X) / np.exp(X).sum(0)),
    (lambda x: tf.nn.log_softmax(x), log_softmax(X)),
    (lambda x: tf.nn.gelu(x), X * np.vectorize(lambda v: 0.5 * (1 + math.erf(v / math.sqrt(2))))(X)),
    (lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=Y, logits=x),
     -Y * np.log(1 / (1 + np.exp(-X))) - (1 - Y) * np.log(1 - 1 / (1 + np.exp(-X)))),
    (lambda x: tf.nn.weighted_cross_entropy_with_logits(Y, x, 3.0),
     -3 * Y * np.log(1 / (1 + np.exp(-X))) - (1 - Y) * np.log(1 - 1 / (1 + np.exp(-X)))),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits(Y, x), -(Y * log_softmax(X)).sum(-1)),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits(Y.T, tf.transpose(x), axis=0), -(Y * log_softmax(X)).sum(-1)),
    (lambda x: tf.nn.softmax_cross_entropy_with_logits([[0, 1, 0, 0]] * 3, x), -log_softmax(X)[:, 1]),
    (lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0, 3], x), -log_softmax(X)[[0, 1, 2], [2, 0, 3]]),
    (lambda x: tf.nn.moments(x, [0])[0], X.mean(0)),
    (lambda x: tf.nn.moments(x, [0])[1], X.var(0)),
    (lambda x: tf.nn.moments(x, [0, 1], keepdims=True)[1], X.var(keepdims=True)),
    (lambda x: tf.nn.batch_normalization(x, X.mean(0), X.var(0), Y[0], Y[1], 1e-3),
     Y[1] * (X - X.mean(0)) / np.sqrt(X.var(0) + 1e-3) + Y[0]),
    (lambda x: tf.nn.batch_normalization(x, tf.constant(X.mean(0)), X.var(0), None, None, 1e-3),
     (X - X.mean(0)) / np.sqrt(X.var(0) + 1e-3)),
    (lambda x: tf.nn.l2_normalize(x), X / np.linalg.norm(X)),
    (lambda x: tf.nn.l2_normalize(x, axis=1), X / np.linalg.norm(X, axis=1, keepdims=True)),
    (lambda x: tf.nn.l2_loss(x), (X**2).sum() / 2),
    (lambda x: tf.nn.bias_add(x, Y[0]), X + Y[0]),
    (lambda x: tf.nn.bias_add(tf.reshape(x, [3, 4, 1]), Y[0], data_format="NC..."), (X + Y[0])[..., None]),
    (lambda x: tf.nn.embedding_lookup(x, [[2], [0]]), X[[[2], [0]]]),
    (lambda x: tf.nn.embedding_lookup(x, [0, 2], max_norm=0.5),
     X[[0, 2]] * 0.5 / np.maximum(np.linalg.norm(X[[0, 2]], axis=1, keepdims=True), 0.5)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)))
def test_values_and_gradients(number: int) -> None:
    """Eager, staged with known and with unknown sizes; the gradient along one direction against a difference."""
    call, wanted = CASES[number]
    staged = tf.function(call)
    unknown = staged.get_concrete_function(tf.TensorSpec([None, None], tf.float64))
    for function in (call, staged, unknown):
        np.testing.assert_allclose(function(tf.constant(X)), wanted, rtol=1e-9, atol=1e-12)
    weights, direction = RNG.normal(size=np.shape(wanted)), RNG.normal(size=X.shape)

    def loss(x: Any) -> Any:
        return tf.reduce_sum(call(x) * weights)

    def derivative(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loss(x)
        return tf.reduce_sum(tape.gradient(y, x) * direction)

    step = 1e-6 * direction
    difference = (float(loss(tf.constant(X + step))) - float(loss(tf.constant(X - step)))) / 2e-6
    for found in (derivative(tf.constant(X)), tf.function(derivative)(tf.constant(X))):
        np.testing.assert_allclose(float(found), difference, rtol=1e-6, atol=1e-7)


def test_second_derivatives_of_the_variance() -> None:
    """The mean depends on x, too: the Hessian of a variance of n elements is 2 (1 - 1/n) / n on its diagonal."""
    x = tf.constant([1.0, 2.0, 4.0], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            variance = tf.nn.moments(x, [0])[1]
        first = inner.gradient(variance, x)[0]
    np.testing.assert_allclose(outer.gradient(first, x), np.array([2, -1, -1]) * 2 / 9, rtol=1e-12)


def test_extreme_logits() -> None:
    """Nothing overflows, and what is certain costs nothing."""
    big = tf.constant([1e4, -1e4, 0.0], tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(big)
        y = tf.nn.sigmoid_cross_entropy_with_logits(tf.constant([1.0, 0.0, 1.0]), big)
    assert y.numpy()[:2].tolist() == [0, 0] and tape.gradient(y, big).numpy().tolist() == [0, 0, -0.5]
    rows = tf.constant([[1e4, 0.0], [0.0, -1e4]])
    assert tf.nn.sparse_softmax_cross_entropy_with_logits([0, 1], rows).numpy().tolist() == [0, 1e4]
    assert tf.nn.softmax_cross_entropy_with_logits([[1, 0], [0, 1]], rows).numpy().tolist() == [0, 1e4]
    assert tf.nn.log_sigmoid(tf.constant([-1e4, 1e4])).numpy().tolist() == [-1e4, 0]
    assert tf.nn.elu(big).numpy().tolist() == [1e4, -1, 0]


def test_gelu_far_below_zero() -> None:
    """x Phi(x) keeps its digits where it is small; Phi by the complementary error function of Python."""
    x = np.linspace(-12, 3, 301)
    for dtype, width in ((np.float32, 3e-7), (np.float64, 1e-13)):
        exact = x.astype(dtype).astype(np.float64)
        wanted = [0.5 * v * math.erfc(-v / math.sqrt(2)) for v in exact]
        np.testing.assert_allclose(tf.nn.gelu(tf.constant(exact, dtype)), wanted, rtol=width, atol=1e-40)


def test_kinks() -> None:
    x = tf.zeros([1])
    for function, slope in ((tf.nn.relu, 0), (tf.nn.relu6, 0), (tf.nn.leaky_relu, 0.2), (tf.nn.elu, 1)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        np.testing.assert_allclose(tape.gradient(y, x), [slope], rtol=1e-6)


def test_integers() -> None:
    assert tf.nn.leaky_relu(tf.constant([-5, 5])).numpy().tolist() == [-1, 5]
    mean, variance = tf.nn.moments(tf.constant([1, 2, 6]), [0])
    assert mean.dtype is variance.dtype is tf.int32 and (int(mean), int(variance)) == (3, 4)
    assert float(tf.nn.zero_fraction([0, 0, 3, 4])) == 0.5
    assert tf.nn.in_top_k([1, 0, 9], [[0.1, 0.9], [0.1, 0.9], [1.0, 1.0]], 1).numpy().tolist() == [True, False, False]


def test_a_label_that_is_no_class_is_caught_in_a_graph() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32), tf.TensorSpec([None, None], tf.float32)])
    def loss(labels: Any, logits: Any) -> Any:
        try:
            return tf.reduce_sum(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        except tf.errors.InvalidArgumentError:
            return -1.0

    assert float(loss([1], [[0.0, 0.0]])) == pytest.approx(math.log(2))
    assert float(loss([2], [[0.0, 0.0]])) == -1


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tf.nn.sigmoid_cross_entropy_with_logits(None, X), ValueError, "labels and logits"),
        (lambda: tf.nn.sigmoid_cross_entropy_with_logits(X[0], X), ShapeMismatchError, "(3, 4)"),
        (lambda: tf.nn.weighted_cross_entropy_with_logits(X[:1], X, 2.0), ShapeMismatchError, "(1, 4)"),
        (lambda: tf.nn.l2_loss(tf.constant([1])), DtypeMismatchError, "int32"),
        (lambda: tf.nn.dropout(tf.constant([1]), 0.5), DtypeMismatchError, "int32"),
        (lambda: tf.nn.dropout(X, 1.0), InvalidArgumentError, "[0, 1)"),
        (lambda: tf.nn.embedding_lookup(X, [3]), InvalidArgumentError, "3"),
        (lambda: tf.nn.bias_add(X, X[0, :3]), ShapeMismatchError, "(3,)"),
        (lambda: tf.nn.bias_add(X, X[0], data_format=1), InvalidArgumentError, "got 1"),
        (lambda: tf.nn.bias_add(X, X[0], data_format="CN"), InvalidArgumentError, "'N...C' or 'NC...'"),
        (lambda: tf.nn.softmax(1.0), ShapeMismatchError, "rank 0"),
    ],
)
def test_refused(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert words in str(caught.value)


def test_dropout() -> None:
    """A share of the elements is 0, the others are larger by as much; anew in each run; gradients know which."""
    x = tf.ones([4000], tf.float64)
    staged = tf.function(lambda x, rate: tf.nn.dropout(x, rate))
    for found in (tf.nn.dropout(x, 0.25), staged(x, 0.25), staged(x, tf.constant(0.25, tf.float64))):
        values = found.numpy()
        assert set(np.unique(values).round(12)) == {0, round(4 / 3, 12)}
        assert abs((values == 0).mean() - 0.25) < 0.04
    assert (staged(x, 0.25).numpy() != staged(x, 0.25).numpy()).any()
    assert tf.nn.dropout(x, 0) is x
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.dropout(x, 0.25)
    np.testing.assert_array_equal(tape.gradient(y, x), y)
    columns = tf.nn.dropout(tf.ones([50, 40]), 0.5, noise_shape=[1, 40]).numpy()
    assert (columns == columns[0]).all() and {0, 2} == set(columns[0])
    tf.random.set_seed(1)
    first = tf.nn.dropout(x, 0.5, seed=3).numpy()
    tf.random.set_seed(1)
    np.testing.assert_array_equal(tf.nn.dropout(x, 0.5, seed=3), first)


def test_dropout_with_a_rate_that_is_no_probability() -> None:
    staged = tf.function(lambda rate: tf.nn.dropout(tf.ones([4]), rate))
    for drop in (lambda rate: tf.nn.dropout(tf.ones([4]), rate), staged):
        assert drop(tf.constant(0.0)).numpy().tolist() == [1, 1, 1, 1]
        for rate in (1.0, 1.5, -0.5):
            with pytest.raises(InvalidArgumentError, match=rf"\[0, 1\); got {rate:g}"):
                drop(tf.constant(rate))


def test_rows_of_limited_norm_whatever_is_known_of_the_shapes() -> None:
    table = 3 * np.random.default_rng(0).normal(size=(4, 2, 3)).astype(np.float32)
    table[1] = 0
    for places in (np.array([0, 3, 1]), np.array([[2], [1]]), np.array(2), np.zeros([0, 2], np.int64)):
        rows = table[places]
        norms = np.sqrt((rows**2).sum((-2, -1), keepdims=True))
        wanted = rows * (0.5 / np.maximum(norms, 0.5))
        for known in (True, False):
            specs = [tf.TensorSpec(table.shape if known else None, tf.float32), tf.TensorSpec(None, tf.int64)]
            staged = tf.function(lambda t, i: tf.nn.embedding_lookup(t, i, max_norm=0.5), input_signature=specs)
            np.testing.assert_allclose(staged(table, places.astype(np.int64)), wanted, rtol=1e-5)
        np.testing.assert_allclose(tf.nn.embedding_lookup(table, places, max_norm=0.5), wanted, rtol=1e-5)


def test_the_gradient_of_a_row_of_zeros_is_finite() -> None:
    table = tf.Variable([[0.0, 0.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(tf.nn.embedding_lookup(table, [0], max_norm=1.0))
    np.testing.assert_array_equal(tape.gradient(total, table), [[1, 1], [0, 0]])
