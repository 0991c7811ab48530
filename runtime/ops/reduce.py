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

from runtime.dtypes import BOOLS, FLOATS, NUMERIC, REALS, DType, int32, int64
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.record import Array, Operand, op
from runtime.ops.samples import Failure, calls, each
from runtime.ops.shape_rules import normalized_axes, normalized_axis, reduced, same_shape
from runtime.ops.values import elements, show_shape
from runtime.shapes import TensorShape

__all__ = [
    "argmax", "argmin", "count_nonzero", "cumprod", "cumsum", "reduce_all", "reduce_any", "reduce_logsumexp",
    "reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_std", "reduce_sum", "reduce_variance",
]  # fmt: skip

SOME = calls(lambda x: [(x(),), (x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(6)[::-2],)])
WITH_EMPTY = calls(lambda x: [(x(),), (x(0),), (x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 0, 3),), (x(2, 3, 2)[::-1],)])
AXES = {"axis": (None, 0, -1, (0, 1), (1, 2), ()), "keepdims": (False, True)}

BAD_AXIS = Failure((np.ones((2, 3), np.float32), 2), ShapeMismatchError, ("axis 2", "(2, 3)"))
NO_BOOL = Failure((np.ones(2, np.bool_),), DtypeMismatchError, ("bool",))
NO_INTEGER = Failure((np.ones(2, np.int32),), DtypeMismatchError, ("int32",))
BOOL_ERRORS = (Failure((np.ones((2, 3), np.bool_), 2), ShapeMismatchError, ("axis 2", "(2, 3)")), NO_INTEGER)

# numpy's stubs have no overload for a `keepdims` that is only known to be a bool.
TOTAL: Any = np.add.reduce
PRODUCT: Any = np.multiply.reduce
HIGHEST: Any = np.maximum.reduce
LOWEST: Any = np.minimum.reduce
ALL: Any = np.logical_and.reduce
ANY: Any = np.logical_or.reduce

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


@reduction(dtypes=NUMERIC, samples=each(WITH_EMPTY, **AXES), reference=by_slices(sum), errors=(BAD_AXIS, NO_BOOL))
def reduce_sum(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum over the axes, in the dtype of input_tensor (numeric). The sum of nothing is 0."""
    return TOTAL(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


@reduction(dtypes=NUMERIC, samples=each(WITH_EMPTY, **AXES), reference=by_slices(math.prod), errors=(BAD_AXIS, NO_BOOL))
def reduce_prod(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The product over the axes, in the dtype of input_tensor (numeric). The product of nothing is 1."""
    return PRODUCT(input_tensor, axis=axis, keepdims=keepdims, dtype=input_tensor.dtype)


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
    dtypes=NUMERIC, samples=each(SOME, **AXES), reference=by_slices(_mean),
    errors=(BAD_AXIS, NO_BOOL, Failure((np.ones(0, np.int32),), InvalidArgumentError, ("empty",))),
)  # fmt: skip
def reduce_mean(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
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


def _variance(items: list[float]) -> float:
    if not items:
        return math.nan
    mean = math.fsum(items) / len(items)
    return math.fsum((i - mean) ** 2 for i in items) / len(items)


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(_variance), errors=(BAD_AXIS, NO_INTEGER),
)  # fmt: skip
def reduce_variance(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The variance of the population over the axes (divided by n, not n - 1). input_tensor: float tensor."""
    dtype = input_tensor.dtype
    wide = np.asarray(input_tensor, np.float32) if dtype == np.float16 else input_tensor
    count = wide.dtype.type(count_of(wide, axis))
    mean = TOTAL(wide, axis=axis, keepdims=True) / count
    total = TOTAL(np.square(wide - mean), axis=axis, keepdims=keepdims)
    return (total / count).astype(dtype)


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(lambda items: math.sqrt(_variance(items))),
    errors=(BAD_AXIS, NO_INTEGER),
)  # fmt: skip
def reduce_std(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The standard deviation of the population over the axes. input_tensor: float tensor."""
    return np.sqrt(reduce_variance.kernel(input_tensor, axis, keepdims))


def lowest(dtype: np.dtype[Any]) -> Any:
    """The value that never wins a maximum: -inf, or the lowest integer."""
    return dtype.type(-np.inf if dtype.kind == "f" else np.iinfo(dtype).min)


def highest(dtype: np.dtype[Any]) -> Any:
    """The value that never wins a minimum: inf, or the highest integer."""
    return dtype.type(np.inf if dtype.kind == "f" else np.iinfo(dtype).max)


@reduction(dtypes=REALS, samples=each(SOME, **AXES), reference=by_slices(max), errors=(BAD_AXIS, NO_BOOL))
def reduce_max(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest element over the axes; nan if there is one. input_tensor: real tensor.

    The maximum of nothing is the lowest value of the dtype: -inf for floats.
    """
    start = lowest(input_tensor.dtype)
    return HIGHEST(input_tensor, axis=axis, keepdims=keepdims, initial=start)


@reduction(dtypes=REALS, samples=each(SOME, **AXES), reference=by_slices(min), errors=(BAD_AXIS, NO_BOOL))
def reduce_min(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest element over the axes; nan if there is one. input_tensor: real tensor.

    The minimum of nothing is the highest value of the dtype: inf for floats.
    """
    start = highest(input_tensor.dtype)
    return LOWEST(input_tensor, axis=axis, keepdims=keepdims, initial=start)


@reduction(dtypes=BOOLS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(all), errors=BOOL_ERRORS)
def reduce_all(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether all elements over the axes are true; of nothing: True. input_tensor: bool tensor."""
    return ALL(input_tensor, axis=axis, keepdims=keepdims)


@reduction(dtypes=BOOLS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(any), errors=BOOL_ERRORS)
def reduce_any(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """Whether any element over the axes is true; of nothing: False. input_tensor: bool tensor."""
    return ANY(input_tensor, axis=axis, keepdims=keepdims)


def _log_sum(items: list[float]) -> float:
    return math.log(math.fsum(map(math.exp, items))) if items else -math.inf


@reduction(
    dtypes=FLOATS, samples=each(WITH_EMPTY, **AXES), reference=by_slices(_log_sum), errors=(BAD_AXIS, NO_INTEGER),
)  # fmt: skip
def reduce_logsumexp(input_tensor: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """log(sum(exp(x))) over the axes, without overflow. input_tensor: float tensor."""
    top = HIGHEST(input_tensor, axis=axis, keepdims=True, initial=lowest(input_tensor.dtype))
    top = np.where(np.isfinite(top), top, input_tensor.dtype.type(0))
    total = np.log(TOTAL(np.exp(input_tensor - top), axis=axis, keepdims=True)) + top
    return total if keepdims else np.reshape(total, _reduced_shape(input_tensor, axis))


def _reduced_shape(x: Array, axis: Any) -> tuple[int, ...]:
    shape = np.shape(x)
    axes = normalized_axes(axis, len(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


@op(
    shape=reduced, dtypes=REALS | BOOLS, result=int64,
    samples=each(WITH_EMPTY, **AXES), reference=by_slices(lambda items: sum(1 for i in items if i)), errors=(BAD_AXIS,),
)  # fmt: skip
def count_nonzero(input: Array, axis: Any = None, keepdims: bool = False) -> Any:
    """How many elements over the axes are not zero (or true), as int64. input: real or bool tensor."""
    return TOTAL(np.not_equal(input, 0), axis=axis, keepdims=keepdims, dtype=np.int64)


def _position_shape(input: Operand, axis: Any, output_type: DType) -> TensorShape:
    return reduced(input, 0 if axis is None else axis)


def _position_dtype(input: Operand, axis: Any, output_type: DType) -> DType:
    if output_type not in (int32, int64):
        raise DtypeMismatchError(f"output_type must be int32 or int64; got {output_type.name}")
    return output_type


def _positions(which: Any, x: Array, axis: Any, output_type: DType) -> Any:
    axis = 0 if axis is None else axis
    if not np.shape(x)[normalized_axis(axis, np.ndim(x))]:
        raise InvalidArgumentError(f"{which.__name__}: axis {axis} of the shape {show_shape(x)} is empty")
    return which(x, axis=axis).astype(output_type.numpy)


POSITIONS = each(
    calls(lambda x: [(x(4),), (x(2, 3),), (x(3, 2).T,), (x(2, 3, 2)[::-1],), (x(6)[::-2],)]),
    axis=(0, -1, None), output_type=(int64, int32),
)  # fmt: skip
EMPTY_AXIS = Failure((np.ones((2, 0), np.float32), 1), InvalidArgumentError, ("empty", "(2, 0)"))
NO_RANK = Failure((np.float32(1),), ShapeMismatchError, ("axis 0", "rank 0"))


def _first(choose: Any) -> Any:
    def reference(x: Array, axis: Any, output_type: Any) -> Any:
        return by_slices(lambda items: items.index(choose(items)))(x, axis or 0)

    return reference


@op(
    shape=_position_shape, dtypes=REALS | BOOLS, result=_position_dtype,
    samples=POSITIONS, reference=_first(max), errors=(BAD_AXIS, EMPTY_AXIS, NO_RANK),
)  # fmt: skip
def argmax(input: Array, axis: Any = None, output_type: DType = int64) -> Any:
    """The position of the largest element along one axis (default: the first), the lowest position among equals.

    input: real or bool tensor of rank >= 1. output_type: int64 or int32.
    """
    return _positions(np.argmax, input, axis, output_type)


@op(
    shape=_position_shape, dtypes=REALS | BOOLS, result=_position_dtype,
    samples=POSITIONS, reference=_first(min), errors=(BAD_AXIS, EMPTY_AXIS, NO_RANK),
)  # fmt: skip
def argmin(input: Array, axis: Any = None, output_type: DType = int64) -> Any:
    """The position of the smallest element along one axis (default: the first), the lowest position among equals.

    input: real or bool tensor of rank >= 1. output_type: int64 or int32.
    """
    return _positions(np.argmin, input, axis, output_type)


def _along(x: Operand, axis: int, **attributes: Any) -> TensorShape:
    if x.shape.rank is not None:
        normalized_axis(axis, x.shape.rank)
    return same_shape(x)


def _accumulated(ufunc: np.ufunc, start: int, x: Array, axis: int, exclusive: bool, reverse: bool) -> Array:
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


@op(shape=_along, dtypes=NUMERIC, samples=CUMULATIVE, reference=_running(sum), errors=(BAD_AXIS, NO_BOOL))
def cumsum(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The running sum along an axis, in the dtype of x (numeric). exclusive: without the element itself."""
    return _accumulated(np.add, 0, x, axis, exclusive, reverse)


@op(shape=_along, dtypes=NUMERIC, samples=CUMULATIVE, reference=_running(math.prod), errors=(BAD_AXIS, NO_BOOL))
def cumprod(x: Array, axis: int = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The running product along an axis, in the dtype of x (numeric). exclusive: without the element itself."""
    return _accumulated(np.multiply, 1, x, axis, exclusive, reverse)
