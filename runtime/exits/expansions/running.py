"""Running products and recurrences, by doubling: after step i each element has what 2**i elements before it give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.control_flow.functions import while_loop
from runtime.dtypes import int64
from runtime.exits.expansions.arithmetic import constant
from runtime.exits.rules import expands
from runtime.ops.records.gradients import ops
from runtime.ops.reductions.recurrence import linear_recurrence
from runtime.ops.reductions.scan import cumprod, cumulative_logsumexp

__all__: list[str] = []


def _moved(x: Any, distance: Any, fill: float) -> Any:
    """The elements of the last axis moved towards its end."""
    count = ops.shape(x, out_type=int64)[-1]
    places = ops.subtract(ops.range(ops.zeros_like(count), count, ops.ones_like(count)), distance)
    zero = constant(count, 0)
    found = ops.gather(x, ops.maximum(places, zero), axis=-1)
    return ops.where(ops.greater_equal(places, zero), found, constant(x, fill))


def _doubled(values: Sequence[Any], step: Callable[..., tuple[Any, ...]]) -> tuple[Any, ...]:
    """step(distance, *values) gives the values with what is `distance` before them."""
    size = values[0].shape[-1] if values[0].shape.rank is not None else None
    graph = values[0].graph
    if size is not None:
        found = tuple(values)
        for power in range(max(size - 1, 0).bit_length()):
            found = step(graph.constant(np.int64(1 << power).reshape(())), *found)
        return found
    count = ops.shape(values[0], out_type=int64)[-1]

    def turn(distance: Any, *values: Any) -> tuple[Any, ...]:
        return (ops.add(distance, distance), *step(distance, *values))

    start = graph.constant(np.int64(1).reshape(()))
    return tuple(while_loop(lambda distance, *values: ops.less(distance, count), turn, (start, *values))[1:])


def _scanned(
    x: Any, combine: Callable[[Any, Any], Any], fill: float, axis: int, exclusive: bool, reverse: bool
) -> Any:
    if x.shape.rank is None:
        return NotImplemented
    x = _last(x, axis, reverse)
    (x,) = _doubled([x], lambda distance, x: (combine(x, _moved(x, distance, fill)),))
    if exclusive:
        x = _moved(x, x.graph.constant(np.int64(1).reshape(())), fill)
    return _back(x, axis, reverse)


def _swap(x: Any, axis: int) -> Any:
    rank = x.shape.rank
    perm = list(range(rank))
    perm[axis], perm[-1] = perm[-1], perm[axis]
    return ops.transpose(x, perm=perm)


def _last(x: Any, axis: int, reverse: bool) -> Any:
    x = _swap(x, axis)
    return ops.reverse(x, axis=(-1,)) if reverse else x


def _back(x: Any, axis: int, reverse: bool) -> Any:
    return _swap(ops.reverse(x, axis=(-1,)) if reverse else x, axis)


@expands(cumprod)
def _(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _scanned(x, ops.multiply, 1, axis, exclusive, reverse)


@expands(cumulative_logsumexp)
def _(x: Any, axis: int, exclusive: bool, reverse: bool) -> Any:
    return _scanned(x, ops.logaddexp, -np.inf, axis, exclusive, reverse)


@expands(linear_recurrence)
def _(a: Any, b: Any, axis: int, reverse: bool) -> Any:
    if a.shape.rank is None or b.shape.rank is None:
        return NotImplemented

    def step(distance: Any, a: Any, b: Any) -> tuple[Any, Any]:
        before = _moved(a, distance, 1), _moved(b, distance, 0)
        return ops.multiply(a, before[0]), ops.add(ops.multiply(a, before[1]), b)

    found = _doubled([_last(a, axis, reverse), _last(b, axis, reverse)], step)
    return _back(found[1], axis, reverse)
