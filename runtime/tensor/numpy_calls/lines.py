"""Axes taken together: the elements along some axes as lines, one after the other, and the axes put back.

    as_lines(x, (0, 2))     [a, b, c]   ->   [b, a * c], with the axes [0, 2]

`np.apply_along_axis` is a loop over lines, which is traced once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

import autograph
from runtime.tensor.numpy_calls.operands import Table, axis_of, call, rank_of, shape_of, size_of, tensor

__all__ = ["TABLE", "as_lines", "axes_of", "with_ones"]

TABLE: Final = Table()


def axes_of(x: Any, axis: Any, name: str) -> list[int]:
    """The axes that an argument says, from 0; None stands for all."""
    if axis is None:
        return list(range(rank_of(x, name)))
    axes = [axis_of(x, one, name) for one in (axis if isinstance(axis, tuple | list) else (axis,))]
    if len(set(axes)) < len(axes):
        raise ValueError(f"repeated axis in `axis` argument of {name}: {axis}")
    return axes


def as_lines(x: Any, axis: Any, name: str) -> tuple[Any, list[int]]:
    """The elements along the axes as the last axis of a tensor of the others; and the axes."""
    axes = axes_of(x, axis, name)
    rank = rank_of(x, name)
    if axes == [rank - 1]:
        return x, axes
    rest = [place for place in range(rank) if place not in axes]
    turned = call("transpose", x, [*rest, *axes])
    return call("reshape", turned, [*(size_of(x, place) for place in rest), -1]), axes


def with_ones(found: Any, axes: Sequence[int], rank: int) -> Any:
    """A result of as many axes as there were, with size 1 for those that are gone."""
    for place in sorted(axis % rank for axis in axes):
        found = call("expand_dims", found, axis=place)
    return found


@TABLE.of(np.apply_along_axis)
def _apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    x = tensor(arr)
    place = axis_of(x, axis, "apply_along_axis")
    if rank_of(x, "apply_along_axis") == 1:
        return tensor(func1d(x, *args, **kwargs))
    lines, _ = as_lines(x, place, "apply_along_axis")
    rest = shape_of(lines, "apply_along_axis")[:-1]
    rows = call("reshape", lines, [-1, size_of(x, place)])
    found = tensor(autograph.converted(_each)(func1d, rows, args, kwargs))
    inner = shape_of(found, "apply_along_axis")[1:]
    found = call("reshape", found, [*rest, *inner])
    order = list(range(len(rest)))
    order[place:place] = range(len(rest), len(rest) + len(inner))
    return call("transpose", found, order)


def _each(function: Any, rows: Any, args: Any, kwargs: Any) -> Any:
    return np.stack([function(row, *args, **kwargs) for row in rows])
