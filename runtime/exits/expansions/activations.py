"""Activations of neural networks, and cross-entropies."""

from __future__ import annotations

import math
from typing import Any

from runtime.dtypes import float64, int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.elementwise.functions import sigmoid
from runtime.ops.networks.activations import (
    GELU_CUBIC,
    GELU_SLOPE,
    SELU_ALPHA,
    SELU_SCALE,
    elu,
    gelu,
    leaky_relu,
    log_sigmoid,
    relu6,
    selu,
    softplus,
    softsign,
    swish,
)
from runtime.ops.networks.softmax import (
    in_top_k,
    log_softmax,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    sparse_softmax_errors,
)
from runtime.ops.records.gradients import ops

__all__: list[str] = []


@expands(relu6)
def _(features: Any) -> Any:
    return ops.minimum(ops.relu(features), constant(features, 6))


@expands(leaky_relu)
def _(features: Any, alpha: float) -> Any:
    is_up = ops.greater(features, constant(features, 0))
    return ops.where(is_up, features, ops.multiply(features, constant(features, alpha)))


def _exponential(features: Any, alpha: float) -> Any:
    zero = constant(features, 0)
    low = ops.multiply(ops.expm1(ops.minimum(features, zero)), constant(features, alpha))
    return ops.where(ops.greater(features, zero), features, low)


@expands(elu)
def _(features: Any) -> Any:
    return _exponential(features, 1)


@expands(selu)
def _(features: Any) -> Any:
    return ops.multiply(_exponential(features, SELU_ALPHA), constant(features, SELU_SCALE))


@expands(gelu)
def _(features: Any, approximate: bool) -> Any:
    x, half, one = features, constant(features, 0.5), constant(features, 1)
    if approximate:
        cube = ops.multiply(constant(x, GELU_CUBIC), ops.multiply(x, ops.multiply(x, x)))
        curve = ops.tanh(ops.multiply(constant(x, GELU_SLOPE), ops.add(x, cube)))
        return ops.multiply(ops.multiply(half, x), ops.add(one, curve))
    return ops.multiply(ops.multiply(half, x), ops.erfc(ops.multiply(x, constant(x, -math.sqrt(0.5)))))


@expands(swish)
def _(features: Any, beta: float) -> Any:
    return ops.multiply(features, ops.sigmoid(ops.multiply(features, constant(features, beta))))


@expands(softsign)
def _(features: Any) -> Any:
    return ops.divide(features, ops.add(constant(features, 1), ops.abs(features)))


@expands(softplus)
def _(features: Any) -> Any:
    return ops.logaddexp(features, constant(features, 0))


@expands(log_sigmoid)
def _(x: Any) -> Any:
    return ops.negative(ops.logaddexp(ops.negative(x), constant(x, 0)))


@expands(sigmoid_cross_entropy_with_logits)
def _(labels: Any, logits: Any) -> Any:
    rest = ops.log1p(ops.exp(ops.negative(ops.abs(logits))))
    return ops.add(ops.subtract(ops.maximum(logits, constant(logits, 0)), ops.multiply(logits, labels)), rest)


@expands(softmax_cross_entropy_with_logits)
def _(labels: Any, logits: Any, axis: int) -> Any:
    return ops.negative(ops.reduce_sum(ops.multiply(labels, ops.log_softmax(logits, axis=axis)), axis=axis))


@expands(sparse_softmax_cross_entropy_with_logits)
def _(labels: Any, logits: Any) -> Any:
    places = ops.cast(ops.expand_dims(labels, axis=-1), dtype=int64)
    own = ops.take_along_axis(ops.log_softmax(logits), places, axis=-1)
    return ops.negative(ops.squeeze(own, axis=-1))


@expands(log_softmax)
def _(logits: Any, axis: int) -> Any:
    """Of float64: the node passes over NaN."""
    if logits.dtype is not float64:
        return NotImplemented
    shifted = ops.subtract(logits, ops.reduce_max(logits, axis=axis, keepdims=True))
    return ops.subtract(shifted, ops.log(ops.reduce_sum(ops.exp(shifted), axis=axis, keepdims=True)))


@expands(sigmoid)
def _(x: Any) -> Any:
    """The node has no digits left where it is small."""
    return ops.reciprocal(ops.add(constant(x, 1), ops.exp(ops.negative(x))))


@expands(sparse_softmax_errors)
def _(labels: Any, logits: Any) -> Any:
    count = ops.shape(logits)[-1]
    hit = ops.one_hot(labels, count, constant(logits, 1), constant(logits, 0))
    return ops.subtract(ops.softmax(logits), hit)


@expands(in_top_k)
def _(targets: Any, predictions: Any, k: int) -> Any:
    places = ops.cast(targets, dtype=int64)
    count = ops.shape(predictions, out_type=int64)[1]
    known = ops.logical_and(ops.greater_equal(places, 0), ops.less(places, count))
    hit = ops.one_hot(places, ops.shape(predictions)[1], True, False)
    own = ops.reduce_sum(ops.where(hit, predictions, constant(predictions, 0)), axis=1, keepdims=True)
    better = ops.reduce_sum(ops.cast(ops.greater(predictions, own), dtype=int64), axis=1)
    fits = ops.logical_and(known, ops.less(better, constant(better, k)))
    return ops.logical_and(fits, ops.is_finite(ops.squeeze(own, axis=1)))
