"""Counts, sums of segments, and sums of products of two vectors."""

from __future__ import annotations

from typing import Any

from runtime.dtypes import float16, float32, int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.expansions.items import counted
from runtime.exits.rules import expands
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.counting import count_values
from runtime.ops.reductions.search import bincount, convolve
from runtime.ops.reductions.segment_others import segment_others
from runtime.ops.reductions.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_mean,
    unsorted_segment_sqrt_n,
)

__all__: list[str] = []


def _last(ids: Any) -> Any:
    """One more than the largest id; 0 where there is none."""
    wide = ops.cast(ids, dtype=int64)
    return ops.add(ops.reduce_max(ops.concat([wide, ops.reshape(constant(wide, -1), [1])], axis=0)), constant(wide, 1))


@expands(segment_sum)
def _(data: Any, segment_ids: Any) -> Any:
    return ops.unsorted_segment_sum(data, segment_ids, _last(segment_ids))


@expands(segment_prod)
def _(data: Any, segment_ids: Any) -> Any:
    """Of no rows it is 1."""
    return ops.unsorted_segment_prod(data, segment_ids, _last(segment_ids))


@expands(segment_mean)
def _(data: Any, segment_ids: Any) -> Any:
    return ops.unsorted_segment_mean(data, segment_ids, _last(segment_ids))


def _counts(data: Any, ids: Any, count: Any) -> Any:
    """How many rows each segment has, with as many axes as the sums have."""
    found = ops.unsorted_segment_sum(ops.ones_like(ids, dtype=int64), ids, count)
    for _ in range(data.shape.rank - ids.shape.rank):
        found = ops.expand_dims(found, axis=-1)
    return found


@expands(segment_max)
def _(data: Any, segment_ids: Any) -> Any:
    return _or_zero(ops.unsorted_segment_max, data, segment_ids)


@expands(segment_min)
def _(data: Any, segment_ids: Any) -> Any:
    return _or_zero(ops.unsorted_segment_min, data, segment_ids)


def _or_zero(extreme: Any, data: Any, ids: Any) -> Any:
    if data.shape.rank is None:
        return NotImplemented
    count = _last(ids)
    counts = _counts(data, ids, count)
    found = extreme(data, ids, count)
    return ops.where(ops.equal(counts, constant(counts, 0)), constant(found, 0), found)


def _means(data: Any, ids: Any, count: Any, root: bool) -> Any:
    if data.shape.rank is None or ids.shape.rank is None:
        return NotImplemented
    wide = ops.cast(data, dtype=float32) if data.dtype is float16 else data
    counts = _counts(data, ids, count)
    divisor = ops.cast(ops.maximum(counts, constant(counts, 1)), dtype=wide.dtype)
    total = ops.unsorted_segment_sum(wide, ids, count)
    return ops.cast(ops.divide(total, ops.sqrt(divisor) if root else divisor), dtype=data.dtype)


@expands(unsorted_segment_mean)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _means(data, segment_ids, num_segments, False)


@expands(unsorted_segment_sqrt_n)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _means(data, segment_ids, num_segments, True)


@expands(segment_others)
def _(data: Any, segment_ids: Any) -> Any:
    """By all pairs of rows."""
    if data.shape.rank is None or segment_ids.shape.rank is None:
        return NotImplemented
    ids = ops.reshape(segment_ids, ops.reshape(ops.size(segment_ids), [1]))
    count = ops.size(ids)
    width = ops.reduce_prod(ops.shape(data)[segment_ids.shape.rank :])
    rows = ops.reshape(data, ops.stack([count, width], axis=0))
    numbers = counted(count)
    same = ops.equal(ops.expand_dims(ids, axis=0), ops.expand_dims(ids, axis=1))
    other = ops.not_equal(ops.expand_dims(numbers, axis=0), ops.expand_dims(numbers, axis=1))
    joined = ops.expand_dims(ops.logical_and(same, other), axis=-1)
    products = ops.reduce_prod(ops.where(joined, ops.expand_dims(rows, axis=0), constant(rows, 1)), axis=1)
    return ops.reshape(products, ops.shape(data))


@expands(bincount)
def _(values: Any, minlength: Any) -> Any:
    wide = ops.cast(values, dtype=int64)
    count = ops.maximum(_last(wide), ops.cast(minlength, dtype=int64))
    return ops.unsorted_segment_sum(ops.ones_like(wide), wide, count)


@expands(count_values)
def _(arr: Any, weights: Any, size: Any) -> Any:
    if arr.shape.rank is None:
        return NotImplemented
    places, count = ops.cast(arr, dtype=int64), ops.cast(size, dtype=int64)
    outside = ops.greater_equal(places, count)
    if arr.shape.rank == 1:
        places = ops.where(outside, constant(places, -1), places)
        return ops.unsorted_segment_sum(weights, places, count)
    rows = ops.shape(arr, out_type=int64)[0]
    starts = ops.expand_dims(ops.multiply(counted(rows), count), axis=-1)
    places = ops.where(outside, constant(places, -1), ops.add(places, starts))
    sums = ops.unsorted_segment_sum(weights, places, ops.multiply(rows, count))
    return ops.reshape(sums, ops.stack([rows, count], axis=0))


@expands(convolve)
def _(a: Any, v: Any, mode: str) -> Any:
    counts = [ops.size(x, out_type=int64) for x in (a, v)]
    products = ops.multiply(ops.expand_dims(a, axis=1), ops.expand_dims(v, axis=0))
    places = ops.add(ops.expand_dims(counted(counts[0]), axis=1), ops.expand_dims(counted(counts[1]), axis=0))
    one = constant(counts[0], 1)
    whole = ops.subtract(ops.add(*counts), one)
    full = ops.unsorted_segment_sum(products, places, whole)
    if mode == "full":
        return full
    long, short = ops.maximum(*counts), ops.minimum(*counts)
    if mode == "same":
        start = ops.floordiv(ops.subtract(short, one), constant(one, 2))
        return full[start : ops.add(start, long)]
    start = ops.subtract(short, one)
    return full[start : ops.add(start, ops.add(ops.subtract(long, short), one))]
