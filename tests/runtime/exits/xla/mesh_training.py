"""A small convolutional network, trained by a step of its own: over NumPy, or by a strategy.

    network = Network()
    network.train(2)                            # the losses of two epochs
    network.train(2, strategy)
"""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime import distribute, keras
from tests.runtime.small_network import IMAGES, LABELS

BATCHES = [slice(0, 24), slice(24, 48), slice(48, 60)]
LAYOUT = {"*dense*/kernel*": ("model", None), "*conv*/kernel*": (None, None, None, "model")}


class Network:
    """See the module's docstring."""

    def __init__(self) -> None:
        tf.random.set_seed(7)
        self.model = keras.Sequential([
            keras.layers.Conv2D(4, 3, use_bias=False, input_shape=(8, 8, 1)), keras.layers.BatchNormalization(),
            keras.layers.Activation("tanh"), keras.layers.Flatten(), keras.layers.Dense(4),
        ])  # fmt: skip
        self.optimizer = keras.optimizers.Adam(0.01)
        self.loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.step = tf.function(self._step)
        self.checkpoint = tf.train.Checkpoint(model=self.model, optimizer=self.optimizer)

    def _step(self, images: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = self.loss(labels, self.model(images, training=True))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss

    def train(self, epochs: int, strategy: Any = None) -> list[float]:
        run = tf.distribute.Strategy().run if strategy is None else strategy.run
        return [float(run(self.step, (IMAGES[b], LABELS[b]))) for _ in range(epochs) for b in BATCHES]

    def shards(self) -> dict[str, Any]:
        """The shapes of what a device has of each Variable, of those that are on the mesh."""
        held = {v.name: v.handle.elsewhere for v in [*self.model.variables, *self.optimizer.variables]}
        return {name: there.array.addressable_shards[0].data.shape for name, there in held.items() if there}

    def weights(self) -> list[Any]:
        return [weight.tolist() for weight in self.model.get_weights()]


def on_mesh(shape: dict[str, int], folder: str) -> Any:
    """What a training over a mesh gives, with a checkpoint after two of three epochs."""
    network = Network()
    strategy = distribute.MeshStrategy(distribute.Mesh(shape), LAYOUT)
    losses = network.train(2, strategy)
    network.checkpoint.write(folder)
    losses += network.train(1, strategy)
    shards = network.shards()
    return {"losses": losses, "shards": shards, "weights": network.weights()}


def of_integers(shape: dict[str, int]) -> Any:
    """What a program of integers gives, whose argument and Variable are divided, and lie together in each product."""
    table = tf.Variable(np.arange(96).reshape(8, 12), name="table")
    strategy = distribute.MeshStrategy(distribute.Mesh(shape), {"table": ("data", "model")})
    results = [strategy.run(shifted(table), (np.arange(64).reshape(8, 8) % 7,)) for _ in range(3)]
    divided = strategy.array(table).addressable_shards[0].data.shape
    return {"results": [one.numpy().tolist() for one in results], "table": table.numpy().tolist(), "shard": divided}


def shifted(table: Any) -> Any:
    """A program that multiplies until a sum is large, and writes to a Variable."""

    def step(rows: Any) -> Any:
        product = tf.matmul(rows, table)
        while tf.reduce_sum(product) < 10**9:
            product = product * 3 + tf.reduce_sum(product, axis=0)
        table.assign_add(product // 1000)
        return tf.reduce_sum(product, axis=0)

    return tf.function(step)
