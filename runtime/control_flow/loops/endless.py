"""Iterators without end: `itertools.count`, `cycle` and `repeat` in a function that is traced.

    for i in itertools.count(1):      # Python's, item by item, as long as nothing of the graph decides ...
        if i * i > n:                 # ... and one loop of the graph from then on, in which i is computed
            return i

Those that were made elsewhere, and other code that never ends, are gone through item by item; a loop that only the
graph leaves is refused there when it has gone on for long (`autograph.operators.unrolling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.errors import StagingError
from autograph.operators.slices import get_item
from runtime.control_flow.builtins.iterables import StagedIterator
from runtime.control_flow.loops.iteration import Items, as_literal, items_of
from runtime.heap.kind import are_same_items
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["count", "cycle", "repeat"]


def count(start: Any = 0, step: Any = 1) -> Any:
    """`itertools.count(start, step)` of integers; of floats Python adds up, and so goes on item by item."""
    if not (_is_integer(start) and _is_integer(step)):
        return NotImplemented
    if isinstance(start, Tensor) or isinstance(step, Tensor):
        return StagedIterator(Items(None, lambda position: start + position * step), "itertools.count")
    return StagedIterator(Items(None, lambda position: as_literal(start + position * step)), "itertools.count")


def repeat(item: Any, times: Any = None) -> Any:
    """`itertools.repeat(item, times)`; without `times` for ever, and as often as a tensor says."""
    if times is not None and not (isinstance(times, SymbolicTensor) and _is_integer(times)):
        return NotImplemented
    return StagedIterator(Items(times, lambda position: item), "itertools.repeat")


def cycle(iterable: Any) -> Any:
    """`itertools.cycle(iterable)` of a sequence of Python or a range. Raises StagingError if that changes meanwhile."""
    if type(iterable) not in (list, tuple, range, str) or not len(iterable):
        return NotImplemented
    kept = iterable if isinstance(iterable, range | str) else list(iterable)

    def item(position: Any) -> Any:
        _check_unchanged(iterable, kept)
        place = position % len(kept)
        return get_item(kept, place) if isinstance(place, int) or type(kept) is list else items_of(kept).item(place)

    return StagedIterator(Items(None, item, (kept,)), "itertools.cycle")


def _check_unchanged(iterable: Sequence[Any], kept: Sequence[Any]) -> None:
    if isinstance(iterable, list) and not are_same_items(iterable, kept):
        raise StagingError(
            "the list that itertools.cycle goes through is changed while it does; give it a copy, cycle(list(items))"
        )


def _is_integer(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.shape.rank == 0 and bool(value.dtype.is_integer)
    return type(value) is int


