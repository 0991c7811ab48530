"""A bias for each channel.

>>> runtime.nn.bias_add([[1.0, 2.0]], [10.0, 20.0])
<tf.Tensor: shape=(1, 2), dtype=float32, numpy=array([[11., 22.]], dtype=float32)>
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC
from runtime.errors import DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels.values import show_shape
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, by_element, calls
from runtime.shapes import TensorShape

__all__ = ["bias_add"]


def _biased(value: Operand, bias: Operand) -> TensorShape:
    if bias.shape.rank not in (None, 1):
        raise ValueError("the bias must be a vector, with a number for each channel")
    if value.shape.dims is None:
        return value.shape
    if len(value.shape.dims) < 2:
        raise ValueError("the value must have a rank >= 2: the last axis is that of the channels")
    if not TensorShape(value.shape.dims[-1:]).is_compatible_with(bias.shape):
        raise ValueError("the bias must have a number for each channel, the last axis of the value")
    known = value.shape.dims[-1] if bias.shape.dims is None or value.shape.dims[-1] is not None else bias.shape.dims[0]
    return TensorShape([*value.shape.dims[:-1], known])


@op(
    shape=_biased, dtypes=NUMERIC, reference=by_element(operator.add),
    samples=calls(lambda x: [(x(2, 3), x(3)), (x(2, 1, 3), x(3)), (x(3, 2).T, x(3)), (x(0, 3), x(3)), (x(2, 0), x(0)),
                             (x(2, 3), x(6)[::-2])]),
    errors=[Failure((np.ones((2, 3), np.float32), np.ones(2, np.float32)), ShapeMismatchError, ("(2, 3)", "(2,)")),
            Failure((np.ones((2, 3), np.float32), np.ones((2, 3), np.float32)), ShapeMismatchError, ("vector",)),
            Failure((np.ones(3, np.float32), np.ones(3, np.float32)), ShapeMismatchError, ("rank >= 2", "(3,)")),
            Failure((np.ones((2, 3), np.float32), np.ones(1, np.float32)), ShapeMismatchError, ("(2, 3)", "(1,)")),
            Failure((np.ones((2, 3), np.bool_), np.ones(3, np.bool_)), DtypeMismatchError, ("bool",))],
)  # fmt: skip
def bias_add(value: Array, bias: Array) -> Any:
    """value + bias, with an element of the bias for each channel. value: numeric tensor of rank >= 2, whose last axis
    is that of the channels; bias: a vector of its dtype."""
    if np.ndim(value) < 2 or np.shape(bias) != np.shape(value)[-1:]:
        raise ShapeMismatchError(f"bias_add: a bias of {show_shape(bias)} does not fit a value of {show_shape(value)}")
    return np.add(value, bias)


@bias_add.gradient
def _(upstream: Any, value: Any, needed: tuple[bool, ...]) -> Any:
    if not needed[1]:
        return upstream, None
    if value.shape.rank is not None:
        return upstream, ops.reduce_sum(upstream, axis=list(range(value.shape.rank - 1)))
    rows = ops.reshape(upstream, [-1, ops.shape(upstream)[-1]])
    return upstream, ops.reduce_sum(rows, axis=0)
