"""TensorArrays: lists with a size, whose elements are zeros until they are written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.exits.rules import Refused
from runtime.exits.xla.library import jnp
from runtime.exits.xla.lowerings.lists import element_at, rows_of
from runtime.exits.xla.rules import is_known, known, lowers
from runtime.exits.xla.values import Length, Row
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape

__all__: list[str] = []


@lowers(ops.array_new)
def _(size: Any) -> Any:
    count = int(known(size, "the size of a TensorArray"))
    return Row(None, Length(None, count), count)


def _of_kind(handle: Row, dtype: DType, shape: TensorShape) -> Row:
    """The array, with a buffer where it is known of what; unwritten elements are zeros."""
    if handle.buffer is not None:
        return handle
    if not shape.is_fully_defined():
        raise Refused("nothing is written to a TensorArray of elements of an unknown shape; give element_shape")
    return handle.of_elements(dtype.numpy, tuple(shape.as_tuple()))


def written(handle: Row, index: Any, element: Any, dynamic_size: bool) -> Row:
    """With an element at a position; where it may grow, as far as is needed."""
    row = handle.of_elements(element.dtype, tuple(element.shape))
    if dynamic_size:
        size = row.length.value()
        if is_known(index):
            bound = max(row.bound, int(index) + 1)
            length = Length(None, max(int(size), int(index) + 1)) if is_known(size) else None
            row = replace(row.with_room(bound), bound=bound)
        else:
            bound, length = row.bound + 1, None
            row = replace(row.with_room(bound), bound=bound)
        row = replace(row, length=length or Length(jnp.maximum(size, jnp.asarray(index, np.int32) + 1), 0))
    return replace(row, buffer=row.buffer.at[index].set(element))


@lowers(ops.array_write)
def _(handle: Row, index: Any, element: Any, dynamic_size: bool) -> Any:
    return written(handle, index, jnp.asarray(element), dynamic_size)


@lowers(ops.array_read)
def _(handle: Row, index: Any, element_dtype: DType, element_shape: TensorShape) -> Any:
    return element_at(_of_kind(handle, element_dtype, element_shape), index)


@lowers(ops.array_stack)
def _(handle: Row, element_dtype: DType, element_shape: TensorShape) -> Any:
    return rows_of(_of_kind(handle, element_dtype, element_shape))


@lowers(ops.array_gather)
def _(handle: Row, positions: Any, element_dtype: DType, element_shape: TensorShape) -> Any:
    return jnp.take(_of_kind(handle, element_dtype, element_shape).buffer, positions, axis=0, mode="clip")


@lowers(ops.array_concat)
def _(handle: Row, element_dtype: DType, element_shape: TensorShape) -> Any:
    rows = rows_of(_of_kind(handle, element_dtype, element_shape))
    return rows.reshape(-1, *rows.shape[2:])


@lowers(ops.array_scatter)
def _(handle: Row, positions: Any, rows: Any, dynamic_size: bool) -> Any:
    places = known(positions, "which elements are written")
    for i, place in enumerate(places.tolist()):
        handle = written(handle, np.asarray(place), jnp.asarray(rows)[i], dynamic_size)
    return handle


@lowers(ops.array_split)
def _(handle: Row, rows: Any, lengths: Any, dynamic_size: bool) -> Any:
    start = 0
    for i, size in enumerate(known(lengths, "the sizes of the pieces").tolist()):
        handle = written(handle, np.asarray(i), jnp.asarray(rows)[start : start + size], dynamic_size)
        start += size
    return handle
