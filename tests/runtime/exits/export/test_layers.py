"""Layers leave with their weights: convolutions, recurrent ones, a block of a transformer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.exits.export.running import run, same, written


def images() -> Any:
    return tf.layers.Sequential(
        [
            tf.layers.Conv2D(4, 3, padding="same", activation="relu"), tf.layers.BatchNormalization(),
            tf.layers.MaxPooling2D(2), tf.layers.Conv2D(3, 2, strides=2), tf.layers.GlobalAveragePooling2D(),
            tf.layers.Dense(5, activation="gelu"), tf.layers.LayerNormalization(), tf.layers.Softmax(),
        ]
    )  # fmt: skip


def recurrent() -> Any:
    return tf.layers.Sequential(
        [tf.layers.Bidirectional(tf.layers.LSTM(3, return_sequences=True)), tf.layers.GRU(4), tf.layers.Dense(2)]
    )


class Block(tf.layers.Layer):
    """Attention with two heads that looks back only, and two dense layers."""

    def __init__(self) -> None:
        super().__init__()
        self.parts = [tf.layers.Dense(8) for _ in range(4)]
        self.norms = [tf.layers.LayerNormalization() for _ in range(2)]
        self.wide, self.narrow = tf.layers.Dense(16, activation="gelu"), tf.layers.Dense(8)

    def call(self, x):
        query, key, value = (self._heads(part(self.norms[0](x))) for part in self.parts[:3])
        scores = tf.matmul(query, key, transpose_b=True) / 2.0
        count = tf.shape(x)[1]
        seen = tf.linalg.band_part(tf.ones([count, count]), -1, 0) > 0.0
        shares = tf.nn.softmax(tf.where(seen, scores, -1e9))
        joined = tf.reshape(tf.transpose(shares @ value, [0, 2, 1, 3]), [-1, count, 8])
        x = x + self.parts[3](joined)
        return x + self.narrow(self.wide(self.norms[1](x)))

    def _heads(self, x):
        return tf.transpose(tf.reshape(x, [-1, tf.shape(x)[1], 2, 4]), [0, 2, 1, 3])


@pytest.mark.parametrize(
    ("make", "dims", "sizes"),
    [
        (images, [None, 8, 8, 2], (3, 8, 8, 2)), (recurrent, [None, None, 3], (2, 5, 3)),
        (Block, [None, None, 8], (2, 5, 8)),
    ],
)  # fmt: skip
def test_a_network(make, dims: list[Any], sizes: tuple[int, ...], tmp_path: Path) -> None:
    model = make()
    x = np.random.default_rng(3).normal(size=sizes).astype(np.float32)
    wanted = model(tf.constant(x))
    ran = written(lambda x: model(x), tmp_path / "f.onnx", [tf.TensorSpec(dims, tf.float32)])
    same(run(ran, [x])[0], wanted.numpy(), "network")
    same(run(ran, [x[:1]])[0], model(tf.constant(x[:1])).numpy(), "a batch of one")
