"""Labels, predictions and weights of different ranks, dtypes and unknown shapes; eager and in Functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime import losses, metrics
from runtime.errors import ShapeMismatchError

RNG = np.random.default_rng(5)
BITS = np.array([0.0, 1.0, 1.0, 0.0], np.float32)
CHANCES = np.array([0.2, 0.7, 0.4, 0.9], np.float32)
SHARES = RNG.dirichlet([1, 1, 1], 4).astype(np.float32)
CLASSES = np.array([2, 0, 1, 2], np.int32)
WEIGHTS = np.array([1.0, 0.0, 2.0, 0.5], np.float32)


def ways(call: Callable[..., Any], *arguments: Any) -> list[Any]:
    """The results eagerly, and in Functions that know the ranks or nothing of the shapes."""
    arrays = [np.asarray(a) for a in arguments]
    ranks = [tf.TensorSpec([None] * a.ndim, tf.as_dtype(a.dtype)) for a in arrays]
    nothing = [tf.TensorSpec(None, tf.as_dtype(a.dtype)) for a in arrays]
    staged = [tf.function(call, input_signature=specs) for specs in (ranks, nothing)]
    return [run(*arrays).numpy() for run in (call, *staged)]


PAIRS: dict[str, Any] = {
    "rows and columns": (losses.MeanSquaredError(), BITS, CHANCES[:, None], ((BITS - CHANCES) ** 2).mean()),
    "absolute": (losses.MeanAbsoluteError(), BITS, CHANCES[:, None], np.abs(BITS - CHANCES).mean()),
    "columns and rows": (losses.MeanAbsoluteError(), BITS[:, None], CHANCES, np.abs(BITS - CHANCES).mean()),
    "two classes": (losses.BinaryCrossentropy(), BITS, CHANCES[:, None],
                    -np.log(np.where(BITS > 0, CHANCES, 1 - CHANCES)).mean()),
    "classes in a column": (losses.SparseCategoricalCrossentropy(), CLASSES[:, None], SHARES,
                            -np.log(SHARES[range(4), CLASSES]).mean()),
    "classes in a row": (losses.SparseCategoricalCrossentropy(), CLASSES, SHARES,
                         -np.log(SHARES[range(4), CLASSES]).mean()),
    "no rows": (losses.MeanSquaredError(), np.zeros([0, 3], np.float32), np.zeros([0, 3], np.float32), 0.0),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_a_last_axis_of_size_1_makes_no_table_of_pairs(name: str) -> None:
    loss, y_true, y_pred, wanted = PAIRS[name]
    for found in ways(loss, y_true, y_pred):
        np.testing.assert_allclose(found, wanted, rtol=1e-5)


@pytest.mark.parametrize("name", ["rows and columns", "columns and rows", "two classes", "classes in a column"])
def test_weights_of_rows(name: str) -> None:
    loss, y_true, y_pred, _ = PAIRS[name]
    rows = type(loss)(reduction="none")(y_true, y_pred).numpy()
    wanted = (rows.reshape(4 if rows.ndim else 1) * (WEIGHTS if rows.ndim else 1.0)).mean()
    for weights in (WEIGHTS, WEIGHTS[:, None]) if rows.ndim else (np.float32(1.0),):
        for found in ways(lambda a, b, w: loss(a, b, sample_weight=w), y_true, y_pred, weights):
            np.testing.assert_allclose(found, wanted, rtol=1e-5)


def test_gradients_reach_the_predictions_through_unknown_ranks() -> None:
    def slope(y_true: Any, y_pred: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(y_pred)
            loss = losses.MeanSquaredError()(y_true, y_pred)
        return tape.gradient(loss, y_pred)

    for found in ways(lambda a, b: slope(a, tf.convert_to_tensor(b)), BITS, CHANCES[:, None]):
        np.testing.assert_allclose(found, 2 * (CHANCES - BITS)[:, None] / 4, rtol=1e-5)


REFUSED: dict[str, Any] = {
    "classes for shares": (losses.CategoricalCrossentropy(), CLASSES[:, None].astype(np.float32), SHARES),
    "other classes": (losses.CategoricalCrossentropy(), SHARES[:, :2], SHARES),
    "one label for many": (losses.BinaryCrossentropy(), BITS[:1, None], CHANCES[:, None]),
    "other classes, accuracy": (metrics.CategoricalAccuracy(), SHARES[:, :2], SHARES),
    "other rows, accuracy": (metrics.SparseCategoricalAccuracy(), CLASSES[:3], SHARES),
    "one row, accuracy": (metrics.Accuracy(), BITS[:1], BITS),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_with_both_shapes(name: str) -> None:
    call, y_true, y_pred = REFUSED[name]
    specs = [tf.TensorSpec(None, tf.as_dtype(a.dtype)) for a in (y_true, y_pred)]
    with pytest.raises(ShapeMismatchError, match=r"\(\d,") as eager:
        call(y_true, y_pred)
    assert len(set(_shapes(str(eager.value)))) > 1
    with pytest.raises(ShapeMismatchError, match="what is true"):
        tf.function(call.__call__, input_signature=specs)(y_true, y_pred)


def _shapes(text: str) -> list[str]:
    return [part.split(")")[0] for part in text.split("(")[1:]]


def test_weights_that_do_not_fit_are_refused() -> None:
    loss, mean = losses.MeanSquaredError(), metrics.Mean()
    for weights in ([1.0, 2.0], np.ones([4, 3], np.float32)):
        with pytest.raises(ShapeMismatchError, match=r"weights have the shape .* has the shape \(4,\)"):
            loss(SHARES, SHARES, sample_weight=weights)
        with pytest.raises(ShapeMismatchError, match="weights"):
            mean.update_state(BITS, sample_weight=weights)
    specs = [tf.TensorSpec([None], tf.float32)] * 2
    staged = tf.function(lambda values, weights: mean(values, weights), input_signature=specs)
    np.testing.assert_allclose(staged([3.0, 5.0], [1.0]), 4.0)
    with pytest.raises(ShapeMismatchError, match="weights"):
        staged([3.0], [1.0, 1.0])


def test_integers_are_no_floats_cut_off() -> None:
    for found in ways(losses.MeanAbsoluteError(), np.array([1, 2]), np.array([2, 4])):
        assert found == 1.5
    assert float(losses.SparseCategoricalCrossentropy(from_logits=True)([0], [[0, 0]])) == pytest.approx(np.log(2))


def test_probabilities_of_float16() -> None:
    loss = losses.BinaryCrossentropy(reduction="none")
    sure = np.array([[1.0], [0.0], [1.0]], np.float16)
    for found in ways(loss, np.array([[1.0], [0.0], [0.0]], np.float16), sure):
        assert found.dtype == np.float16
        np.testing.assert_allclose(found, [0, 0, -np.log(1e-7)], rtol=0.02, atol=1e-6)


# -- metrics ------------------------------------------------------------------------------------------------------

ACCURACIES: dict[str, Any] = {
    "rows and columns": (metrics.Accuracy, [1, 2, 3, 4], [[1], [2], [0], [0]], 0.5),
    "columns and rows": (metrics.Accuracy, [[1], [2], [3], [4]], [1, 2, 0, 0], 0.5),
    "no number is another": (metrics.Accuracy, np.array([1.9, 2.0], np.float32), np.array([1, 2]), 0.5),
    "nor any truth": (metrics.Accuracy, np.array([2, 1], np.int32), np.array([True, True]), 0.5),
    "two classes": (metrics.BinaryAccuracy, BITS, CHANCES[:, None], 0.5),
    "classes in a column": (metrics.SparseCategoricalAccuracy, CLASSES[:, None],
                            np.eye(3, dtype=np.float32)[[2, 0, 0, 0]], 0.5),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCURACIES)
def test_accuracies_of_other_ranks_and_dtypes(name: str) -> None:
    kind, y_true, y_pred, wanted = ACCURACIES[name]
    metric = kind()

    def fresh(a: Any, b: Any) -> Any:
        metric.reset_state()
        return metric(a, b)

    for found in ways(fresh, y_true, y_pred):
        assert found == wanted


def test_weights_of_two_classes() -> None:
    for y_true, y_pred in ((BITS, CHANCES), (BITS[:, None], CHANCES[:, None])):
        accuracy = metrics.BinaryAccuracy()
        accuracy.update_state(y_true, y_pred, sample_weight=[1.0, 1.0, 4.0, 2.0])
        assert float(accuracy.result()) == 0.25
    rows = metrics.BinaryAccuracy()
    rows.update_state([[1, 1], [0, 0]], [[0.9, 0.1], [0.1, 0.1]], sample_weight=[2.0, 1.0])
    assert float(rows.result()) == pytest.approx((2 * 0.5 + 1) / 3)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_a_mean_of_very_many(dtype: str) -> None:
    mean = metrics.Mean(dtype=dtype)
    mean.update_state(tf.zeros([1 << 25], dtype))
    for _ in range(3):
        mean.update_state(tf.fill([1 << 24], tf.cast(1.0, dtype)))
    assert mean.result().dtype is tf.as_dtype(dtype) and float(mean.result()) == pytest.approx(0.6, rel=1e-3)


def test_a_mean_is_a_float() -> None:
    with pytest.raises(ValueError, match="float dtype; got int32"):
        metrics.Mean(dtype=tf.int32)
    assert metrics.Sum(dtype=tf.int32)([3, 4]).numpy() == 7


def test_metrics_are_merged() -> None:
    parts = [metrics.Mean(), metrics.Mean(), metrics.Mean()]

    @tf.function
    def merged(a: Any, b: Any) -> Any:
        parts[1].update_state(a)
        parts[2].update_state(b)
        parts[0].merge_state(parts[1:])
        return parts[0].result()

    assert float(merged([1.0, 2.0], [6.0])) == 3
    assert float(merged([], [9.0])) == pytest.approx((9 + 3 + 15) / (3 + 2 + 2))
    with pytest.raises(ValueError, match="'sum' is not that of 'mean'"):
        parts[0].merge_state([metrics.Sum()])
