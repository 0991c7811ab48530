"""Sorting, and positions in what is sorted."""

from __future__ import annotations

from typing import Any

from runtime.dtypes import int64
from runtime.exits.rules import expands
from runtime.ops.counting import search_rows
from runtime.ops.gradients import ops
from runtime.ops.order import sort, top_k
from runtime.ops.search import searchsorted

__all__: list[str] = []


@expands(sort)
def _(values: Any, axis: int, direction: str) -> Any:
    return ops.take_along_axis(values, ops.argsort(values, axis=axis, direction=direction), axis=axis)


@expands(top_k)
def _(input: Any, k: int) -> Any:
    places = ops.argsort(input, axis=-1, direction="DESCENDING")
    first = ops.getitem(places, spec=("...", (None, k, None)))
    return ops.take_along_axis(input, first, axis=-1), first


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
