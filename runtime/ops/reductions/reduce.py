"""Reductions: sums, means, extremes and their like over some axes, or over all.

>>> runtime.reduce_mean(runtime.constant([1, 2]))       # integers stay integers: the mean is truncated
<tf.Tensor: shape=(), dtype=int32, numpy=1>

`axis` is None (all axes), an integer or a list; negative ones count from the end. `keepdims` keeps each reduced axis
with size 1. The dtype is that of the input: an int32 sum wraps around like int32 arithmetic.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from runtime.dtypes import BOOLS, FLOATS, NUMERIC, REALS, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.attributes import Axes
from runtime.ops.records.gradients import conjugated, ops, shape_of
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, op
from runtime.ops.records.samples import Failure, calls, each
from runtime.ops.records.shape_rules import normalized_axes, reduced

__all__ = [
    "AXES", "BAD_AXES", "BAD_AXIS", "NO_BOOL", "NO_INTEGER", "by_slices", "count_nonzero", "reduce_all", "reduce_any",
    "reduce_logsumexp", "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std", "reduce_sum",
    "reduce_variance", "to_chosen", "widened",
]  # fmt: skip

SOME = calls(lambda x: [(x(),), (x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(6)[::-2],)])
WITH_EMPTY = calls(lambda x: [(x(),), (x(0),), (x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 0, 3),), (x(2, 3, 2)[::-1],)])
AXES = {"axis": (None, 0, -1, (0, 1), (1, 2), ()), "keepdims": (False, True)}

BAD_AXIS = Failure((np.ones((2, 3), np.float32), 2), ShapeMismatchError, ("axis 2", "(2, 3)"))
NO_BOOL = Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))
NO_INTEGER = Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32",))
BAD_AXES = (
    BAD_AXIS, Failure((np.float32(1), 0), ShapeMismatchError, ("axis 0", "rank 0")),
    Failure((np.float32(1), -1), ShapeMismatchError, ("axis -1", "rank 0")),
    Failure((np.ones((2, 3), np.float32), 0.5), TypeError, ("axis", "0.5")),
)  # fmt: skip
BOOL_ERRORS = (Failure((np.ones((2, 3), np.bool_), 2), ShapeMismatchError, ("axis 2", "(2, 3)")), NO_INTEGER)


def reducing(ufunc: np.ufunc) -> Any:
    """The ufunc's reduction, which refuses an axis of what has none: numpy lets 0 and -1 pass."""
    reduce: Any = ufunc.reduce  # numpy's stubs have no overload for a `keepdims` that is only known to be a bool

    def reduced_by_ufunc(x: Array, axis: Axes, **fields: Any) -> Any:
        if axis is not None and not np.ndim(x):
            normalized_axes(axis, 0)
        return reduce(x, axis=axis, **fields)

    return reduced_by_ufunc


TOTAL, PRODUCT, HIGHEST, LOWEST = map(reducing, (np.add, np.multiply, np.maximum, np.minimum))
ALL, ANY = map(reducing, (np.logical_and, np.logical_or))

reduction = functools.partial(op, shape=reduced)


def by_slices(function: Any) -> Any:
    """A reference that calls `function` on the list of Python numbers of each slice."""

    def reference(x: Array, axis: Any = None, keepdims: bool = False) -> Any:
        axes = range(x.ndim) if axis is None else [a % x.ndim for a in (axis if isinstance(axis, tuple) else (axis,))]
        kept = [i for i in range(x.ndim) if i not in axes]
        result = np.empty([x.shape[i] for i in kept], object)
        moved = np.transpose(x, [*kept, *axes])
        for index in np.ndindex(result.shape):
            result[index] = function(moved[index].reshape(-1).tolist())
        return result.reshape([1 if i in axes else n for i, n in enumerate(x.shape)]) if keepdims else result

    return reference


def widened(x: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    """What was reduced, with size 1 in the place of each reduced axis, so that it broadcasts to the input."""
    dims = input_tensor.shape.dims
    if keepdims:
        return x
    if dims is None:
        return ops.reshape(x, ops.kept_shape(ops.shape(input_tensor), axis))
    axes = normalized_axes(axis, len(dims))
    if None not in dims:
        return ops.reshape(x, [1 if i in axes else n for i, n in enumerate(dims)])
    for a in axes:
        x = ops.expand_dims(x, axis=a)
    return x


def _spread(x: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    """What was reduced, in the shape of the input."""
    return ops.broadcast_to(widened(x, input_tensor, axis, keepdims), shape_of(input_tensor))


@reduction(
    wraps=True, any_order=True, dtypes=NUMERIC, samples=each(WITH_EMPTY, **AXES), reference=by_slices(sum),
    errors=(*BAD_AXES, NO_BOOL),
)  # fmt: skip
def reduce_sum(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The sum over the axes, in the dtype of input_tensor (numeric). The sum of nothing is 0."""
    return TOTAL(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


@reduce_sum.gradient
def _(upstream: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return _spread(upstream, input_tensor, axis, keepdims)


@reduction(
    wraps=True, any_order=True,
    dtypes=NUMERIC, samples=each(WITH_EMPTY, **AXES), reference=by_slices(math.prod), errors=(*BAD_AXES, NO_BOOL),
)  # fmt: skip
def reduce_prod(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The product over the axes, in the dtype of input_tensor (numeric). The product of nothing is 1."""
    return PRODUCT(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


@reduce_prod.gradient
def _(upstream: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    """Without a division, so that it is right for zeros, too: one axis after the other, the product of the others."""
    if axis is None:
        flat = ops.reshape(input_tensor, [-1])
        found = ops.reshape(upstream, [1]) * conjugated(_others(flat, 0))
        return ops.reshape(found, shape_of(input_tensor))
    steps = []
    partial = input_tensor
    for a in axis if isinstance(axis, tuple) else (axis,):
        steps.append((partial, a))
        partial = reduce_prod(partial, a, True)
    found = widened(upstream, input_tensor, axis, keepdims)
    for x, a in reversed(steps):
        found = found * conjugated(_others(x, a))
    return found if steps else ops.reshape(upstream, shape_of(input_tensor))


def _others(x: Any, axis: int) -> Any:
    """For each element the product of all others along the axis."""
    return ops.cumprod(x, axis, exclusive=True) * ops.cumprod(x, axis, exclusive=True, reverse=True)


def count_of(x: Array, axis: Any) -> int:
    """How many elements each result is made of."""
    sizes = np.shape(x)
    if axis is None:
        return math.prod(sizes)
    return math.prod(sizes[a] for a in normalized_axes(axis, len(sizes)))


def _mean(items: list[Any]) -> Any:
    if not items:
        return math.nan
    total = sum(items)
    return int(total / len(items)) if isinstance(total, int) else total / len(items)


@reduction(
    raises=VALUES,
    dtypes=NUMERIC, samples=each(SOME, **AXES), reference=by_slices(_mean),
    errors=(*BAD_AXES, NO_BOOL, Failure((np.ones(0, np.int32),), InvalidArgumentError, ("empty",))),
)  # fmt: skip
def reduce_mean(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The mean over the axes, in the dtype of input_tensor: of integers it is truncated towards zero.

    The mean of nothing is nan; for integers, which have no nan, it raises InvalidArgumentError.
    """
    dtype = input_tensor.dtype
    count = count_of(input_tensor, axis)
    if dtype.kind in "iu":
        if not count:
            raise InvalidArgumentError(f"reduce_mean: the mean of an empty {dtype} tensor is not defined")
        wide = np.uint64 if dtype.kind == "u" else np.int64
        total = TOTAL(input_tensor, axis=axis, keepdims=keepdims, dtype=wide)
        return (np.sign(total) * (np.abs(total) // wide(count))).astype(dtype)
    working = np.dtype(np.float32) if dtype == np.float16 else dtype
    total = TOTAL(input_tensor, axis=axis, keepdims=keepdims, dtype=working)
    return np.true_divide(total, working.type(count)).astype(dtype)


@reduce_mean.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return _spread(upstream / _count(input_tensor, result), input_tensor, axis, keepdims)


def _count(x: Any, result: Any) -> Any:
    """How many elements of x each result is made of."""
    whole, parts = x.shape.num_elements(), result.shape.num_elements()
    if whole is not None and parts:
        return whole // parts
    return ops.cast(ops.size(x) // ops.maximum(ops.size(result), 1), x.dtype)


def _variance(items: list[float]) -> float:
    if not items:
        return math.nan
    mean = math.fsum(items) / len(items)
    return math.fsum((i - mean) ** 2 for i in items) / len(items)


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(_variance), errors=(*BAD_AXES, NO_INTEGER),
)  # fmt: skip
def reduce_variance(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The variance of the population over the axes (divided by n, not n - 1). input_tensor: float tensor."""
    dtype = input_tensor.dtype
    wide = np.asarray(input_tensor, np.float32) if dtype == np.float16 else input_tensor
    count = wide.dtype.type(count_of(wide, axis))
    mean = TOTAL(wide, axis=axis, keepdims=True) / count
    total = TOTAL(np.square(wide - mean), axis=axis, keepdims=keepdims)
    return (total / count).astype(dtype)


def _from_mean(x: Any, axis: Any) -> Any:
    return x - reduce_mean(x, axis, True)


@reduce_variance.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    scaled = upstream * 2 / _count(input_tensor, result)
    return _from_mean(input_tensor, axis) * widened(scaled, input_tensor, axis, keepdims)


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(lambda items: math.sqrt(_variance(items))),
    errors=(*BAD_AXES, NO_INTEGER),
)  # fmt: skip
def reduce_std(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The standard deviation of the population over the axes. input_tensor: float tensor."""
    return np.sqrt(reduce_variance.kernel(input_tensor, axis, keepdims))


@reduce_std.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    scaled = upstream / (result * _count(input_tensor, result))
    return _from_mean(input_tensor, axis) * widened(scaled, input_tensor, axis, keepdims)


@functools.cache
def lowest(dtype: np.dtype[Any]) -> Any:
    """The value that never wins a maximum: -inf, or the lowest integer."""
    return dtype.type(np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf)


@functools.cache
def highest(dtype: np.dtype[Any]) -> Any:
    """The value that never wins a minimum: inf, or the highest integer."""
    return dtype.type(np.iinfo(dtype).max if dtype.kind in "iu" else np.inf)


@reduction(
    raises=VALUES,
    dtypes=REALS, samples=each(SOME, **AXES), reference=by_slices(max), errors=(*BAD_AXES, NO_BOOL),
)
def reduce_max(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The largest element over the axes; nan if there is one. input_tensor: real tensor.

    The maximum of nothing is the lowest value of the dtype: -inf for floats.
    """
    start = lowest(input_tensor.dtype)
    return HIGHEST(input_tensor, axis=axis, keepdims=keepdims, initial=start)


@reduce_max.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return to_chosen(upstream, result, input_tensor, axis, keepdims)


def to_chosen(upstream: Any, result: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """The gradient for those elements that equal the result, which share it equally."""
    chosen = ops.cast(ops.equal(x, widened(result, x, axis, keepdims)), x.dtype)
    return chosen * (widened(upstream, x, axis, keepdims) / reduce_sum(chosen, axis, True))


@reduction(
    raises=VALUES,
    dtypes=REALS, samples=each(SOME, **AXES), reference=by_slices(min), errors=(*BAD_AXES, NO_BOOL),
)
def reduce_min(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """The smallest element over the axes; nan if there is one. input_tensor: real tensor.

    The minimum of nothing is the highest value of the dtype: inf for floats.
    """
    start = highest(input_tensor.dtype)
    return LOWEST(input_tensor, axis=axis, keepdims=keepdims, initial=start)


@reduce_min.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    return to_chosen(upstream, result, input_tensor, axis, keepdims)


@reduction(dtypes=BOOLS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(all), errors=BOOL_ERRORS)
def reduce_all(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """Whether all elements over the axes are true; of nothing: True. input_tensor: bool tensor."""
    return ALL(input_tensor, axis=axis, keepdims=keepdims)


@reduction(dtypes=BOOLS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(any), errors=BOOL_ERRORS)
def reduce_any(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """Whether any element over the axes is true; of nothing: False. input_tensor: bool tensor."""
    return ANY(input_tensor, axis=axis, keepdims=keepdims)


def _log_sum(items: list[float]) -> float:
    return math.log(math.fsum(map(math.exp, items))) if items else -math.inf


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(_log_sum), errors=(*BAD_AXES, NO_INTEGER),
)  # fmt: skip
def reduce_logsumexp(input_tensor: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """log(sum(exp(x))) over the axes, without overflow. input_tensor: float tensor."""
    top = HIGHEST(input_tensor, axis=axis, keepdims=True, initial=lowest(input_tensor.dtype))
    top = np.where(np.isfinite(top), top, input_tensor.dtype.type(0))
    total = np.log(TOTAL(np.exp(input_tensor - top), axis=axis, keepdims=True)) + top
    return total if keepdims else np.reshape(total, _reduced_shape(input_tensor, axis))


@reduce_logsumexp.gradient
def _(upstream: Any, result: Any, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    finite = ops.where(ops.is_finite(result), result, ops.zeros_like(result))
    shares = ops.exp(input_tensor - widened(finite, input_tensor, axis, keepdims))
    return shares * widened(upstream, input_tensor, axis, keepdims)


def _reduced_shape(x: Array, axis: Any) -> tuple[int, ...]:
    shape = np.shape(x)
    axes = normalized_axes(axis, len(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


@op(
    shape=reduced, dtypes=NUMERIC | BOOLS, result=int64,
    samples=each(WITH_EMPTY, **AXES), reference=by_slices(lambda items: sum(1 for i in items if i)), errors=BAD_AXES,
)  # fmt: skip
def count_nonzero(input: Array, axis: Axes = None, keepdims: bool = False) -> Any:
    """How many elements over the axes are not zero (or true), as int64. input: numeric or bool tensor."""
    return TOTAL(np.not_equal(input, 0), axis=axis, keepdims=keepdims, dtype=np.int64)
