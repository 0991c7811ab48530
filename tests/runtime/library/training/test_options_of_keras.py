"""Options that Keras gives layers, activations and losses: in closed forms, eager and staged."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.library.keras import activations, layers, losses, optimizers

X = np.array([[-2.0, -0.5, 0.0, 0.5, 7.0]], np.float32)

FORMS: dict[str, Any] = {
    "relu": (lambda x: activations.relu(x), np.maximum(X, 0)),
    "relu of all": (
        lambda x: activations.relu(x, 0.1, 6.0, 0.4),
        np.where(X >= 0.4, np.minimum(X, 6), (X - 0.4) * np.float32(0.1)),
    ),
    "relu at most": (lambda x: activations.relu(x, max_value=1.0), np.clip(X, 0, 1)),
    "relu from": (lambda x: activations.relu(x, threshold=1.0), np.where(X >= 1, X, 0)),
    "leaky": (lambda x: activations.leaky_relu(x), np.where(X > 0, X, X * np.float32(0.2))),
    "leaky by": (lambda x: activations.leaky_relu(x, negative_slope=0.5), np.where(X > 0, X, X / 2)),
    "elu": (lambda x: activations.elu(x), np.where(X > 0, X, np.expm1(X))),
    "elu by": (lambda x: activations.elu(x, alpha=2.0), np.where(X > 0, X, 2 * np.expm1(X))),
    "softmax": (lambda x: activations.softmax(x, axis=0), np.ones_like(X)),
    "log_softmax": (lambda x: activations.log_softmax(x, axis=0), np.zeros_like(X)),
    "exponential": (lambda x: activations.exponential(x), np.exp(X)),
    "swish": (lambda x: activations.swish(x), X / (1 + np.exp(-X))),
    "softsign": (lambda x: activations.softsign(x), X / (1 + np.abs(X))),
    "ReLU": (lambda x: layers.ReLU(6.0, 0.1, 0.4)(x), np.where(X >= 0.4, np.minimum(X, 6), (X - 0.4) * 0.1)),
    "plain ReLU": (lambda x: layers.ReLU()(x), np.maximum(X, 0)),
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["eager", "staged"])
def test_activations(name: str, way: Any) -> None:
    call, wanted = FORMS[name]
    np.testing.assert_allclose(way(lambda x: call(x))(tf.constant(X)), wanted, rtol=1e-5, atol=1e-6)


def test_each_name_is_an_activation_of_x() -> None:
    for name in activations.__all__:
        if name != "get":
            assert activations.get(name)(x=tf.constant(X)).shape == X.shape
    for wrong in ({"max_value": -1.0}, {"negative_slope": -0.1}, {"threshold": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            layers.ReLU(**wrong)


def test_formats_of_images() -> None:
    images = tf.reshape(tf.range(24.0), [1, 2, 4, 3])
    made: list[Any] = [
        lambda data_format: layers.Conv2D(1, 2, data_format=data_format),
        lambda data_format: layers.MaxPooling2D(2, data_format=data_format),
        lambda data_format: layers.AveragePooling2D(2, data_format=data_format),
        lambda data_format: layers.GlobalAveragePooling2D(data_format),
        lambda data_format: layers.Flatten(data_format),
    ]
    for make in made:
        assert make("channels_last")(images).shape[0] == make(None)(images).shape[0] == 1
        with pytest.raises(ValueError, match="channels_last"):
            make("channels_first")
    kept = layers.GlobalAveragePooling2D(keepdims=True)(images)
    assert kept.shape == [1, 1, 1, 3]
    assert tf.reshape(kept, [1, 3]).numpy().tolist() == layers.GlobalAveragePooling2D()(images).numpy().tolist()


def test_training_is_given_to_layers_that_take_it() -> None:
    x = tf.ones([4, 3])
    assert layers.Flatten()(x, training=True).shape == [4, 3]
    assert layers.Dense(2)(x, training=False).shape == [4, 2]
    dropped = tf.function(lambda x: layers.Dropout(0.5, seed=1)(x, training=True))(x).numpy()
    assert set(dropped.reshape(-1).tolist()) <= {0.0, 2.0} and layers.Dropout(0.5)(x, training=False).numpy().all()
    model = tf.keras.Sequential([layers.Dense(2), layers.Dropout(0.9)])
    assert model(x, training=False).shape == [4, 2]


def test_losses_in_another_dtype() -> None:
    found = losses.MeanSquaredError(dtype="float64")([[0.1]], tf.constant([[0.3]]))
    assert found.dtype is tf.float64 and abs(float(found) - 0.04) < 1e-7
    logits = tf.constant([[1.0, 2.0]], tf.float16)
    found = losses.SparseCategoricalCrossentropy(from_logits=True, axis=-1, dtype=tf.float32)([1], logits)
    assert found.dtype is tf.float32 and abs(float(found) - np.log1p(np.exp(-1))) < 1e-6
    with pytest.raises(ValueError, match="axis=0"):
        losses.SparseCategoricalCrossentropy(axis=0)([1], logits)
    for kind in (losses.MeanAbsoluteError, losses.Huber, losses.BinaryCrossentropy, losses.CategoricalCrossentropy):
        assert kind(dtype="float64")([[0.5]], tf.constant([[0.5]])).dtype is tf.float64


def test_slots_are_built_for_variables() -> None:
    adam = optimizers.Adam(weight_decay=0.1, clipnorm=1.0)
    w = tf.Variable([1.0], name="w")
    adam.build(variables=[w])
    assert adam.get_slot(w, "m").shape == [1]
