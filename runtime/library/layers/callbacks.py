"""What `Model.fit` calls on its way: `callbacks=[EarlyStopping(patience=2)]`, or objects of classes of your own.

    class Lines(Callback):
        def on_epoch_end(self, epoch, logs=None):
            print(epoch, logs["loss"])

logs: the numbers so far, by name: "loss", the metrics, and those of the validation with val_ before them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = [
    "Callback", "CallbackList", "EarlyStopping", "History", "LambdaCallback", "LearningRateScheduler",
    "ModelCheckpoint", "ReduceLROnPlateau", "TerminateOnNaN",
]  # fmt: skip

Logs = Mapping[str, float]


class Callback:
    """Does nothing at each of the moments; derive from it. `model`: the one that is trained; its `stop_training = True`
    ends the training after the epoch."""

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_model(self, model: Any) -> None:
        """Called by `fit` before everything else."""
        self.model = model

    def set_params(self, params: Mapping[str, Any]) -> None:
        """params: "epochs", "steps" (None where it is not known) and "verbose"."""
        self.params = dict(params)

    def on_train_begin(self, logs: Any = None) -> None:
        """Before the first epoch."""

    def on_train_end(self, logs: Any = None) -> None:
        """After the last epoch. logs: its numbers."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Before an epoch; they count from 0."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """After an epoch. logs: its numbers."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Before a batch; they count from 0 in each epoch."""

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """After a batch. logs: the numbers of the epoch so far."""


class CallbackList:
    """Several callbacks as one: `CallbackList(given, model).call("on_epoch_end", 0, numbers)`."""

    def __init__(self, callbacks: Any, model: Any, params: Mapping[str, Any]) -> None:
        given = [callbacks] if isinstance(callbacks, Callback) else list(callbacks or ())
        for callback in given:
            if not isinstance(callback, Callback):
                raise TypeError(f"fit: callbacks are objects of keras.callbacks.Callback; got {callback!r}")
            callback.set_model(model)
            callback.set_params(params)
        self.callbacks: Sequence[Callback] = given
        self._params = params

    def call(self, moment: str, *arguments: Any) -> None:
        """Tells each of them that it is this moment."""
        for callback in self.callbacks:
            getattr(callback, moment)(*arguments)

    def end_epoch(self, epoch: int, found: Mapping[str, float], history: History) -> None:
        """Keeps and prints the numbers of an epoch, as `fit` was asked to, and tells the callbacks."""
        if self._params["verbose"]:
            shown = " - ".join(f"{name}: {value:.4f}" for name, value in found.items())
            print(f"Epoch {epoch + 1}/{self._params['epochs']} - {shown}")
        self.call("on_epoch_end", epoch, found)
        history.on_epoch_end(epoch, found)  # with what callbacks have added


class History(Callback):
    """What `fit` returns. `history`: for each number by its name, its values after each epoch."""

    def __init__(self) -> None:
        super().__init__()
        self.history: dict[str, list[float]] = {}
        self.epoch: list[int] = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Keeps the numbers."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class LambdaCallback(Callback):
    """Calls functions: `LambdaCallback(on_epoch_end=lambda epoch, logs: print(logs))`."""

    def __init__(self, **functions: Callable[..., Any] | None) -> None:
        super().__init__()
        for moment, function in functions.items():
            if not moment.startswith("on_") or not hasattr(Callback, moment):
                known = ", ".join(name for name in vars(Callback) if name.startswith("on_"))
                raise TypeError(f"LambdaCallback: there is no moment {moment!r}; there are {known}")
            if function is not None:
                setattr(self, moment, function)


class TerminateOnNaN(Callback):
    """Ends the training when the loss is NaN or infinite."""

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Looks at the loss."""
        if not math.isfinite((logs or {}).get("loss", 0.0)):
            self.model.stop_training = True


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch: schedule(epoch, rate) gives it."""

    def __init__(self, schedule: Callable[[int, float], Any], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Asks the function."""
        _set_rate(self, float(self.schedule(epoch, _rate(self))), epoch)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """The rate is one of the numbers of the epoch."""
        logs["learning_rate"] = _rate(self)


def _rate(callback: Callback) -> float:
    return float(callback.model.optimizer.learning_rate)


def _set_rate(callback: Any, rate: float, epoch: int) -> None:
    callback.model.optimizer.learning_rate = rate
    if callback.verbose:
        print(f"Epoch {epoch + 1}: the learning rate is {rate}")


class _Watching(Callback):
    """Knows whether a number is better than all before it. mode: "min", "max", or "auto": by the name."""

    def __init__(self, monitor: str, mode: str, least: float = 0.0) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"{type(self).__name__}: mode is 'auto', 'min' or 'max'; got {mode!r}")
        self.monitor = monitor
        grows = mode == "max" or (mode == "auto" and any(word in monitor for word in ("acc", "auc")))
        self._sign = -1.0 if grows else 1.0
        self._least = abs(least)
        self.best = self._sign * math.inf

    def _is_better(self, value: float) -> bool:
        return self._sign * value < self._sign * self.best - self._least

    def _value(self, logs: Any) -> float:
        if self.monitor not in (logs or {}):
            raise ValueError(
                f"{type(self).__name__} watches {self.monitor!r}; the numbers of an epoch are {', '.join(logs or ())}."
                " Give validation_data to fit, or another monitor"
            )
        return float(logs[self.monitor])


class EarlyStopping(_Watching):
    """Ends the training when a number has not become better for `patience` epochs.

    monitor: its name; min_delta: better by at least so much; baseline: what it must be better than;
    restore_best_weights: take the weights of the best epoch at the end; start_from_epoch: look at no earlier one.
    """

    def __init__(
        self, monitor: str = "val_loss", min_delta: float = 0, patience: int = 0, verbose: int = 0, mode: str = "auto",
        baseline: float | None = None, restore_best_weights: bool = False, start_from_epoch: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights, self.start_from_epoch = restore_best_weights, start_from_epoch
        self.stopped_epoch = 0
        self._waited = 0
        self._weights: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Starts anew."""
        self.best = self._sign * math.inf if self.baseline is None else self.baseline
        self.stopped_epoch, self._waited, self._weights = 0, 0, None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Looks at the number."""
        if epoch < self.start_from_epoch:
            return
        value = self._value(logs)
        self._waited += 1
        if self._is_better(value):
            self.best, self._waited = value, 0
            self._weights = self.model.get_weights() if self.restore_best_weights else None
        elif self._waited >= self.patience and epoch > 0:
            self.stopped_epoch, self.model.stop_training = epoch, True

    def on_train_end(self, logs: Any = None) -> None:
        """Takes the best weights, if that is wanted."""
        if self._weights is not None:
            self.model.set_weights(self._weights)
        if self.verbose and self.stopped_epoch:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")


class ModelCheckpoint(_Watching):
    """Writes the model after each epoch, or after each that is the best so far, for `keras.models.load_model`; or its
    weights (save_weights_only), for `model.load_weights`.

    filepath: may have {epoch} (from 1) and {val_loss} in it, with formats.
    """

    def __init__(
        self, filepath: Any, monitor: str = "val_loss", verbose: int = 0, save_best_only: bool = False,
        save_weights_only: bool = False, mode: str = "auto",
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode)
        self.filepath, self.verbose, self.save_best_only = str(filepath), verbose, save_best_only
        self.save_weights_only = save_weights_only

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Writes, if the number is better or all are wanted."""
        if self.save_best_only:
            value = self._value(logs)
            if not self._is_better(value):
                return
            self.best = value
        path = self.filepath.format(epoch=epoch + 1, **(logs or {}))
        (self.model.save_weights if self.save_weights_only else self.model.save)(path)
        if self.verbose:
            print(f"Epoch {epoch + 1}: {'weights' if self.save_weights_only else 'model'} written to {path}")


class ReduceLROnPlateau(_Watching):
    """Multiplies the learning rate by `factor` when a number has not become better for `patience` epochs.

    min_delta: better by at least so much; cooldown: epochs after a change that do not count; min_lr: the least rate.
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0, mode: str = "auto",
        min_delta: float = 1e-4, cooldown: int = 0, min_lr: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(monitor, mode, min_delta)
        if factor >= 1:
            raise ValueError(f"ReduceLROnPlateau: factor is less than 1; got {factor}")
        self.factor, self.patience, self.verbose = factor, patience, verbose
        self.cooldown, self.min_lr = cooldown, min_lr
        self._waited = self._cooling = 0

    def on_train_begin(self, logs: Any = None) -> None:
        """Starts anew."""
        self.best = self._sign * math.inf
        self._waited = self._cooling = 0

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Looks at the number."""
        value, rate = self._value(logs), _rate(self)
        logs["learning_rate"] = rate
        self._cooling = max(self._cooling - 1, 0)
        if self._is_better(value):
            self.best, self._waited = value, 0
            return
        self._waited = 0 if self._cooling else self._waited + 1
        if self._waited >= self.patience and rate > self.min_lr:
            _set_rate(self, max(rate * self.factor, self.min_lr), epoch)
            self._waited, self._cooling = 0, self.cooldown
