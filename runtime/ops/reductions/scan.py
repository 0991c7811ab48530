"""Running sums and products along an axis: cumsum, cumprod, cumulative_logsumexp.

>>> runtime.cumsum([1, 2, 3], exclusive=True)
<tf.Tensor: shape=(3,), dtype=int32, numpy=array([0, 1, 3], dtype=int32)>

The dtype is that of the input: int32 sums wrap around like int32 arithmetic. The axis is the first one by default.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.dtypes import FLOATS, NUMERIC
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import calls, each
from runtime.ops.records.shape_rules import normalized_axis, same_shape
from runtime.ops.reductions.reduce import BAD_AXIS, NO_BOOL, NO_INTEGER
from runtime.shapes import TensorShape

__all__ = ["before", "cumprod", "cumsum", "cumulative_logsumexp"]


def before(x: Any, axis: int, reverse: bool) -> Any:
    """x moved by one place along the axis, with a zero where it begins."""
    first = (-1, None, None) if reverse else (None, 1, None)
    all_of: Any = (None, None, None)
    moved = ops.roll(x, shift=-1 if reverse else 1, axis=axis)
    spec = (*(all_of,) * axis, first) if axis >= 0 else ("...", first, *(all_of,) * (-1 - axis))
    return ops.setitem(moved, 0, spec=spec)


def _along(x: Operand, axis: int, **attributes: Any) -> TensorShape:
    if x.shape.rank is not None:
        normalized_axis(axis, x.shape.rank)
    return same_shape(x)


def _accumulated(ufunc: np.ufunc, start: float, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
    if not exclusive and not reverse:
        return np.asarray(ufunc.accumulate(x, axis=axis, dtype=x.dtype))
    x = np.moveaxis(elements(x), axis, 0)
    if reverse:
        x = x[::-1]
    if exclusive:
        x = np.concatenate([np.full((1, *x.shape[1:]), start, x.dtype), x[:-1]])[: len(x)]
    result = np.asarray(ufunc.accumulate(x, axis=0, dtype=x.dtype))
    return np.moveaxis(result[::-1] if reverse else result, 0, axis)


CUMULATIVE = each(
    calls(lambda x: [(x(0),), (x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],)]),
    axis=(0, -1), exclusive=(False, True), reverse=(False, True),
)  # fmt: skip


def _running(combine: Any) -> Any:
    """Each element of the result from a slice of its own."""

    def reference(x: Array, axis: int, exclusive: bool, reverse: bool) -> Any:
        result = np.empty(x.shape, object)
        for index in np.ndindex(x.shape):
            line = [slice(i, i + 1) for i in index]
            here = index[axis]
            line[axis] = slice(here + exclusive, None) if reverse else slice(0, here + 1 - exclusive)
            result[index] = combine(x[tuple(line)].reshape(-1).tolist())
        return result

    return reference


@op(
    wraps=True, any_order=True, shape=_along, dtypes=NUMERIC, samples=CUMULATIVE, reference=_running(sum),
    errors=(BAD_AXIS, NO_BOOL),
)  # fmt: skip
def cumsum(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The running sum along an axis, in the dtype of x (numeric). exclusive: without the element itself."""
    return _accumulated(np.add, 0, x, axis, exclusive, reverse)


@cumsum.gradient
def _(upstream: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return cumsum(upstream, axis, exclusive, not reverse)


@op(
    wraps=True, any_order=True, shape=_along, dtypes=NUMERIC, samples=CUMULATIVE, reference=_running(math.prod),
    errors=(BAD_AXIS, NO_BOOL),
)  # fmt: skip
def cumprod(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The running product along an axis, in the dtype of x (numeric). exclusive: without the element itself."""
    return _accumulated(np.multiply, 1, x, axis, exclusive, reverse)


@cumprod.gradient
def _(upstream: Any, result: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """Backwards through y[i] = y[i - 1] * x[i], without a division: right for zeros, too, and of every order."""
    factors = conjugated(x)
    if exclusive:
        behind = before(ops.linear_recurrence(factors, upstream, axis, not reverse), axis, not reverse)
        return behind * conjugated(result)
    behind = ops.linear_recurrence(before(factors, axis, not reverse), upstream, axis, not reverse)
    return behind * conjugated(cumprod(x, axis, True, reverse))


def _log_sum(items: list[float]) -> float:
    return math.log(math.fsum(map(math.exp, items))) if items else -math.inf


@op(shape=_along, dtypes=FLOATS, samples=CUMULATIVE, reference=_running(_log_sum), errors=(BAD_AXIS, NO_INTEGER))
def cumulative_logsumexp(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """log of the running sum of exp(x) along an axis, without overflow. x: float tensor.

    exclusive: without the element itself; the first one, the logarithm of a sum of nothing, is then -inf.
    """
    return _accumulated(np.logaddexp, -np.inf, x, axis, exclusive, reverse)


@cumulative_logsumexp.gradient
def _(upstream: Any, result: Any, x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    """Backwards through y[i] = log(exp(y[i - 1]) + exp(x[i])), whose derivatives are shares between 0 and 1."""
    with_itself = cumulative_logsumexp(x, axis, False, reverse) if exclusive else result
    kept = ops.exp(ops.minimum(result - (with_itself if exclusive else before(result, axis, not reverse)), 0))
    behind = ops.linear_recurrence(kept, upstream, axis, not reverse)
    return ops.exp(x - with_itself) * (before(behind, axis, not reverse) if exclusive else behind)
