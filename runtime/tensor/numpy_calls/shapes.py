"""Other forms of the same elements: `np.reshape(x, (n, -1))`, `np.moveaxis`, `np.flip`, `np.repeat`, `np.diff`, ...

    np.swapaxes(x, 0, 1)    ->    transpose(x, (1, 0))

Sizes may be tensors; where an entry has to know the rank, it must be known statically.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from runtime.structures import items_within
from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    array,
    axis_of,
    call,
    checked,
    number_of,
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
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["TABLE", "along", "at_least", "steps"]

TABLE: Final = Table()


def steps(n: Any) -> Any:
    """0, 1, ..., n - 1 as int64. n: an integer, or a tensor of rank 0."""
    return call("range", to(0, np.int64), to(n, np.int64), to(1, np.int64))


def along(x: Any, axis: int, part: Any) -> Any:
    """x[:, ..., part, ..., :], with `part` at an axis that counts from 0."""
    return x[(*(slice(None) for _ in range(axis)), part)]


def at_least(x: Any, rank: int) -> Any:
    """np.atleast_1d and np.atleast_2d: new axes come first."""
    for _ in range(rank - rank_of(x, f"atleast_{rank}d")):
        x = call("expand_dims", x, axis=0)
    return x


def _axes(axis: Any) -> tuple[int, ...]:
    return tuple(map(operator.index, axis)) if isinstance(axis, tuple | list) else (operator.index(axis),)


@TABLE.of(np.reshape)
def _reshape(a: Any, shape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    x = tensor(a)
    if order not in ("C", "F"):
        raise NotCovered(f"order={order!r} has no operation; 'C' and 'F' have")
    if order == "C":
        return call("reshape", x, wanted_shape(shape))
    sizes = wanted_shape(shape)
    if not isinstance(sizes, list):
        raise NotCovered("order='F' needs to know how many dimensions there are")
    return call("transpose", call("reshape", call("transpose", x), sizes[::-1]))


@TABLE.of(np.ravel)
def _ravel(a: Any, order: str = "C") -> Any:
    return _reshape(a, -1, order if order == "F" else "C")  # a tensor lies in memory row by row


@TABLE.of(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Any:
    return call("transpose", tensor(a), axes)


@TABLE.of(np.matrix_transpose)
def _matrix_transpose(x: Any, /) -> Any:
    return _swapaxes(x, -1, -2)


@TABLE.of(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    x = tensor(a)
    one, other = (axis_of(x, axis, "swapaxes") for axis in (axis1, axis2))
    order = list(range(rank_of(x, "swapaxes")))
    order[one], order[other] = other, one
    return call("transpose", x, order)


@TABLE.of(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    x = tensor(a)
    taken = [axis_of(x, axis, "moveaxis") for axis in _axes(source)]
    given = [axis_of(x, axis, "moveaxis") for axis in _axes(destination)]
    order = [axis for axis in range(rank_of(x, "moveaxis")) if axis not in taken]
    for place, axis in sorted(zip(given, taken, strict=True)):
        order.insert(place, axis)
    return x if order == sorted(order) else call("transpose", x, order)


@TABLE.of(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Any:
    x = tensor(a)
    if not isinstance(axis, tuple | list):
        return call("expand_dims", x, axis=axis)
    rank = rank_of(x, "expand_dims") + len(axis)
    for place in sorted(place % rank for place in _axes(axis)):
        x = call("expand_dims", x, axis=place)
    return x


@TABLE.of(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Any:
    return call("squeeze", tensor(a), axis)


@TABLE.of(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return call("broadcast_to", tensor(array), wanted_shape(shape))


@TABLE.of(np.shape)
def _shape(a: Any) -> tuple[Any, ...]:
    return shape_of(tensor(a))


@TABLE.of(np.ndim)
def _ndim(a: Any) -> int:
    return rank_of(tensor(a), "ndim")


@TABLE.of(np.size)
def _size(a: Any, axis: Any = None) -> Any:
    x = tensor(a)
    if axis is None:
        return number_of(x)
    return size_of(x, axis_of(x, axis, "size"))


def _at_least(rank: int) -> Callable[..., Any]:
    def function(*arys: Any) -> Any:
        found = tuple(at_least(tensor(a), rank) for a in arys)
        return found[0] if len(found) == 1 else found

    return function


TABLE.update({np.atleast_1d: _at_least(1), np.atleast_2d: _at_least(2)})

# -- the same elements in another order ------------------------------------------------------------------------------


@TABLE.of(np.flip)
def _flip(m: Any, axis: Any = None) -> Any:
    x = tensor(m)
    return call("reverse", x, axis=list(range(rank_of(x, "flip"))) if axis is None else axis)


TABLE[np.fliplr] = lambda m: _flip(m, 1)
TABLE[np.flipud] = lambda m: _flip(m, 0)


@TABLE.of(np.rot90)
def _rot90(m: Any, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Any:
    x, turns = tensor(m), k % 4
    if turns in (0, 2):
        return _flip(_flip(x, axes[0]), axes[1]) if turns else x
    return _swapaxes(_flip(x, axes[1]), *axes) if turns == 1 else _flip(_swapaxes(x, *axes), axes[1])


@TABLE.of(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    x = tensor(a)
    if axis is None:
        return call("reshape", _roll(flat(x), shift, 0), shape_of(x, "roll"))
    if not any(isinstance(part, SymbolicTensor) for part in items_within([shift])):
        return call("roll", x, shift=shift, axis=axis)
    axes = list(axis) if isinstance(axis, tuple | list) else [axis]
    shifts = shift if isinstance(shift, tuple | list) else [shift] * len(axes)
    for one, place in zip(shifts, axes, strict=True):
        size = to(size_of(x, axis_of(x, place, "roll")), np.int64)
        places = call("floormod", call("subtract", steps(size), to(positions(one), np.int64)), size)
        x = call("gather", x, places, axis_of(x, place, "roll"))
    return x


@TABLE.of(np.tile)
def _tile(A: Any, reps: Any) -> Any:
    counts = list(reps) if isinstance(reps, tuple | list) else [reps]
    x = at_least(tensor(A), len(counts))
    return call("tile", x, [1] * (rank_of(x, "tile") - len(counts)) + counts)


@TABLE.of(np.repeat)
def _repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    x = flat(tensor(a)) if axis is None else tensor(a)
    place = 0 if axis is None else axis_of(x, axis, "repeat")
    counts = positions(repeats)
    known = np.asarray(counts) if hasattr(type(counts), "numpy") else counts.value
    is_right = call("reduce_all", call("greater_equal", counts, 0)) if known is None else bool((known >= 0).all())
    checked(is_right, "repeats may not contain negative values.")
    n = size_of(x, place)
    ends = call("cumsum", call("broadcast_to", call("reshape", to(counts, np.int64), [-1]), [n]), 0)
    total = call("reduce_sum", to(counts, np.int64)) * (n if counts.shape.num_elements() == 1 else 1)
    return call("gather", x, call("searchsorted", ends, steps(total), side="right"), place)


# -- diagonals and triangles -----------------------------------------------------------------------------------------


def _triangle(compare: str) -> Callable[..., Any]:
    def function(m: Any, k: Any = 0) -> Any:
        x = tensor(m)
        if rank_of(x, "tril") == 1:
            x = call("broadcast_to", x, [size_of(x, 0)] * 2)
        rows, columns = steps(size_of(x, -2)), steps(size_of(x, -1))
        kept = call(compare, call("subtract", columns, k), call("expand_dims", rows, axis=1))
        return call("where", kept, x, call("zeros_like", x))

    return function


TABLE.update({np.tril: _triangle("less_equal"), np.triu: _triangle("greater_equal")})


@TABLE.of(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    x = _moveaxis(a, (axis1, axis2), (-2, -1))
    below, right = max(-offset, 0), max(offset, 0)
    rows, columns = size_of(x, -2) - below, size_of(x, -1) - right
    known = isinstance(rows, int) and isinstance(columns, int)
    n = max(min(rows, columns), 0) if known else call("maximum", call("minimum", *together(rows, columns)), 0)
    places = steps(n)
    return x[..., call("add", places, below), call("add", places, right)]


@TABLE.of(np.diag)
def _diag(v: Any, k: int = 0) -> Any:
    x = tensor(v)
    checked(rank_of(x, "diag") in (1, 2), "Input must be 1- or 2-d.")
    if rank_of(x, "diag") != 1:
        return _diagonal(x, k)
    return call("matrix_diag", x, to(0, x.dtype.numpy), operator.index(k))


@TABLE.of(np.trace)
def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    return np.sum(_diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


# -- apart -----------------------------------------------------------------------------------------------------------


def _parts(x: Any, sizes: list[int], axis: int) -> list[Any]:
    parts: tuple[Any, ...] = call("split", x, num_or_size_splits=sizes, axis=axis)
    return list(parts)


@TABLE.of(np.array_split)
def _array_split(ary: Any, indices_or_sections: Any, axis: int = 0, equal: bool = False) -> list[Any]:
    x = tensor(ary)
    place = axis_of(x, axis, "split")
    n = size_of(x, place)
    if not np.ndim(indices_or_sections):
        count = int(array(indices_or_sections))
        if not isinstance(n, int):
            raise NotCovered(f"the size of axis {axis} must be known; x[a:b] works with tensors, too")
        if equal and n % count:
            raise ValueError("array split does not result in an equal division")
        return _parts(x, [n // count + (i < n % count) for i in range(count)], place)
    cuts = array(indices_or_sections).tolist()
    return [along(x, place, slice(lo, hi)) for lo, hi in zip([0, *cuts], [*cuts, None], strict=True)]


TABLE[np.split] = lambda ary, indices_or_sections, axis=0: _array_split(ary, indices_or_sections, axis, True)
TABLE[np.vsplit] = lambda ary, indices_or_sections: _array_split(ary, indices_or_sections, 0, True)
TABLE[np.dsplit] = lambda ary, indices_or_sections: _array_split(ary, indices_or_sections, 2, True)


@TABLE.of(np.hsplit)
def _hsplit(ary: Any, indices_or_sections: Any) -> Any:
    x = tensor(ary)
    return _array_split(x, indices_or_sections, 1 if rank_of(x, "hsplit") > 1 else 0, True)


if hasattr(np, "unstack"):

    @TABLE.of(np.unstack)
    def _unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
        return tuple(call("unstack", tensor(x), None, axis))
