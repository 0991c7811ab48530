"""Loops over arrays of known length: those that the graph refuses are unrolled, as NumPy would go through them.

    for z in zs:                 # an ndarray of 6 numbers
        filter_.predict(z)       # draws from a generator of NumPy's, whose state no loop of the graph can carry

That a tensor is gone through by a loop of the graph is said in the guides; what such a loop cannot do stays refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.operators.consumer import Consumer
from autograph.operators.stager import PYTHON
from runtime.config import get_unroll_limit
from runtime.context import current_recorder
from runtime.control_flow.loops import iteration
from runtime.control_flow.loops.iteration import Items
from runtime.control_flow.loops.known import has_options, loops_of_trace
from runtime.control_flow.loops.signals import failure_of, tried
from runtime.control_flow.statement.state import State
from runtime.control_flow.tries.raised import is_refusal
from runtime.graph.graph import Graph
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart

__all__ = ["for_each"]

def for_each(items: Items, position: list[Any], consumer: Consumer) -> None:
    """`iteration.for_each`, of items that may be those of an array."""
    graph, trace, first = current_recorder(), loops_of_trace(), position[0]
    if not isinstance(graph, Graph) or trace is None or not _are_few(items, first) or has_options(consumer.options):
        iteration.for_each(items, position, consumer)
        return
    if trace.unrolls or failure_of(graph, consumer.body) is not None:
        _unrolled(items, position, consumer)
        return
    refusals: list[BaseException] = []

    def why(error: BaseException) -> str | None:
        if not _is_refusal(error):
            return None
        refusals.append(error)
        return str(error)

    if tried(graph, consumer, lambda: iteration.for_each(items, position, consumer), why) is None:
        trace.staged = True
        return
    position[0] = first
    try:
        _unrolled(items, position, consumer)
    except Exception as error:
        if not _is_refusal(error):
            raise
        raise refusals[0] from None  # which speaks of the loop as it is written


def _is_refusal(error: BaseException) -> bool:
    return isinstance(error, Exception) and not isinstance(error, Restart) and is_refusal(error)


def _are_few(items: Items, first: Any) -> bool:
    """Whether they are a known number of elements or rows of arrays, no more than loops are unrolled for."""
    if type(items.length) is not int or type(first) is not int or not items.objects:
        return False
    return items.length - first <= get_unroll_limit() and all(isinstance(o, TracedArray) for o in items.objects)


class _HandOver:
    """Hands a consumer the item at a position."""

    def __init__(self, items: Items, position: list[Any], consumer: Consumer) -> None:
        self._items, self._position, self._consumer = items, position, consumer

    def __call__(self, here: int) -> None:
        self._position[0] = here + 1
        iteration.hand_over(self._consumer, self._items.item(here))

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (*self._consumer.__ag_watched__(), *self._items.objects)


def _unrolled(items: Items, position: list[Any], consumer: Consumer) -> None:
    state = State(consumer.get_state, consumer.set_state, tuple(consumer.names))
    if consumer.extra_test is not None:  # which may come to depend on a tensor, and with it where the loop ends
        state = state.with_cell(position, "position in the loop")
    options = {**consumer.options, "unroll": True}
    if consumer.staging is not None:
        options["staging"] = consumer.staging
    numbers: Sequence[int] = range(position[0], items.length)
    body = _HandOver(items, position, consumer)
    PYTHON.for_stmt(numbers, consumer.extra_test, body, state.get, state.put, state.names, options)
