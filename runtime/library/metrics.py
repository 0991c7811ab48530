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

from collections.abc import Iterable, Sequence
from typing import Any

from runtime import structures as nest
from runtime.dtypes import as_dtype, bfloat16, bool_, float16, float32, float64, int64
from runtime.library.alignment import aligned, same_shape, weights_for
from runtime.names.elsewhere import explain
from runtime.ops.arrays import shape as shapes
from runtime.ops.arrays.create import ones_like, zeros, zeros_like
from runtime.ops.elementwise.arithmetic import divide_no_nan
from runtime.ops.elementwise.compare import equal, greater
from runtime.ops.elementwise.functions import log
from runtime.ops.elementwise.logic import where
from runtime.ops.reductions.positions import argmax
from runtime.ops.reductions.reduce import reduce_sum
from runtime.state.calling import call_users
from runtime.state.module import Module
from runtime.state.scopes import init_scope, name_scope
from runtime.state.variable import Variable
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import Switched
from runtime.tensor.tensor import Tensor

__all__ = [
    "AUC", "Accuracy", "BinaryAccuracy", "CategoricalAccuracy", "Mean", "Metric", "Precision", "Recall",
    "SparseCategoricalAccuracy", "Sum",
]  # fmt: skip

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


class _AtThresholds(Metric):
    """Counts at each threshold how many predictions are above it, of what is true and of what is false."""

    __guarded__: tuple[str, ...] = ("dtype", "_places")

    def __init__(self, thresholds: Any, places: Any, name: str | None, dtype: Any) -> None:
        super().__init__(name, dtype)
        self.thresholds = thresholds
        self._places = [float(each) for each in nest.flatten(places)]
        self.true_positives = self.add_weight("true_positives", [len(self._places)], dtype=float64)
        self.false_positives = self.add_weight("false_positives", [len(self._places)], dtype=float64)
        self.positives = self.add_weight("positives", dtype=float64)
        self.negatives = self.add_weight("negatives", dtype=float64)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """y_true: 0 and 1; y_pred: probabilities of 1, in the same shape; sample_weight: broadcasts to them."""
        y_pred = _in_dtype(y_pred, self.dtype)
        y_true = same_shape(aligned(convert_to_tensor(y_true), y_pred), y_pred, self.name)
        weights = ones_like(y_pred)
        if sample_weight is not None:
            weights = weights * weights_for(sample_weight, y_pred)
        thresholds = _in_dtype([[each] for each in self._places], self.dtype)
        above = greater(shapes.reshape(y_pred, [1, -1]), thresholds)
        is_true = shapes.cast(y_true, bool_)
        for is_one, at_thresholds, all_of_them in (
            (is_true, self.true_positives, self.positives), (~is_true, self.false_positives, self.negatives)
        ):  # fmt: skip
            counted = shapes.reshape(_in_dtype(where(is_one, weights, zeros_like(weights)), float64), [1, -1])
            at_thresholds.assign_add(reduce_sum(where(above, counted, zeros_like(counted)), axis=1))
            all_of_them.assign_add(reduce_sum(counted))

    def _shares(self, parts: Any, wholes: Any) -> Tensor:
        shares = _in_dtype(divide_no_nan(parts, wholes), self.dtype)
        return shares[0] if len(self._places) == 1 else shares


class Precision(_AtThresholds):
    """How many of the predictions of 1 are right. thresholds: above which a probability is such a prediction; the
    result has a number for each of several."""

    def __init__(self, thresholds: Any = None, *, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(thresholds, 0.5 if thresholds is None else thresholds, name, dtype)

    def result(self) -> Tensor:
        """The share; 0 where nothing was predicted."""
        right = self.true_positives.read_value()
        return self._shares(right, right + self.false_positives.read_value())


class Recall(_AtThresholds):
    """How many of what is 1 are predicted. thresholds: as for Precision."""

    def __init__(self, thresholds: Any = None, *, name: str | None = None, dtype: Any = None) -> None:
        super().__init__(thresholds, 0.5 if thresholds is None else thresholds, name, dtype)

    def result(self) -> Tensor:
        """The share; 0 where nothing is 1."""
        return self._shares(self.true_positives.read_value(), self.positives.read_value())


class AUC(_AtThresholds):
    """The area under the curve of the true positives over the false ones (curve="ROC"), or of the precision over the
    recall ("PR"), by its points at `num_thresholds` places between 0 and 1.

    Source of the points between those of "PR": Davis and Goadrich, "The Relationship Between Precision-Recall and ROC
    Curves" (2006).
    """

    __guarded__ = ("dtype", "_places", "curve")

    def __init__(
        self, num_thresholds: int = 200, curve: str = "ROC", *, name: str | None = None, dtype: Any = None,
        thresholds: Sequence[float] | None = None,
    ) -> None:  # fmt: skip
        if curve not in ("ROC", "PR") or (thresholds is None and num_thresholds < 2):
            raise ValueError(f"AUC: curve is 'ROC' or 'PR', num_thresholds at least 2; got {curve!r}, {num_thresholds}")
        inner = [i / (num_thresholds - 1) for i in range(1, num_thresholds - 1)] if thresholds is None else thresholds
        super().__init__(thresholds, [-1e-7, *sorted(inner), 1 + 1e-7], name, dtype)
        self.num_thresholds, self.curve = num_thresholds, curve

    def result(self) -> Tensor:
        """The area."""
        right, wrong = self.true_positives.read_value(), self.false_positives.read_value()
        if self.curve == "ROC":
            x, y = divide_no_nan(wrong, self.negatives.read_value()), divide_no_nan(right, self.positives.read_value())
            return _in_dtype(reduce_sum((x[:-1] - x[1:]) * (y[:-1] + y[1:]) / 2), self.dtype)
        above = right + wrong
        slope = divide_no_nan(right[:-1] - right[1:], above[:-1] - above[1:])
        rest = right[1:] - slope * above[1:]
        ratio = divide_no_nan(above[:-1], above[1:])
        part = right[:-1] - right[1:] + rest * log(where(greater(ratio, 0), ratio, ones_like(ratio)))
        return _in_dtype(reduce_sum(divide_no_nan(slope * part, self.positives.read_value())), self.dtype)


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
