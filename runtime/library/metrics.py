"""`runtime.metrics`: numbers that are gathered over many batches.

>>> mean = runtime.metrics.Mean()
>>> mean.update_state([1.0, 3.0])
>>> mean.update_state(8.0)
>>> mean.result()
<tf.Tensor: shape=(), dtype=float32, numpy=4.0>
>>> mean.reset_state()

Their state is in Variables, so they work in Functions, are saved with a model, and threads may share them. Sums and
counts are kept in float64, whatever the dtype of the metric: in float32 a count would stop at 2**24.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.dtypes import as_dtype, bfloat16, float16, float32, float64, int64
from runtime.library.alignment import aligned, same_shape, weights_for
from runtime.names.elsewhere import explain
from runtime.ops.arrays import shape as shapes
from runtime.ops.arrays.create import ones_like, zeros
from runtime.ops.elementwise.arithmetic import divide_no_nan
from runtime.ops.elementwise.compare import equal, greater
from runtime.ops.reductions.positions import argmax
from runtime.ops.reductions.reduce import reduce_sum
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import Switched
from runtime.tensor.tensor import Tensor

__all__ = ["Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "SparseCategoricalAccuracy", "Sum"]

explain(__name__)


class Metric(Switched, Module):
    """What all metrics have in common. A subclass makes its state with `add_weight` and writes `update_state` and
    `result`. dtype: that of the result."""

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

    def result(self) -> Tensor:
        """The metric of all that has been taken into account. To be written by each metric."""
        raise NotImplementedError(f"{type(self).__name__} has no method result")

    def reset_state(self) -> None:
        """Starts again."""
        for variable in self.variables:
            variable.assign(zeros(variable.shape, variable.dtype))

    def reset_states(self) -> None:
        """The older name of `reset_state`."""
        self.reset_state()

    def merge_state(self, metrics: Iterable[Metric]) -> None:
        """Takes into account what metrics of the same kind have: adds their state, which is right for sums and counts.
        Raises ValueError for one with another state."""
        for metric in metrics:
            pairs = list(zip(self.variables, metric.variables, strict=False))
            if len(self.variables) != len(metric.variables) or any(a.shape != b.shape for a, b in pairs):
                raise ValueError(f"the state of {metric.name!r} is not that of {self.name!r}: they cannot be merged")
            for mine, other in pairs:
                mine.assign_add(_in_dtype(other, mine.dtype))

    def __call__(self, *args: Any, **kwargs: Any) -> Tensor:
        """Takes a batch into account and gives the result."""
        call_users(self.update_state, *args, **kwargs)
        return call_users(self.result)


class Sum(Metric):
    """The sum of all values."""

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        self.total = self.add_weight("total", dtype=float64)

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """values: real tensor of any shape; sample_weight: broadcasts to them."""
        values = _in_dtype(values, self.dtype)
        if sample_weight is not None:
            values = values * weights_for(sample_weight, values)
        self.total.assign_add(_total(values))

    def result(self) -> Tensor:
        """The sum."""
        return _in_dtype(self.total, self.dtype)


class Mean(Metric):
    """The mean of all values, weighted; 0 if there are none."""

    def __init__(self, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(name, dtype)
        if not self.dtype.is_floating:
            raise ValueError(f"{type(self).__name__}: dtype is a float dtype; got {self.dtype.name}")
        self.total = self.add_weight("total", dtype=float64)
        self.count = self.add_weight("count", dtype=float64)

    def update_state(self, values: Any, sample_weight: Any = None) -> None:
        """values: real tensor of any shape; sample_weight: broadcasts to them."""
        values = _in_dtype(values, self.dtype)
        weights = ones_like(values)
        if sample_weight is not None:
            weights = weights * weights_for(sample_weight, values)
            values = values * weights
        self.total.assign_add(_total(values))
        self.count.assign_add(_total(weights))

    def result(self) -> Tensor:
        """The mean."""
        return _in_dtype(divide_no_nan(self.total.read_value(), self.count.read_value()), self.dtype)


class Accuracy(Mean):
    """How often predictions equal what is true."""

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:  # type: ignore[override]
        """y_true, y_pred: of one shape; sample_weight: a weight for each row."""
        super().update_state(self.matches(y_true, y_pred), sample_weight)

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """1 where the prediction is right, 0 elsewhere."""
        y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        if y_true.dtype is not y_pred.dtype:
            y_true, y_pred = _of_one_dtype(y_true, y_pred)
        y_true = same_shape(aligned(y_true, y_pred), y_pred, self.name)
        return shapes.cast(equal(y_true, y_pred), self.dtype)


class BinaryAccuracy(Accuracy):
    """How often probabilities of two classes are on the right side of the threshold."""

    def __init__(self, name: str | None = None, dtype: Any = None, threshold: float = 0.5) -> None:
        super().__init__(name, dtype)
        self.threshold = threshold

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: 0 and 1; y_pred: probabilities of 1."""
        y_pred = convert_to_tensor(y_pred)
        return super().matches(y_true, shapes.cast(greater(y_pred, self.threshold), y_pred.dtype))


class CategoricalAccuracy(Accuracy):
    """How often the largest prediction is that of the true class, which has the largest label."""

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: a probability for each class along the last axis; y_pred: probabilities or logits."""
        y_true, y_pred = convert_to_tensor(y_true), convert_to_tensor(y_pred)
        same_shape(y_true, y_pred, self.name)
        return super().matches(argmax(y_true, axis=-1), argmax(y_pred, axis=-1))


class SparseCategoricalAccuracy(Accuracy):
    """How often the largest prediction is that of the true class."""

    def matches(self, y_true: Any, y_pred: Any) -> Any:
        """y_true: integers, also with a last axis of size 1; y_pred: probabilities or logits of classes."""
        return super().matches(y_true, argmax(y_pred, axis=-1))


def _total(values: Any) -> Any:
    """The sum of all, as float64."""
    if values.dtype in (float16, bfloat16):
        values = shapes.cast(values, float32)
    return _in_dtype(reduce_sum(values), float64)


def _of_one_dtype(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Both in a dtype in which the numbers of both are what they are: 1.9 is no 1."""
    kinds = y_true.dtype.is_floating, y_pred.dtype.is_floating
    if all(kinds):
        return shapes.cast(y_true, y_pred.dtype), y_pred
    wide = float64 if any(kinds) else int64
    return _in_dtype(y_true, wide), _in_dtype(y_pred, wide)


def _in_dtype(values: Any, dtype: Any) -> Any:
    values = convert_to_tensor(values)
    return values if values.dtype is dtype else shapes.cast(values, dtype)
