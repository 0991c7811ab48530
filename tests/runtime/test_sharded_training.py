"""`ShardedStrategy.fit` here: the numbers of `Model.fit`, going on from checkpoints, and what is refused."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import distribute, keras

RNG = np.random.default_rng(1)
X = RNG.normal(size=(22, 5)).astype(np.float32)
Y = RNG.integers(0, 3, 22)


def compiled(loss: Any = None, optimizer: str = "adam", metrics: Any = ("accuracy",)) -> Any:
    """A small model whose weights are always the same ones."""
    tf.random.set_seed(3)
    model = keras.Sequential([keras.layers.Dense(4, activation="tanh", input_shape=(5,)), keras.layers.Dense(3)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True) if loss is None else loss
    model.compile(optimizer=optimizer, loss=loss, metrics=list(metrics))
    return model


def bits(model: Any, history: Any) -> Any:
    return [w.tobytes() for w in model.get_weights()], history.history


@pytest.mark.parametrize("shards", [1, 3, 8])
def test_the_numbers_are_those_of_model_fit(shards: int) -> None:
    plain, sharded = compiled(), compiled()
    weights = np.linspace(0.5, 1.5, 22, dtype=np.float32)
    wanted = plain.fit(X, Y, batch_size=8, epochs=3, shuffle=False, verbose=0, sample_weight=weights,
                       validation_data=(X, Y)).history  # fmt: skip
    found = distribute.ShardedStrategy(shards).fit(
        sharded, X, Y, batch_size=8, epochs=3, shuffle=False, verbose=0, sample_weight=weights, validation_data=(X, Y)
    ).history  # fmt: skip
    assert found.keys() == wanted.keys() and found["accuracy"] == wanted["accuracy"]
    np.testing.assert_allclose(found["loss"], wanted["loss"], rtol=1e-5)
    for one, other in zip(sharded.get_weights(), plain.get_weights()):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_a_sum_and_a_function_as_the_loss() -> None:
    y = X[:, :3]
    for loss in (keras.losses.MeanSquaredError(reduction="sum"), keras.losses.mean_squared_error):
        plain, sharded = compiled(loss, "sgd", ()), compiled(loss, "sgd", ())
        as_mean = loss if isinstance(loss, keras.losses.Loss) else keras.losses.MeanSquaredError()
        plain.compile("sgd", as_mean)
        wanted = plain.fit(X, y, batch_size=8, shuffle=False, verbose=0).history
        found = distribute.ShardedStrategy(3).fit(sharded, X, y, batch_size=8, shuffle=False, verbose=0).history
        np.testing.assert_allclose(found["loss"], wanted["loss"], rtol=1e-5)
        np.testing.assert_allclose(sharded.get_weights()[0], plain.get_weights()[0], rtol=1e-4, atol=1e-6)


def test_a_dataset_of_batches() -> None:
    strategy = distribute.ShardedStrategy(4)
    one, other = compiled(), compiled()
    dataset = tf.data.Dataset.from_tensor_slices((X, Y)).batch(8)
    by_arrays = strategy.fit(one, X, Y, batch_size=8, epochs=2, shuffle=False, verbose=0)
    assert bits(other, strategy.fit(other, dataset, epochs=2, verbose=0)) == bits(one, by_arrays)


class _Stopped(Exception):
    pass


class _Stop(keras.callbacks.Callback):
    """The program dies in the middle of an epoch."""

    def __init__(self, epoch: int, batch: int) -> None:
        super().__init__()
        self._when, self._epoch = (epoch, batch), 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        if (self._epoch, batch) == self._when:
            raise _Stopped


@pytest.mark.parametrize("when", [(0, 0), (1, 1), (2, 2)])
def test_a_training_that_was_stopped_goes_on_with_the_same_bits(when: tuple[int, int], tmp_path: Path) -> None:
    strategy, plan = distribute.ShardedStrategy(4), {"batch_size": 8, "epochs": 3, "verbose": 0, "seed": 5}
    whole = compiled()
    wanted = strategy.fit(whole, X, Y, **plan)
    first, second = compiled(), compiled()
    with pytest.raises(_Stopped):
        strategy.fit(first, X, Y, **plan, checkpoint=tmp_path, save_every=2, callbacks=[_Stop(*when)])
    found = strategy.fit(second, X, Y, **plan, checkpoint=tmp_path, save_every=2)
    assert [w.tobytes() for w in second.get_weights()] == [w.tobytes() for w in whole.get_weights()]
    assert found.history["loss"] == wanted.history["loss"][-len(found.epoch) :] and found.epoch[-1] == 2
    assert strategy.fit(second, X, Y, **plan, checkpoint=tmp_path).history == {}


def test_a_full_disk_leaves_the_last_good_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = distribute.ShardedStrategy(4)
    strategy.fit(compiled(), X, Y, epochs=1, verbose=0, checkpoint=tmp_path)

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("runtime.checkpoint.atomic.os.fsync", full)
        message = r"fit: the checkpoint before batch 0 of epoch 2: .*No space left.*; the last good .*ckpt-1"
        with pytest.raises(tf.errors.InvalidArgumentError, match=message):
            strategy.fit(compiled(), X, Y, epochs=3, verbose=0, checkpoint=tmp_path)
    assert strategy.fit(compiled(), X, Y, epochs=3, verbose=0, checkpoint=tmp_path).epoch == [1, 2]


class _Lost(distribute.shards.Here):
    """Workers that are gone after some batches."""

    left = 4

    def results(self, standing: Any) -> Any:
        self.left -= 1
        if not self.left:
            raise ConnectionError("the cluster is lost")
        return super().results(standing)


def test_a_lost_cluster_is_one_error_that_says_how_to_go_on(tmp_path: Path) -> None:
    strategy = distribute.ShardedStrategy(4)
    strategy.workers = _Lost()
    message = r"fit: batch 0 of epoch 1: the cluster is lost; the last good .*ckpt-1: the same call goes on"
    with pytest.raises(ConnectionError, match=message):
        strategy.fit(compiled(), X, Y, batch_size=8, epochs=2, verbose=0, checkpoint=tmp_path)
    strategy.workers = _Lost()
    with pytest.raises(ConnectionError, match=r"no checkpoints: fit\(..., checkpoint=directory\) writes some"):
        strategy.fit(compiled(), X, Y, batch_size=8, epochs=2, verbose=0)


def test_what_is_refused() -> None:
    strategy = distribute.ShardedStrategy(4)
    moving = keras.Sequential([keras.layers.Dense(4), keras.layers.BatchNormalization(), keras.layers.Dense(3)])
    drawing = keras.Sequential([keras.layers.Dense(4), keras.layers.Dropout(0.5), keras.layers.Dense(3)])
    for model, words in ((moving, "has its own copy there"), (drawing, "draws from the program's generator")):
        model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        with pytest.raises(tf.errors.NotExportableError, match=words):
            strategy.fit(model, X, Y, verbose=0)
    for loss, words in (
        (lambda y, p: tf.reduce_mean(p), "a function that is the loss returns a number for each row"),
        (keras.losses.MeanSquaredError(reduction="none"), "the loss is not reduced; give it reduction="),
    ):
        with pytest.raises(ValueError, match=words):
            strategy.fit(compiled(loss, metrics=()), X, Y, verbose=0)
    with pytest.raises(tf.errors.ShapeMismatchError, match="have one known number of rows; they have 22, 5"):
        strategy.fit(compiled(), X, Y[:5], verbose=0)
    with pytest.raises(ValueError, match="batch_size is a positive integer; got 0"):
        strategy.fit(compiled(), X, Y, batch_size=0, verbose=0)
    with pytest.raises(RuntimeError, match="must be compiled first"):
        strategy.fit(keras.Sequential([keras.layers.Dense(3)]), X, Y, verbose=0)
