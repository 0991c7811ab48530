"""`runtime.losses`: how far predictions are from what is true, as functions and as objects that also reduce.

>>> runtime.losses.MeanSquaredError()([[0.0], [1.0]], [[1.0], [1.0]])
<tf.Tensor: shape=(), dtype=float32, numpy=0.5>
>>> runtime.losses.mean_squared_error([[0.0], [1.0]], [[1.0], [1.0]])
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 0.], dtype=float32)>

The functions give one number for each row (they reduce the last axis); the objects weight these and reduce them:
"sum_over_batch_size" (the mean, 0 of no rows), "sum" or "none". Probabilities are kept off 0 and 1 by 1e-7;
`from_logits=True` needs no such care and is exact. What is true may have a last axis of size 1 more or less than the
predictions. Predictions that are integers become float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from runtime.dtypes import as_dtype, bfloat16, float16, float32
from runtime.errors import ShapeMismatchError
from runtime.library import nn
from runtime.library.alignment import aligned, same_shape, weights_for
from runtime.names.elsewhere import explain
from runtime.ops.arrays import shape as shapes
from runtime.ops.elementwise.arithmetic import abs_, divide_no_nan, square
from runtime.ops.elementwise.functions import log
from runtime.ops.elementwise.limits import clip_by_value, minimum
from runtime.ops.reductions.reduce import reduce_mean, reduce_sum
from runtime.state.calling import call_users
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.switches import Switched, switches
from runtime.tensor.tensor import Tensor

__all__ = [
    "MAE", "MSE", "BinaryCrossentropy", "CategoricalCrossentropy", "Huber", "Loss", "MeanAbsoluteError",
    "MeanSquaredError", "Reduction", "SparseCategoricalCrossentropy", "binary_crossentropy",
    "categorical_crossentropy", "huber", "mae", "mean_absolute_error", "mean_squared_error", "mse",
    "sparse_categorical_crossentropy",
]  # fmt: skip

explain(__name__)

EPSILON: Final = 1e-7
"""How far probabilities are kept off 0 and 1."""


class Reduction:
    """The names of reductions."""

    AUTO = "auto"
    NONE = "none"
    SUM = "sum"
    SUM_OVER_BATCH_SIZE = "sum_over_batch_size"


_REDUCTIONS: Final = {
    None: "none", "none": "none", "sum": "sum", "auto": "mean", "sum_over_batch_size": "mean", "mean": "mean",
}  # fmt: skip


# -- functions ----------------------------------------------------------------------------------------------------


def _pair(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """Both as tensors of the dtype of the predictions, a float one, and of one rank where the last axis is all that
    they differ by."""
    y_pred = convert_to_tensor(y_pred)
    if not y_pred.dtype.is_floating:
        y_pred = shapes.cast(y_pred, float32)
    y_true = convert_to_tensor(y_true)
    if y_true.dtype is not y_pred.dtype:
        y_true = shapes.cast(y_true, y_pred.dtype)
    return aligned(y_true, y_pred), y_pred


def mean_squared_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of (y_pred - y_true)² over the last axis. y_true, y_pred: of one shape; y_pred: float tensor."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(square(y_pred - y_true), axis=-1)


def mean_absolute_error(y_true: Any, y_pred: Any) -> Tensor:
    """The mean of |y_pred - y_true| over the last axis. y_true, y_pred: of one shape; y_pred: float tensor."""
    y_true, y_pred = _pair(y_true, y_pred)
    return reduce_mean(abs_(y_pred - y_true), axis=-1)


def huber(y_true: Any, y_pred: Any, delta: float = 1.0) -> Tensor:
    """The mean over the last axis of d²/2 where d = |y_pred - y_true| <= delta, else of delta (d - delta/2)."""
    y_true, y_pred = _pair(y_true, y_pred)
    distance = abs_(y_pred - y_true)
    near = minimum(distance, delta)
    return reduce_mean(near * near * 0.5 + delta * (distance - near), axis=-1)


@switches
def binary_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The mean of -y log(p) - (1 - y) log(1 - p) over an axis. y_true: probabilities, or 0 and 1; y_pred: probabilities
    p, or logits."""
    y_true, y_pred = _pair(y_true, y_pred)
    if label_smoothing:
        y_true = y_true * (1 - label_smoothing) + 0.5 * label_smoothing
    if from_logits:
        return reduce_mean(nn.sigmoid_cross_entropy_with_logits(y_true, y_pred), axis=axis)
    dtype = y_pred.dtype
    if dtype in (float16, bfloat16):  # in which 1 - EPSILON is 1
        y_true, y_pred = shapes.cast(y_true, float32), shapes.cast(y_pred, float32)
    y_true, p = same_shape(y_true, y_pred, "binary_crossentropy"), clip_by_value(y_pred, EPSILON, 1 - EPSILON)
    losses = -reduce_mean(y_true * log(p) + (1 - y_true) * log(1 - p), axis=axis)
    return losses if losses.dtype is dtype else shapes.cast(losses, dtype)


@switches
def categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """-sum(y log(p)) over an axis. y_true: a probability for each class; y_pred: probabilities, which are divided by
    their sum, or logits."""
    y_true, y_pred = _pair(y_true, y_pred)
    _check_classes(y_pred, "categorical_crossentropy")
    if label_smoothing:
        classes = shapes.shape(y_true)[axis] if y_true.shape[axis] is None else y_true.shape[axis]
        y_true = y_true * (1 - label_smoothing) + label_smoothing / shapes.cast(classes, y_true.dtype)
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(y_true, y_pred, axis)
    same_shape(y_true, y_pred, "categorical_crossentropy")
    return -reduce_sum(y_true * _logarithms(y_pred, axis), axis=axis)


@switches
def sparse_categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: bool = False, axis: int = -1) -> Tensor:
    """-log(p) of the true class. y_true: integers; y_pred: probabilities of all classes along the last axis, which are
    divided by their sum, or logits."""
    if axis != -1:
        raise ValueError(f"sparse_categorical_crossentropy: the classes are the last axis; got axis={axis}")
    y_pred, y_true = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    _check_classes(y_pred, "sparse_categorical_crossentropy")
    if not y_pred.dtype.is_floating:
        y_pred = shapes.cast(y_pred, float32)
    if y_true.dtype.name not in ("int32", "int64"):
        y_true = shapes.cast(y_true, "int64")
    y_true = aligned(y_true, y_pred[..., 0]) if _may_be_wide(y_true, y_pred) else y_true
    # The logarithms of probabilities are logits of the same probabilities.
    logits = y_pred if from_logits else _logarithms(y_pred, -1)
    return nn.sparse_softmax_cross_entropy_with_logits(y_true, logits)


def _check_classes(y_pred: Any, name: str) -> None:
    if y_pred.shape.rank == 0:
        raise ShapeMismatchError(f"{name}: the predictions need an axis of classes; their shape is ()")


def _may_be_wide(y_true: Any, y_pred: Any) -> bool:
    """Whether the classes may have the rank of the predictions: [batch, 1] and [batch, classes]."""
    ranks = y_true.shape.rank, y_pred.shape.rank
    return None in ranks or (ranks[0] == ranks[1] and y_true.shape[-1] in (1, None))


def _logarithms(probabilities: Any, axis: int) -> Any:
    shares = probabilities / reduce_sum(probabilities, axis=axis, keepdims=True)
    return log(clip_by_value(shares, EPSILON, 1 - EPSILON))


mse, mae = mean_squared_error, mean_absolute_error
MSE, MAE = mean_squared_error, mean_absolute_error


# -- objects ------------------------------------------------------------------------------------------------------


class Loss(Switched):
    """A loss with its reduction: `loss(y_true, y_pred, sample_weight=None)`.

    A subclass writes `call(y_true, y_pred)`, which gives one number for each row. dtype: what the predictions are cast
    to; None: they stay as they are.
    """

    __guarded__ = ("_reduce", "_options", "dtype")

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None, dtype: Any = None
    ) -> None:
        if reduction not in _REDUCTIONS:
            raise ValueError(f"reduction is 'sum_over_batch_size', 'sum' or 'none'; got {reduction!r}")
        self.reduction, self.name = reduction, name or type(self).__name__
        self._reduce = _REDUCTIONS[reduction]
        self.dtype = None if dtype is None else as_dtype(dtype)

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the rows. To be written by each loss."""
        raise NotImplementedError(f"{type(self).__name__} has no method call(self, y_true, y_pred)")

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """The reduced loss. sample_weight: broadcasts to the losses of the rows."""
        if self.dtype is not None:
            y_pred = shapes.cast(convert_to_tensor(y_pred), self.dtype)
        losses = call_users(self.call, y_true, y_pred)
        if sample_weight is not None:
            losses = losses * weights_for(sample_weight, losses)
        if self._reduce == "none":
            return losses
        return _mean(losses) if self._reduce == "mean" else reduce_sum(losses)


def _mean(losses: Any) -> Any:
    """The mean of all, 0 if there are none: a batch without rows changes nothing."""
    if losses.shape.num_elements():
        return reduce_mean(losses)
    return divide_no_nan(reduce_sum(losses), shapes.cast(shapes.size(losses), losses.dtype))


class _Of(Loss):
    """A loss that is a function of the module with its options."""

    _function: Callable[..., Any]

    def __init__(self, reduction: str | None, name: str | None, dtype: Any, **options: Any) -> None:
        super().__init__(reduction, name, dtype)
        self._options = options

    def call(self, y_true: Any, y_pred: Any) -> Any:
        """The losses of the rows."""
        return type(self)._function(y_true, y_pred, **self._options)


class MeanSquaredError(_Of):
    """The mean of squared differences; see `mean_squared_error`."""

    _function = staticmethod(mean_squared_error)

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(reduction, name, dtype)


class MeanAbsoluteError(_Of):
    """The mean of absolute differences; see `mean_absolute_error`."""

    _function = staticmethod(mean_absolute_error)

    def __init__(
        self, reduction: str | None = "sum_over_batch_size", name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(reduction, name, dtype)


class Huber(_Of):
    """Squares of small differences, magnitudes of large ones; see `huber`."""

    _function = staticmethod(huber)

    def __init__(
        self, delta: float = 1.0, reduction: str | None = "sum_over_batch_size", name: str | None = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(reduction, name, dtype, delta=delta)


class BinaryCrossentropy(_Of):
    """The cross-entropy of two classes; see `binary_crossentropy`."""

    _function = staticmethod(binary_crossentropy)

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
        reduction: str | None = "sum_over_batch_size", name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(reduction, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class CategoricalCrossentropy(_Of):
    """The cross-entropy of classes with probabilities; see `categorical_crossentropy`."""

    _function = staticmethod(categorical_crossentropy)

    def __init__(
        self, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1,
        reduction: str | None = "sum_over_batch_size", name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(reduction, name, dtype, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class SparseCategoricalCrossentropy(_Of):
    """The cross-entropy where one class is certain, given by its number; see `sparse_categorical_crossentropy`."""

    _function = staticmethod(sparse_categorical_crossentropy)

    def __init__(
        self, from_logits: bool = False, reduction: str | None = "sum_over_batch_size", axis: int = -1,
        name: str | None = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(reduction, name, dtype, from_logits=from_logits, axis=axis)
