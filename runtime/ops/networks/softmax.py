"""Softmax, the cross-entropies on logits in forms that neither overflow nor lose digits, and predicted classes.

>>> runtime.nn.softmax([0.0, 0.0])
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([0.5, 0.5], dtype=float32)>

Each cross-entropy is one operation, and its gradient is a difference of probabilities: no logarithm is divided by what
it was taken of.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import FLOATS, bool_, float32, int32, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, binary, by_element, calls, each, values
from runtime.ops.records.shape_rules import normalized_axis
from runtime.shapes import TensorShape

__all__ = [
    "in_top_k", "log_softmax", "sigmoid_cross_entropy_with_logits", "softmax", "softmax_cross_entropy_with_logits",
    "sparse_softmax_cross_entropy_with_logits", "sparse_softmax_errors",
]  # fmt: skip

CLASSES = frozenset({int32, int64})
"""What names one class out of several: its position."""


def _along(logits: Operand, axis: int) -> TensorShape:
    if logits.shape.rank is not None:
        normalized_axis(axis, logits.shape.rank)
    return logits.shape


def _shares(logits: Array, axis: int) -> Array:
    """By Python numbers, one line at a time."""
    moved = np.moveaxis(logits, axis, -1)
    result = np.empty(moved.shape, object)
    for index in np.ndindex(moved.shape[:-1]):
        powers = [math.exp(v) for v in moved[index].tolist()]
        result[index] = [p / math.fsum(powers) for p in powers]
    return np.moveaxis(result, -1, axis)


def _top(logits: Array, axis: int, name: str) -> Any:
    """The largest logit of each line; -inf if the line is empty."""
    if not -logits.ndim <= axis < logits.ndim:  # numpy would take axis -1 of a scalar
        raise ShapeMismatchError(f"{name}: axis {axis} is out of range for rank {logits.ndim}")
    return np.maximum.reduce(logits, axis=axis, keepdims=True, initial=logits.dtype.type(-np.inf))


LOGITS = each(calls(lambda x: [(x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(2, 0),)]), axis=(-1, 0))
MISUSED = (
    Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32", "runtime.cast")),
    Failure((np.ones(2, np.float32), 1), ShapeMismatchError, ("axis 1", "(2,)")),
    Failure((np.float32(1),), ShapeMismatchError, ("axis -1", "rank 0")),
)


@op(shape=_along, dtypes=FLOATS, samples=LOGITS, reference=_shares, errors=MISUSED)
def softmax(logits: Array, axis: int = -1) -> Any:
    """exp(x) / sum(exp(x)) along an axis, without overflow. logits: float tensor of rank >= 1."""
    powers = np.exp(logits - _top(logits, axis, "softmax"))
    return powers / np.add.reduce(powers, axis=axis, keepdims=True)


@softmax.gradient
def _(upstream: Any, result: Any, axis: int) -> Any:
    scaled = upstream * result
    return scaled - result * ops.reduce_sum(scaled, axis=axis, keepdims=True)


@op(
    shape=_along, dtypes=FLOATS, samples=LOGITS,
    reference=lambda logits, axis: by_element(math.log)(_shares(logits, axis)), errors=MISUSED,
)  # fmt: skip
def log_softmax(logits: Array, axis: int = -1) -> Any:
    """The logarithm of softmax along an axis, exact also where softmax would be 0. logits: float tensor."""
    shifted = logits - _top(logits, axis, "log_softmax")
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))


@log_softmax.gradient
def _(upstream: Any, result: Any, axis: int) -> Any:
    return upstream - ops.exp(result) * ops.reduce_sum(upstream, axis=axis, keepdims=True)


# -- cross-entropies ----------------------------------------------------------------------------------------------


def _equal_shapes(labels: Operand, logits: Operand, **attributes: Any) -> TensorShape:
    if not labels.shape.is_compatible_with(logits.shape):
        raise ValueError(f"labels {labels.shape} and logits {logits.shape} must have the same shape")
    return labels.shape.merge_with(logits.shape)


def _check_equal(labels: Array, logits: Array, name: str) -> None:
    if np.shape(labels) != np.shape(logits):
        raise ShapeMismatchError(
            f"{name}: labels {show_shape(labels)} and logits {show_shape(logits)} must have the same shape"
        )


def _two_classes(label: float, logit: float) -> float:
    return label * math.log1p(math.exp(-logit)) + (1 - label) * (logit + math.log1p(math.exp(-logit)))


def _pairs(dtype: Any) -> Any:
    for sample in binary(-3, 3)(dtype):
        labels, logits = sample.operands
        if labels.shape == logits.shape:
            yield Sample((np.abs(labels) / 3, logits))


UNEQUAL = Failure((np.ones((2, 3), np.float32), np.ones(3, np.float32)), ShapeMismatchError, ("(2, 3)", "(3,)"))


@op(
    shape=_equal_shapes, dtypes=FLOATS, samples=_pairs, reference=by_element(_two_classes),
    errors=[UNEQUAL, Failure((np.ones(2, np.int32), np.ones(2, np.int32)), DtypeMismatchError, ("int32",))],
)  # fmt: skip
def sigmoid_cross_entropy_with_logits(labels: Array, logits: Array) -> Any:
    """-labels * log(sigmoid(logits)) - (1 - labels) * log(1 - sigmoid(logits)), element by element.

    labels: probabilities; logits: float tensor; of one dtype and one shape. Returned as
    max(x, 0) - x * labels + log(1 + exp(-|x|)), which cannot overflow.
    """
    _check_equal(labels, logits, "sigmoid_cross_entropy_with_logits")
    return np.maximum(logits, logits.dtype.type(0)) - logits * labels + np.log1p(np.exp(-np.abs(logits)))


@sigmoid_cross_entropy_with_logits.gradient
def _(upstream: Any, labels: Any, logits: Any, needed: tuple[bool, ...]) -> Any:
    return (-logits * upstream if needed[0] else None, (ops.sigmoid(logits) - labels) * upstream)


def _without_axis(labels: Operand, logits: Operand, axis: int) -> TensorShape:
    shape = _equal_shapes(labels, logits)
    if shape.dims is None:
        return shape
    place = normalized_axis(axis, len(shape.dims))
    return TensorShape(shape.dims[:place] + shape.dims[place + 1 :])


def _entropies(labels: Array, logits: Array, axis: int) -> Array:
    """By Python numbers, one line at a time."""
    shares = np.moveaxis(_shares(logits, axis), axis, -1)
    moved = np.moveaxis(labels, axis, -1)
    result = np.empty(moved.shape[:-1], object)
    for index in np.ndindex(result.shape):
        result[index] = -math.fsum(y * math.log(p) for y, p in zip(moved[index].tolist(), shares[index], strict=True))
    return result


@op(
    shape=_without_axis, dtypes=FLOATS, reference=_entropies,
    samples=each(calls(lambda x: [(x(3), x(3)), (x(2, 3), x(2, 3)), (x(3, 2).T, x(2, 3)), (x(0, 4), x(0, 4)),
                                  (x(2, 3, 2), x(2, 3, 2)[::-1])]), axis=(-1, 0)),
    errors=[UNEQUAL, Failure((np.ones(2, np.float32), np.ones(2, np.float32), 1), ShapeMismatchError, ("axis 1",))],
)  # fmt: skip
def softmax_cross_entropy_with_logits(labels: Array, logits: Array, axis: int = -1) -> Any:
    """-sum(labels * log_softmax(logits)) along an axis, which the result does not have.

    labels: a probability for each class; logits: float tensor of rank >= 1; of one dtype and one shape.
    """
    _check_equal(labels, logits, "softmax_cross_entropy_with_logits")
    return np.negative(np.add.reduce(labels * log_softmax.kernel(logits, axis), axis=axis))


@softmax_cross_entropy_with_logits.gradient
def _(upstream: Any, labels: Any, logits: Any, axis: int, needed: tuple[bool, ...]) -> Any:
    upstream = ops.expand_dims(upstream, axis)
    # The sum of the labels is 1 where they are probabilities; the gradient is right for others, too.
    total = ops.reduce_sum(labels, axis=axis, keepdims=True)
    of_labels = -ops.log_softmax(logits, axis=axis) * upstream if needed[0] else None
    return of_labels, (ops.softmax(logits, axis=axis) * total - labels) * upstream


def _one_less(labels: Operand, logits: Operand) -> TensorShape:
    if logits.shape.rank == 0:
        raise ValueError("logits must have an axis of classes; they are a scalar")
    wanted = TensorShape(None) if logits.shape.dims is None else TensorShape(logits.shape.dims[:-1])
    if not wanted.is_compatible_with(labels.shape):
        raise ValueError(f"for logits of shape {logits.shape} the labels must have the shape {wanted}")
    return labels.shape.merge_with(wanted)


def _labelled(dtype: Any) -> Any:
    for shape in ((3,), (2, 3), (4, 2, 5), (0, 4)):
        for integer, numpy in ((int32, np.int32), (int64, np.int64)):
            labels = values(integer, shape[:-1], 0, shape[-1] - 1).astype(numpy)
            yield Sample((labels, values(dtype, shape)))


def _of_label(labels: Array, logits: Array) -> Array:
    chosen = (np.arange(logits.shape[-1]) == labels[..., None]).astype(np.int64)
    return _entropies(chosen, logits, -1)


def _classes(labels: Array, logits: Array, name: str) -> tuple[Array, Array]:
    """The labels as a vector and the logits as a matrix. Raises for labels that are no classes."""
    if np.shape(labels) != np.shape(logits)[:-1] or not np.ndim(logits):
        raise ShapeMismatchError(
            f"{name}: labels {show_shape(labels)} must have the shape of logits {show_shape(logits)} without the last"
            " axis, that of the classes"
        )
    flat, count = np.reshape(labels, -1), logits.shape[-1]
    if flat.size and not 0 <= flat.min() <= flat.max() < count:
        wrong = flat[(flat < 0) | (flat >= count)][0]
        raise InvalidArgumentError(f"{name}: label {wrong} is outside [0, {count}), the classes")
    return flat, logits.reshape(flat.size, count)


@op(
    raises=VALUES,
    shape=_one_less, dtypes={"logits": FLOATS, "labels": CLASSES},
    samples=_labelled, reference=_of_label,
    errors=[Failure(([0, 3], np.ones((2, 3), np.float32)), InvalidArgumentError, ("label 3", "[0, 3)")),
            Failure(([0, -1], np.ones((2, 3), np.float32)), InvalidArgumentError, ("label -1",)),
            Failure(([0], np.ones((2, 3), np.float32)), ShapeMismatchError, ("(1,)", "(2, 3)")),
            Failure((np.ones(2, np.float32), np.ones((2, 3), np.float32)), DtypeMismatchError, ("float32",))],
)  # fmt: skip
def sparse_softmax_cross_entropy_with_logits(labels: Array, logits: Array) -> Any:
    """-log_softmax(logits)[label] for each label. labels: int32 or int64, positions of classes along the last axis of
    logits, a float tensor with one axis more. Raises InvalidArgumentError for a label that is no class."""
    flat, rows = _classes(labels, logits, "sparse_softmax_cross_entropy_with_logits")
    shifted = rows - _top(rows, -1, "sparse_softmax_cross_entropy_with_logits")
    own = shifted[np.arange(flat.size), flat]
    losses: Array = np.log(np.add.reduce(np.exp(shifted), axis=-1)) - own
    return losses.reshape(np.shape(labels))


@sparse_softmax_cross_entropy_with_logits.gradient
def _(upstream: Any, labels: Any, logits: Any) -> Any:
    return None, ops.sparse_softmax_errors(labels, logits) * ops.expand_dims(upstream, -1)


def _of_logits(labels: Operand, logits: Operand) -> TensorShape:
    _one_less(labels, logits)
    return logits.shape


def _less_one_hot(labels: Array, logits: Array) -> Array:
    chosen = np.arange(logits.shape[-1]) == labels[..., None]
    errors: Array = _shares(logits, -1) - chosen.astype(np.int64)
    return errors


@op(
    raises=VALUES,
    shape=_of_logits, dtypes={"logits": FLOATS, "labels": CLASSES}, samples=_labelled, reference=_less_one_hot,
    errors=[Failure(([0, 3], np.ones((2, 3), np.float32)), InvalidArgumentError, ("label 3", "[0, 3)")),
            Failure(([0], np.ones((2, 3), np.float32)), ShapeMismatchError, ("(1,)", "(2, 3)"))],
)  # fmt: skip
def sparse_softmax_errors(labels: Array, logits: Array) -> Any:
    """softmax(logits), with 1 less at each label: the gradient of the cross-entropy. labels: int32 or int64, positions
    of classes along the last axis of logits, a float tensor with one axis more."""
    flat, rows = _classes(labels, logits, "sparse_softmax_errors")
    shares: Array = softmax.kernel(rows, -1)
    shares[np.arange(flat.size), flat] -= 1
    return shares.reshape(logits.shape)


@sparse_softmax_errors.gradient
def _(upstream: Any, logits: Any) -> Any:
    shares = ops.softmax(logits)
    scaled = upstream * shares
    return None, scaled - shares * ops.reduce_sum(scaled, axis=-1, keepdims=True)


# -- predictions --------------------------------------------------------------------------------------------------


def _in_top_shape(targets: Operand, predictions: Operand, k: int) -> TensorShape:
    if targets.shape.rank not in (None, 1) or predictions.shape.rank not in (None, 2):
        raise ValueError("targets must be a vector, predictions a matrix with a row for each of them")
    rows = TensorShape([None]) if predictions.shape.dims is None else TensorShape(predictions.shape.dims[:1])
    if not rows.is_compatible_with(targets.shape):
        raise ValueError(f"{targets.shape} targets do not fit predictions of shape {predictions.shape}")
    return targets.shape.merge_with(rows)


def _predicted(dtype: Any) -> Any:
    for shape in ((4, 5), (0, 3), (3, 1), (6, 4)):
        predictions = np.round(values(float32, shape))  # so that some are equal
        for k in (1, 2):
            yield Sample((values(dtype, shape[:1], -1, shape[1]), predictions), {"k": k})


def _by_counting(targets: Array, predictions: Array, k: int) -> Array:
    rows = zip(targets.tolist(), predictions.tolist(), strict=True)
    return np.array([0 <= t < len(row) and sum(p > row[t] for p in row) < k for t, row in rows], object)


@op(
    shape=_in_top_shape, dtypes={"targets": CLASSES, "predictions": FLOATS}, result=bool_, samples=_predicted,
    reference=_by_counting,
    errors=[Failure(([0], np.ones((2, 3), np.float32)), ShapeMismatchError, ("(1,)", "(2, 3)"), {"k": 1}),
            Failure((0, np.ones((2, 3), np.float32)), ShapeMismatchError, ("()", "(2, 3)"), {"k": 1})],
)  # fmt: skip
def in_top_k(targets: Array, predictions: Array, *, k: int) -> Any:
    """Whether each target is among the k classes of the largest predictions, all that equal the k-th included.

    targets: int32 or int64, [n]; predictions: float tensor, [n, classes]. A target that is no class, or whose
    prediction is NaN or infinite, is not among them.
    """
    if np.ndim(predictions) != 2 or np.shape(targets) != predictions.shape[:1]:
        raise ShapeMismatchError(
            f"in_top_k: targets {show_shape(targets)} do not fit predictions {show_shape(predictions)}"
        )
    count = predictions.shape[1]
    known = np.greater_equal(targets, 0) & np.less(targets, count)
    if not count:
        return known
    own = np.take_along_axis(predictions, np.where(known, targets, 0)[:, None], 1)
    return known & np.isfinite(own[:, 0]) & (np.add.reduce(predictions > own, axis=1, dtype=np.int64) < k)
