"""`Model.compile`, `fit`, `evaluate` and `predict` against the loop written out."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import runtime as tf

RNG = np.random.default_rng(9)
X = RNG.normal(size=(50, 3)).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int32)


def model_of(units: int = 2, rate: float = 0.0) -> Any:
    tf.random.set_seed(2)
    layers = [tf.layers.Dense(6, activation="tanh"), tf.layers.Dropout(rate), tf.layers.Dense(units)]
    model = tf.layers.Sequential(layers)
    model(X[:1])  # the weights are drawn now, right after the seed
    return model


def loss_object() -> Any:
    return tf.losses.SparseCategoricalCrossentropy(from_logits=True)


@pytest.mark.parametrize("run_eagerly", [False, True])
def test_fit_is_the_loop(run_eagerly: bool) -> None:
    """The same weights and numbers as by hand, with a last batch that is smaller."""
    fitted, looped = model_of(), model_of()
    fitted.compile(tf.optimizers.SGD(0.5), loss_object(), metrics=["accuracy"], run_eagerly=run_eagerly)
    found = fitted.fit(X, Y, batch_size=20, epochs=2, shuffle=False, verbose=0)
    optimizer, wanted = tf.optimizers.SGD(0.5), []
    for _ in range(2):
        losses = []
        for first in (0, 20, 40):
            x, y = X[first : first + 20], Y[first : first + 20]
            with tf.GradientTape() as tape:
                loss = loss_object()(y, looped(x))
            optimizer.minimize(loss, looped.trainable_variables, tape=tape)
            losses += [float(loss)] * len(y)
        wanted.append(np.mean(losses))
    np.testing.assert_allclose(found.history["loss"], wanted, rtol=1e-5)
    assert found.epoch == [0, 1] and set(found.history) == {"loss", "accuracy"}
    for one, other in zip(fitted.get_weights(), looped.get_weights(), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)
    right = (looped(X).numpy().argmax(1) == Y).mean()
    loss, accuracy = fitted.evaluate(X, Y, verbose=0)
    assert accuracy == pytest.approx(right)
    assert loss == pytest.approx(float(loss_object()(Y, looped(X))), rel=1e-5)
    np.testing.assert_allclose(fitted.predict(X, batch_size=7), looped(X), rtol=1e-4, atol=1e-6)
    assert len(fitted.variables) == 4


def test_datasets_weights_and_validation(capsys: pytest.CaptureFixture[str]) -> None:
    model = model_of()
    model.compile("adam", loss_object(), metrics=[tf.metrics.SparseCategoricalAccuracy(name="right")])
    weights = np.ones(50, np.float32)
    data = tf.data.Dataset.from_tensor_slices((X, Y, weights)).batch(10)
    history = model.fit(data, epochs=2, validation_data=(X[:20], Y[:20])).history
    assert list(history) == ["loss", "right", "val_loss", "val_right"] and len(history["val_loss"]) == 2
    printed = capsys.readouterr().out.splitlines()
    assert [line.split(" - ")[0] for line in printed] == ["Epoch 1/2", "Epoch 2/2"] and "val_right: " in printed[0]
    found = model.evaluate(tf.data.Dataset.from_tensor_slices((X, Y)).batch(25), return_dict=True)
    assert set(found) == {"loss", "right"} and "loss: " in capsys.readouterr().out
    nothing = model_of()
    nothing.compile(tf.optimizers.SGD(1.0), loss_object())
    nothing.predict(X[:1])
    before = nothing.get_weights()
    nothing.fit(X, Y, sample_weight=0 * weights, verbose=0)
    assert all(map(np.array_equal, before, nothing.get_weights()))
    assert isinstance(nothing.evaluate(X, Y, verbose=0), float)


def test_a_split_keeps_the_last_rows_for_validation() -> None:
    histories = []
    for options in ({"validation_split": 0.2}, {"validation_data": (X[40:], Y[40:])}):
        tf.random.set_seed(1)
        model = model_of()
        model.compile("sgd", loss_object(), metrics=["accuracy"])
        rows = slice(None if "validation_split" in options else 40)
        histories.append(model.fit(X[rows], Y[rows], epochs=2, verbose=0, batch_size=16, **options).history)
    assert histories[0] == histories[1] and "val_accuracy" in histories[0]
    data = tf.data.Dataset.from_tensor_slices((X, Y)).batch(10)
    with pytest.raises(ValueError, match="validation_split cuts arrays"):
        model.fit(data, validation_split=0.5, verbose=0)
    with pytest.raises(ValueError, match=r"validation_split=0.999 leaves no rows on one side; there are 50"):
        model.fit(X, Y, validation_split=0.999, verbose=0)


def test_names() -> None:
    y = X[:, :1] * 2
    model = model_of(1)
    model.compile("sgd", "mse", metrics=["mae", lambda a, b: tf.reduce_max(tf.abs(a - b), axis=-1)])
    history = model.fit(X, y, epochs=30, verbose=0).history
    assert set(history) == {"loss", "mae", "metric"} and history["loss"][-1] < history["loss"][0] / 2
    wanted = np.abs(model.predict(X) - y).mean()
    assert model.evaluate(X, y, verbose=0)[1] == pytest.approx(wanted, rel=1e-5)
    bits = model_of(1)
    bits.compile("adam", tf.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
    assert isinstance(bits._training.metrics[0], tf.metrics.BinaryAccuracy)
    for wrong in ({"optimizer": "wobble"}, {"loss": "wobble"}, {"metrics": ["wobble"]}):
        with pytest.raises(ValueError, match="wobble"):
            model_of().compile(**wrong)


def test_dropout_is_on_in_fit_and_off_elsewhere() -> None:
    model = model_of(2, rate=0.9)
    model.compile(tf.optimizers.SGD(0.0), loss_object())
    trained = model.fit(X, Y, shuffle=False, verbose=0).history["loss"][0]
    assert trained != pytest.approx(model.evaluate(X, Y, verbose=0), rel=1e-3)
    np.testing.assert_array_equal(model.predict(X), model.predict(X))


def test_refused() -> None:
    with pytest.raises(RuntimeError, match="compiled"):
        model_of().fit(X, Y)
    model = model_of()
    model.compile("sgd")
    with pytest.raises(ValueError, match="without a loss"):
        model.fit(X, Y)
    with pytest.raises(ValueError, match=r"\[49, 50\]"):
        model.fit(X, Y[:49])
    with pytest.raises(ValueError, match="Dataset"):
        model.fit(tf.data.Dataset.from_tensor_slices((X, Y)).batch(5), Y)


def test_lists_are_arrays() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile("sgd", "mse")
    assert model.evaluate([[1.0, 2.0], [3, 4]], [3.0, 6.0], verbose=0) == 0.5
    assert model.predict([[1, 2], [3, 4], [5, 6]], verbose=0).tolist() == [[3], [7], [11]]


def test_what_is_true_is_needed() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    for data in (np.ones([2, 3], np.float32), tf.data.Dataset.from_tensor_slices(tf.ones([4, 3])).batch(2)):
        with pytest.raises(ValueError, match=r"fit\(x, y\)"):
            model.fit(data, verbose=0)


def test_no_rows_change_nothing() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    data = tf.data.Dataset.from_tensor_slices((tf.ones([4, 3]), tf.zeros([4])))
    assert model.predict(tf.ones([4, 3]), verbose=0).shape == (4, 1)
    before = model.get_weights()
    empty = data.batch(2).map(lambda x, y: (x[:0], y[:0]))
    assert model.fit(empty, verbose=0).history["loss"] == [0]
    for was, now in zip(before, model.get_weights(), strict=True):
        np.testing.assert_array_equal(was, now)


@pytest.mark.parametrize("eager", [False, True])
def test_a_copy_of_a_compiled_model_is_trained_by_itself(eager: bool) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse", metrics=["mae"], run_eagerly=eager)
    x, y = np.ones([4, 3], np.float32), np.full([4, 1], 5.0, np.float32)
    model.fit(x, y, verbose=0)
    other, before = copy.deepcopy(model), model.get_weights()
    other.fit(x, y, epochs=3, verbose=0)
    for was, now, changed in zip(before, model.get_weights(), other.get_weights(), strict=True):
        np.testing.assert_array_equal(was, now)
        assert not np.array_equal(was, changed)
    np.testing.assert_allclose(other.predict(x, verbose=0), other(x), rtol=1e-6)
    np.testing.assert_allclose(model.predict(x, verbose=0), model(x), rtol=1e-6)
    assert other.evaluate(x, y, verbose=0)[1] < model.evaluate(x, y, verbose=0)[1]
