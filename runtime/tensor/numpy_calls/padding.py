"""`np.pad` in all its modes.

    np.pad(x, 2, mode="edge")     ->     the elements at the places 0, 0, 0, 1, ..., n - 1, n - 1, n - 1

One axis after the other: what is repeated is gathered, what is computed is put before and behind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import (
    NotCovered,
    Table,
    array,
    axis_of,
    call,
    operand,
    rank_of,
    shape_of,
    size_of,
    tensor,
    to,
)  # fmt: skip
from runtime.tensor.numpy_calls.shapes import along, steps

__all__ = ["TABLE"]

TABLE: Final = Table()

_REPEATED: Final = ("edge", "reflect", "symmetric", "wrap")
"""What is added are elements that are there."""

_COMPUTED: Final[Mapping[str, Callable[..., Any]]] = {
    "maximum": np.max, "minimum": np.min, "mean": np.mean, "median": np.median,
}  # fmt: skip
"""What is added is one value of each line."""


@TABLE.of(np.pad)
def _pad(
    array: Any, pad_width: Any, mode: Any = "constant", *, constant_values: Any = 0, end_values: Any = 0,
    stat_length: Any = None, reflect_type: str = "even",
) -> Any:  # fmt: skip
    if callable(mode):
        raise NotCovered("a mode that is a function has no operation: np.concatenate puts parts together")
    x = tensor(array)
    widths = _widths(pad_width, x)
    if mode in ("constant", "empty"):
        return _with_constants(x, widths, constant_values if mode == "constant" else 0)
    for axis, (before, after) in enumerate(widths):
        if mode in _REPEATED:
            if before or after:
                found = call("gather", x, _places(size_of(x, axis), before, after, mode), axis)
                is_odd = reflect_type == "odd" and mode in ("reflect", "symmetric")
                x = _turned(x, found, axis, (before, after)) if is_odd else found
        elif mode in _COMPUTED:
            x = _with_values(x, axis, (before, after), _COMPUTED[mode], _pairs(stat_length, x)[axis])
        elif mode == "linear_ramp":
            x = _with_ramps(x, axis, (before, after), _pairs(end_values, x)[axis])
        else:
            raise ValueError(f"mode '{mode}' is not supported")
    return x


def _widths(pad_width: Any, x: Any) -> list[tuple[int, int]]:
    rank = rank_of(x, "pad")
    if isinstance(pad_width, dict):
        found = [(0, 0)] * rank
        for axis, width in pad_width.items():
            found[axis_of(x, axis, "pad")] = (width, width) if isinstance(width, int) else tuple(width)
        pad_width = found
    widths = np.broadcast_to(array(pad_width), (rank, 2))
    if (widths < 0).any():
        raise ValueError("index can't contain negative values")
    return [(int(before), int(after)) for before, after in widths]


def _pairs(value: Any, x: Any) -> list[tuple[Any, Any]]:
    """What an argument says for both ends of each axis: one for all, a pair for all, or a pair for each axis."""
    rank = rank_of(x, "pad")
    if not isinstance(value, list | tuple | np.ndarray):
        return [(value, value)] * rank
    items = list(value)
    if not isinstance(items[0], list | tuple | np.ndarray):
        return [(items[0], items[-1])] * rank
    return [(item[0], item[-1]) for item in (items * rank if len(items) == 1 else items)]


def _with_constants(x: Any, widths: list[tuple[int, int]], values: Any) -> Any:
    if not isinstance(values, list | tuple | np.ndarray):
        return call("pad", x, [list(width) for width in widths], to(operand(values), x.dtype.numpy))
    for axis, (width, pair) in enumerate(zip(widths, _pairs(values, x), strict=True)):
        x = _around(x, axis, width, [to(operand(value), x.dtype.numpy) for value in pair])
    return x


def _around(x: Any, axis: int, widths: tuple[int, int], parts: Any) -> Any:
    """x with something before and behind it, which is broadcast to as many elements along the axis."""
    made = []
    for width, part in zip(widths, parts, strict=True):
        sizes = list(shape_of(x, "pad"))
        sizes[axis] = width
        made.append(call("broadcast_to", part, sizes))
    return call("concat", [made[0], x, made[1]], axis)


def _places(n: Any, before: int, after: int, mode: str) -> Any:
    """Which element is at each place of an axis."""
    if isinstance(n, int):
        return to(np.pad(np.arange(n), (before, after), mode), np.int64)  # type: ignore[call-overload]
    size = to(n, np.int64)
    numbers = call("subtract", steps(size + (before + after)), before)
    if mode == "wrap":
        return call("floormod", numbers, size)
    last = call("subtract", size, 1)
    if mode == "edge":
        return call("maximum", call("minimum", numbers, last), 0)
    if mode == "symmetric":
        around = call("floormod", numbers, call("multiply", size, 2))
        return call("minimum", around, call("subtract", call("multiply", size, 2) - 1, around))
    period = call("maximum", call("multiply", last, 2), 1)
    around = call("floormod", numbers, period)
    return call("minimum", around, call("subtract", call("multiply", last, 2), around))


def _turned(x: Any, found: Any, axis: int, widths: tuple[int, int]) -> Any:
    """What is reflected, turned around the element at the edge: twice that element less what was found there."""
    size, before = size_of(x, axis), widths[0]
    if not isinstance(size, int) or max(widths) >= size:
        raise NotCovered("reflect_type='odd' needs to know more elements along an axis than are added")
    first, last = along(x, axis, slice(None, 1)), along(x, axis, slice(-1, None))
    sides = [(first, slice(None, before)), (last, slice(before + size, None))]
    low, high = (
        call("subtract", call("multiply", edge, to(2, x.dtype.numpy)), along(found, axis, part)) for edge, part in sides
    )
    return call("concat", [low, x, high], axis)


def _with_values(x: Any, axis: int, widths: tuple[int, int], function: Any, lengths: tuple[Any, Any]) -> Any:
    size = size_of(x, axis)
    parts = []
    for side, length in enumerate(lengths):
        line = x
        if length is not None:
            if length < 1:
                raise ValueError("stat_length of 0 yields no value for padding")
            start = call("maximum", to(size, np.int64) - length, 0)
            line = along(x, axis, slice(start, None) if side else slice(None, length))
        found = function(line, axis=axis, keepdims=True)
        whole = found.dtype.is_floating and x.dtype.is_integer
        parts.append(to(call("round", found) if whole else found, x.dtype.numpy))
    return _around(x, axis, widths, parts)


def _with_ramps(x: Any, axis: int, widths: tuple[int, int], ends: tuple[Any, Any]) -> Any:
    """From each end value in equal steps to the element at the edge."""
    rank = rank_of(x, "pad")
    parts = []
    for side, (width, end) in enumerate(zip(widths, ends, strict=True)):
        edge = along(x, axis, slice(-1, None) if side else slice(None, 1))
        wide = edge if x.dtype.is_floating or x.dtype.is_complex else to(edge, np.float64)
        first = to(operand(end), wide.dtype.numpy)
        line = np.arange(width) / max(width, 1)
        shares = to(line[::-1] if side else line, wide.dtype.numpy)
        shares = call("reshape", shares, [-1 if i == axis else 1 for i in range(rank)])
        ramp = call("add", first, call("multiply", call("subtract", wide, first), shares))
        parts.append(to(call("floor", ramp) if x.dtype.is_integer else ramp, x.dtype.numpy))
    return call("concat", [parts[0], x, parts[1]], axis)
