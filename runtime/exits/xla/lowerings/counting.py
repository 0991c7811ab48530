"""Rows that share a number: sums, products and extremes of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.exits.xla.library import jax, jnp
from runtime.exits.xla.rules import known, lowers
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.reduce import highest, lowest

__all__: list[str] = []


def _segments(data: Any, ids: Any, count: int, how: str, start: Any) -> Any:
    """Rows put together in a tensor of so many rows; those with negative numbers are left out."""
    ids = jnp.asarray(ids)
    rows = jnp.asarray(data).reshape(int(np.prod(ids.shape)), *data.shape[ids.ndim :])
    flat = ids.reshape(-1)
    flat = jnp.where(flat < 0, count, flat)
    result = jnp.full((count, *rows.shape[1:]), start, data.dtype)
    return getattr(result.at[flat], how)(rows, mode="drop")


@lowers(ops.unsorted_segment_sum)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _segments(data, segment_ids, _count(num_segments), "add", 0)


@lowers(ops.unsorted_segment_prod)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _segments(data, segment_ids, _count(num_segments), "multiply", 1)


@lowers(ops.unsorted_segment_max)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _segments(data, segment_ids, _count(num_segments), "max", _bottom(data))


@lowers(ops.unsorted_segment_min)
def _(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    return _segments(data, segment_ids, _count(num_segments), "min", _top(data))


def _count(num_segments: Any) -> int:
    return int(known(num_segments, "how many segments there are"))


def _bottom(data: Any) -> Any:
    dtype: Any = np.dtype(data.dtype)
    return jnp.finfo(dtype).min if jnp.issubdtype(dtype, np.floating) else lowest(dtype)


def _top(data: Any) -> Any:
    dtype: Any = np.dtype(data.dtype)
    return jnp.finfo(dtype).max if jnp.issubdtype(dtype, np.floating) else highest(dtype)


@lowers(ops.count_values)
def _(arr: Any, weights: Any, size: Any) -> Any:
    count = int(known(size, "how many values are counted"))
    add: Any = lambda row, own: jnp.zeros(count, weights.dtype).at[row].add(own, mode="drop")
    arr, weights = jnp.asarray(arr), jnp.asarray(weights)
    return jax.vmap(add)(arr, weights) if arr.ndim == 2 else add(arr, weights)


@lowers(ops.search_rows)
def _(sorted_sequence: Any, values: Any, side: str) -> Any:
    lines, wanted = jnp.asarray(sorted_sequence), jnp.asarray(values)
    find: Any = lambda line, row: jnp.searchsorted(line, row, side=side)
    for _ in range(lines.ndim - 1):
        find = jax.vmap(find)
    return find(lines, wanted)
