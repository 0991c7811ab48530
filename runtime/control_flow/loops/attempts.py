"""A loop that is tried as one of the graph, and what its trace may have left where that fails.

    attempt = Attempt(graph, consumer)
    try:
        stage()
    except StagingError:
        attempt.take_back()      # all is as it was: the loop can be unrolled
"""

from __future__ import annotations

from typing import Any

from autograph.operators.consumer import Consumer
from autograph.operators.variables import set_variables, variables_in
from runtime.control_flow.objects.watched import watched_since
from runtime.graph.graph import Graph

__all__ = ["Attempt"]


class Attempt:
    """What there is before a loop is staged."""

    def __init__(self, graph: Graph, consumer: Consumer) -> None:
        self._graph, self._consumer = graph, consumer
        self._variables = variables_in(consumer.get_state)
        self._failure = graph.recording.tracing.failure
        self._start, self._watched = len(graph.operations), watched_since()

    def take_back(self, operation: Any = None) -> None:
        """Puts variables and the graph back. operation: that of the loop, if it got so far."""
        self._graph.recording.tracing.failure = self._failure
        watched_since(self._watched)
        set_variables(self._variables, self._consumer.get_state, self._consumer.set_state)
        self._graph.recording.forget(self._start, operation)
