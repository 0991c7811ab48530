"""The gradient rules of growing lists and TensorArrays, and of the operations that their gradients are made of.

The gradient of a list is a list of gradients, see `runtime.ops.lists.gradients`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, variant
from runtime.ops.lists.gradients import (
    bundle,
    list_add,
    list_add_rows,
    list_at,
    list_clear,
    list_joined,
    list_put,
    list_rows_at,
    list_sum,
    list_take,
    unbundle,
)
from runtime.ops.lists.lists import (
    list_concat,
    list_extend,
    list_get,
    list_insert,
    list_length,
    list_new,
    list_pop,
    list_push,
    list_set,
    list_slice,
    list_stack,
)
from runtime.ops.lists.tensor_array import (
    array_concat,
    array_gather,
    array_read,
    array_scatter,
    array_split,
    array_stack,
    array_write,
)
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape

__all__: list[str] = []


def nothing() -> Any:
    """The gradient of a list on which nothing depends."""
    return list_new([])


def _element(gradient: Any, index: Any, element: Any) -> Any:
    """The gradient of one element; None where it can have none."""
    if element.dtype is variant:
        return list_at(gradient, index, np.zeros(0, np.int32), element_dtype=variant)
    if not (element.dtype.is_floating or element.dtype.is_complex):
        return None
    return list_at(gradient, index, ops.shape(element), element_dtype=element.dtype)


def _position(index: Any, length: Any) -> Any:
    """A position counted from the begin; `index` may count from the end."""
    value = getattr(index, "value", None)
    if value is not None:
        return index if value >= 0 else length + ops.cast(index, length.dtype)
    index = ops.cast(index, length.dtype)
    return ops.where(index < 0, index + length, index)


# -- growing lists ------------------------------------------------------------------------------------------------


@list_new.gradient
def _(upstream: Any, elements: Any) -> Any:
    return [_element(upstream, i, element) for i, element in enumerate(elements)]


@list_push.gradient
def _(upstream: Any, handle: Any, element: Any) -> Any:
    length = list_length(handle)
    return list_clear(upstream, length, length + 1), _element(upstream, length, element)


@list_extend.gradient
def _(upstream: Any, handle: Any, rows: Any) -> Any:
    start, count = list_length(handle), ops.shape(rows)[0]
    stop = start + count
    return list_clear(upstream, start, stop), _rows(upstream, ops.range(start, stop, 1), rows)


def _rows(gradient: Any, positions: Any, rows: Any) -> Any:
    if not (rows.dtype.is_floating or rows.dtype.is_complex):
        return None
    return list_rows_at(gradient, positions, ops.shape(rows)[1:], element_dtype=rows.dtype)


@list_concat.gradient
def _(upstream: Any, handle: Any, other: Any) -> Any:
    start = list_length(handle)
    stop = start + list_length(other)
    return list_clear(upstream, start, stop), list_take(upstream, ops.range(start, stop, 1))


@list_set.gradient
def _(upstream: Any, handle: Any, index: Any, element: Any) -> Any:
    place = _position(index, list_length(handle))
    return list_clear(upstream, place, place + 1), None, _element(upstream, place, element)


@list_insert.gradient
def _(upstream: Any, handle: Any, index: Any, element: Any) -> Any:
    length = list_length(handle)
    place = ops.clip_by_value(_position(index, length), 0, length)
    return list_take(upstream, _others(place, length)), None, _element(upstream, place, element)


def _others(place: Any, count: Any) -> Any:
    """The positions of `count` elements in a list that has one more, at `place`."""
    positions = ops.range(0, count, 1)
    return ops.where(positions < place, positions, positions + 1)


@list_get.gradient
def _(upstream: Any, handle: Any, index: Any) -> Any:
    return list_add(nothing(), _position(index, list_length(handle)), upstream), None


@list_pop.gradient
def _(upstream: Any, handle: Any, index: Any) -> Any:
    rest, element = upstream
    length = list_length(handle)
    place = _position(index, length)
    known = getattr(index, "value", None)
    if known is None or known != -1:
        rest = list_put(rest, _others(place, length - 1))
    return list_add(rest, place, element), None


@list_slice.gradient
def _(upstream: Any, handle: Any, start: Any, stop: Any, step: Any, has_start: Any, has_stop: Any) -> Any:
    everything = ops.range(0, list_length(handle), 1)
    ends = (start if has_start else None, stop if has_stop else None, step)
    return list_put(upstream, everything[slice(*ends)]), None, None, None


@list_stack.gradient
def _(upstream: Any) -> Any:
    return _listed(upstream)


def _listed(rows: Any) -> Any:
    return list_add_rows(nothing(), ops.range(0, ops.shape(rows)[0], 1), rows)


# -- TensorArrays -------------------------------------------------------------------------------------------------


@array_write.gradient
def _(upstream: Any, index: Any, element: Any) -> Any:
    return list_clear(upstream, index, index + 1), None, _element(upstream, index, element)


@array_read.gradient
def _(upstream: Any, index: Any) -> Any:
    return list_add(nothing(), index, upstream), None


@array_stack.gradient
def _(upstream: Any) -> Any:
    return _listed(upstream)


@array_gather.gradient
def _(upstream: Any, positions: Any) -> Any:
    return list_add_rows(nothing(), positions, upstream), None


UNKNOWN: Final = TensorShape(None)


def _pieces(rows: Any, lengths: Any, element_dtype: DType) -> Any:
    return array_split(
        nothing(), rows, lengths, dynamic_size=True, element_dtype=element_dtype, element_shape=UNKNOWN
    )


@array_concat.gradient
def _(upstream: Any, handle: Any, element_dtype: DType) -> Any:
    return _pieces(upstream, ops.list_lengths(handle), element_dtype)


@array_scatter.gradient
def _(upstream: Any, handle: Any, positions: Any, rows: Any) -> Any:
    # Of equal positions the last one counts: what is before it is overwritten.
    order = ops.range(0, ops.shape(positions)[0], 1)
    same = ops.equal(ops.expand_dims(positions, axis=1), ops.expand_dims(positions, axis=0))
    later = ops.expand_dims(order, axis=1) < ops.expand_dims(order, axis=0)
    lost = ops.reduce_any(ops.logical_and(same, later), axis=1)
    found = _rows(upstream, positions, rows)
    if found is not None:
        shape = ops.concat([ops.shape(lost), ops.ones_like(ops.shape(rows)[1:])], axis=0)
        found = ops.where(ops.reshape(lost, shape), ops.zeros_like(found), found)
    kept = list_length(handle)
    everything = ops.range(0, kept, 1)
    hit = ops.reduce_any(ops.equal(ops.expand_dims(everything, axis=1), ops.cast(positions, "int32")), axis=1)
    return list_take(upstream, ops.where(hit, ops.zeros_like(everything) - 1, everything)), None, found


@array_split.gradient
def _(upstream: Any, rows: Any, lengths: Any) -> Any:
    count = ops.shape(lengths)[0]
    parts = list_joined(upstream, lengths, ops.shape(rows)[1:], element_dtype=rows.dtype)
    return list_clear(upstream, 0, count), ops.reshape(parts, ops.shape(rows)), None


# -- gradients of gradients ---------------------------------------------------------------------------------------


@list_sum.gradient
def _(upstream: Any, handles: Any) -> Any:
    return [upstream] * len(handles)


@list_add.gradient
def _(upstream: Any, index: Any, element: Any) -> Any:
    return upstream, None, _element(upstream, index, element)


@list_at.gradient
def _(upstream: Any, index: Any) -> Any:
    return list_add(nothing(), index, upstream), None, None


@list_clear.gradient
def _(upstream: Any, start: Any, stop: Any) -> Any:
    return list_clear(upstream, start, stop), None, None


@list_rows_at.gradient
def _(upstream: Any, positions: Any) -> Any:
    return list_add_rows(nothing(), positions, upstream), None, None


@list_add_rows.gradient
def _(upstream: Any, positions: Any, rows: Any) -> Any:
    return upstream, None, _rows(upstream, positions, rows)


@list_take.gradient
def _(upstream: Any, positions: Any) -> Any:
    return list_put(upstream, positions), None


@list_put.gradient
def _(upstream: Any, positions: Any) -> Any:
    return list_take(upstream, positions), None


@list_joined.gradient
def _(upstream: Any, lengths: Any, element_dtype: DType) -> Any:
    return _pieces(upstream, lengths, element_dtype), None, None


@bundle.gradient
def _(upstream: Any, values: Any) -> Any:
    return [_element(upstream, i, value) for i, value in enumerate(values)]


@unbundle.gradient
def _(upstream: Any) -> Any:
    gradient = nothing()
    for i, part in enumerate(upstream):
        if part is not None:
            gradient = list_add(gradient, i, part)
    return gradient
