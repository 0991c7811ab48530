"""Saved models are compiled as they were, and their training goes on where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

K = tf.keras
RNG = np.random.default_rng(11)
ROWS = RNG.normal(size=(12, 3)).astype(np.float32)
NUMBERS = ROWS.sum(1, keepdims=True)
KINDS = (ROWS[:, 0] > 0).astype(np.int32)


def fitted(model: Any, y: Any, epochs: int = 2) -> dict[str, list[float]]:
    history: dict[str, list[float]] = model.fit(
        ROWS, y, batch_size=4, epochs=epochs, verbose=0, shuffle=False
    ).history
    return history


def goes_on(model: Any, y: Any, path: Path, **options: Any) -> Any:
    """Trains, saves, and compares how the training goes on in the loaded model and in the first one."""
    fitted(model, y)
    model.save(path)
    loaded = K.models.load_model(path, **options)
    assert int(loaded.optimizer.iterations) == int(model.optimizer.iterations) == 6
    first, second = fitted(model, y, 3), fitted(loaded, y, 3)
    assert first.keys() == second.keys()
    for name, values in first.items():
        np.testing.assert_allclose(second[name], values, rtol=1e-4, err_msg=name)
    return loaded


def line(units: int = 1) -> Any:
    return K.Sequential([K.layers.Input(shape=(3,)), K.layers.Dense(4, activation="tanh"), K.layers.Dense(units)])


OPTIMIZERS: dict[str, Any] = {
    "adam": lambda: "adam",
    "Adam": lambda: K.optimizers.Adam(0.05, beta_1=0.8, amsgrad=True, clipnorm=0.5),
    "AdamW": lambda: K.optimizers.AdamW(0.05, weight_decay=0.1, beta_2=0.9),
    "SGD": lambda: K.optimizers.SGD(0.05, momentum=0.9, nesterov=True, weight_decay=0.01),
    "Momentum": lambda: tf.optimizers.Momentum(0.05),
    "RMSprop": lambda: K.optimizers.RMSprop(0.01, momentum=0.5, centered=True),
    "Adagrad": lambda: K.optimizers.Adagrad(0.1, initial_accumulator_value=0.2),
    "a schedule": lambda: K.optimizers.Adam(K.optimizers.schedules.ExponentialDecay(0.1, 4, 0.5, staircase=True)),
    "a schedule of steps": lambda: K.optimizers.SGD(
        K.optimizers.schedules.PiecewiseConstantDecay([3, 7], [0.1, 0.05, 0.01])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_goes_on(name: str, tmp_path: Path) -> None:
    model = line()
    model.compile(OPTIMIZERS[name](), "mse", metrics=["mae"])
    goes_on(model, NUMBERS, tmp_path / "model.keras")


def test_losses_metrics_and_rates_that_were_set(tmp_path: Path) -> None:
    model = line(2)
    model.compile(
        K.optimizers.Adam(0.1), K.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy", K.metrics.SparseCategoricalAccuracy("share")],
    )  # fmt: skip
    model.optimizer.learning_rate = 0.02
    loaded = goes_on(model, KINDS, tmp_path / "model")
    assert float(loaded.optimizer.learning_rate) == pytest.approx(0.02)
    assert list(loaded.evaluate(ROWS, KINDS, verbose=0, return_dict=True)) == ["loss", "accuracy", "share"]
    huber = line()
    huber.compile("sgd", K.losses.Huber(0.3), metrics=[K.losses.mean_absolute_error])
    goes_on(huber, NUMBERS, tmp_path / "huber")


def test_metrics_of_thresholds(tmp_path: Path) -> None:
    model = line()
    metrics = [
        K.metrics.AUC(num_thresholds=7, curve="PR", name="area"), K.metrics.AUC(thresholds=[0.4, 0.2], name="points"),
        K.metrics.Precision(0.3, name="right"), K.metrics.Recall(name="found"),
    ]  # fmt: skip
    model.compile("adam", "mse", metrics=metrics)
    goes_on(model, KINDS[:, None] > 0, tmp_path / "model")


def test_several_outputs(tmp_path: Path) -> None:
    given = K.Input(shape=(3,))
    both = K.Model(given, [K.layers.Dense(1, name="score")(given), K.layers.Dense(2, name="kind")(given)])
    crossentropy = K.losses.SparseCategoricalCrossentropy(from_logits=True)
    both.compile(
        "adam", loss={"score": "mse", "kind": crossentropy}, loss_weights={"score": 0.5},
        metrics={"score": ["mae"], "kind": ["accuracy"]},
    )  # fmt: skip
    goes_on(both, {"score": NUMBERS, "kind": KINDS}, tmp_path / "both")


def weighted(y_true: Any, y_pred: Any) -> Any:
    return tf.reduce_mean((y_true - y_pred) ** 2, axis=-1) * 3.0


class Scaled(K.losses.Loss):
    def __init__(self, factor: float) -> None:
        super().__init__()
        self.factor = factor

    def call(self, y_true: Any, y_pred: Any) -> Any:
        return weighted(y_true, y_pred) * self.factor

    def get_config(self) -> dict[str, Any]:
        return {"factor": self.factor}


class Plain(K.optimizers.Optimizer):
    def update(self, step: Any, gradient: Any, variable: Any) -> None:
        variable.assign_sub(step.rate * gradient)


class Hidden(K.losses.Loss):
    def __init__(self, given: float) -> None:
        super().__init__()
        self._kept = given


def test_what_the_program_has_written_is_named(tmp_path: Path) -> None:
    own = {"weighted": weighted, "Scaled": Scaled, "Plain": Plain}
    for loss in (weighted, Scaled(0.5)):
        model = line()
        model.compile(Plain(0.05), loss)
        goes_on(model, NUMBERS, tmp_path / "own", custom_objects=own)
    with pytest.raises(ValueError, match=r"compiled with 'Scaled'.*custom_objects=\{'Scaled': \.\.\.\}.*compile=False"):
        K.models.load_model(tmp_path / "own")
    bare = K.models.load_model(tmp_path / "own", compile=False)
    assert bare.optimizer is None
    np.testing.assert_allclose(bare.predict(ROWS), K.models.load_model(tmp_path / "own", own).predict(ROWS), rtol=1e-6)
    model = line()
    model.compile("sgd", Hidden(2.0))
    with pytest.raises(ValueError, match="Hidden does not say how .* Give the class a method get_config"):
        model.save(tmp_path / "hidden")
    assert not (tmp_path / "hidden").exists()


def test_a_model_that_is_not_compiled_any_more_is_not_compiled(tmp_path: Path) -> None:
    model = line()
    model.compile("sgd", "mse")
    model.save(tmp_path / "model")
    other = line()
    other.save(tmp_path / "model")
    loaded = K.models.load_model(tmp_path / "model")
    assert loaded.optimizer is None
    with pytest.raises(RuntimeError, match="must be compiled first"):
        loaded.fit(ROWS, NUMBERS, verbose=0)
