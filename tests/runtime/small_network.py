"""A small convolutional network and its data, always the same, for tests that train it in several places.

    trained(strategy)               # the weights, bit for bit, and the numbers of its epochs
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime import keras

RNG = np.random.default_rng(2)
IMAGES = RNG.normal(size=(60, 8, 8, 1)).astype(np.float32)
LABELS = RNG.integers(0, 4, 60)
PLAN: dict[str, Any] = {"batch_size": 20, "epochs": 2, "verbose": 0}


def convolutional() -> Any:
    tf.random.set_seed(7)
    model = keras.Sequential([
        keras.layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)), keras.layers.MaxPool2D(),
        keras.layers.Flatten(), keras.layers.Dense(4),
    ])  # fmt: skip
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    return model


def trained(strategy: Any, **more: Any) -> Any:
    model = convolutional()
    history = strategy.fit(model, IMAGES, LABELS, **PLAN | more).history
    return [w.tobytes() for w in model.get_weights()], history
