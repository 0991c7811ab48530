"""Elements by position, and writes to them. A position outside is found by `runtime.exits.xla.failing`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.exits.rules import Refused
from runtime.exits.xla.library import jnp, lax
from runtime.exits.xla.rules import is_known, known, lowers
from runtime.ops.kernels.index_spec import ARRAY, filled
from runtime.ops.records.gradients import ops

__all__: list[str] = []


def index(spec: Any, indices: Sequence[Any]) -> tuple[Any, ...]:
    """The index that JAX takes. Raises Refused where the size of what it names depends on values."""
    return tuple(_entry(entry) for entry in filled(spec, indices))


def _entry(entry: Any) -> Any:
    if isinstance(entry, tuple):
        return slice(*[None if part is None else int(known(_number(part), "the end of a slice")) for part in entry])
    if isinstance(entry, str):
        return ...
    if entry is None or isinstance(entry, int):
        return entry
    if entry.dtype == np.bool_:
        return known(entry, "how many elements a mask picks")
    return entry


def _number(part: Any) -> Any:
    return np.asarray(part) if isinstance(part, int) else part


@lowers(ops.getitem)
def _(x: Any, indices: Any, spec: Any) -> Any:
    """A slice of a fixed size between ends of the run is one, too: x[i:i + 3] with a known distance is not known."""
    return jnp.asarray(x)[index(spec, indices)]


@lowers(ops.setitem)
def _(x: Any, value: Any, indices: Any, spec: Any) -> Any:
    """Arrays of positions may name one twice: the last value counts, which XLA does not promise."""
    x, place = jnp.asarray(x), index(spec, indices)
    value = _fitting(x, value, place)
    if ARRAY not in spec:
        return x.at[place].set(value)
    places = jnp.arange(x.size).reshape(x.shape)[place]
    values = jnp.broadcast_to(value, places.shape).reshape(-1)
    return _last_wins(x.reshape(-1), places.reshape(-1, 1), values).reshape(x.shape)


@lowers(ops.add_item)
def _(x: Any, value: Any, indices: Any, spec: Any) -> Any:
    place = index(spec, indices)
    return jnp.asarray(x).at[place].add(_fitting(jnp.asarray(x), value, place))


def _fitting(x: Any, value: Any, place: Any) -> Any:
    """The value without axes of size 1 that its place has not, which NumPy drops."""
    rank = len(x.at[place].get().shape)
    while value.ndim > rank and value.shape[0] == 1:
        value = value[0]
    return value


@lowers(ops.gather)
def _(params: Any, indices: Any, axis: Any) -> Any:
    return jnp.take(params, indices, axis=axis or 0, mode="clip")


@lowers(ops.boolean_mask)
def _(tensor: Any, mask: Any, axis: Any) -> Any:
    return jnp.asarray(tensor)[(slice(None),) * (axis or 0) + (known(mask, "how many elements it picks"),)]


@lowers(ops.argwhere)
def _(condition: Any) -> Any:
    return np.argwhere(known(condition, "how many elements are true"))


@lowers(ops.take_along_axis)
def _(x: Any, positions: Any, axis: int) -> Any:
    return jnp.take_along_axis(jnp.asarray(x), jnp.asarray(positions), axis)


@lowers(ops.add_along_axis)
def _(x: Any, positions: Any, values: Any, axis: int) -> Any:
    axis %= x.ndim
    places = np.ogrid[tuple(slice(n) for n in positions.shape)]
    return jnp.asarray(x).at[(*places[:axis], positions, *places[axis + 1 :])].add(values)


@lowers(ops.gather_nd)
def _(params: Any, indices: Any, batch_dims: int) -> Any:
    params, indices = jnp.asarray(params), jnp.asarray(indices)
    leading = np.ogrid[tuple(slice(n) for n in indices.shape[:batch_dims])]
    extra = indices.ndim - 1 - batch_dims
    first = [np.broadcast_to(np.reshape(p, p.shape + (1,) * extra), indices.shape[:-1]) for p in leading]
    key = (*first, *(indices[..., i] for i in range(indices.shape[-1])))
    return params[key] if key else jnp.broadcast_to(params, indices.shape[:-1] + params.shape)


def _at(tensor: Any, indices: Any) -> Any:
    indices = jnp.asarray(indices)
    return jnp.asarray(tensor).at[tuple(indices[..., i] for i in range(indices.shape[-1]))]


@lowers(ops.tensor_scatter_nd_update)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    """Of several values for one place the last one counts, which XLA does not promise."""
    if is_known(indices) and _are_distinct(indices):
        return _at(tensor, indices).set(updates)
    return _last_wins(jnp.asarray(tensor), jnp.asarray(indices), jnp.asarray(updates))


def _are_distinct(indices: Any) -> bool:
    rows = np.reshape(indices, (-1, indices.shape[-1])) if indices.shape[-1] else np.zeros((0, 0))
    return len(np.unique(rows, axis=0)) == len(rows) if rows.size else indices.size == 0 and np.size(indices) == 0


def _last_wins(tensor: Any, indices: Any, updates: Any) -> Any:
    """For each place the number of the last value, found by a maximum, which has no order."""
    depth = indices.shape[-1]
    if not depth:
        raise Refused("it writes the whole tensor by an index without positions")
    rest = tensor.shape[depth:]
    flat = indices.reshape(-1, depth)
    count = flat.shape[0]
    if not count:
        return tensor
    key = tuple(flat[:, i] for i in range(depth))
    numbers = jnp.arange(count)
    last = jnp.full(tensor.shape[:depth], -1).at[key].max(numbers)
    values = updates.reshape(count, *rest)
    chosen = values[jnp.maximum(last, 0)]
    written = (last >= 0).reshape(last.shape + (1,) * len(rest))
    return jnp.where(written, chosen, tensor)


@lowers(ops.tensor_scatter_nd_add)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    return _at(tensor, indices).add(updates)


@lowers(ops.tensor_scatter_nd_sub)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    return _at(tensor, indices).add(-jnp.asarray(updates))


@lowers(ops.tensor_scatter_nd_max)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    return _at(tensor, indices).max(updates)


@lowers(ops.tensor_scatter_nd_min)
def _(tensor: Any, indices: Any, updates: Any) -> Any:
    return _at(tensor, indices).min(updates)


@lowers(ops.argsort)
def _(values: Any, axis: int, direction: str) -> Any:
    values = jnp.asarray(values)
    if direction != "DESCENDING":
        return jnp.argsort(values, axis=axis, stable=True)
    found = jnp.flip(jnp.argsort(jnp.flip(values, axis), axis=axis, stable=True), axis)
    return values.shape[axis] - 1 - found


@lowers(ops.top_k)
def _(input: Any, k: int) -> Any:
    return lax.top_k(jnp.asarray(input), k)
