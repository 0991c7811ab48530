"""Functions of neural networks: relu, softmax and their like.

>>> runtime.nn.relu([-1.0, 2.0])
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([0., 2.], dtype=float32)>
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import FLOATS, REALS
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, by_element, calls, each, unary
from runtime.ops.shape_rules import normalized_axis, same_shape
from runtime.shapes import TensorShape

__all__ = ["log_softmax", "relu", "softmax", "softplus"]


@op(
    shape=same_shape, dtypes=REALS, samples=unary(), reference=by_element(lambda x: x if x > 0 else 0),
    errors=[Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def relu(features: Array) -> Any:
    """max(x, 0), element by element; nan stays nan. features: real tensor."""
    return np.maximum(features, features.dtype.type(0))


@op(shape=same_shape, dtypes=FLOATS, samples=unary(-30, 8), reference=by_element(lambda x: math.log1p(math.exp(x))))
def softplus(features: Array) -> Any:
    """log(1 + exp(x)), without overflow. features: float tensor."""
    return np.logaddexp(features, features.dtype.type(0))


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


LOGITS = each(calls(lambda x: [(x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],)]), axis=(-1, 0))
MISUSED = (
    Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32", "runtime.cast")),
    Failure((np.ones(2, np.float32), 1), ShapeMismatchError, ("axis 1", "(2,)")),
)


@op(shape=_along, dtypes=FLOATS, samples=LOGITS, reference=_shares, errors=MISUSED)
def softmax(logits: Array, axis: int = -1) -> Any:
    """exp(x) / sum(exp(x)) along an axis, without overflow. logits: float tensor."""
    powers = np.exp(logits - np.maximum.reduce(logits, axis=axis, keepdims=True))
    return powers / np.add.reduce(powers, axis=axis, keepdims=True)


@op(
    shape=_along, dtypes=FLOATS, samples=LOGITS,
    reference=lambda logits, axis: by_element(math.log)(_shares(logits, axis)), errors=MISUSED,
)  # fmt: skip
def log_softmax(logits: Array, axis: int = -1) -> Any:
    """The logarithm of softmax along an axis, exact also where softmax would be 0. logits: float tensor."""
    shifted = logits - np.maximum.reduce(logits, axis=axis, keepdims=True)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))
