"""A loop that is tried as one of the graph: where that fails all is as it was, and it can be unrolled.

    why = tried(graph, consumer, stage, in_words)      # None: it is a loop of the graph
    failure_of(graph, consumer.body)                   # why: it need not be tried again in this trace
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from autograph.operators.consumer import Consumer
from autograph.operators.variables import set_variables, variables_in
from runtime.control_flow.loops.signals import AROUND
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph

__all__ = ["failure_of", "tried"]

_FAILED: Final[PerTrace[dict[Any, str]]] = PerTrace(dict)
"""Why loops are unrolled, by their bodies, within the others that are tried."""


def failure_of(graph: Graph, body: Any) -> str | None:
    """Why a loop is unrolled in this trace; None where it has not been tried, or was one of the graph."""
    return _FAILED.of(graph).get(_key_of(body))


def _key_of(body: Any) -> Any:
    return getattr(body, "__code__", body), AROUND.get()


def tried(
    graph: Graph,
    consumer: Consumer,
    stage: Callable[[], None],
    why: Callable[[BaseException], str | None],
    operation: Callable[[], Any] = lambda: None,
) -> str | None:
    """Stages a loop. Returns why that fails, having put back variables and the graph; None where it does not.

    why: says it of what was raised; None of what goes on. operation: gives that of the loop, if it got so far.
    """
    tracing = graph.recording.tracing
    variables, failure = variables_in(consumer.get_state), tracing.failure
    start, watched = len(graph.operations), watched_since()
    try:
        stage()
        return None
    except BaseException as error:
        if (found := why(error)) is None:
            raise
    tracing.failure = failure
    watched_since(watched)
    set_variables(variables, consumer.get_state, consumer.set_state)
    graph.recording.forget(start, operation())
    _FAILED.of(graph)[_key_of(consumer.body)] = found
    return found
