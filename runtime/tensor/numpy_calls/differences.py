"""Differences, slopes and areas along an axis: `np.diff`, `np.gradient`, `np.trapezoid`, `np.interp`, `np.unwrap`.

    np.gradient(f, x)     ->     at each inner point the slope of the parabola through it and its neighbours
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.joins import TABLE as JOINS
from runtime.tensor.numpy_calls.masked import ABSENT
from runtime.tensor.numpy_calls.operands import (
    Table,
    axis_of,
    call,
    checked,
    floating,
    operand,
    rank_of,
    result_type,
    shape_of,
    size_of,
    tensor,
    to,
)  # fmt: skip
from runtime.tensor.numpy_calls.reductions import flat
from runtime.tensor.numpy_calls.shapes import along
from runtime.tensor.tensor import Tensor

__all__ = ["TABLE"]

TABLE: Final = Table()


@TABLE.of(np.diff)
def _diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = ABSENT, append: Any = ABSENT) -> Any:
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    x = tensor(a)
    place = axis_of(x, axis, "diff")
    around = [_beside(part, x, place) for part in (prepend, append)]
    if any(part is not None for part in around) and n:
        x = JOINS[np.concatenate]([part for part in (around[0], x, around[1]) if part is not None], place)
    for _ in range(n):
        after, before = along(x, place, slice(1, None)), along(x, place, slice(None, -1))
        x = call("not_equal" if x.dtype.is_bool else "subtract", after, before)
    return x


def _beside(part: Any, x: Any, axis: int) -> Any:
    """What comes before or behind; a number for one element of each line."""
    if part is ABSENT:
        return None
    part = tensor(part)
    if rank_of(part, "diff"):
        return part
    sizes = list(shape_of(x, "diff"))
    sizes[axis] = 1
    return call("broadcast_to", part, sizes)


@TABLE.of(np.ediff1d)
def _ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    x = flat(tensor(ary))
    ends = [None if end is None else flat(to(operand(end), x.dtype.numpy)) for end in (to_begin, to_end)]
    parts = [part for part in (ends[0], _diff(x), ends[1]) if part is not None]
    return parts[0] if len(parts) == 1 else call("concat", parts, axis=0)


@TABLE.of(np.trapezoid)
def _trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    heights = tensor(y)
    place = axis_of(heights, axis, "trapezoid")
    width: Any = dx
    if x is not None:
        points = tensor(x)
        width = _diff(points, axis=place if rank_of(points, "trapezoid") > 1 else -1)
        if rank_of(points, "trapezoid") == 1:
            width = _on_axis(width, place, heights)
    pairs = np.add(along(heights, place, slice(1, None)), along(heights, place, slice(None, -1)))
    return np.sum(np.true_divide(np.multiply(width, pairs), 2.0), axis=place)


def _on_axis(line: Any, axis: int, like: Any) -> Any:
    return call("reshape", line, [-1 if i == axis else 1 for i in range(rank_of(like, "gradient"))])


@TABLE.of(np.gradient)
def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    x = floating(f)
    rank = rank_of(x, "gradient")
    axes: Sequence[int] = range(rank) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    if edge_order not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError("invalid number of arguments")
    for place in axes:
        size = size_of(x, axis_of(x, place, "gradient"))
        is_enough = size > edge_order if isinstance(size, int) else call("greater", size, edge_order)
        checked(is_enough, "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1)"
                " elements are required.")  # fmt: skip
    steps = varargs or (1.0,)
    steps = steps * len(axes) if len(steps) == 1 else steps
    found = [_slope(x, axis_of(x, place, "gradient"), h, edge_order) for place, h in zip(axes, steps, strict=True)]
    return found[0] if len(found) == 1 else tuple(found)


def _slope(x: Any, axis: int, step: Any, edge_order: int) -> Any:
    """By the distances between neighbours, which may differ."""

    def part(start: int | None, stop: int | None, of: Any = x) -> Any:
        return along(of, axis, slice(start, stop))

    step = operand(step)
    rank = rank_of(step, "gradient") if isinstance(step, Tensor) else np.ndim(step)
    if not rank:
        return _even_slope(part, axis, step, edge_order)
    line = _on_axis(to(_diff(floating(step)), x.dtype.numpy), axis, x)
    before, after = part(None, -1, line), part(1, None, line)
    low, here, high = part(None, -2), part(1, -1), part(2, None)
    inner = np.divide(np.square(before) * high + (np.square(after) - np.square(before)) * here - np.square(after) * low,
                      before * after * (before + after))  # fmt: skip
    if edge_order == 1:
        first = (part(1, 2) - part(0, 1)) / part(0, 1, line)
        last = (part(-1, None) - part(-2, -1)) / part(-1, None, line)
        return call("concat", [first, inner, last], axis)
    h0, h1 = part(0, 1, line), part(1, 2, line)
    first = (-(2 * h0 + h1) / (h0 * (h0 + h1)) * part(0, 1) + (h0 + h1) / (h0 * h1) * part(1, 2)
             - h0 / (h1 * (h0 + h1)) * part(2, 3))  # fmt: skip
    h0, h1 = part(-2, -1, line), part(-1, None, line)
    last = (h1 / (h0 * (h0 + h1)) * part(-3, -2) - (h1 + h0) / (h0 * h1) * part(-2, -1)
            + (2 * h1 + h0) / (h1 * (h0 + h1)) * part(-1, None))  # fmt: skip
    return call("concat", [first, inner, last], axis)


def _even_slope(part: Any, axis: int, step: Any, edge_order: int) -> Any:
    inner = call("divide", call("subtract", part(2, None), part(None, -2)), step * 2)
    if edge_order == 1:
        first, last = part(1, 2) - part(0, 1), part(-1, None) - part(-2, -1)
    else:
        first = -1.5 * part(0, 1) + 2.0 * part(1, 2) - 0.5 * part(2, 3)
        last = 1.5 * part(-1, None) - 2.0 * part(-2, -1) + 0.5 * part(-3, -2)
    return call("concat", [call("divide", first, step), inner, call("divide", last, step)], axis)


@TABLE.of(np.interp)
def _interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    points, known, heights = map(tensor, (x, xp, fp))
    if points.dtype.is_complex or known.dtype.is_complex:
        raise TypeError("np.interp: positions are no complex numbers: numpy cannot cast them to float64")
    points, known = to(points, np.float64), to(known, np.float64)
    heights = to(heights, np.complex128 if heights.dtype.is_complex else np.float64)
    if period is not None:
        points, known, heights = _around(points, known, heights, np.abs(period))
        left = right = None
    sizes = size_of(known, 0), size_of(heights, 0)
    is_one_size = sizes[0] == sizes[1] if all(isinstance(n, int) for n in sizes) else call("equal", *sizes)
    checked(is_one_size, "fp and xp are not of the same length.")
    last = size_of(known, 0) - 1
    after = call("searchsorted", known, points, side="right")
    low = call("maximum", call("minimum", call("subtract", after, 1), to(last, np.int64) - 1), 0)
    high = call("minimum", call("add", low, 1), to(last, np.int64))
    x0, x1, y0, y1 = (call("gather", v, place) for v in (known, heights) for place in (low, high))
    kind = heights.dtype.numpy
    slope = call("divide_no_nan", call("subtract", y1, y0), to(call("subtract", x1, x0), kind))
    between = call("add", call("multiply", slope, to(call("subtract", points, x0), kind)), y0)
    first, final = known[0], known[-1]
    result = call("where", call("equal", points, final), heights[-1], between)
    ends = [heights[i] if end is None else to(operand(end), kind) for i, end in ((0, left), (-1, right))]
    result = call("where", call("less", points, first), ends[0], result)
    result = call("where", call("greater", points, final), ends[1], result)
    return call("where", call("is_nan", points), to(points, kind), result)


def _around(points: Any, known: Any, heights: Any, period: Any) -> tuple[Any, Any, Any]:
    """What repeats itself: all within one period, and the last point before the first, the first behind the last."""
    points, known = np.remainder(points, period), np.remainder(known, period)
    order = call("argsort", known, 0)
    known, heights = call("gather", known, order, 0), call("gather", heights, order, 0)
    known = call("concat", [known[-1:] - period, known, known[:1] + period], axis=0)
    return points, known, call("concat", [heights[-1:], heights, heights[:1]], axis=0)


@TABLE.of(np.unwrap)
def _unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 6.283185307179586) -> Any:
    x = tensor(p)
    place = axis_of(x, axis, "unwrap")
    whole = isinstance(period, int) and not x.dtype.is_floating
    x = x if whole else floating(x)
    dtype = result_type(x, operand(period))
    steps = _diff(x, axis=place)
    half = period // 2 if whole else period / 2
    limit = half if discont is None else discont
    moved = np.subtract(np.remainder(np.add(steps, half), period), half)
    if not whole or period % 2 == 0:
        edge = call("logical_and", np.equal(moved, np.negative(half)), np.greater(steps, 0))
        moved = np.where(edge, half, moved)
    change = np.subtract(moved, steps)
    change = np.where(np.less(np.absolute(steps), limit), 0, change)
    total = np.cumsum(change, axis=place)
    first, rest = along(x, place, slice(None, 1)), along(x, place, slice(1, None))
    return JOINS[np.concatenate]([first, np.add(rest, total)], place, dtype=dtype)
