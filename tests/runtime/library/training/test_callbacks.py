"""Callbacks, steps, weights in files, and what models say of their layers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.library.data import Dataset
from runtime.library.keras import callbacks, layers

X = np.linspace(-1, 1, 40, dtype=np.float32)[:, None]
Y = 3 * X + 1


def line(**options: Any) -> Any:
    model = keras.models.Sequential([layers.Dense(1, kernel_initializer="zeros")])
    model.compile(optimizer=tf.optimizers.SGD(0.1), loss="mse", **options)
    return model


class Told(callbacks.Callback):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[Any] = []

    def on_train_begin(self, logs: Any = None) -> None:
        self.told.append(("begin", self.params["epochs"], self.model.name))

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.told.append(("epoch", epoch))

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        self.told.append((batch, sorted(logs)))

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        self.told.append((epoch, sorted(logs)))

    def on_train_end(self, logs: Any = None) -> None:
        self.told.append("end")


def test_the_moments_of_a_training() -> None:
    model, told = line(metrics=["mae"]), Told()
    history = model.fit(X, Y, batch_size=20, epochs=2, verbose=0, validation_data=(X, Y), callbacks=[told])
    batch = ["loss", "mae"]
    epoch = [*batch, "val_loss", "val_mae"]
    moments: list[Any] = [("begin", 2, model.name)]
    for number in (0, 1):
        moments += [("epoch", number), (0, batch), (1, batch), (number, epoch)]
    assert told.told == [*moments, "end"]
    assert model.history is history and history.epoch == [0, 1] and sorted(history.history) == epoch
    with pytest.raises(TypeError, match=r"objects of keras.callbacks.Callback; got 3"):
        model.fit(X, Y, callbacks=[3])


def test_functions_as_callbacks() -> None:
    seen: list[Any] = []
    told = callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(epoch), on_train_begin=None)
    line().fit(X, Y, epochs=3, verbose=0, callbacks=told)
    assert seen == [0, 1, 2]
    with pytest.raises(TypeError, match="no moment 'on_epoch'; there are on_train_begin, "):
        callbacks.LambdaCallback(on_epoch=print)


class Numbers(callbacks.Callback):
    """Replaces the loss of each epoch by numbers that are known."""

    def __init__(self, values: list[float], name: str = "loss") -> None:
        super().__init__()
        self.values, self.name = values, name

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        logs[self.name] = self.values[epoch]
        self.model.layers[0].bias.assign([float(epoch)])


@pytest.mark.parametrize(
    ("values", "options", "epochs"),
    [
        ([3, 2, 1, 2, 3], {}, 4),
        ([3, 2, 2, 1, 2], {"patience": 2}, 5),
        ([3, 3, 3, 3, 3], {"patience": 2}, 3),
        ([3, 2.9, 2.8, 2.7, 1], {"min_delta": 0.5, "patience": 1}, 2),
        ([1, 2, 3, 2, 1], {"mode": "max"}, 4),
        ([5, 6, 7, 3, 2], {"start_from_epoch": 3}, 5),
        ([5, 6, 7, 1, 2], {"baseline": 4}, 2),
    ],
)
def test_early_stopping(values: list[float], options: Any, epochs: int) -> None:
    stopping = callbacks.EarlyStopping(monitor="loss", **options)
    history = line().fit(X, Y, epochs=5, verbose=0, callbacks=[Numbers(values), stopping])
    assert len(history.epoch) == epochs
    assert stopping.stopped_epoch == (epochs - 1 if epochs < 5 else 0)


def test_the_best_weights_are_taken() -> None:
    model = line()
    stopping = callbacks.EarlyStopping(monitor="val_accuracy", patience=2, restore_best_weights=True)
    model.fit(X, Y, epochs=9, verbose=0, callbacks=[Numbers([1, 5, 4, 3, 2], "val_accuracy"), stopping])
    assert stopping.stopped_epoch == 3 and model.layers[0].bias.numpy() == [1.0] and stopping.best == 5
    with pytest.raises(ValueError, match=r"watches 'val_loss'; .* are loss\. Give validation_data"):
        model.fit(X, Y, verbose=0, callbacks=[callbacks.EarlyStopping()])


def test_checkpoints(tmp_path: Path) -> None:
    model = line()
    every = callbacks.ModelCheckpoint(tmp_path / "all" / "{epoch:02d}-{loss:.1f}.npz", save_weights_only=True)
    best = callbacks.ModelCheckpoint(tmp_path / "best", "loss", save_best_only=True, save_weights_only=True)
    model.fit(X, Y, epochs=3, verbose=0, callbacks=[Numbers([3, 1, 2]), every, best])
    assert sorted(path.name for path in (tmp_path / "all").iterdir()) == ["01-3.0.npz", "02-1.0.npz", "03-2.0.npz"]
    other = line()
    other(X)
    other.load_weights(tmp_path / "best")
    assert other.layers[0].bias.numpy() == [1.0]
    wider = keras.Sequential([layers.Dense(2, input_shape=[1])])
    with pytest.raises(ValueError, match=r"shapes \[\(1, 1\), \(1,\)\], those of '.*' \[\(1, 2\), \(2,\)\]"):
        wider.load_weights(tmp_path / "best")
    whole = callbacks.ModelCheckpoint(tmp_path / "whole", "loss", verbose=1)
    model.fit(X, Y, epochs=1, verbose=0, callbacks=[whole])
    np.testing.assert_array_equal(keras.models.load_model(tmp_path / "whole").predict(X), model.predict(X))


def test_a_loss_that_is_not_finite_ends_the_training() -> None:
    told = Told()
    infinite = np.full_like(Y, math.inf)
    history = line().fit(X, infinite, batch_size=10, epochs=3, verbose=0, callbacks=[told, callbacks.TerminateOnNaN()])
    assert len(history.epoch) == 1 and [entry[0] for entry in told.told[2:-2]] == [0]


def test_steps() -> None:
    numbers = Dataset.range(12).map(lambda i: (tf.ones([2, 1]) * tf.cast(i, tf.float32), tf.ones([2, 1])))

    class Mean(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.dense = layers.Dense(1)
            self.seen = tf.Variable("", trainable=False)

        def call(self, x: Any) -> Any:
            self.seen.assign(self.seen + "," + tf.strings.as_string(tf.cast(x[0, 0], tf.int32)))
            return self.dense(x)

    model = Mean()

    def seen() -> list[int]:
        found = model.seen.numpy().decode()[1:].split(",")
        model.seen.assign("")
        return [int(number) for number in found]

    model.compile(loss="mse")
    told = Told()
    model.fit(numbers, epochs=3, steps_per_epoch=4, verbose=0, callbacks=[told])
    assert seen() == list(range(12)) and len(told.told) == 2 + 3 * 6
    with pytest.warns(UserWarning, match=r"run out of batches.*repeat\(\)"):
        history = model.fit(numbers, epochs=9, steps_per_epoch=8, verbose=0)
    assert len(history.epoch) == 2 and seen() == list(range(12))
    model.fit(X[:4], X[:4], batch_size=2, epochs=2, steps_per_epoch=3, verbose=0)
    model.fit(numbers.take(1), validation_data=numbers, validation_steps=2, verbose=0)
    model.evaluate(numbers, steps=3, verbose=0)
    assert len(seen()) == 6 + 3 + 3
    assert model.predict(numbers.map(lambda x, y: x), steps=2).shape == (4, 1)


def test_layers_of_a_model() -> None:
    class Two(keras.Model):
        def __init__(self) -> None:
            super().__init__()
            self.first = layers.Dense(3, name="first")
            self.others = [layers.LeakyReLU(), {"last": layers.Dense(1)}]
            self.again = self.first

    model = Two()
    assert model.layers == [model.first, model.others[0], model.others[1]["last"]]  # type: ignore[index]
    assert model.get_layer("first") is model.get_layer(index=0) is model.first
    with pytest.raises(ValueError, match="no layer 'second'; it has first, leaky_re_lu"):
        model.get_layer("second")
    with pytest.raises(ValueError, match="3 layers; there is none at 3"):
        model.get_layer(index=3)
    sequential = keras.Sequential([layers.Dense(3, input_shape=[2], name="one"), layers.ReLU(name="two")])
    lines: list[str] = []
    sequential.summary(print_fn=lines.append)
    assert [row.split() for row in lines[3:5]] == [["one", "(Dense)", "9"], ["two", "(ReLU)", "0"]]
    assert lines[-3:] == ["Total params: 9", "Trainable params: 9", "Non-trainable params: 0"]
    with pytest.raises(ValueError, match="no weights yet"):
        keras.Sequential([layers.Dense(3)]).summary()
    assert model.optimizer is None and isinstance(line().optimizer, tf.optimizers.SGD)


def test_small_layers() -> None:
    x = tf.constant([[-2.0, 3.0]])
    for layer, wanted in (
        (layers.LeakyReLU(), [[-0.6, 3.0]]), (layers.LeakyReLU(alpha=0.5), [[-1.0, 3.0]]),
        (layers.Lambda(lambda t: t if t[0, 0] > 0 else -t), [[2.0, -3.0]]),
        (layers.Lambda(lambda t, by: t * by, arguments={"by": 2}), [[-4.0, 6.0]]),
    ):  # fmt: skip
        for call in (layer, tf.function(layer)):
            np.testing.assert_allclose(call(x), wanted, rtol=1e-6)
    with pytest.raises(ValueError, match="not negative"):
        layers.LeakyReLU(-1.0)
