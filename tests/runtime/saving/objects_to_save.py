"""Objects for the tests of this directory: Modules, models in training, and files of a few values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import runtime as tf


class Net(tf.Module):
    def __init__(self, **parts: Any) -> None:
        super().__init__()
        for name, part in parts.items():
            setattr(self, name, part)


class Lazy(tf.Module):
    """Makes its weights in its first call."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.w: Any = None

    def __call__(self, x: Any) -> Any:
        if self.w is None:
            self.w = tf.Variable(tf.zeros([x.shape[-1], self.size]), name="w")
            self.b = tf.Variable(tf.zeros([self.size]), name="b")
        return x @ self.w + self.b


def dense_model() -> Any:
    return tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])


def trained(steps: int) -> tuple[Any, Any, Callable[[], Any]]:
    model, optimizer = dense_model(), tf.optimizers.Adam(0.1)
    x = tf.reshape(tf.range(8.0), [4, 2]) / 8.0

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((model(x) - 1.0) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for _ in range(steps):
        step()
    return model, optimizer, step


def saved_vector(tmp_path: Path, *names: str) -> str:
    """A file with v/0, v/1, ... or such names, of the values 1, 2, ..."""
    return tf.train.Checkpoint(
        **{name: [tf.Variable(float(i + 1)) for i in range(3)] for name in names}
    ).write(tmp_path / "vector")  # fmt: skip
