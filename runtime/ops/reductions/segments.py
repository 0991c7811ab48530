"""Sums, means, products and extremes of the rows that share an id: segment_sum, unsorted_segment_max, ...

>>> runtime.math.segment_sum([1, 2, 3], [0, 0, 1])
<tf.Tensor: shape=(2,), dtype=int32, numpy=array([3, 3], dtype=int32)>

Row i of the result is made of the rows of `data` whose id is i. The `segment_` operations want ids in ascending order
and find their number themselves; the `unsorted_segment_` ones take any order and the number, and leave out rows with
negative ids. A segment without rows is 0 (a product: 1; of the unsorted extremes: the lowest or highest value).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.dtypes import FLOATS, INTEGERS, NUMERIC, REALS, as_dtype
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.arrays.shape import INDEXES
from runtime.ops.kernels.values import elements
from runtime.ops.records.gradients import conjugated, ops
from runtime.ops.records.raises import CHECKED
from runtime.ops.records.record import Array, Op, Operand, op
from runtime.ops.records.samples import Failure, Sampler, calls
from runtime.ops.records.shape_rules import known_integers
from runtime.shapes import TensorShape

__all__ = [
    "segment_max", "segment_mean", "segment_min", "segment_prod", "segment_sum", "unsorted_segment_max",
    "unsorted_segment_mean", "unsorted_segment_min", "unsorted_segment_prod", "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]  # fmt: skip

NUMBERED: Final[dict[Any, Any]] = {"data": NUMERIC, "segment_ids": INDEXES, "num_segments": INTEGERS}


def _rest(data: Operand, segment_ids: Operand) -> TensorShape:
    """What follows the axes of the ids. Raises ValueError where the ids do not fit."""
    dims, ids = data.shape.dims, segment_ids.shape.dims
    if dims is None or ids is None:
        return TensorShape(None)
    if len(ids) > len(dims) or not TensorShape(ids).is_compatible_with(dims[: len(ids)]):
        raise ValueError(f"the ids {segment_ids.shape} do not fit the data {data.shape}: one id for each row is needed")
    return TensorShape(dims[len(ids) :])


def _sorted_shape(data: Operand, segment_ids: Operand) -> TensorShape:
    if segment_ids.shape.rank not in (1, None):
        raise ValueError("the ids are a vector")
    known = known_integers(segment_ids)
    count = None if known is None else max(known, default=-1) + 1
    return TensorShape([count]).concatenate(_rest(data, Operand(segment_ids.dtype, TensorShape([None]))
                                                  if segment_ids.shape.dims is None else segment_ids))  # fmt: skip


def _numbered_shape(data: Operand, segment_ids: Operand, num_segments: Operand) -> TensorShape:
    if num_segments.shape.rank not in (0, None):
        raise ValueError("num_segments is a scalar")
    known = known_integers(num_segments)
    return TensorShape([None if known is None else known[0]]).concatenate(_rest(data, segment_ids))


def _reduced(ufunc: np.ufunc, start: Any, data: Array, ids: Array, count: int) -> Array:
    """Rows of one id together by a ufunc: once sorted, each segment is one slice."""
    rows = data.reshape(ids.size, *data.shape[ids.ndim :])
    flat = ids.reshape(-1)
    if flat.size and flat.min() < 0:
        rows, flat = rows[flat >= 0], flat[flat >= 0]
    result = np.full((count, *rows.shape[1:]), start, data.dtype)
    if not flat.size:
        return result
    if flat.size > 1 and np.any(flat[1:] < flat[:-1]):
        order = np.argsort(flat, kind="stable")
        rows, flat = rows[order], flat[order]
    starts = np.flatnonzero(np.concatenate([[True], flat[1:] != flat[:-1]]))
    result[flat[starts]] = ufunc.reduceat(rows, starts, axis=0, dtype=data.dtype)
    return result


def _check_sorted(name: str, data: Array, ids: Array) -> int:
    """The number of segments. Raises InvalidArgumentError for ids that are negative or out of order."""
    if ids.ndim != 1 or data.shape[:1] != ids.shape:
        raise ShapeMismatchError(f"{name}: the ids {ids.shape} do not fit the data {data.shape}: one for each row")
    if ids.size and (ids[0] < 0 or np.any(ids[1:] < ids[:-1])):
        raise InvalidArgumentError(
            f"{name}: the ids must be in ascending order and not negative; use unsorted_{name}. Got {ids[:10].tolist()}"
        )
    return int(ids[-1]) + 1 if ids.size else 0


def _check_numbered(name: str, data: Array, ids: Array, num_segments: Array) -> int:
    if ids.shape != data.shape[: ids.ndim]:
        raise ShapeMismatchError(f"{name}: the ids {ids.shape} do not fit the data {data.shape}")
    count = int(num_segments)
    if count < 0:
        raise InvalidArgumentError(f"{name}: num_segments is not negative; got {count}")
    if ids.size and ids.max() >= count:
        raise InvalidArgumentError(f"{name}: the id {ids.max()} is not less than num_segments, which is {count}")
    return count


def _ids(*items: Any) -> Array:
    return np.array(items, np.int32)


SORTED: Final[Sampler] = calls(lambda x: [
    (x(4), _ids(0, 0, 1, 1)), (x(5, 2), _ids(0, 1, 1, 3, 3)), (x(0), _ids()), (x(2, 3).T, np.array([1, 1, 2])),
    (x(6)[::-2], _ids(0, 1, 2)), (x(3, 2, 2), _ids(2, 2, 2)),
])  # fmt: skip

NUMBERS: Final[Sampler] = calls(lambda x: [
    (x(4), _ids(1, 0, 1, 0), np.array(2, np.int32)), (x(5, 2), _ids(3, -1, 1, 3, 1), np.array(4)),
    (x(0), _ids(), np.array(2)), (x(2, 3).T, np.array([1, 2, 1]), np.array(3)), (x(2, 2, 3), _ids([1, 0], [0, 0]),
    np.array(2)), (x(6)[::-2], _ids(0, 0, 0), np.array(1)), (x(), np.array(1), np.array(2)),
])  # fmt: skip

BAD_IDS = (
    Failure((np.ones(2, np.float32), [1, 0]), InvalidArgumentError, ("ascending", "unsorted_segment")),
    Failure((np.ones(2, np.float32), [-1, 0]), InvalidArgumentError, ("negative",)),
    Failure((np.ones(2, np.float32), [0, 0, 0]), ShapeMismatchError, ("(2,)", "(3,)")),
    Failure((np.ones(2, np.float32), [0.5, 1.5]), DtypeMismatchError, ("segment_ids", "float32")),
)
BAD_NUMBERS = (
    Failure((np.ones(2, np.float32), [1, 2], 2), InvalidArgumentError, ("2", "num_segments")),
    Failure((np.ones(2, np.float32), [0, 0, 0], 2), ShapeMismatchError, ("(2,)", "(3,)")),
    Failure((np.ones(2, np.float32), [0, 0], -1), InvalidArgumentError, ("-1",)),
)


def bottom(dtype: Any) -> Any:
    """The lowest finite value of a numpy dtype."""
    return as_dtype(dtype).min


def top(dtype: Any) -> Any:
    """The highest finite value of a numpy dtype."""
    return as_dtype(dtype).max


def by_rows(combine: Callable[[list[Any]], Any], empty: Any = 0) -> Any:
    """A reference that combines the Python numbers of each place of each segment."""

    def reference(data: Array, segment_ids: Array, num_segments: Any = None) -> Array:
        count = max(segment_ids.tolist(), default=-1) + 1 if num_segments is None else int(num_segments)
        start = empty(data.dtype) if callable(empty) else empty
        result = np.full((count, *data.shape[segment_ids.ndim :]), start, object)
        for place in np.ndindex(result.shape):
            items = [data[i][place[1:]].item() for i in np.ndindex(segment_ids.shape) if segment_ids[i] == place[0]]
            if items:
                result[place] = combine(items)
        return result

    return reference


def _mean(items: list[Any]) -> Any:
    return sum(items) / len(items)


of_sorted = functools.partial(op, raises=CHECKED, shape=_sorted_shape, samples=SORTED, errors=BAD_IDS)
of_numbered = functools.partial(op, raises=CHECKED, shape=_numbered_shape, samples=NUMBERS, errors=BAD_NUMBERS)


def _dtypes(data: Any) -> Any:
    return {"data": data, "segment_ids": INDEXES}


@of_sorted(dtypes=_dtypes(NUMERIC), reference=by_rows(sum))
def segment_sum(data: Array, segment_ids: Array) -> Any:
    """The sum of the rows of each segment. data: numeric; segment_ids: one ascending integer a row."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.add, 0, data, ids, _check_sorted("segment_sum", data, ids))


@of_sorted(dtypes=_dtypes(NUMERIC), reference=by_rows(math.prod, 1))
def segment_prod(data: Array, segment_ids: Array) -> Any:
    """The product of the rows of each segment. data: numeric; segment_ids: one ascending integer a row."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.multiply, 1, data, ids, _check_sorted("segment_prod", data, ids))


@of_sorted(dtypes=_dtypes(FLOATS), reference=by_rows(_mean))
def segment_mean(data: Array, segment_ids: Array) -> Any:
    """The mean of the rows of each segment. data: float, of rank >= 1; segment_ids: one ascending integer a row."""
    data, ids = elements(data), elements(segment_ids)
    return _means(data, ids, _check_sorted("segment_mean", data, ids), np.maximum)


def _means(data: Array, ids: Array, count: int, scale: Any) -> Array:
    """Sums divided by (a function of) the number of rows, at least 1."""
    kept = ids.reshape(-1)
    numbers = np.bincount(kept[kept >= 0], minlength=count).reshape(count, *(1,) * (data.ndim - ids.ndim))
    divisor = scale(numbers, 1).astype(np.float32 if data.dtype == np.float16 else data.dtype)
    total = _reduced(np.add, 0, data.astype(divisor.dtype, copy=False), ids, count)
    result: Array = (total / divisor).astype(data.dtype, copy=False)
    return result


@of_sorted(dtypes=_dtypes(REALS), reference=by_rows(max))
def segment_max(data: Array, segment_ids: Array) -> Any:
    """The largest of the rows of each segment. data: real, of rank >= 1; segment_ids: one ascending integer a row."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.maximum, 0, data, ids, _check_sorted("segment_max", data, ids))


@of_sorted(dtypes=_dtypes(REALS), reference=by_rows(min))
def segment_min(data: Array, segment_ids: Array) -> Any:
    """The smallest of the rows of each segment. data: real, of rank >= 1; segment_ids: one ascending integer a row."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.minimum, 0, data, ids, _check_sorted("segment_min", data, ids))


@of_numbered(dtypes=NUMBERED, reference=by_rows(sum))
def unsorted_segment_sum(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The sum of the rows of each segment. data: numeric; segment_ids: integers, whose shape begins that of data;
    num_segments: how many rows the result has, more than the largest id."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.add, 0, data, ids, _check_numbered("unsorted_segment_sum", data, ids, num_segments))


@of_numbered(dtypes=NUMBERED, reference=by_rows(math.prod, 1))
def unsorted_segment_prod(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The product of the rows of each segment. data: numeric; segment_ids: integers, whose shape begins that of data;
    num_segments: how many rows the result has, more than the largest id."""
    data, ids = elements(data), elements(segment_ids)
    return _reduced(np.multiply, 1, data, ids, _check_numbered("unsorted_segment_prod", data, ids, num_segments))


@of_numbered(dtypes={**NUMBERED, "data": FLOATS}, reference=by_rows(_mean))
def unsorted_segment_mean(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The mean of the rows of each segment. data: float; segment_ids: integers, whose shape begins that of data;
    num_segments: how many rows the result has, more than the largest id."""
    data, ids = elements(data), elements(segment_ids)
    return _means(data, ids, _check_numbered("unsorted_segment_mean", data, ids, num_segments), np.maximum)


def _root(numbers: Array, least: int) -> Any:
    return np.sqrt(np.maximum(numbers, least))


@of_numbered(dtypes={**NUMBERED, "data": FLOATS}, reference=by_rows(lambda items: sum(items) / math.sqrt(len(items))))
def unsorted_segment_sqrt_n(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The sum of the rows of each segment divided by the square root of their number. data: float; segment_ids:
    integers, whose shape begins that of data; num_segments: how many rows the result has."""
    data, ids = elements(data), elements(segment_ids)
    return _means(data, ids, _check_numbered("unsorted_segment_sqrt_n", data, ids, num_segments), _root)


@of_numbered(dtypes={**NUMBERED, "data": REALS}, reference=by_rows(max, bottom))
def unsorted_segment_max(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The largest of the rows of each segment; of no rows the lowest value of the dtype. data: real; segment_ids:
    integers, whose shape begins that of data; num_segments: how many rows the result has."""
    data, ids = elements(data), elements(segment_ids)
    count = _check_numbered("unsorted_segment_max", data, ids, num_segments)
    return _reduced(np.maximum, bottom(data.dtype), data, ids, count)


@of_numbered(dtypes={**NUMBERED, "data": REALS}, reference=by_rows(min, top))
def unsorted_segment_min(data: Array, segment_ids: Array, num_segments: Array) -> Any:
    """The smallest of the rows of each segment; of no rows the highest value of the dtype. data: real; segment_ids:
    integers, whose shape begins that of data; num_segments: how many rows the result has."""
    data, ids = elements(data), elements(segment_ids)
    count = _check_numbered("unsorted_segment_min", data, ids, num_segments)
    return _reduced(np.minimum, top(data.dtype), data, ids, count)


# -- gradients: each row gets what became of its segment --------------------------------------------------------------


def _of_segment(values: Any, ids: Any) -> Any:
    """For each row what its segment has; 0 for rows of negative ids, which belong to none."""
    rows = ops.gather(values, ops.maximum(ids, 0))
    extra = ops.ones([ops.rank(rows) - ops.rank(ids)], dtype=ids.dtype)
    place = ops.concat([ops.shape(ids, out_type=ids.dtype), extra], axis=0)
    return ops.where(ops.reshape(ops.greater_equal(ids, 0), place), rows, ops.zeros_like(rows))


def _spread_sum(upstream: Any, segment_ids: Any) -> Any:
    return _of_segment(upstream, segment_ids)


def _spread_mean(upstream: Any, data: Any, segment_ids: Any) -> Any:
    return _of_segment(upstream, segment_ids) / _numbers(upstream, data, segment_ids)


def _numbers(upstream: Any, data: Any, ids: Any) -> Any:
    """How many rows the segment of each element has, at least 1."""
    ones = ops.ones_like(data)
    return ops.maximum(_of_segment(unsorted_segment_sum(ones, ids, ops.shape(upstream)[0]), ids), 1)


def _spread_root(upstream: Any, data: Any, segment_ids: Any) -> Any:
    return _of_segment(upstream, segment_ids) / ops.sqrt(_numbers(upstream, data, segment_ids))


def _spread_extreme(upstream: Any, result: Any, data: Any, segment_ids: Any) -> Any:
    """Equal ones share it."""
    chosen = ops.cast(ops.equal(data, _of_segment(result, segment_ids)), data.dtype)
    numbers = unsorted_segment_sum(chosen, segment_ids, ops.shape(result)[0])
    return chosen * _of_segment(upstream / ops.maximum(numbers, 1), segment_ids)


def _spread_product(upstream: Any, data: Any, segment_ids: Any) -> Any:
    return _of_segment(upstream, segment_ids) * conjugated(ops.segment_others(data, segment_ids))


_SPREAD: Final[dict[Op, Callable[..., Any]]] = {
    segment_sum: _spread_sum, unsorted_segment_sum: _spread_sum, segment_mean: _spread_mean,
    unsorted_segment_mean: _spread_mean, unsorted_segment_sqrt_n: _spread_root, segment_max: _spread_extreme,
    segment_min: _spread_extreme, unsorted_segment_max: _spread_extreme, unsorted_segment_min: _spread_extreme,
    segment_prod: _spread_product, unsorted_segment_prod: _spread_product,
}  # fmt: skip


def _rule(spread: Callable[..., Any], ids_only: bool) -> Callable[..., Any]:
    """The rule of a record: ids and their number have no gradient."""
    nothing = (None,) if ids_only else (None, None)
    if spread is _spread_sum:
        return lambda upstream, segment_ids: (spread(upstream, segment_ids), *nothing)
    if spread in (_spread_mean, _spread_root, _spread_product):
        return lambda upstream, data, segment_ids: (spread(upstream, data, segment_ids), *nothing)
    return lambda upstream, result, data, segment_ids: (spread(upstream, result, data, segment_ids), *nothing)


for _op, _spread in _SPREAD.items():
    _op.gradient(_rule(_spread, len(_op.tensors) == 2))
