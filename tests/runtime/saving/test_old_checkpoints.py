"""Checkpoints that earlier versions wrote: they are restored for ever, and have the same values.

`python -m tests.runtime.saving.test_old_checkpoints` writes one for a new version of the format; those of the old ones
stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.checkpoint.container_layout import VERSION
from runtime.dtypes import ALL, string
from tests.runtime.saving.objects_to_save import Net

FILES = Path(__file__).parent / "checkpoints"

VERSIONS = ["1"]


def objects(number: int) -> Any:
    """A Variable of each dtype, a step of an optimizer, a metric, a generator, an iterator; all depend on a number."""
    values = {
        dtype.name: tf.Variable(tf.cast(tf.constant([0, 1, number]), dtype)) for dtype in ALL if dtype is not string
    }
    net = Net(values=values, text=tf.Variable([b"\xff", "a" * number]), shared=values["int32"])
    net.layers = [tf.keras.layers.Dense(2, kernel_initializer="ones"), {"a/b.c": tf.Variable(float(number))}]
    optimizer = tf.optimizers.Momentum(number / 4.0)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(net.layers[0](tf.ones([1, 3])) * number)
    weights = net.layers[0].trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
    mean, generator = tf.metrics.Mean(), tf.random.Generator.from_seed(number)
    mean.update_state([1.0, number])
    generator.normal([number])
    iterator = iter(tf.data.Dataset.range(10))
    for _ in range(number):
        next(iterator)
    return tf.train.Checkpoint(net=net, optimizer=optimizer, parts=(mean, generator), iterator=iterator)


def state(checkpoint: Any) -> list[Any]:
    net, (mean, generator) = checkpoint.net, checkpoint.parts
    found = [v.numpy() for v in (*net.variables, *checkpoint.optimizer.variables)]
    found += [mean.result().numpy(), generator.normal([2]).numpy(), next(checkpoint.iterator).numpy()]
    return [np.asarray(one).tolist() for one in found]


def test_there_is_a_checkpoint_of_this_version() -> None:
    assert VERSIONS[-1] == VERSION
    assert sorted(p.stem for p in FILES.glob("*.index")) == [f"version_{v}-1" for v in VERSIONS]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_checkpoint_of_this_version_is_restored(version: str) -> None:
    checkpoint = objects(2)
    before = state(checkpoint)
    checkpoint.restore(FILES / f"version_{version}-1").assert_consumed()
    expected = state(objects(3))
    assert state(checkpoint) == expected != before


if __name__ == "__main__":
    objects(3).save(FILES / f"version_{VERSION}")
    (FILES / "checkpoint").unlink()
