"""Loops over arrays of known length: those that the graph refuses are unrolled, as NumPy would go through them.

    for z in zs:                 # an ndarray of 6 numbers
        filter_.predict(z)       # draws from a generator of NumPy's, whose state no loop of the graph can carry

That a tensor is gone through by a loop of the graph is said in the guides; what such a loop cannot do stays refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from autograph.operators.consumer import Consumer
from autograph.operators.stager import PYTHON
from runtime.config import get_unroll_limit
from runtime.context import current_recorder
from runtime.control_flow.loops import iteration
from runtime.control_flow.loops.attempts import Attempt
from runtime.control_flow.loops.iteration import Items
from runtime.control_flow.loops.known import has_options, loops_of_trace
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.control_flow.tries.raised import is_refusal
from runtime.graph.graph import Graph
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart

__all__ = ["for_each"]

_REFUSED: Final[PerTrace[set[Any]]] = PerTrace(set)
"""The bodies of loops that the graph has refused."""


def for_each(items: Items, position: list[Any], consumer: Consumer) -> None:
    """`iteration.for_each`, of items that may be those of an array."""
    graph, trace, first = current_recorder(), loops_of_trace(), position[0]
    if not isinstance(graph, Graph) or trace is None or not _are_few(items, first) or has_options(consumer.options):
        iteration.for_each(items, position, consumer)
        return
    body, refused = getattr(consumer.body, "__code__", consumer.body), _REFUSED.of(graph)
    if trace.unrolls or body in refused:
        _unrolled(items, position, consumer)
        return
    attempt = Attempt(graph, consumer)
    try:
        iteration.for_each(items, position, consumer)
        trace.staged = True
        return
    except Restart:
        raise
    except Exception as error:
        if not is_refusal(error):
            raise
        refusal = error
    attempt.take_back()
    position[0] = first
    refused.add(body)
    try:
        _unrolled(items, position, consumer)
    except Exception as error:
        if isinstance(error, Restart) or not is_refusal(error):
            raise
        raise refusal from None  # which speaks of the loop as it is written


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
    state = State(lambda: tuple(consumer.get_state()), consumer.set_state, tuple(consumer.names))
    if consumer.extra_test is not None:  # which may come to depend on a tensor, and with it where the loop ends
        state = state.with_cell(position, "position in the loop")
    options = {**consumer.options, "unroll": True}
    if consumer.staging is not None:
        options["staging"] = consumer.staging
    numbers: Sequence[int] = range(position[0], items.length)
    body = _HandOver(items, position, consumer)
    PYTHON.for_stmt(numbers, consumer.extra_test, body, state.get, state.put, state.names, options)
