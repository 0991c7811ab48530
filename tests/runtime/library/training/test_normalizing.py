"""`LayerNormalization` and `BatchNormalization` against their formulas in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

X = np.random.default_rng(2).normal(size=(6, 5, 3)).astype(np.float32) * 2 + 1


def normalized(x: Any, axes: Any, epsilon: float = 1e-3) -> Any:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


@pytest.mark.parametrize("axis", [-1, 1, [1, 2], [0, -1]])
def test_layers(axis: Any) -> None:
    layer = tf.keras.layers.LayerNormalization(axis=axis)
    axes = tuple(axis) if isinstance(axis, list) else (axis,)
    for call in (layer, tf.function(layer)):
        np.testing.assert_allclose(call(tf.constant(X)), normalized(X, axes), rtol=1e-4, atol=1e-5)
    layer.gamma.assign(layer.gamma * 2.0)
    layer.beta.assign(layer.beta + 0.5)
    np.testing.assert_allclose(layer(X), normalized(X, axes) * 2 + 0.5, rtol=1e-4, atol=1e-5)
    assert layer.gamma.shape == [X.shape[a] for a in sorted(a % 3 for a in axes)]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("as_tensor", [False, True])
def test_batches(as_tensor: bool, staged: bool) -> None:
    layer = tf.keras.layers.BatchNormalization(momentum=0.75)
    call = tf.function(layer) if staged else layer
    mean, variance = np.zeros(3), np.ones(3)
    for step in range(4):
        x = X * (step + 1)
        for training in (False, True):
            found = call(tf.constant(x), training=tf.constant(training) if as_tensor else training)
            wanted = normalized(x, (0, 1)) if training else (x - mean) / np.sqrt(variance + 1e-3)
            np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
            if training:
                mean = 0.75 * mean + 0.25 * x.mean((0, 1))
                variance = 0.75 * variance + 0.25 * x.var((0, 1))
            np.testing.assert_allclose(layer.moving_mean, mean, rtol=1e-5)
            np.testing.assert_allclose(layer.moving_variance, variance, rtol=1e-5)
    assert [v.name.rpartition("/")[2] for v in layer.variables] == [
        "gamma:0", "beta:0", "moving_mean:0", "moving_variance:0"]  # fmt: skip
    assert len(layer.trainable_variables) == 2
    layer.trainable = False
    call(tf.constant(X), training=True)
    np.testing.assert_allclose(layer.moving_mean, mean, rtol=1e-5)


def test_batches_of_unknown_size_in_fit() -> None:
    tf.random.set_seed(3)
    layers = tf.keras.layers
    model = tf.keras.Sequential([layers.Dense(4), layers.BatchNormalization(), layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(0.05), "mse")
    x = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    losses = model.fit(x, x[:, :1] * 3, epochs=30, verbose=0).history["loss"]
    assert losses[-1] < losses[0] / 5
    assert float(tf.reduce_max(tf.abs(model.layers[1].moving_mean))) > 0.01


def test_no_place_of_an_empty_batch() -> None:
    layer = tf.keras.layers.LayerNormalization()
    assert layer(np.zeros((0, 4), np.float32)).shape == (0, 4)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tf.layers.BatchNormalization(axis=5)(X), "the axis 5 is none of a tensor of rank 3"),
        (lambda: tf.layers.LayerNormalization(axis=3)(X), "none of a tensor of rank 3"),
        (lambda: tf.layers.LayerNormalization(epsilon=0.0), "epsilon is a positive number"),
        (lambda: tf.layers.BatchNormalization(momentum=1.5), "momentum is in"),
    ],
)
def test_what_is_refused(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()
