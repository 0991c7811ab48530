"""Order, search and choice: `np.sort`, `np.take`, `np.searchsorted`, `np.where`, `np.unique`, `np.interp`, ...

    np.argsort(x)     ->    cast(argsort(x, -1), int64)
    np.where(mask)    ->    a tuple with the positions along each axis
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    axis_of,
    call,
    checked,
    positions,
    rank_of,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import steps

__all__ = ["TABLE", "lexical_order", "parts_in_order", "ranks"]

TABLE: Final = Table()

_KINDS: Final = (None, "quicksort", "mergesort", "heapsort", "stable")
"""All that numpy knows; sorting is stable anyway."""


def _line(a: Any, axis: int | None) -> tuple[Any, int]:
    x = tensor(a)
    return (flat(x), 0) if axis is None else (x, axis)


def _as_numbers(x: Any) -> Any:
    return to(x, np.uint8) if x.dtype.is_bool else x


def parts_in_order(x: Any) -> list[Any]:
    """Complex numbers as keys for `lexical_order`: the real part decides first, and nan comes last in either part."""
    imag, real = call("imag", x), call("real", x)
    missing = call("add", to(call("is_nan", imag), np.uint8), call("multiply", to(call("is_nan", real), np.uint8), 2))
    return [imag, real, missing]


def lexical_order(keys: Sequence[Any], axis: int) -> Any:
    """The order by the last key, where that is the same by the one before, and so on, as int64."""
    order: Any = None
    for key in keys:
        line = _as_numbers(key)
        if order is None:
            order = to(call("argsort", line, axis), np.int64)
        else:
            within = call("argsort", call("take_along_axis", line, order, axis), axis)
            order = call("take_along_axis", order, to(within, np.int64), axis)
    return order


def ranks(first: Any, second: Any) -> list[Any]:
    """For two vectors of complex numbers whole numbers that are in the same order, where nan is equal to nan."""
    x = call("concat", [first, second], axis=0)
    parts = parts_in_order(x)
    order = lexical_order(parts, 0)
    differ: Any = False
    for part in parts:
        line = call("gather", call("where", call("not_equal", part, part), to(0, part.dtype.numpy), part), order, 0)
        differ = call("logical_or", call("not_equal", line[1:], line[:-1]), differ)
    steps_up = call("concat", [to([0], np.int64), to(differ, np.int64)], axis=0)
    found = call("gather", call("cumsum", steps_up, 0), call("argsort", order, 0), 0)
    end = call("size", first, np.int64)
    return [found[:end], found[end:]]


@TABLE.of(np.sort)
def _sort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> Any:
    if kind not in _KINDS:
        raise ValueError(f"sort kind must be one of {', '.join(map(repr, _KINDS[1:]))}; got {kind!r}")
    x, place = _line(a, axis)
    if x.dtype.is_complex:
        return call("take_along_axis", x, lexical_order(parts_in_order(x), place), place)
    return to(call("sort", _as_numbers(x), place), x.dtype.numpy)


@TABLE.of(np.argsort)
def _argsort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> Any:
    x, place = _line(a, axis)
    if x.dtype.is_complex:
        return lexical_order(parts_in_order(x), place)
    is_stable = bool(stable) or kind not in (None, "quicksort")
    return to(call("argsort", _as_numbers(x), place, stable=is_stable), np.int64)


@TABLE.of(np.partition)
def _partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Any:
    return _sort(a, axis)


@TABLE.of(np.argpartition)
def _argpartition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Any:
    return _argsort(a, axis)


def _from_start(indices: Any, size: Any) -> Any:
    """Positions in which negative ones count from the end, as positions from the start."""
    wide = to(indices, np.int64)
    return call("where", call("less", wide, 0), call("add", wide, to(size, np.int64)), wide)


@TABLE.of(np.take)
def _take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    x, place = _line(a, axis)
    place = axis_of(x, place, "take")
    size, wanted = size_of(x, place), positions(indices)
    if mode == "wrap":
        return call("gather", x, call("floormod", to(wanted, np.int64), to(size, np.int64)), place)
    if mode == "clip":
        top = call("subtract", to(size, np.int64), 1)
        return call("gather", x, call("maximum", call("minimum", to(wanted, np.int64), top), 0), place)
    return x[(*(slice(None),) * place, wanted)]


@TABLE.of(np.take_along_axis)
def _take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    x, place = _line(arr, axis)
    wanted = positions(indices)
    rank = rank_of(x, "take_along_axis")
    place = axis_of(x, place, "take_along_axis")
    grid = [
        wanted if i == place else call("reshape", steps(size_of(x, i)), [-1 if j == i else 1 for j in range(rank)])
        for i in range(rank)
    ]
    return x[tuple(grid)]


@TABLE.of(np.searchsorted)
def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    x, values = map(_as_numbers, together(a, v))
    if sorter is not None:
        x = _take(x, sorter)
    if x.dtype.is_complex:
        line, sought = ranks(x, flat(values))
        return call("reshape", call("searchsorted", line, sought, side=side), call("shape", values))
    return call("searchsorted", x, values, side=side)


@TABLE.of(np.digitize)
def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    edges = tensor(bins)
    if edges.dtype.is_complex or tensor(x).dtype.is_complex:
        raise TypeError("x may not be complex")
    size = to(call("size", edges), np.int64)
    side = "left" if right else "right"
    rising = _searchsorted(edges, x, side)
    if edges.shape.num_elements() in (0, 1):
        return rising
    falling = call("subtract", size, _searchsorted(call("reverse", edges, axis=[0]), x, side))
    one_way = call("reduce_all", np.less_equal(edges[:-1], edges[1:]))
    other_way = call("reduce_all", np.greater_equal(edges[:-1], edges[1:]))
    message = "bins must be monotonically increasing or decreasing: "
    call("check", call("logical_or", one_way, other_way), [edges], message=message, exception="ValueError")
    return call("where", one_way, rising, falling)


# -- choice ----------------------------------------------------------------------------------------------------------


@TABLE.of(np.where)
def _where(condition: Any, /, *choices: Any) -> Any:
    asked = to(tensor(condition), np.bool_)
    if not choices:
        return _nonzero(asked)
    if len(choices) == 1:
        raise ValueError("either both or neither of x and y should be given")
    return call("where", asked, *together(*choices))


@TABLE.of(np.nonzero)
def _nonzero(a: Any) -> tuple[Any, ...]:
    x = tensor(a)
    rank = rank_of(x, "nonzero")
    if not rank:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return tuple(call("unstack", _argwhere(x), rank, 1))


@TABLE.of(np.argwhere)
def _argwhere(a: Any) -> Any:
    return call("argwhere", to(tensor(a), np.bool_))


@TABLE.of(np.flatnonzero)
def _flatnonzero(a: Any) -> Any:
    return _nonzero(flat(tensor(a)))[0]


@TABLE.of(np.extract)
def _extract(condition: Any, arr: Any) -> Any:
    return call("boolean_mask", flat(tensor(arr)), flat(to(tensor(condition), np.bool_)))


@TABLE.of(np.compress)
def _compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Any:
    x, place = _line(a, axis)
    places = _flatnonzero(condition)
    return call("gather", x, places, axis_of(x, place, "compress"))


@TABLE.of(np.select)
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    *choices, result = together(*choicelist, default)
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        result = call("where", tensor(condition), choice, result)
    return result


@TABLE.of(np.bincount)
def _bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    if weights is None:
        return call("bincount", positions(x), minlength)
    values = to(positions(x), np.int64)
    largest = call("reduce_max", call("concat", [values, np.array([-1])], axis=0))
    size = call("maximum", call("add", largest, 1), minlength)
    return call("count_values", values, to(tensor(weights), np.float64), size)


# -- along a line ----------------------------------------------------------------------------------------------------


def _pair(a: Any, v: Any) -> list[Any]:
    x, y = together(a, v)
    return [_flat_pair(x), _flat_pair(y)] if 0 in (x.shape.rank, y.shape.rank) else [x, y]


def _flat_pair(x: Any) -> Any:
    return flat(x) if x.shape.rank == 0 else x


@TABLE.of(np.convolve)
def _convolve(a: Any, v: Any, mode: str = "full") -> Any:
    return call("convolve", *_pair(a, v), mode=mode)


@TABLE.of(np.correlate)
def _correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    checked(mode in ("valid", "same", "full"), f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    x, y = _pair(a, v)
    turned = call("reverse", call("conj", y) if y.dtype.is_complex else y, axis=[0])
    if mode == "full":
        return call("convolve", x, turned, mode=mode)
    n, m = size_of(x, 0), size_of(y, 0)
    if not (isinstance(n, int) and isinstance(m, int)):
        raise NotCovered(f"mode={mode!r} needs to know the sizes of both vectors")
    full = call("convolve", x, turned, mode="full")
    if mode == "valid":
        return full[min(n, m) - 1 : max(n, m)]
    start = (m - 1) // 2 if m <= n else n // 2  # the longer one stays where it is
    return full[start : start + max(n, m)]
