"""The larger, the smaller, and what lies between: maximum, minimum, clip_by_value, with broadcasting.

>>> runtime.maximum(runtime.constant([1.0, -2.0]), 0.0)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 0.], dtype=float32)>

All operands have one dtype. nan stays nan. The gradient goes to the operand that was chosen, of equal ones the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import REALS
from runtime.errors import ShapeMismatchError
from runtime.ops.elementwise.arithmetic import MISMATCHED
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, binary, by_element, calls
from runtime.ops.records.shape_rules import broadcast

__all__ = ["clip_by_value", "maximum", "minimum"]


@op(
    shape=broadcast, dtypes=REALS, ufunc=np.maximum, int_scalar="max({0}, {1})",
    samples=binary(), reference=by_element(max), errors=MISMATCHED,
)  # fmt: skip
def maximum(x: Array, y: Array) -> Any:
    """The larger of x and y, element by element; nan if either is. x, y: real tensors of one dtype."""
    return np.maximum(x, y)


@maximum.gradient
def _(upstream: Any, x: Any, y: Any) -> Any:
    return _chosen(upstream, x >= y)


def _chosen(upstream: Any, first: Any) -> Any:
    """Of a choice between two operands, the gradients: all for the one that was chosen, of equal ones the first."""
    nothing = ops.zeros_like(upstream)
    return ops.where(first, upstream, nothing), ops.where(first, nothing, upstream)


@op(
    shape=broadcast, dtypes=REALS, ufunc=np.minimum, int_scalar="min({0}, {1})",
    samples=binary(), reference=by_element(min), errors=MISMATCHED,
)  # fmt: skip
def minimum(x: Array, y: Array) -> Any:
    """The smaller of x and y, element by element; nan if either is. x, y: real tensors of one dtype."""
    return np.minimum(x, y)


@minimum.gradient
def _(upstream: Any, x: Any, y: Any) -> Any:
    return _chosen(upstream, x <= y)


@op(
    shape=broadcast,
    dtypes={("t", "clip_value_min", "clip_value_max"): REALS},
    samples=calls(lambda x: [(x(4), x(low=0, high=1), x(low=2, high=3)), (x(), x(low=0, high=0), x(low=2, high=2)),
                             (x(0), x(), x()), (x(2, 3), x(3, low=0, high=1), x(2, 1, low=1, high=2))]),
    reference=by_element(lambda t, low, high: min(max(t, low), high)),
    errors=[Failure((np.ones((2, 3), np.float32), np.ones(4, np.float32), 1.0), ShapeMismatchError, ("(2, 3)",))],
)  # fmt: skip
def clip_by_value(t: Array, clip_value_min: Array, clip_value_max: Array) -> Any:
    """t limited to [clip_value_min, clip_value_max]; nan stays nan. All three: real tensors of one dtype."""
    return np.minimum(np.maximum(t, clip_value_min), clip_value_max)


@clip_by_value.gradient
def _(upstream: Any, t: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    below, above, nothing = t < clip_value_min, t > clip_value_max, ops.zeros_like(upstream)
    inside = ops.where(below, nothing, ops.where(above, nothing, upstream))
    return inside, ops.where(below, upstream, nothing), ops.where(above, upstream, nothing)
