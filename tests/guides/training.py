"""Programs with the optimizers, metrics and callbacks that training takes from Keras, and `keras.utils`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]

Program = Callable[[Any], Any]

X: Final = np.sin(np.arange(24.0)).reshape(6, 4).astype(np.float32)
Y: Final = np.cos(np.arange(6.0)).reshape(6, 1).astype(np.float32)
TRUTH: Final = np.array([0, 0, 1, 1, 1, 0, 1, 0], np.float32)
CHANCES: Final = np.array([0.1, 0.5, 0.35, 0.8, 0.5, 0.6, 0.9, 0.0], np.float32)
WEIGHTS: Final = np.array([1, 2, 0.5, 1, 0, 3, 1, 1], np.float32)


def _steps(m: Any, **options: Any) -> Any:
    v = m.Variable([1.0, -2.0, 3.0])
    optimizer = m.keras.optimizers.AdamW(0.1, **options)
    for _ in range(3):
        optimizer.apply_gradients([(m.constant([0.5, -1.0, 0.0]), v)])
    return v


def _measured(m: Any, name: str, weights: Any = None, **options: Any) -> Any:
    """Two batches, and the result in a Function."""
    metric = getattr(m.keras.metrics, name)(**options)
    first = metric(TRUTH[:3], CHANCES[:3], sample_weight=None if weights is None else weights[:3])
    m.function(metric.update_state)(TRUTH[3:], CHANCES[3:], sample_weight=None if weights is None else weights[3:])
    second = metric.result()
    metric.reset_state()
    return first, second, metric.result()


def _fitted(m: Any, callback: Any, epochs: int = 6, rate: float = 0.5, **options: Any) -> Any:
    model = m.keras.Sequential([m.keras.Input(shape=(4,)), m.keras.layers.Dense(1, kernel_initializer="zeros")])
    model.compile(m.keras.optimizers.SGD(rate), "mse", **options)
    history = model.fit(X, Y, epochs=epochs, batch_size=3, shuffle=False, verbose=0, callbacks=[callback]).history
    return {name: [float(value) for value in values] for name, values in history.items()}


def _on_plateau(m: Any, rate: float = 0.5, epochs: int = 6, **options: Any) -> Any:
    return _fitted(m, m.keras.callbacks.ReduceLROnPlateau(monitor="loss", **options), epochs, rate)


def _by_schedule(m: Any) -> Any:
    return _fitted(m, m.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate if epoch < 2 else rate * 0.5))


PROGRAMS: Final[dict[str, Program]] = {
    "AdamW": _steps,
    "AdamW with its options": lambda m: _steps(m, weight_decay=0.1, beta_1=0.8, amsgrad=True),
    "Precision": lambda m: _measured(m, "Precision"),
    "Precision at thresholds": lambda m: _measured(m, "Precision", thresholds=[0.2, 0.5, 0.95]),
    "weighted Precision": lambda m: _measured(m, "Precision", WEIGHTS, thresholds=0.4),
    "Recall": lambda m: _measured(m, "Recall"),
    "Recall at thresholds": lambda m: _measured(m, "Recall", thresholds=[0.2, 0.5, 0.95]),
    "weighted Recall": lambda m: _measured(m, "Recall", WEIGHTS),
    "AUC": lambda m: _measured(m, "AUC"),
    "AUC of few points": lambda m: _measured(m, "AUC", num_thresholds=5),
    "weighted AUC": lambda m: _measured(m, "AUC", WEIGHTS),
    "AUC at thresholds": lambda m: _measured(m, "AUC", thresholds=[0.7, 0.3]),
    "AUC under precision and recall": lambda m: _measured(m, "AUC", curve="PR"),
    "weighted AUC under precision and recall": lambda m: _measured(m, "AUC", WEIGHTS, curve="PR", num_thresholds=9),
    "ReduceLROnPlateau": lambda m: _on_plateau(m, patience=1, factor=0.5, min_delta=0.05),
    "ReduceLROnPlateau that cools down": lambda m: _on_plateau(
        m, 1e-6, 9, patience=2, factor=0.1, cooldown=2, min_lr=1e-8
    ),
    "ReduceLROnPlateau with a factor of 1": lambda m: _on_plateau(m, factor=1.0),
    "LearningRateScheduler": _by_schedule,
    "to_categorical": lambda m: m.keras.utils.to_categorical([0, 2, 1]),
    "to_categorical of columns": lambda m: m.keras.utils.to_categorical(np.array([[0], [3]]), num_classes=5),
    "to_categorical of a matrix": lambda m: m.keras.utils.to_categorical(np.array([[0, 1], [1, 0]])),
    "to_categorical of a class that there is not": lambda m: m.keras.utils.to_categorical([5], num_classes=3),
}
