"""Gradients of lists: lists again, with zeros for the elements that have no gradient.

A gradient grows to the positions that it is given. One that is not known before the run is taken to be within one more
element for each that is added, as it is in loops over a list; where it is not, that is found when the program runs
(`runtime.exits.xla.failing`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.exits.xla.library import jnp
from runtime.exits.xla.lowerings.shapes import sizes
from runtime.exits.xla.rules import ROOM, is_known, known, lowers
from runtime.exits.xla.values import EMPTY, Length, Row
from runtime.ops.records.gradients import ops

__all__: list[str] = []

ROOM.update({ops.list_add: "index", ops.list_add_rows: "positions", ops.array_write: "index"})


def clean(row: Row) -> Row:
    """The list with zeros behind its end, as long as its buffer."""
    if row.buffer is None or (is_known(row.length.value()) and int(row.length.value()) >= row.capacity):
        return row
    inside = (jnp.arange(row.capacity) < row.length.value()).reshape(-1, *[1] * (row.buffer.ndim - 1))
    return whole(replace(row, buffer=jnp.where(inside, row.buffer, 0)))


def whole(row: Row) -> Row:
    """The list of all of a buffer."""
    return Row(row.buffer, Length(None, row.capacity), row.capacity)


def picked(row: Row, positions: Any, element: tuple[int, ...], dtype: Any) -> Any:
    """The elements at positions, zeros for those that are not there."""
    row = clean(row)
    if row.buffer is None or not row.capacity:
        return jnp.zeros((*np.shape(positions), *element), dtype)
    positions = jnp.asarray(positions)
    return row.buffer.at[jnp.where(positions < 0, row.capacity, positions)].get(mode="fill", fill_value=0)


def added(row: Row, positions: Any, rows: Any) -> Row:
    """With rows added at positions; those that are negative are dropped."""
    row, count = clean(row), int(positions.shape[0])
    top = int(np.max(positions, initial=-1)) + 1 if is_known(positions) else row.bound + count
    bound = max(row.bound, top)
    row = row.of_elements(rows.dtype, tuple(rows.shape[1:])).with_room(bound)
    places = jnp.where(jnp.asarray(positions) < 0, row.capacity, jnp.asarray(positions))
    return whole(replace(row, buffer=row.buffer.at[places].add(rows, mode="drop")))


@lowers(ops.list_sum)
def _(handles: Any) -> Any:
    total = EMPTY
    for row in map(clean, handles):
        if row.buffer is not None:
            total = row if total.buffer is None else added(total, np.arange(row.capacity), row.buffer)
    return total


@lowers(ops.list_add)
def _(handle: Row, index: Any, element: Any) -> Any:
    positions = np.reshape(index, 1) if is_known(index) else jnp.reshape(index, 1)
    return added(handle, positions, jnp.asarray(element)[None])


@lowers(ops.list_at)
def _(handle: Row, index: Any, shape: Any, element_dtype: DType) -> Any:
    return picked(handle, index, sizes(shape, "the shape of an element"), element_dtype.numpy)


@lowers(ops.list_clear)
def _(handle: Row, start: Any, stop: Any) -> Any:
    row = clean(handle)
    if row.buffer is None:
        return row
    places = jnp.arange(row.capacity).reshape(-1, *[1] * (row.buffer.ndim - 1))
    return replace(row, buffer=jnp.where((places >= start) & (places < stop), 0, row.buffer))


@lowers(ops.list_rows_at)
def _(handle: Row, positions: Any, shape: Any, element_dtype: DType) -> Any:
    return picked(handle, positions, sizes(shape, "the shape of an element"), element_dtype.numpy)


@lowers(ops.list_add_rows)
def _(handle: Row, positions: Any, rows: Any) -> Any:
    return added(handle, positions, jnp.asarray(rows))


@lowers(ops.list_take)
def _(handle: Row, positions: Any) -> Any:
    if handle.buffer is None:
        return handle
    found = picked(handle, positions, tuple(handle.buffer.shape[1:]), handle.buffer.dtype)
    return whole(Row(found, Length(None, 0), int(found.shape[0])))


@lowers(ops.list_put)
def _(handle: Row, positions: Any) -> Any:
    row = clean(handle)
    places = known(positions, "where elements are put")
    if row.buffer is None:
        return row
    count = min(row.capacity, len(places))
    return added(EMPTY, np.asarray(places)[:count], row.buffer[:count])


@lowers(ops.list_lengths)
def _(handle: Row) -> Any:
    count = int(known(handle.length.value(), "the length of the list"))
    return np.full(count, 0 if handle.buffer is None else handle.buffer.shape[1], np.int32)


@lowers(ops.list_joined)
def _(handle: Row, lengths: Any, shape: Any, element_dtype: DType) -> Any:
    row, counts = sizes(shape, "the shape of an element"), sizes(lengths, "the sizes of the elements")
    parts = [picked(handle, np.asarray(i), (size, *row), element_dtype.numpy) for i, size in enumerate(counts)]
    return jnp.concatenate(parts) if parts else jnp.zeros((0, *row), element_dtype.numpy)


@lowers(ops.list_repeated)
def _(handle: Row, count: Any) -> Any:
    if handle.buffer is None:
        return handle
    return replace(handle, buffer=jnp.repeat(handle.buffer[:, None], int(known(count, "how often")), axis=1))


@lowers(ops.list_row_sums)
def _(handle: Row, count: Any) -> Any:
    return handle if handle.buffer is None else replace(handle, buffer=handle.buffer.sum(axis=1))
