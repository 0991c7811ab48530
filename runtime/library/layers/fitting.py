"""What `Model.compile`, `fit`, `evaluate` and `predict` do: the loop over batches that most programs would write.

    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    history = model.fit(x, y, epochs=5, verbose=0).history          # {"loss": [...], "mae": [...]}

Data are arrays or tensors, cut into batches here, or a `runtime.data.Dataset` of batches (x, y) or (x, y, weights).
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.autodiff.tape import GradientTape
from runtime.function.decorator import function
from runtime.library import losses, metrics, nest, optimizers, random
from runtime.library.layers.callbacks import CallbackList, History
from runtime.library.layers.calls import takes_training
from runtime.library.progress_bar import progress
from runtime.ops.arrays.join import concat
from runtime.ops.arrays.shape import shape
from runtime.state.calling import call_users
from runtime.tensor.convert import convert_to_tensor

__all__ = ["Data", "Plan", "Training", "predictions"]

OPTIMIZERS: Final[dict[str, Callable[[], Any]]] = {
    "adagrad": optimizers.Adagrad, "adam": optimizers.Adam, "momentum": optimizers.Momentum,
    "rmsprop": optimizers.RMSprop, "sgd": optimizers.SGD,
}  # fmt: skip

LOSSES: Final[dict[str, Callable[[], losses.Loss]]] = {
    "binary_crossentropy": losses.BinaryCrossentropy,
    "categorical_crossentropy": losses.CategoricalCrossentropy,
    "huber": losses.Huber,
    "mae": losses.MeanAbsoluteError,
    "mean_absolute_error": losses.MeanAbsoluteError,
    "mean_squared_error": losses.MeanSquaredError,
    "mse": losses.MeanSquaredError,
    "sparse_categorical_crossentropy": losses.SparseCategoricalCrossentropy,
}

ACCURACIES: Final[dict[type, type[metrics.Accuracy]]] = {
    losses.BinaryCrossentropy: metrics.BinaryAccuracy,
    losses.CategoricalCrossentropy: metrics.CategoricalAccuracy,
    losses.SparseCategoricalCrossentropy: metrics.SparseCategoricalAccuracy,
}
"""What "accuracy" means, by the loss."""


@dataclass(frozen=True)
class Plan:
    """How often `fit` goes over the data. steps, validation_steps: batches of an epoch, and of its validation."""

    epochs: int
    first: int
    steps: int | None
    validation_steps: int | None
    shuffle: bool
    verbose: Any


class Training:
    """The optimizer, the loss and the metrics of one model, and the Functions that are called for each batch."""

    __guarded__ = ("model", "optimizer", "loss", "metrics", "mean")

    def __init__(self, model: Any, optimizer: Any, loss: Any, metrics_: Sequence[Any], run_eagerly: bool) -> None:
        self.model = model
        self.optimizer = _by_name(optimizer, OPTIMIZERS, "optimizer")
        self.loss = None if loss is None else _by_name(loss, LOSSES, "loss")
        self.mean = metrics.Mean("loss")
        self.metrics = [_metric(m, self.loss) for m in metrics_]
        wrap: Callable[..., Any] = (lambda step: step) if run_eagerly else function
        self.train_step, self.test_step = wrap(self._train_step), wrap(self._test_step)
        self.predict_step = wrap(self._predict_step)

    def _train_step(self, x: Any, y: Any, weights: Any) -> None:
        with GradientTape() as tape:
            predicted = self.predicted(x)
            loss = self.loss_of(y, predicted, weights)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        self._note(loss, y, predicted, weights)

    def _test_step(self, x: Any, y: Any, weights: Any) -> None:
        predicted = self.model(x)
        self._note(self.loss_of(y, predicted, weights), y, predicted, weights)

    def _predict_step(self, x: Any) -> Any:
        return self.model(x)

    def predicted(self, x: Any) -> Any:
        """What the model says while it is trained."""
        return self.model(x, training=True) if takes_training(type(self.model).call) else self.model(x)

    def loss_of(self, y: Any, predicted: Any, weights: Any) -> Any:
        """The loss of a batch, as the loss gives it."""
        if self.loss is None:
            raise ValueError("the model was compiled without a loss")
        if y is None:
            raise ValueError("the loss needs what is true: fit(x, y), or a Dataset of pairs (x, y)")
        return call_users(self.loss, y, predicted, *((weights,) if isinstance(self.loss, losses.Loss) else ()))

    def _note(self, loss: Any, y: Any, predicted: Any, weights: Any) -> None:
        known = predicted.shape[0] if predicted.shape.rank else 1
        self.mean.update_state(loss, sample_weight=shape(predicted)[0] if known is None else known)
        for metric in self.metrics:
            call_users(metric.update_state, y, predicted, sample_weight=weights)

    def reset(self) -> None:
        """Starts the numbers of an epoch again."""
        for metric in (self.mean, *self.metrics):
            metric.reset_state()

    def numbers(self) -> dict[str, float]:
        """The loss and the metrics by their names."""
        return {metric.name: float(metric.result()) for metric in (self.mean, *self.metrics)}

    def fit(self, data: Data, validation: Data | None, plan: Plan, callbacks: Any) -> History:
        """Goes over the data as often as the plan says."""
        model, history = self.model, History()
        told = CallbackList(callbacks, model, {"epochs": plan.epochs, "steps": plan.steps, "verbose": plan.verbose})
        model.history, model.stop_training = history, False
        epochs = data.epochs(plan.shuffle, plan.steps)
        told.call("on_train_begin")
        found: dict[str, float] = {}
        for epoch in range(plan.first, plan.epochs):
            batches = next(epochs, None)
            if batches is None:
                break
            told.call("on_epoch_begin", epoch)
            if plan.verbose in ("auto", 1):  # True is 1
                batches = iter(progress(batches, data.count(plan.steps), f"Epoch {epoch + 1}/{plan.epochs}"))
            found = self._epoch(batches, told)
            if validation is not None:
                tested = self.evaluate(validation, plan.validation_steps)
                found |= {f"val_{name}": value for name, value in tested.items()}
            told.end_epoch(epoch, found, history)
            if model.stop_training:
                break
        told.call("on_train_end", found)
        return history

    def _epoch(self, batches: Iterator[tuple[Any, Any, Any]], told: CallbackList) -> dict[str, float]:
        """The numbers of an epoch over these batches."""
        self.reset()
        for number, (x, y, weights) in enumerate(batches):
            told.call("on_train_batch_begin", number)
            self.train_step(x, y, weights)
            if told.callbacks:  # the numbers so far take time
                told.call("on_train_batch_end", number, self.numbers())
                if self.model.stop_training:
                    break
        return self.numbers()

    def evaluate(self, data: Data, steps: int | None = None) -> dict[str, float]:
        """The loss and the metrics over the data, or its first batches."""
        self.reset()
        for x, y, weights in itertools.islice(data.batches(shuffle=False), steps):
            self.test_step(x, y, weights)
        return self.numbers()


class Data:
    """Batches (x, y, weights) of a Dataset, or of arrays that are cut into them."""

    def __init__(self, x: Any, y: Any = None, weights: Any = None, batch_size: int | None = None) -> None:
        self._streams = hasattr(x, "element_spec")
        if self._streams:
            if y is not None or weights is not None or batch_size is not None:
                raise ValueError("a Dataset holds x, y and weights in batches itself: give it alone")
            self._parts: Any = x
            return
        parts = (x, y, weights)
        self._parts = tuple(None if p is None else _tensors(p) for p in parts)
        self._size = batch_size or 32
        lengths = {int(t.shape[0]) for p in self._parts if p is not None for t in nest.flatten(p)}
        if len(lengths) != 1:
            raise ValueError(f"x, y and sample_weight must have the same number of rows; they have {sorted(lengths)}")
        self._rows = lengths.pop()

    def epochs(self, shuffle: bool, steps: int | None) -> Iterator[Iterator[tuple[Any, Any, Any]]]:
        """The batches of one epoch after the other. steps: how many each has; then they go on where the last ended."""
        if steps is None:
            while True:
                yield self.batches(shuffle)
        passes = itertools.repeat(None, 1) if self._streams else itertools.repeat(None)
        going_on = itertools.chain.from_iterable(self.batches(shuffle) for _ in passes)
        for first in going_on:
            yield itertools.chain([first], itertools.islice(going_on, steps - 1))
        warnings.warn("fit: the Dataset has run out of batches, and the training ends; repeat() it", stacklevel=4)

    def count(self, steps: int | None) -> int | None:
        """How many batches an epoch has, where that is known. steps: what `fit` was told."""
        if steps is not None or self._streams:
            return steps
        return -(-self._rows // self._size)

    def batches(self, shuffle: bool) -> Iterator[tuple[Any, Any, Any]]:
        """The batches of one epoch. shuffle: the rows of arrays in random order."""
        if self._streams:
            for item in self._parts:
                parts = item if isinstance(item, tuple) else (item,)
                yield (*parts, *(None,) * (3 - len(parts)))
            return
        order = np.arange(self._rows)
        if shuffle:
            order = random.shuffle(order).numpy()
        for first in range(0, self._rows, self._size):
            chosen = order[first : first + self._size]
            rows = functools.partial(_rows, chosen)
            yield tuple(None if p is None else nest.map_structure(rows, p) for p in self._parts)  # type: ignore[misc]


def _tensors(given: Any) -> Any:
    """Arrays as tensors, also in structures; lists of numbers, and of rows of them, are one array."""
    leaves = nest.flatten(given)
    if leaves and all(isinstance(leaf, bool | int | float) for leaf in leaves) and isinstance(given, list | tuple):
        return convert_to_tensor(given)
    return nest.map_structure(convert_to_tensor, given)


def _rows(chosen: Any, tensor: Any) -> Any:
    return convert_to_tensor(tensor.numpy()[chosen])


def predictions(training: Training, data: Data, steps: int | None = None) -> Any:
    """What the model says of all data, or of the first batches, as an array."""
    batches = itertools.islice(data.batches(shuffle=False), steps)
    found = [training.predict_step(x) for x, _, _ in batches]
    return nest.map_structure(lambda *parts: concat(parts, axis=0).numpy(), *found)


def _by_name(given: Any, known: dict[str, Callable[[], Any]], what: str) -> Any:
    if not isinstance(given, str):
        return given
    if given.lower() not in known:
        raise ValueError(f"there is no {what} {given!r}; there are {', '.join(known)}")
    return known[given.lower()]()


def _metric(given: Any, loss: Any) -> Any:
    if given in ("accuracy", "acc"):
        return ACCURACIES.get(type(loss), metrics.Accuracy)(given)
    if isinstance(given, str):
        return _MeanOf(_by_name(given, LOSSES, "metric"), given)
    name = getattr(given, "__name__", "")
    return given if isinstance(given, metrics.Metric) else _MeanOf(given, name if name.isidentifier() else "metric")


class _MeanOf(metrics.Mean):
    """The mean of a loss, or of a function of y_true and y_pred, as a metric."""

    __guarded__ = ("of",)

    def __init__(self, of: Callable[..., Any], name: str) -> None:
        super().__init__(name)
        self.of = of.call if isinstance(of, losses.Loss) else of

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """y_true, y_pred: what the function takes."""
        super().update_state(call_users(self.of, y_true, y_pred), sample_weight)
