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
    floating,
    operand,
    positions,
    rank_of,
    size_of,
    tensor,
    to,
    together,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import steps

__all__ = ["TABLE"]

TABLE: Final = Table()

_KINDS: Final = (None, "quicksort", "mergesort", "heapsort", "stable")
"""All that numpy knows; sorting is stable anyway."""


def _line(a: Any, axis: int | None) -> tuple[Any, int]:
    x = tensor(a)
    return (flat(x), 0) if axis is None else (x, axis)


def _as_numbers(x: Any) -> Any:
    return to(x, np.uint8) if x.dtype.is_bool else x


@TABLE.of(np.sort)
def _sort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> Any:
    if kind not in _KINDS:
        raise ValueError(f"sort kind must be one of {', '.join(map(repr, _KINDS[1:]))}; got {kind!r}")
    x, place = _line(a, axis)
    return to(call("sort", _as_numbers(x), place), x.dtype.numpy)


@TABLE.of(np.argsort)
def _argsort(a: Any, axis: int | None = -1, kind: str | None = None, order: Any = None, *, stable: Any = None) -> Any:
    x, place = _line(a, axis)
    return to(call("argsort", _as_numbers(x), place), np.int64)


def _from_start(indices: Any, size: Any) -> Any:
    """Positions in which negative ones count from the end, as positions from the start."""
    wide = to(indices, np.int64)
    return call("where", call("less", wide, 0), call("add", wide, to(size, np.int64)), wide)


@TABLE.of(np.take)
def _take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    x, place = _line(a, axis)
    size, wanted = size_of(x, place), positions(indices)
    if mode == "wrap":
        return call("gather", x, call("floormod", to(wanted, np.int64), to(size, np.int64)), place)
    if mode == "clip":
        top = call("subtract", to(size, np.int64), 1)
        return call("gather", x, call("maximum", call("minimum", to(wanted, np.int64), top), 0), place)
    return call("gather", x, _from_start(wanted, size), place)


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
    return call("searchsorted", x, values, side=side)


@TABLE.of(np.digitize)
def _digitize(x: Any, bins: Any, right: bool = False) -> Any:
    if isinstance(operand(bins), np.ndarray) and (np.diff(bins) < 0).any():
        raise NotCovered("bins must be in ascending order")
    return _searchsorted(bins, x, "left" if right else "right")


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


@TABLE.of(np.isin)
def _isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None
) -> Any:
    x, found = together(element, test_elements)
    there = call("reduce_any", call("equal", call("expand_dims", x, axis=-1), flat(found)), -1)
    return call("logical_not", there) if invert else there


@TABLE.of(np.unique)
def _unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False, axis: Any = None, *,
    equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    x = tensor(ar)
    if axis is not None or not equal_nan:
        raise NotCovered("it is there for all elements together, with axis=None and equal_nan=True")
    found, first, places, counts = call("unique_sorted", _as_numbers(x))
    results = [to(found, x.dtype.numpy)]
    if return_index:
        results.append(first)
    if return_inverse:
        results.append(call("reshape", places, call("shape", x)))
    if return_counts:
        results.append(counts)
    return results[0] if len(results) == 1 else tuple(results)


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
    x, y = _pair(a, v)
    n, m = size_of(x, 0), size_of(y, 0)
    if mode != "full" and not (isinstance(n, int) and isinstance(m, int) and m <= n):
        raise NotCovered(f"mode={mode!r} is there where the first vector is known to be at least as long as the second")
    return call("convolve", x, call("reverse", y, axis=[0]), mode=mode)


@TABLE.of(np.interp)
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    if period is not None:
        raise NotCovered("period has no operation")
    points, known, heights = (to(tensor(value), np.float64) for value in (x, xp, fp))
    last = size_of(known, 0) - 1
    after = call("searchsorted", known, points, side="right")
    low = call("maximum", call("minimum", call("subtract", after, 1), to(last, np.int64) - 1), 0)
    high = call("minimum", call("add", low, 1), to(last, np.int64))
    x0, x1, y0, y1 = (call("gather", v, place) for v in (known, heights) for place in (low, high))
    slope = call("divide_no_nan", call("subtract", y1, y0), call("subtract", x1, x0))
    between = call("add", call("multiply", slope, call("subtract", points, x0)), y0)
    first, final = known[0], known[-1]
    result = call("where", call("equal", points, final), heights[-1], between)
    result = call("where", call("less", points, first), heights[0] if left is None else left, result)
    result = call("where", call("greater", points, final), heights[-1] if right is None else right, result)
    return call("where", call("is_nan", points), points, result)


@TABLE.of(np.gradient)
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = floating(f)
    if edge_order != 1 or len(varargs) > 1 or any(np.ndim(step) for step in varargs):
        raise NotCovered("it is there with one distance for all axes and edge_order=1")
    rank = rank_of(x, "gradient")
    axes: Sequence[int] = range(rank) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    step = varargs[0] if varargs else 1.0
    found = [_slope(x, axis_of(x, place, "gradient"), step) for place in axes]
    return found[0] if len(found) == 1 else tuple(found)


def _slope(x: Any, axis: int, step: Any) -> Any:
    def part(start: int | None, stop: int | None) -> Any:
        return x[(*(slice(None) for _ in range(axis)), slice(start, stop))]

    pairs = ((part(1, 2), part(0, 1), 1), (part(2, None), part(None, -2), 2), (part(-1, None), part(-2, -1), 1))
    return call(
        "concat",
        [call("divide", call("subtract", after, before), width * step) for after, before, width in pairs],
        axis,
    )

