"""Elements by position: what is more than slices and numbers goes by `gather_nd`, and by positions in one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.dtypes import int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.arrays.adjoints import add_item, fold_padding, sum_tiles
from runtime.ops.arrays.index import getitem, roll
from runtime.ops.arrays.item_update import setitem
from runtime.ops.arrays.scatter import scatter_nd, tensor_scatter_nd_sub
from runtime.ops.kernels.index_spec import ARRAY, filled
from runtime.ops.records.gradients import ops
from runtime.shapes import TensorShape

__all__ = ["counted"]

COLON = (None, None, None)


def counted(count: Any) -> Any:
    """The numbers from 0 to before a tensor of an integer."""
    return ops.range(ops.zeros_like(count), count, ops.ones_like(count))


@expands(getitem)
def _(x: Any, indices: Any, spec: Any) -> Any:
    """Only where arrays are among the indices: NumPy joins them, and the numbers beside them, into one index."""
    if ARRAY not in spec or x.shape.rank is None or any(i.shape.rank is None for i in indices):
        return NotImplemented
    entries = _entries(x, filled(spec, indices))
    axis = 0
    joined: list[tuple[int, int, Any]] = []
    sliced: list[Any] = []
    layout: list[int | None] = []
    for place, entry in enumerate(entries):
        if entry is None:
            layout.append(None)
        elif isinstance(entry, tuple):
            sliced.append(entry)
            layout.append(axis)
            axis += 1
        else:
            for part in _positions(x, entry, axis):
                joined.append((place, axis, part))
                sliced.append(COLON)
                axis += 1
    return _picked(_sliced(x, sliced), joined, layout, entries)


def _sliced(x: Any, entries: Sequence[Any]) -> Any:
    """Slices of some axes; ends that are tensors stand among the operands."""
    operands, spec = [], []
    for entry in entries:
        parts = []
        for part in entry:
            is_tensor = part is not None and not isinstance(part, int)
            operands += [part] if is_tensor else []
            parts.append("at" if is_tensor else part)
        spec.append(tuple(parts))
    return x if all(e == COLON for e in spec) else ops.getitem(x, operands, spec=tuple(spec))


def _entries(x: Any, entries: list[Any]) -> list[Any]:
    """The index with the ellipsis, or the missing end, written as slices."""
    used = sum(_width(e) for e in entries if not isinstance(e, str))
    missing = [COLON] * (x.shape.rank - used)
    place = next((i for i, e in enumerate(entries) if isinstance(e, str)), len(entries))
    return [*entries[:place], *missing, *entries[place + 1 :]]


def _width(entry: Any) -> int:
    """How many axes an entry stands for."""
    if entry is None:
        return 0
    return 1 if isinstance(entry, int | tuple) or not entry.dtype.is_bool else int(entry.shape.rank)


def _positions(x: Any, entry: Any, axis: int) -> list[Any]:
    """Positions that are not negative, one tensor for each axis."""
    if isinstance(entry, int):
        entry = x.graph.constant(_int64(entry))
    elif entry.dtype.is_bool:
        if not entry.shape.rank:
            raise ValueError("a mask of rank 0")
        found = ops.argwhere(entry)
        return [found[:, i] for i in range(entry.shape.rank)]
    entry = ops.cast(entry, dtype=int64)
    size = ops.shape(x, out_type=int64)[axis]
    return [ops.where(ops.less(entry, constant(entry, 0)), ops.add(entry, size), entry)]


def _int64(number: int) -> Any:
    return int64.numpy.type(number).reshape(())


def _picked(x: Any, joined: Sequence[Any], layout: Sequence[int | None], entries: Sequence[Any]) -> Any:
    """The result with the joined axes first, then moved to where NumPy puts them, and new axes."""
    zeros = None
    for _, _, part in joined:
        nothing = ops.multiply(part, constant(part, 0))
        zeros = nothing if zeros is None else ops.add(zeros, nothing)
    indices = ops.stack([ops.add(part, zeros) for _, _, part in joined], axis=-1)
    axes = [axis for _, axis, _ in joined]
    rest = [axis for axis in layout if axis is not None]
    found = ops.gather_nd(ops.transpose(x, perm=(*axes, *rest)), indices)
    rank = indices.shape.rank - 1
    for place, axis in enumerate(layout):
        if axis is None:
            found = ops.expand_dims(found, axis=rank + place)
    places = sorted({place for place, _, _ in joined})
    together = places == list(range(places[0], places[-1] + 1))
    front = places[0] if together else 0
    others = [rank + i for i in range(len(layout))]
    return ops.transpose(found, perm=(*others[:front], *range(rank), *others[front:]))


def _flat_places(x: Any, indices: Any, spec: Any) -> Any:
    """For each element of x[...] its place among those of x."""
    count = ops.size(x, out_type=int64)
    return ops.getitem(ops.reshape(counted(count), ops.shape(x)), indices, spec=spec)


def _changed(change: Any, x: Any, value: Any, indices: Any, spec: Any) -> Any:
    if x.shape.rank is None:
        return NotImplemented
    places = _flat_places(x, indices, spec)
    if value.shape.rank is not None and places.shape.rank is not None and value.shape.rank > places.shape.rank:
        extra = value.shape.rank - places.shape.rank  # axes of size 1, which NumPy drops
        value = ops.squeeze(value, axis=tuple(range(extra)))
    values = ops.reshape(ops.broadcast_to(value, ops.shape(places)), ops.reshape(ops.size(places), [1]))
    flat = ops.reshape(x, ops.reshape(ops.size(x), [1]))
    rows = ops.stack([ops.size(places), ops.ones_like(ops.size(places))], axis=0)
    made = change(flat, ops.reshape(places, rows), values)
    return ops.reshape(made, ops.shape(x))


@expands(setitem)
def _(x: Any, value: Any, indices: Any, spec: Any) -> Any:
    return _changed(ops.tensor_scatter_nd_update, x, value, indices, spec)


@expands(add_item)
def _(x: Any, value: Any, indices: Any, spec: Any) -> Any:
    return _changed(ops.tensor_scatter_nd_add, x, value, indices, spec)


@expands(tensor_scatter_nd_sub)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    if tensor.dtype.is_unsigned:
        minus = ops.subtract(ops.zeros_like(updates), updates)
    else:
        minus = ops.negative(updates)
    return ops.tensor_scatter_nd_add(tensor, indices, minus)


@expands(scatter_nd)
def _(indices: Any, updates: Any, shape: Any) -> Any:
    return ops.tensor_scatter_nd_add(ops.zeros(shape, dtype=updates.dtype), indices, updates)


@expands(roll)
def _(input: Any, shift: Any, axis: Any) -> Any:
    shifts, axes = (shift, axis) if isinstance(shift, tuple) else ((shift,), (axis,))
    for by, along in zip(shifts, axes, strict=True):
        count = ops.shape(input, out_type=int64)[along]
        places = ops.subtract(counted(count), constant(count, by))
        input = ops.gather(input, ops.floormod(places, ops.maximum(count, constant(count, 1))), axis=along)
    return input


@expands(fold_padding)
def _(x: Any, paddings: Any, mode: str) -> Any:
    if x.shape.rank is None:
        return NotImplemented
    sizes = ops.subtract(ops.shape(x, out_type=int64), ops.cast(ops.reduce_sum(paddings, axis=1), dtype=int64))
    count = ops.reduce_prod(sizes)
    places = ops.ensure_shape(ops.reshape(counted(count), sizes), shape=TensorShape([None] * x.shape.rank))
    places = ops.pad(places, paddings, constant(count, -1), mode=mode)
    rows = ops.reshape(ops.size(x), [1])
    made = ops.unsorted_segment_sum(ops.reshape(x, rows), ops.reshape(places, rows), count)
    return ops.reshape(made, sizes)


@expands(sum_tiles)
def _(x: Any, shape: Any) -> Any:
    rank = x.shape.rank
    if rank is None:
        return NotImplemented
    tile = ops.cast(shape, dtype=int64)
    counts = ops.floordiv(ops.shape(x, out_type=int64), ops.maximum(tile, constant(tile, 1)))
    split = ops.reshape(ops.stack([counts, tile], axis=1), [2 * rank])
    return ops.reduce_sum(ops.reshape(x, split), axis=tuple(range(0, 2 * rank, 2)))
