"""Sorting, and positions in what is sorted."""

from __future__ import annotations

from typing import Any

from runtime.dtypes import int8, int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.expansions.items import counted
from runtime.exits.rules import expands
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.counting import search_rows, unique_in_order
from runtime.ops.reductions.order import sort, top_k
from runtime.ops.reductions.search import searchsorted, unique_sorted

__all__: list[str] = []


@expands(sort)
def _(values: Any, axis: int, direction: str) -> Any:
    return ops.take_along_axis(values, ops.argsort(values, axis=axis, direction=direction), axis=axis)


@expands(top_k)
def _(input: Any, k: int) -> Any:
    places = ops.argsort(input, axis=-1, direction="DESCENDING")
    first = ops.getitem(places, spec=("...", (None, k, None)))
    return ops.take_along_axis(input, first, axis=-1), first


@expands(unique_sorted)
def _(x: Any) -> Any:
    """From the sorted elements: where a new one begins. All NaN are one."""
    flat = ops.reshape(x, ops.reshape(ops.size(x), [1]))
    size = ops.size(flat, out_type=int64)
    order = ops.cast(ops.argsort(flat), dtype=int64)
    line = ops.gather(flat, order)
    before = ops.gather(line, ops.maximum(ops.subtract(counted(size), constant(size, 1)), constant(size, 0)))
    is_new = ops.not_equal(line, before)
    if x.dtype.is_floating:
        is_new = ops.logical_and(is_new, ops.logical_not(ops.logical_and(ops.is_nan(line), ops.is_nan(before))))
    is_new = ops.logical_or(is_new, ops.equal(counted(size), constant(size, 0)))
    numbers = ops.subtract(ops.cumsum(ops.cast(is_new, dtype=int64)), constant(size, 1))
    places = ops.tensor_scatter_nd_update(ops.zeros_like(numbers), ops.expand_dims(order, axis=-1), numbers)
    found = ops.boolean_mask(line, is_new)
    counts = ops.unsorted_segment_sum(ops.ones_like(numbers), numbers, ops.size(found))
    return found, ops.boolean_mask(order, is_new), places, counts


@expands(unique_in_order)
def _(x: Any) -> Any:
    found, firsts, places, counts = ops.unique_sorted(ops.cast(x, dtype=int8) if x.dtype.is_bool else x)
    order = ops.argsort(firsts)
    rank = ops.argsort(order)
    found = ops.cast(ops.gather(found, order), dtype=x.dtype)
    return found, ops.gather(rank, places), ops.gather(counts, order)


def _found(rows: Any, values: Any, side: str) -> Any:
    """How many elements of each row are before each value; NaN is behind all others."""
    rows, values = ops.expand_dims(rows, axis=-2), ops.expand_dims(values, axis=-1)
    is_before = ops.less(rows, values) if side == "left" else ops.less_equal(rows, values)
    if values.dtype.is_floating:
        others = ops.logical_not(ops.is_nan(rows))
        if side != "left":
            others = ops.logical_or(others, ops.is_nan(rows))
        is_before = ops.logical_or(is_before, ops.logical_and(ops.is_nan(values), others))
    return ops.reduce_sum(ops.cast(is_before, dtype=int64), axis=-1)


@expands(searchsorted)
def _(sorted_sequence: Any, values: Any, side: str) -> Any:
    flat = ops.reshape(values, ops.reshape(ops.size(values), [1]))
    return ops.reshape(_found(sorted_sequence, flat, side), ops.shape(values))


@expands(search_rows)
def _(sorted_sequence: Any, values: Any, side: str) -> Any:
    return _found(sorted_sequence, values, side)
