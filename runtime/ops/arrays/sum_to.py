"""`sum_to`: the opposite of `broadcast_to`, and its gradient.

>>> sum_to(runtime.ones([2, 3]), [3])
<tf.Tensor: shape=(3,), dtype=float32, numpy=array([2., 2., 2.], dtype=float32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import NUMERIC
from runtime.errors import ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import integers
from runtime.ops.records.gradients import ops
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, calls
from runtime.ops.records.shape_rules import shape_from
from runtime.shapes import TensorShape

__all__ = ["sum_to"]


def _by_index(x: Array, shape: Array) -> Array:
    result = np.zeros(tuple(shape), object)
    missing = x.ndim - result.ndim
    for place in np.ndindex(x.shape):
        result[tuple(i % n for i, n in zip(place[missing:], result.shape, strict=True))] += x[place]
    return result


def _target(*dims: int) -> Array:
    return np.array(dims, np.int32)


def _summed_shape(x: Operand, shape: Operand) -> TensorShape:
    found = shape_from(shape)
    if x.shape.dims is not None and found.dims is not None:
        missing = len(x.shape.dims) - len(found.dims)
        pairs = [] if missing < 0 else zip(x.shape.dims[missing:], found.dims, strict=True)
        if missing < 0 or any(b not in (1, a, None) and a is not None for a, b in pairs):
            raise ValueError(f"{found} does not broadcast to {x.shape}")
    return found


@op(
    raises=VALUES,
    shape=_summed_shape, view=True, dtypes={"x": NUMERIC, "shape": INDEXES},
    samples=calls(lambda x: [(x(2, 3), _target(3)), (x(2, 3), _target(2, 1)), (x(2, 3), _target()), (x(), _target()),
                             (x(4, 2, 3), _target(1, 3)), (x(2, 3), _target(2, 3)), (x(0, 3), _target(3)),
                             (x(3, 2).T, _target(1, 3)), (x(6)[::-2], _target(1))]),
    reference=_by_index,
    errors=[Failure((np.ones((2, 3), np.float32), [2]), ShapeMismatchError, ("(2, 3)", "(2,)")),
            Failure((np.ones(3, np.float32), [1, 3]), ShapeMismatchError, ("(3,)", "(1, 3)"))],
)  # fmt: skip
def sum_to(x: Array, shape: Array) -> Any:
    """x summed over the axes along which a tensor of this shape is broadcast to x. x: numeric tensor; shape: integers.

    Raises ShapeMismatchError for a shape that does not broadcast to that of x.
    """
    target = integers(shape, "sum_to")
    missing = x.ndim - len(target)
    if missing < 0 or any(n not in (1, m) for n, m in zip(target, x.shape[missing:], strict=True)):
        raise ShapeMismatchError(f"sum_to: {TensorShape(target)} does not broadcast to {TensorShape(x.shape)}")
    axes = tuple([i for i, n in enumerate(x.shape) if i < missing or target[i - missing] != n])
    if not axes:
        return x
    return np.add.reduce(x, axis=axes, keepdims=True, dtype=x.dtype).reshape(target)


@sum_to.gradient
def _(upstream: Any, x: Any) -> Any:
    return ops.broadcast_to(upstream, ops.shape(x)), None
