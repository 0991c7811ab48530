"""What is changed in layers, optimizers, losses and Modules between calls of a Function is seen by the next call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

X = tf.constant(np.random.default_rng(1).normal(size=(4, 3)), tf.float32)

RATE = 0.5


def changed(layer: Any, change: Any) -> None:
    """The Function gives what eager code gives, before and after the change, with one trace more."""

    @tf.function
    def f(x: Any) -> Any:
        return layer(x)

    np.testing.assert_allclose(f(X), layer(X), rtol=1e-5)
    f(X)
    assert f.experimental_get_tracing_count() == 1
    change(layer)
    np.testing.assert_allclose(f(X), layer(X), rtol=1e-5)
    f(X)
    assert f.experimental_get_tracing_count() == 2


CHANGES: dict[str, Any] = {
    "activation": (lambda: tf.layers.Dense(3), lambda d: setattr(d, "activation", tf.nn.softplus)),
    "kernel": (lambda: tf.layers.Dense(3, use_bias=False),
               lambda d: setattr(d, "kernel", tf.Variable(tf.ones([3, 2])))),
    "axis": (lambda: tf.layers.Softmax(), lambda s: setattr(s, "axis", 0)),
    "added": (lambda: tf.layers.Sequential([tf.layers.Dense(3)]), lambda s: s.add(tf.layers.Dense(2))),
    "popped": (lambda: tf.layers.Sequential([tf.layers.Dense(3), tf.layers.ReLU()]), lambda s: s.pop()),
    "within": (lambda: tf.layers.Sequential([tf.layers.Sequential([tf.layers.Dense(3)])]),
               lambda s: setattr(s.layers[0].layers[0], "activation", tf.nn.relu)),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_layers(name: str) -> None:
    make, change = CHANGES[name]
    changed(make(), change)


def test_the_rate_of_dropout() -> None:
    dropout = tf.layers.Dropout(0.9)
    staged = tf.function(lambda x: dropout(x, training=True))
    staged(X)
    dropout.rate = 0.0
    np.testing.assert_array_equal(staged(X), X)


def test_training_as_a_tensor() -> None:
    dropout = tf.layers.Dropout(0.5)
    staged = tf.function(lambda x, training: dropout(x, training=training))
    ones = tf.ones([100])
    assert set(staged(ones, tf.constant(True)).numpy().tolist()) == {0, 2}
    assert set(staged(ones, tf.constant(False)).numpy().tolist()) == {1}
    assert set(dropout(ones, training=tf.constant(True)).numpy().tolist()) == {0, 2}


def test_layers_that_are_frozen_later() -> None:
    model = tf.layers.Sequential([tf.layers.Dense(3), tf.layers.Dense(1)])

    @tf.function
    def count(x: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        return len(tape.gradient(loss, model.trainable_variables))

    assert int(count(X)) == 4
    model.layers[0].trainable = False  # type: ignore[attr-defined]
    assert int(count(X)) == 2


def test_optimizers() -> None:
    w, optimizer = tf.Variable(0.0), tf.optimizers.SGD(0.1, momentum=0.9)

    @tf.function
    def step() -> None:
        optimizer.apply_gradients([(tf.constant(1.0), w)])

    step()
    optimizer.momentum = 0.5
    before = float(w)
    step()
    assert float(w) - before == pytest.approx(-0.1 * 0.5 - 0.1)
    optimizer.weight_decay, optimizer.clipvalue = 0.0, 0.5
    before, velocity = float(w), float(optimizer.get_slot(w, "momentum"))
    step()
    assert float(w) - before == pytest.approx(velocity * 0.5 - 0.05)


def test_functions_of_the_user_are_converted_and_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate of an optimizer, an activation and a loss: with an `if` on a tensor, and a global that changes."""

    def rate(step: Any) -> Any:
        return RATE if step < 1 else RATE / 10

    def activation(x: Any) -> Any:
        return x * RATE if tf.reduce_sum(x) > 0 else x

    class Signed(tf.losses.Loss):
        def call(self, y_true: Any, y_pred: Any) -> Any:
            if tf.reduce_sum(y_pred) > 0:
                return y_pred * RATE
            return -y_pred

    w, optimizer = tf.Variable(0.0), tf.optimizers.SGD(rate)
    layer, loss = tf.layers.Dense(1, activation, kernel_initializer="ones"), Signed("sum")

    @tf.function
    def step(x: Any) -> Any:
        optimizer.apply_gradients([(tf.constant(1.0), w)])
        return layer(x), loss(x, x)

    ones = tf.ones([1, 2])
    for number, factor in ((0.5, 1.0), (0.5, 0.1), (0.25, 0.1)):
        monkeypatch.setattr(__import__(__name__, fromlist=["RATE"]), "RATE", number)
        before = float(w)
        output, cost = step(ones)
        assert float(w) - before == pytest.approx(-number * factor)
        assert (float(output[0, 0]), float(cost)) == (2 * number, 2 * number)
    output, cost = step(-ones)
    assert (float(output[0, 0]), float(cost)) == (-2, 2)
    assert step.experimental_get_tracing_count() == 2


def test_losses() -> None:
    loss = tf.losses.BinaryCrossentropy(from_logits=True)
    staged = tf.function(lambda x: loss(tf.ones_like(x), x))
    staged(X)
    loss._options["label_smoothing"] = 0.5
    np.testing.assert_allclose(staged(X), loss(tf.ones_like(X), X))


def test_collections_of_modules() -> None:
    """`variables` and its like look at attributes that no traced code names."""

    class Sum(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.parts = [tf.Variable(1.0)]
            self.inner = tf.Module()
            self.log: list[float] = []

    module = Sum()

    @tf.function
    def total() -> Any:
        result = 0.0
        for v in module.trainable_variables:
            result += v
        return result

    assert float(total()) == 1
    module.parts.append(tf.Variable(2.0))
    assert float(total()) == 3
    module.inner.extra = tf.Variable(4.0)  # type: ignore[attr-defined]
    assert float(total()) == 7
    module.later = tf.Variable(8.0)  # type: ignore[attr-defined]
    assert float(total()) == 15
    traces = total.experimental_get_tracing_count()
    module.log.append(0.5)
    module.count = 3  # type: ignore[attr-defined]
    total()
    module.log.append(0.25)
    module.count = 4  # type: ignore[attr-defined]
    total()
    assert total.experimental_get_tracing_count() <= traces + 1


def test_what_a_fitted_model_is_changed_to() -> None:
    model = tf.layers.Sequential([tf.layers.Dense(2), tf.layers.Dense(1)])
    model.compile("sgd", "mse")
    y = tf.zeros([4, 1])
    model.fit(X, y, verbose=0)
    model.layers[0].trainable = False  # type: ignore[attr-defined]
    kept = model.get_weights()[:2]
    model.fit(X, y, verbose=0)
    assert all(map(np.array_equal, kept, model.get_weights()[:2]))
    model.add(tf.layers.Activation(lambda x: x * 0))
    assert model.evaluate(X, y, verbose=0) == 0
