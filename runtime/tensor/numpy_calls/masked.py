"""numpy's `where` and `initial`: which elements a reduction takes, and the value that it begins with.

    np.sum(x, where=m, initial=5)    ->    add(reduce_sum(where(m, x, 0)), 5)

A mask is broadcast to the shape of x, a first value is one number of the dtype that the reduction works in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from runtime.tensor.numpy_calls.operands import NotCovered, axis_of, call, count_of, rank_of, tensor, to

__all__ = ["ABSENT", "both", "count", "extreme", "filled", "mask_of", "started"]

ABSENT: Final = np._NoValue
"""What numpy has in the place of an argument that is not given."""


def mask_of(x: Any, where: Any) -> Any:
    """Which elements count, as a tensor of the shape of x; None for all."""
    if where is True:
        return None
    return call("broadcast_to", to(tensor(where), np.bool_), call("shape", x))


def both(mask: Any, other: Any) -> Any:
    """Two masks as one; None stands for all elements."""
    if mask is None or other is None:
        return other if mask is None else mask
    return call("logical_and", mask, other)


def filled(x: Any, mask: Any, value: Any) -> Any:
    """The tensor with a number in the place of what does not count."""
    return x if mask is None else call("where", mask, x, to(value, x.dtype.numpy))


def count(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    """How many elements count along the axes: an integer, or a tensor."""
    return count_of(x, axis) if mask is None else call("count_nonzero", mask, axis, keepdims)


def started(result: Any, combine: str, initial: Any) -> Any:
    """The result of a reduction that begins with a value, for one that has an identity."""
    if initial is ABSENT:
        return result
    if initial is None:
        raise NotCovered("`initial=None` takes its identity away, which no operation does")
    return call(combine, result, _first(initial, result))


def extreme(names: tuple[str, str], x: Any, axis: Any, keepdims: bool, initial: Any) -> Any:
    """The largest or smallest of the elements and of the first value, which is the result where there are none.

    names: the operations of all elements, and of two tensors."""
    reduction, combine = names
    first = _first(initial, x)
    elements = count_of(x, axis)
    if isinstance(elements, int) and elements:
        return call(combine, call(reduction, x, axis, keepdims), first)
    axes = _axes(x, axis)  # there may be none: the first value becomes one
    around = [(0, int(place in axes)) for place in range(rank_of(x, reduction))]
    return call(reduction, call("pad", x, around, first, mode="CONSTANT"), axis, keepdims)


def _axes(x: Any, axis: Any) -> Sequence[int]:
    if axis is None:
        return range(rank_of(x, "reduction"))
    return [axis_of(x, one, "reduction") for one in (axis if isinstance(axis, tuple | list) else (axis,))]


def _first(initial: Any, like: Any) -> Any:
    first = to(tensor(initial) if isinstance(initial, list | tuple) else initial, like.dtype.numpy)
    if first.shape.rank not in (0, None):
        raise ValueError(f"`initial` is one number; got a value of shape {first.shape}")
    return first
