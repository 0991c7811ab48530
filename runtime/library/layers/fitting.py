"""What `Model.compile`, `fit`, `evaluate` and `predict` do: the loop over batches that most programs would write.

    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    history = model.fit(x, y, epochs=5, verbose=0).history          # {"loss": [...], "mae": [...]}

Data are arrays or tensors, cut into batches here, or a `runtime.data.Dataset` of batches (x, y) or (x, y, weights).
"""

from __future__ import annotations

import functools
import itertools
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from runtime.autodiff.tape import GradientTape
from runtime.function.decorator import function
from runtime.library import losses, metrics, nest, optimizers, random
from runtime.library.layers.callbacks import CallbackList, History
from runtime.library.layers.calls import takes_training
from runtime.library.layers.outputs import (
    by_output,
    loss_with_mask,
    masked,
    metrics_for,
    names_of,
    plus,
    shares_of,
    wanted_names,
)
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

    def __init__(
        self, model: Any, optimizer: Any, loss: Any, metrics_: Any, run_eagerly: bool, loss_weights: Any = None
    ) -> None:
        self.model = model
        self.given = {"loss": loss, "loss_weights": loss_weights, "metrics": metrics_, "run_eagerly": run_eagerly}
        self.optimizer = _by_name(optimizer, OPTIMIZERS, "optimizer")
        self.names = wanted_names(model, loss)
        one = len(self.names) == 1
        given = by_output("loss", loss, self.names, None)
        self.losses = [None if of is None else _by_name(of, LOSSES, "loss") for of in given]
        self.weights = shares_of(loss_weights, self.names)
        self.mean = metrics.Mean("loss")
        self.parts = [] if one else [metrics.Mean(f"{name}_loss") for name in self.names]
        self.metrics: list[Any] = []
        self.of_outputs: list[list[Any]] = []
        for name, of, wanted in zip(self.names, self.losses, metrics_for(metrics_, self.names), strict=True):
            made = [_metric(m, of, "" if one else f"{name}_") for m in wanted]
            self.metrics += made
            self.of_outputs.append(made)
        wrap: Callable[..., Any] = (lambda step: step) if run_eagerly else function
        self.train_step, self.test_step = wrap(self._train_step), wrap(self._test_step)
        self.predict_step = wrap(self._predict_step)

    def _train_step(self, x: Any, y: Any, weights: Any) -> None:
        with GradientTape() as tape:
            predicted = self.predicted(x)
            loss, parts = self._loss(y, predicted, weights)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        self._note(loss, parts, y, predicted, weights)

    def _test_step(self, x: Any, y: Any, weights: Any) -> None:
        predicted = self.model(x)
        self._note(*self._loss(y, predicted, weights), y, predicted, weights)

    def _predict_step(self, x: Any) -> Any:
        return self.model(x)

    def predicted(self, x: Any) -> Any:
        """What the model says while it is trained."""
        return self.model(x, training=True) if takes_training(type(self.model).call) else self.model(x)

    @property
    def loss(self) -> Any:
        """The loss of the one output; a list of those of several."""
        return self.losses[0] if len(self.losses) == 1 else self.losses

    def _loss(self, y: Any, predicted: Any, weights: Any) -> tuple[Any, list[Any]]:
        """The loss of a batch with what the model adds to it, and the losses of the outputs."""
        if len(self.names) == 1:
            found = self.loss_of(y, predicted, weights)
            return plus(found if self.weights[0] is None else found * self.weights[0], self.model.losses), []
        total, parts = None, []
        for of, share, true, said, rows in zip(
            self.losses, self.weights, *self._by_output(y, predicted, weights), strict=True
        ):
            found = None if of is None else loss_with_mask(of, true, said, rows)
            parts.append(found)
            if found is not None:
                part = found if share is None else found * share
                total = part if total is None else total + part
        if total is None:
            raise ValueError("the model was compiled without a loss")
        return plus(total, self.model.losses), parts

    def _by_output(self, y: Any, predicted: Any, weights: Any) -> list[list[Any]]:
        """What is true, what is said and the weights of rows, for each output."""
        names = names_of(self.model, predicted)
        if names != self.names:
            raise ValueError(f"the model gives {', '.join(names)}; it was compiled for {', '.join(self.names)}")
        if y is None:
            raise ValueError("the loss needs what is true: fit(x, y), or a Dataset of pairs (x, y)")
        shares = by_output("sample_weight", weights, names, None)
        return [by_output("y", y, names, None), nest.flatten(predicted), shares]

    def loss_of(self, y: Any, predicted: Any, weights: Any) -> Any:
        """The loss of a batch of the one output, as the loss gives it."""
        if self.loss is None:
            raise ValueError("the model was compiled without a loss")
        if y is None:
            raise ValueError("the loss needs what is true: fit(x, y), or a Dataset of pairs (x, y)")
        if nest.is_nested(predicted):
            raise ValueError(f"the model gives {len(nest.flatten(predicted))} tensors: give a loss for each of them")
        return loss_with_mask(self.loss, y, predicted, weights)

    def _note(self, loss: Any, parts: list[Any], y: Any, predicted: Any, weights: Any) -> None:
        said = nest.flatten(predicted)
        known = said[0].shape[0] if said[0].shape.rank else 1
        count = shape(said[0])[0] if known is None else known
        for mean, found in zip((self.mean, *self.parts), (loss, *parts), strict=True):
            if found is not None:
                mean.update_state(found, sample_weight=count)
        by_name = self._by_output(y, predicted, weights) if parts else [[y], [predicted], [weights]]
        for wanted, true, output, rows in zip(self.of_outputs, *by_name, strict=True):
            for metric in wanted:
                call_users(metric.update_state, true, output, sample_weight=masked(output, rows)[0])

    def reset(self) -> None:
        """Starts the numbers of an epoch again."""
        for metric in (self.mean, *self.parts, *self.metrics):
            metric.reset_state()

    def numbers(self) -> dict[str, float]:
        """The loss and the metrics by their names."""
        return {metric.name: float(metric.result()) for metric in (self.mean, *self.parts, *self.metrics)}

    def fit(self, data: Data, validation: Data | None, plan: Plan, callbacks: Any) -> History:
        """Goes over the data as often as the plan says."""
        model, history = self.model, History()
        told = CallbackList(callbacks, model, {"epochs": plan.epochs, "steps": plan.steps, "verbose": plan.verbose})
        model.history, model.stop_training = history, False
        epochs = data.epochs(plan.shuffle, plan.steps)
        told.call("on_train_begin", {})
        found: dict[str, float] = {}
        for epoch in range(plan.first, plan.epochs):
            batches = next(epochs, None)
            if batches is None:
                break
            told.call("on_epoch_begin", epoch, {})
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
        model.forget_terms()
        return history

    def _epoch(self, batches: Iterator[tuple[Any, Any, Any]], told: CallbackList) -> dict[str, float]:
        """The numbers of an epoch over these batches."""
        self.reset()
        for number, (x, y, weights) in enumerate(batches):
            told.call("on_train_batch_begin", number, {})
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
        self._parts = tuple(None if p is None else _tensors(p) for p in (x, y, weights))
        self._size = batch_size or 32
        lengths = {int(t.shape[0]) for p in self._parts if p is not None for t in nest.flatten(p)}
        if len(lengths) != 1:
            raise ValueError(f"x, y and sample_weight must have the same number of rows; they have {sorted(lengths)}")
        self._rows = lengths.pop()

    def split(self, share: float) -> tuple[Data, Data]:
        """The first rows, and the last ones, which are this share of all."""
        if self._streams:
            raise ValueError("validation_split cuts arrays; split a Dataset by take and skip, and give validation_data")
        first = int(self._rows * (1.0 - share))
        if not 0 < first < self._rows:
            raise ValueError(f"validation_split={share} leaves no rows on one side; there are {self._rows}")
        ends = np.arange(first), np.arange(first, self._rows)
        kept, others = (Data(*self._chosen(rows), self._size) for rows in ends)
        return kept, others

    def _chosen(self, chosen: Any) -> tuple[Any, Any, Any]:
        rows = functools.partial(_rows, chosen)
        x, y, weights = (None if p is None else nest.map_structure(rows, p) for p in self._parts)
        return x, y, weights

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

    def batches(self, shuffle: bool) -> Iterator[tuple[Any, ...]]:
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
            yield self._chosen(order[first : first + self._size])


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


def _metric(given: Any, loss: Any, before: str = "") -> Any:
    """A metric; before: what its name begins with, which is the output's."""
    if isinstance(given, metrics.Metric):
        return given
    if given in ("accuracy", "acc"):
        return ACCURACIES.get(type(loss), metrics.Accuracy)(before + given)
    if isinstance(given, str):
        return _MeanOf(_by_name(given, LOSSES, "metric"), before + given)
    name = getattr(given, "__name__", "")
    return _MeanOf(given, before + (name if name.isidentifier() else "metric"))


class _MeanOf(metrics.Mean):
    """The mean of a loss, or of a function of y_true and y_pred, as a metric."""

    __guarded__ = ("of",)

    def __init__(self, of: Callable[..., Any], name: str) -> None:
        super().__init__(name)
        self.of = of.call if isinstance(of, losses.Loss) else of

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """y_true, y_pred: what the function takes."""
        super().update_state(call_users(self.of, y_true, y_pred), sample_weight)
