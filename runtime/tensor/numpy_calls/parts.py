"""Elements put in, left out, or put together: `np.block`, `np.delete`, `np.insert`, `np.resize`, `np.piecewise`, ...

    np.delete(x, i)     ->     concat([x[:i], x[i + 1:]])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.structures import items_within
from runtime.tensor.numpy_calls.joins import TABLE as JOINS
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    checked,
    default_dtype,
    operand,
    positions,
    rank_of,
    shape_of,
    size_of,
    tensor,
    to,
    together,
    wanted_shape,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import TABLE as SHAPES
from runtime.tensor.numpy_calls.shapes import along, at_least, steps
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


@TABLE.of(np.block)
def _block(arrays: Any) -> Any:
    leaves = [operand(leaf) for leaf in items_within([arrays])]
    dtype = np.result_type(*map(default_dtype, leaves))
    depth = _depth(arrays)
    rank = max([depth, *(rank_of(tensor(leaf), "block") for leaf in leaves)])
    return _joined(arrays, depth, rank, dtype)


def _depth(value: Any) -> int:
    depth = 0
    while isinstance(value, list | tuple):
        value, depth = value[0], depth + 1
    return depth


def _joined(value: Any, depth: int, rank: int, dtype: Any) -> Any:
    """A list of lists as deep as the axes of a literal."""
    if not isinstance(value, list | tuple):
        return at_least(to(operand(value), dtype), rank)
    return call("concat", [_joined(part, depth - 1, rank, dtype) for part in value], axis=rank - depth)


def _line(arr: Any, axis: int | None, name: str) -> tuple[Any, int]:
    x = tensor(arr)
    return (flat(x), 0) if axis is None else (x, axis_of(x, axis, name))


def _from_start(places: Any, size: Any, name: str) -> Any:
    """Positions from the start. Raises IndexError in the run for those that are not there."""
    wide, n = to(places, np.int64), to(size, np.int64)
    inside = call("logical_and", call("greater_equal", wide, call("negative", n)), call("less", wide, n))
    message = f"numpy.{name}: an index is out of bounds: "
    call("check", call("reduce_all", inside), [wide], message=message, exception="IndexError")
    return call("where", call("less", wide, 0), call("add", wide, n), wide)


@TABLE.of(np.delete)
def _delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    x, place = _line(arr, axis, "delete")
    size = size_of(x, place)
    if isinstance(obj, slice):
        if not isinstance(size, int):
            raise NotCovered("the size of the axis must be known for a slice")
        obj = np.arange(size)[obj]
    gone = operand(obj)
    if isinstance(size, int) and not isinstance(gone, Tensor):
        left = np.delete(np.arange(size), np.asarray(gone, np.int64) if np.size(gone) == 0 else gone)
        return call("gather", x, to(left, np.int64), place)
    gone = tensor(gone)
    numbers = steps(size)
    if gone.dtype.is_bool:
        kept = call("logical_not", gone)
    else:
        kept = np.isin(numbers, _from_start(positions(gone), size, "delete"), invert=True)
    return call("gather", x, call("boolean_mask", numbers, kept), place)


@TABLE.of(np.insert)
def _insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    x, place = _line(arr, axis, "insert")
    part = at_least(to(operand(values), x.dtype.numpy), rank_of(x, "insert"))
    where = operand(obj)
    if rank_of(where, "insert") if isinstance(where, Tensor) else np.ndim(where):
        return _insert_several(x, where, part, place)
    part = SHAPES[np.moveaxis](part, 0, place)
    rest = list(shape_of(x, "insert"))
    rest[place] = size_of(part, place)
    part = call("broadcast_to", part, rest)
    if isinstance(where, Tensor):
        inside = call("greater_equal", to(where, np.int64), call("negative", to(size_of(x, place), np.int64)))
        checked(inside, f"index is out of bounds for axis {place}", "IndexError")
        where = _from_start(where, to(size_of(x, place), np.int64) + 1, "insert")
        where = call("subtract", where, to(call("less", tensor(obj), 0), np.int64))
    else:
        size = size_of(x, place)
        inside = abs(int(where)) <= size if isinstance(size, int) else call("less_equal", abs(int(where)), size)
        checked(inside, f"index {where} is out of bounds for axis {place}", "IndexError")
    return call("concat", [along(x, place, slice(None, where)), part, along(x, place, slice(where, None))], place)


def _insert_several(x: Any, where: Any, part: Any, place: int) -> Any:
    size = size_of(x, place)
    if isinstance(where, Tensor) or not isinstance(size, int):
        raise NotCovered("several positions, and the size of the axis, must be known")
    if where.dtype == np.bool_:
        where = np.flatnonzero(where)
    rest = list(shape_of(x, "insert"))
    rest[place] = where.size
    added = call("broadcast_to", part, rest)
    order = np.insert(np.arange(size), where.astype(np.int64), size + np.arange(where.size))
    return call("gather", call("concat", [x, added], place), to(order, np.int64), place)


@TABLE.of(np.resize)
def _resize(a: Any, new_shape: Any) -> Any:
    x = flat(tensor(a))
    shape = [to(operand(n), np.int64) for n in wanted_shape(new_shape)]
    total = call("reduce_prod", call("stack", shape)) if shape else to(1, np.int64)
    n = size_of(x, 0)
    if isinstance(n, int) and not n:
        return call("zeros", shape, x.dtype)
    places = call("floormod", steps(total), to(n, np.int64))
    return call("reshape", call("gather", x, places, 0), wanted_shape(new_shape))


@TABLE.of(np.atleast_3d)
def _atleast_3d(*arys: Any) -> Any:
    found = []
    for value in arys:
        x = at_least(tensor(value), 1)
        rank = rank_of(x, "atleast_3d")
        x = call("expand_dims", x, axis=0) if rank_of(tensor(value), "atleast_3d") < 2 else x
        found.append(call("expand_dims", x, axis=2) if rank < 3 else x)
    return found[0] if len(found) == 1 else tuple(found)


@TABLE.of(np.rollaxis)
def _rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    x = tensor(a)
    rank, place = rank_of(x, "rollaxis"), axis_of(x, axis, "rollaxis")
    target = start + rank if start < 0 else start
    if not 0 <= target <= rank:
        raise ValueError(f"start arg requires {-rank} <= start < {rank + 1}, but {start} was passed in")
    return SHAPES[np.moveaxis](x, place, target - (place < target))


@TABLE.of(np.lib.stride_tricks.sliding_window_view)
def _sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    values = tensor(x)
    sizes = list(window_shape) if isinstance(window_shape, list | tuple) else [window_shape]
    rank = rank_of(values, "sliding_window_view")
    axes = list(range(rank)) if axis is None else list(axis) if isinstance(axis, list | tuple) else [axis]
    if len(axes) != len(sizes):
        raise ValueError("Must provide matching length window_shape and axis")
    for place, n in zip(axes, sizes, strict=True):
        at = axis_of(values, place if place >= 0 else place + rank, "sliding_window_view")
        starts = call("expand_dims", steps(size_of(values, at) - n + 1), axis=1)
        windows = call("gather", values, call("add", starts, steps(n)), at)
        values = SHAPES[np.moveaxis](windows, at + 1, -1)
    return values


if hasattr(np, "astype"):  # since numpy 2.1

    @TABLE.of(np.astype)
    def _astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
        return to(tensor(x), np.dtype(getattr(dtype, "numpy", dtype)))


# -- by a function of the program's


@TABLE.of(np.apply_over_axes)
def _apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    x = tensor(a)
    rank = rank_of(x, "apply_over_axes")
    for axis in axes if isinstance(axes, list | tuple) else [axes]:
        place = axis_of(x, axis, "apply_over_axes")
        x = tensor(func(x, place))
        if rank_of(x, "apply_over_axes") < rank:
            x = call("expand_dims", x, axis=place)
    return x


@TABLE.of(np.piecewise)
def _piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Any:
    values = tensor(x)
    least = min(1, rank_of(values, "piecewise"))
    several = isinstance(condlist, list | tuple) and len(condlist) > 0 and np.ndim(condlist[0]) >= least
    masks = [to(tensor(c), np.bool_) for c in (condlist if several else [condlist])]
    if len(funclist) == len(masks) + 1:
        other = masks[0]
        for mask in masks[1:]:
            other = call("logical_or", other, mask)
        masks.append(call("logical_not", other))
    if len(funclist) != len(masks):
        count = len(masks)
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected")
    line, found = flat(values), call("zeros_like", flat(values))
    for mask, function in zip(masks, funclist, strict=True):
        places = call("argwhere", flat(call("broadcast_to", mask, call("shape", values))))
        taken = call("gather_nd", line, places)
        made = function(taken, *args, **kw) if callable(function) else function
        made = call("broadcast_to", to(operand(made), values.dtype.numpy), call("shape", taken))
        found = call("tensor_scatter_nd_update", found, places, made)
    return call("reshape", found, shape_of(values, "piecewise"))


@TABLE.of(np.choose)
def _choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    parts = together(*choices) if isinstance(choices, list | tuple) else call("unstack", tensor(choices))
    numbers = to(positions(a), np.int64)
    count = len(parts)
    if mode == "wrap":
        numbers = call("floormod", numbers, count)
    elif mode == "clip":
        numbers = call("maximum", call("minimum", numbers, count - 1), 0)
    else:
        inside = call("logical_and", call("greater_equal", numbers, 0), call("less", numbers, count))
        message = "invalid entry in choice array: "
        call("check", call("reduce_all", inside), [numbers], message=message, exception="ValueError")
    found = parts[0]
    for i, part in enumerate(parts[1:], 1):
        found = call("where", call("equal", numbers, i), part, found)
    return call("broadcast_to", found, call("shape", JOINS[np.broadcast_arrays](numbers, *parts)[0]))
