"""What gradients of reductions and running products need: `kept_shape` and `linear_recurrence`.

>>> linear_recurrence([0.0, 0.5, 0.5], [1.0, 1.0, 1.0])
<tf.Tensor: shape=(3,), dtype=float32, numpy=array([1.  , 1.5 , 1.75], dtype=float32)>
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import COMPLEX, FLOATS
from runtime.errors import ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements, show_shape
from runtime.ops.records.attributes import Axes
from runtime.ops.records.gradients import conjugated
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, calls, each
from runtime.ops.records.shape_rules import known_parts, normalized_axes, normalized_axis
from runtime.ops.reductions.scan import before
from runtime.shapes import TensorShape

__all__ = ["kept_shape", "linear_recurrence"]


def _kept(shape: Operand, axis: Any) -> TensorShape:
    if shape.shape.rank not in (1, None):
        raise ValueError("a shape is a vector")
    parts = known_parts(shape)
    if parts is not None:
        normalized_axes(axis, len(parts))
    return shape.shape


def _kept_parts(shape: Operand, axis: Any) -> tuple[int | None, ...] | None:
    parts = known_parts(shape)
    if parts is None:
        return None
    axes = normalized_axes(axis, len(parts))
    return tuple(1 if i in axes else n for i, n in enumerate(parts))


def _shapes(dtype: Any) -> Any:
    for shape, axis in (((2, 3), 0), ((2, 3), (0, 1)), ((2, 0, 4), -1), ((), None), ((5,), ()), ((4, 5), None)):
        yield Sample((np.array(shape, dtype.numpy),), {"axis": axis})


@op(
    shape=_kept, dtypes=INDEXES, static_parts=_kept_parts, samples=_shapes,
    reference=lambda shape, axis: np.array(np.add.reduce(np.empty(shape), axis=axis, keepdims=True).shape, object),
    errors=[Failure(([2, 3], 2), ShapeMismatchError, ("axis 2",)),
            Failure(([[2]], 0), ShapeMismatchError, ("vector",))],
)  # fmt: skip
def kept_shape(shape: Array, axis: Axes = None) -> Any:
    """The shape that a reduction over the axes leaves with keepdims: 1 in the place of each. shape: an integer vector.

    axis: None (all), an integer or a tuple.
    """
    if np.ndim(shape) != 1:
        raise ShapeMismatchError(f"kept_shape: a shape is a vector; got one of shape {show_shape(shape)}")
    result = np.array(shape)
    try:
        result[list(normalized_axes(axis, len(result)))] = 1
    except ValueError as error:
        raise ShapeMismatchError(f"kept_shape: {error}") from None
    return result


def _along(a: Operand, b: Operand, axis: int, reverse: bool) -> TensorShape:
    both = a.shape.merge_with(b.shape)
    if both.rank is not None:
        normalized_axis(axis, both.rank)
    return both


def _one_by_one(a: Array, b: Array, axis: int = 0, reverse: bool = False) -> Array:
    first, second = (np.moveaxis(v, axis, 0) for v in (a, b))
    result = np.empty(first.shape, object)
    before: Any = 0
    for i in range(len(first))[:: -1 if reverse else 1]:
        before = first[i].astype(object) * before + second[i]
        result[i] = before
    return np.moveaxis(result, 0, axis)


@op(
    shape=_along, dtypes=FLOATS | COMPLEX, reference=_one_by_one,
    samples=each(calls(lambda x: [(x(4, low=-1, high=1), x(4)), (x(2, 3), x(2, 3)), (x(0), x(0)),
                                  (x(3, 2, low=-1, high=1).T, x(2, 3)[::-1])]), axis=(0, -1), reverse=(False, True)),
    errors=[Failure((np.ones(2, np.float32), np.ones(3, np.float32)), ShapeMismatchError, ("(2,)", "(3,)")),
            Failure((np.float32(1), np.float32(1)), ShapeMismatchError, ("axis 0", "rank 0"))],
)  # fmt: skip
def linear_recurrence(a: Array, b: Array, axis: int = 0, reverse: bool = False) -> Any:
    """y with y[i] = a[i] * y[i - 1] + b[i] along an axis, from y[-1] = 0; with `reverse` from the other end.

    a, b: float or complex tensors of one dtype and one shape.
    """
    a, b = elements(a), elements(b)
    if a.shape != b.shape:
        raise ShapeMismatchError(f"linear_recurrence: the shapes {a.shape} and {b.shape} differ")
    try:
        place = normalized_axis(axis, a.ndim)
    except ValueError as error:
        raise ShapeMismatchError(f"linear_recurrence: {error}") from None
    result = np.array(b)
    factors, line = np.moveaxis(a, place, 0), np.moveaxis(result, place, 0)
    steps = range(1, len(line)) if not reverse else range(len(line) - 2, -1, -1)
    back = 1 if reverse else -1
    for i in steps:
        line[i] += factors[i] * line[i + back]
    return result


@linear_recurrence.gradient
def _(upstream: Any, result: Any, a: Any, axis: int, reverse: bool) -> Any:
    following = before(conjugated(a), axis, not reverse)
    by_b = linear_recurrence(following, upstream, axis, not reverse)
    return by_b * conjugated(before(result, axis, reverse)), by_b
