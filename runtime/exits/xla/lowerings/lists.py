"""Lists that grow, in buffers with room (runtime.exits.xla.values)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.exits.rules import Refused
from runtime.exits.xla.library import jnp
from runtime.exits.xla.rules import is_known, known, lowers
from runtime.exits.xla.values import EMPTY, Length, Row
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape

__all__ = ["element_at", "pushed", "rows_of"]


def _one(value: Any) -> Any:
    if isinstance(value, Row):
        raise Refused("it is of lists in a list, for which there is no rule in XLA yet")
    return jnp.asarray(value)


def pushed(row: Row, element: Any) -> Row:
    """With one more element."""
    element = _one(element)
    row = row.of_elements(element.dtype, tuple(element.shape)).with_room(row.bound + 1)
    buffer = row.buffer.at[row.length.value()].set(element)
    return Row(buffer, replace(row.length, plus=row.length.plus + 1), row.bound + 1)


def place_of(row: Row, index: Any) -> Any:
    """A position as one that is not negative."""
    return jnp.where(index < 0, index + row.length.value(), index)


def element_at(row: Row, index: Any) -> Any:
    """The element at a position that is not negative."""
    if row.buffer is None or not row.capacity:
        raise Refused("it reads from a list of which it is known that it is empty")
    return jnp.take(row.buffer, jnp.asarray(index), axis=0, mode="clip")


def rows_of(row: Row) -> Any:
    """The elements as one tensor. Raises Refused unless their number is known."""
    count = known(row.length.value(), "the length of the list")
    return row.buffer[: int(count)]


def row_from(values: Any, length: Length | None = None) -> Row:
    """The list of the rows of a tensor."""
    count = int(values.shape[0])
    return Row(jnp.asarray(values), length or Length(None, count), count)


@lowers(ops.list_new)
def _(elements: Any) -> Any:
    row = EMPTY
    for element in elements:
        row = pushed(row, element)
    return row


@lowers(ops.list_push)
def _(handle: Row, element: Any) -> Any:
    return pushed(handle, element)


@lowers(ops.list_extend)
def _(handle: Row, rows: Any) -> Any:
    rows = jnp.asarray(rows)
    return _joined(handle, row_from(rows))


@lowers(ops.list_concat)
def _(handle: Row, other: Row) -> Any:
    return _joined(handle, other)


def _joined(first: Row, second: Row) -> Row:
    """The elements of one list, then those of another: shifted to behind the first ones by a gather."""
    if second.buffer is None:
        return first
    if first.buffer is None:
        return second
    first = first.of_elements(second.buffer.dtype, tuple(second.buffer.shape[1:]))
    bound = first.bound + second.bound
    first = first.with_room(bound)
    size, more = first.length.value(), second.length
    places = jnp.arange(first.capacity) - size
    found = jnp.take(second.buffer, places, axis=0, mode="clip") if second.capacity else first.buffer
    is_new = (places >= 0) & (places < more.value())
    buffer = jnp.where(is_new.reshape(-1, *[1] * (first.buffer.ndim - 1)), found, first.buffer)
    if more.base is None:
        length = replace(first.length, plus=first.length.plus + more.plus)
    elif first.length.base is None:
        length = replace(more, plus=more.plus + first.length.plus)
    else:
        length = Length(first.length.base + more.base, first.length.plus + more.plus)
    return Row(buffer, length, bound)


@lowers(ops.list_set)
def _(handle: Row, index: Any, element: Any) -> Any:
    if handle.buffer is None:
        return handle
    element = _one(element)
    row = handle.of_elements(element.dtype, tuple(element.shape))
    return replace(row, buffer=row.buffer.at[place_of(row, jnp.asarray(index))].set(element))


@lowers(ops.list_insert)
def _(handle: Row, index: Any, element: Any) -> Any:
    """Those behind move up by one place."""
    element = _one(element)
    row = handle.of_elements(element.dtype, tuple(element.shape)).with_room(handle.bound + 1)
    place = jnp.clip(place_of(row, jnp.asarray(index)), 0, row.length.value())
    places = jnp.arange(row.capacity)
    moved = jnp.take(row.buffer, jnp.where(places > place, places - 1, places), axis=0, mode="clip")
    buffer = moved.at[place].set(element)
    return Row(buffer, replace(row.length, plus=row.length.plus + 1), row.bound + 1)


@lowers(ops.list_length)
def _(handle: Row) -> Any:
    return handle.length.value()


@lowers(ops.list_get)
def _(handle: Row, index: Any) -> Any:
    return element_at(handle, place_of(handle, jnp.asarray(index)))


@lowers(ops.list_pop)
def _(handle: Row, index: Any) -> Any:
    """Those behind move down by one place; the one at the end needs none to move."""
    place = place_of(handle, jnp.asarray(index))
    element = element_at(handle, place)
    buffer = handle.buffer
    if not (is_known(index) and int(index) == -1):
        places = jnp.arange(handle.capacity)
        buffer = jnp.take(buffer, jnp.where(places >= place, places + 1, places), axis=0, mode="clip")
    length = replace(handle.length, plus=handle.length.plus - 1)
    return Row(buffer, length, max(handle.bound - 1, 0)), element


@lowers(ops.list_slice)
def _(handle: Row, start: Any, stop: Any, step: Any, has_start: bool, has_stop: bool) -> Any:
    if handle.buffer is None:
        return handle
    size = int(known(handle.length.value(), "the length of the list that is sliced"))
    first, last = (
        int(known(v, "the end of a slice")) if has else None for v, has in ((start, has_start), (stop, has_stop))
    )
    return row_from(handle.buffer[:size][slice(first, last, int(known(step, "the step of a slice")))])


@lowers(ops.list_stack)
def _(handle: Row, element_dtype: DType, element_shape: TensorShape) -> Any:
    if handle.buffer is None:
        if handle.length.base is not None or handle.length.plus or not element_shape.is_fully_defined():
            raise Refused("nothing is known of the elements of a list that is stacked")
        return np.zeros((0, *element_shape.as_tuple()), element_dtype.numpy)
    return rows_of(handle)


@lowers(ops.list_cast)
def _(handle: Row, element_dtype: DType) -> Any:
    return handle if handle.buffer is None else replace(handle, buffer=handle.buffer.astype(element_dtype.numpy))
