"""`runtime.metrics`: numbers that are gathered over many batches.

>>> mean = runtime.metrics.Mean()
>>> mean.update_state([1.0, 3.0])
>>> mean.update_state(8.0)
>>> mean.result()
<tf.Tensor: shape=(), dtype=float32, numpy=4.0>
>>> mean.reset_state()

Their state is in Variables, so they work in Functions, are saved with a model, and threads may share them.
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import as_dtype, float32
from runtime.losses import weights_for
from runtime.ops import shape as shapes
from runtime.ops.arithmetic import divide_no_nan
from runtime.ops.compare import equal, greater
from runtime.ops.create import ones_like, zeros
from runtime.ops.positions import argmax
from runtime.ops.reduce import reduce_mean, reduce_sum
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor

__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseCategoricalAccuracy", "Sum"]


class Metric(Module):
    """What all metrics have in common. A subclass makes its state with `add_weight` and writes `update_state` and
    `result`. dtype: that of the state, a float dtype."""

    __guarded__: tuple[str, ...] = ("dtype", "total", "count", "threshold")

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name)
        self.dtype = float32 if dtype is None else as_dtype(dtype)

    def add_weight(self, name: str, shape: Any = (), initializer: str = "zeros", dtype: Any = None) -> Variable:
        """A new Variable of zeros for the state, to be kept in an attribute."""
        if initializer != "zeros":
            raise ValueError(f"the state of a metric starts with zeros; got initializer={initializer!r}")
        with init_scope(), name_scope(self.name):
            return Variable(zeros(list(shape), dtype or self.dtype), trainable=False, name=name)

    def update_state(self, *args: Any, **kwargs: Any) -> None:
        """Takes a batch into account. To be written by each metric."""
        raise NotImplementedError(f"{type(self).__name__} has no method update_state")

    def result(self) -> Any:
        """The metric of all that has been taken into account. To be written by each metric."""
        raise NotImplementedError(f"{type(self).__name__} has no method result")

    def reset_state(self) -> None:
        """Starts again."""
        for variable in self.variables:
            variable.assign(zeros(variable.shape, variable.dtype))

    def reset_states(self) -> None:
        """The older name of `reset_state`."""
        self.reset_state()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes a batch into account and gives the result."""
        call_users(self.update_state, *args, **kwargs)
        return call_users(self.result)


class Sum(Metric):
    """The sum of all values."""

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """values: real tensor of any shape; sample_weight: broadcasts to them."""
        values = _in_dtype(values, self.dtype)
        if sample_weight is not None:
            values = values * weights_for(sample_weight, values)
        self.total.assign_add(reduce_sum(values))

    def result(self) -> Any:
        """The sum."""
        return self.total.read_value()


class Mean(Metric):
    """The mean of all values, weighted; 0 if there are none."""

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total")
        self.count = self.add_weight("count")

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """values: real tensor of any shape; sample_weight: broadcasts to them."""
        values = _in_dtype(values, self.dtype)
        weights = ones_like(values)
        if sample_weight is not None:
            weights = weights * weights_for(sample_weight, values)
            values = values * weights
        self.total.assign_add(reduce_sum(values))
        self.count.assign_add(reduce_sum(weights))

    def result(self) -> Any:
        """The mean."""
        return divide_no_nan(self.total.read_value(), self.count.read_value())


class Accuracy(Mean):
    """How often predictions equal what is true."""

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """y_true, y_pred: of one shape; sample_weight: a weight for each row."""
        super().update_state(self.matches(y_true, y_pred), sample_weight)

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """1 where the prediction is right, 0 elsewhere."""
        y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        if y_true.dtype is not y_pred.dtype:
            y_true = shapes.cast(y_true, y_pred.dtype)
        return shapes.cast(equal(_as_wide(y_true, y_pred), y_pred), self.dtype)


class BinaryAccuracy(Accuracy):
    """How often probabilities of two classes are on the right side of the threshold."""

    def __init__(self, name: str | None = None, dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: 0 and 1; y_pred: probabilities of 1. The mean over the last axis."""
        y_pred = convert_to_tensor(y_pred)
        return reduce_mean(super().matches(y_true, shapes.cast(greater(y_pred, self.threshold), y_pred.dtype)), axis=-1)


class CategoricalAccuracy(Accuracy):
    """How often the largest prediction is that of the true class, which has the largest label."""

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: a probability for each class along the last axis; y_pred: probabilities or logits."""
        return super().matches(argmax(y_true, axis=-1), argmax(y_pred, axis=-1))


class SparseCategoricalAccuracy(Accuracy):
    """How often the largest prediction is that of the true class."""

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: integers, also with a last axis of size 1; y_pred: probabilities or logits of classes."""
        y_true, chosen = convert_to_tensor(y_true), argmax(y_pred, axis=-1)
        known = None not in (y_true.shape.rank, chosen.shape.rank)
        if known and y_true.shape.rank == chosen.shape.rank + 1 and y_true.shape[-1] == 1:
            y_true = shapes.squeeze(y_true, [-1])
        return super().matches(y_true, chosen)


def _as_wide(y_true: Any, y_pred: Any) -> Any:
    """What is true, in the shape of the predictions. Raises ValueError where they have different ones."""
    if not y_true.shape.is_compatible_with(y_pred.shape):
        raise ValueError(f"what is true has the shape {y_true.shape}, the predictions have {y_pred.shape}")
    return y_true


def _in_dtype(values: Any, dtype: Any) -> Any:
    values = convert_to_tensor(values)
    return values if values.dtype is dtype else shapes.cast(values, dtype)
