"""Losses and metrics against their formulas in numpy; eager and in Functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import losses, metrics

RNG = np.random.default_rng(11)
TRUE = RNG.normal(size=(4, 3))
PREDICTED = RNG.normal(size=(4, 3))
BITS = (RNG.uniform(size=(4, 3)) > 0.5).astype(np.float64)
SHARES = RNG.dirichlet([1, 1, 1], 4)
CLASSES = np.array([2, 0, 1, 2])
CHANCES = RNG.dirichlet([2, 2, 2], 4)


def log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def two(y: Any, p: Any) -> Any:
    return -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean(-1)


LOGISTIC = 1 / (1 + np.exp(-PREDICTED))
D = np.abs(TRUE - PREDICTED)
ROWS: dict[str, Any] = {
    "mse": (losses.MeanSquaredError, {}, TRUE, PREDICTED, (D**2).mean(-1)),
    "mae": (losses.MeanAbsoluteError, {}, TRUE, PREDICTED, D.mean(-1)),
    "huber": (losses.Huber, {"delta": 0.7}, TRUE, PREDICTED,
              np.where(D <= 0.7, D**2 / 2, 0.7 * (D - 0.35)).mean(-1)),
    "binary": (losses.BinaryCrossentropy, {}, BITS, CHANCES, two(BITS, CHANCES)),
    "binary of logits": (losses.BinaryCrossentropy, {"from_logits": True}, BITS, PREDICTED, two(BITS, LOGISTIC)),
    "binary, smooth": (losses.BinaryCrossentropy, {"label_smoothing": 0.2}, BITS, CHANCES,
                       two(BITS * 0.8 + 0.1, CHANCES)),
    "categorical": (losses.CategoricalCrossentropy, {}, SHARES, 3 * CHANCES, -(SHARES * np.log(CHANCES)).sum(-1)),
    "categorical of logits": (losses.CategoricalCrossentropy, {"from_logits": True}, SHARES, PREDICTED,
                              -(SHARES * log_softmax(PREDICTED)).sum(-1)),
    "categorical, smooth": (losses.CategoricalCrossentropy, {"label_smoothing": 0.3, "from_logits": True}, SHARES,
                            PREDICTED, -((SHARES * 0.7 + 0.1) * log_softmax(PREDICTED)).sum(-1)),
    "sparse": (losses.SparseCategoricalCrossentropy, {}, CLASSES, CHANCES, -np.log(CHANCES)[range(4), CLASSES]),
    "sparse of logits": (losses.SparseCategoricalCrossentropy, {"from_logits": True}, CLASSES, PREDICTED,
                         -log_softmax(PREDICTED)[range(4), CLASSES]),
    "sparse, a column of floats": (losses.SparseCategoricalCrossentropy, {"from_logits": True},
                                   CLASSES[:, None].astype(np.float32), PREDICTED,
                                   -log_softmax(PREDICTED)[range(4), CLASSES]),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_losses(name: str) -> None:
    kind, options, y_true, y_pred, wanted = ROWS[name]
    weights = np.array([1.0, 0.0, 2.0, 0.5])
    for reduction, reduced in (("none", lambda v: v), (None, lambda v: v), ("sum", np.sum),
                               ("sum_over_batch_size", np.mean), ("auto", np.mean)):  # fmt: skip
        loss = kind(reduction=reduction, **options)
        staged = tf.function(loss.__call__)
        specs = [tf.TensorSpec([None, *np.shape(a)[1:]], tf.as_dtype(a.dtype)) for a in (y_true, y_pred)]
        for call in (loss, staged, staged.get_concrete_function(*specs)):
            np.testing.assert_allclose(call(y_true, y_pred), reduced(wanted), rtol=1e-6)
        np.testing.assert_allclose(loss(y_true, y_pred, sample_weight=weights), reduced(wanted * weights), rtol=1e-6)
    np.testing.assert_allclose(kind(**options)(y_true, y_pred, weights[:, None]), (wanted * weights).mean(), rtol=1e-6)


def test_functions_reduce_the_last_axis() -> None:
    np.testing.assert_allclose(losses.mse([[1.0, 2.0]], [[2.0, 4.0]]), [2.5])
    np.testing.assert_allclose(losses.mean_absolute_error([[1, 2]], [[2.0, 4.0]]), [1.5])
    assert losses.MAE is losses.mae and losses.MSE is losses.mean_squared_error
    np.testing.assert_allclose(losses.mse([1.0, 3.0], [[2.0], [3.0]]), [1, 0])
    np.testing.assert_allclose(losses.mse([[1.0], [3.0]], [2.0, 3.0]), 0.5)
    np.testing.assert_allclose(losses.binary_crossentropy([[1.0]], [[0.0]]), [-np.log(1e-7)], rtol=1e-4)


def test_a_loss_of_ones_own() -> None:
    class Cubic(losses.Loss):
        def call(self, y_true: Any, y_pred: Any) -> Any:
            return tf.reduce_mean(tf.abs(y_true - y_pred) ** 3, axis=-1)

    assert float(Cubic()(tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [0.0]]))) == 4.5
    assert float(Cubic("sum")(tf.constant([[1.0], [2.0]]), tf.constant([[2.0], [0.0]]))) == 9
    with pytest.raises(NotImplementedError):
        losses.Loss()([1.0], [1.0])
    with pytest.raises(ValueError, match="reduction"):
        Cubic(reduction="median")
    with pytest.raises(ValueError, match="last axis"):
        losses.sparse_categorical_crossentropy(CLASSES, PREDICTED, axis=0)


def test_the_gradient_of_probabilities_and_logits_agree() -> None:
    """A softmax and the loss of probabilities have the gradient of the loss of logits: (p - y) / n."""
    logits = tf.constant(PREDICTED)
    for loss in (
        lambda: losses.CategoricalCrossentropy(from_logits=True)(SHARES, logits),
        lambda: losses.CategoricalCrossentropy()(SHARES, tf.nn.softmax(logits)),
    ):
        with tf.GradientTape() as tape:
            tape.watch(logits)
            value = loss()
        wanted = (np.exp(log_softmax(PREDICTED)) - SHARES) / 4
        np.testing.assert_allclose(tape.gradient(value, logits), wanted, rtol=1e-6)


def test_mean_and_sum() -> None:
    mean, total = metrics.Mean(name="loss"), metrics.Sum(dtype=tf.float64)
    assert float(mean.result()) == 0 and mean.name == "loss"
    mean.update_state([1.0, 2.0])
    mean.update_state(6)
    assert float(mean.result()) == 3 and float(mean(7.0)) == 4
    total.update_state([1.5, 2.5], sample_weight=[2.0, 0.0])
    assert float(total.result()) == 3 and total.result().dtype is tf.float64
    mean.reset_states()
    mean.update_state([[1.0, 3.0], [5.0, 9.0]], sample_weight=[3.0, 1.0])
    assert float(mean.result()) == (3 * 4 + 14) / 8
    assert [v.name for v in mean.variables] == ["loss/count:0", "loss/total:0"] and not mean.trainable_variables


@pytest.mark.parametrize(
    ("metric", "batches", "wanted"),
    [
        (metrics.Accuracy, [([1, 2, 3], [1, 2, 0]), ([4], [4])], 0.75),
        (metrics.BinaryAccuracy, [([[1], [0]], [[0.7], [0.6]]), ([[1.0], [0.0]], [[0.2], [0.5]])], 0.5),
        (lambda: metrics.BinaryAccuracy(threshold=0.65), [([[1], [0]], [[0.7], [0.6]])], 1.0),
        (metrics.CategoricalAccuracy, [([[0, 1], [1, 0]], [[0.2, 0.8], [0.3, 0.7]])], 0.5),
        (metrics.SparseCategoricalAccuracy, [([1, 0], [[0.2, 0.8], [0.3, 0.7]]), ([[1]], [[-5.0, -4.0]])], 2 / 3),
    ],
)
def test_accuracies(metric: Any, batches: Any, wanted: float) -> None:
    eager, staged = metric(), metric()
    update = tf.function(staged.update_state)
    for y_true, y_pred in batches:
        eager.update_state(y_true, y_pred)
        update(tf.constant(y_true), tf.constant(y_pred))
    for found in (eager, staged):
        assert float(found.result()) == pytest.approx(wanted)
    eager.reset_state()
    assert float(eager.result()) == 0
    with pytest.raises(ValueError, match="shape"):
        metrics.Accuracy().update_state([1, 2], [1, 2, 3])


def test_weighted_accuracy() -> None:
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy.update_state([0, 1, 1], [[1.0, 0.0]] * 3, sample_weight=[2.0, 1.0, 1.0])
    assert float(accuracy.result()) == 0.5


def test_a_metric_in_a_loop_of_a_graph() -> None:
    mean = metrics.Mean()

    @tf.function
    def gather(xs: Any) -> Any:
        for x in xs:
            mean.update_state(x)
        result = mean.result()
        mean.reset_state()
        return result

    assert float(gather(tf.constant([1.0, 2.0, 6.0]))) == 3 and float(mean.result()) == 0


def test_a_metric_of_ones_own() -> None:
    class Largest(metrics.Metric):
        def __init__(self) -> None:
            super().__init__("largest")
            self.value = self.add_weight("value")

        def update_state(self, values: Any) -> None:
            self.value.assign(tf.maximum(self.value, tf.reduce_max(values)))

        def result(self) -> Any:
            return self.value + 0.0

    largest = Largest()
    assert float(largest([1.0, 5.0])) == 5 and float(largest([2.0])) == 5
    with pytest.raises(NotImplementedError):
        metrics.Metric().update_state(1.0)
    with pytest.raises(NotImplementedError):
        metrics.Metric().result()
    with pytest.raises(ValueError, match="zeros"):
        metrics.Metric().add_weight("w", initializer="ones")


@pytest.mark.parametrize("loss", [losses.categorical_crossentropy, losses.sparse_categorical_crossentropy])
def test_predictions_need_an_axis_of_classes(loss: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"crossentropy: .*axis of classes.*\(\)"):
        loss(1, 0.5)
