"""What is remembered while one function is traced: its graphs keep it until the trace is over.

    _WATCHED: Final[PerTrace[list[Entry]]] = PerTrace(list)
    _WATCHED.of(graph).append(entry)        # one list for each trace, whichever graph inside of it is being recorded
    forget_trace(graph)                     # the trace is over: what was remembered is kept alive no longer

A table in a module, with graphs as weak keys, would keep each graph for ever: the values lead to tensors of the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from runtime.context import current_recorder
from runtime.graph.graph import Graph

__all__ = ["PerTrace", "forget_trace"]

T = TypeVar("T")


class PerTrace(Generic[T]):
    """Something that each trace has one of. make: makes it, when it is first asked for."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make

    def of(self, graph: Graph) -> T:
        """That of the trace which a graph is a part of."""
        memory = graph.recording.tracing.memory
        found: T | None = memory.get(self)
        if found is None:
            found = memory[self] = self._make()
        return found

    def here(self) -> T:
        """That of the trace that is being recorded; outside of one something new, which nobody remembers."""
        graph = current_recorder()
        return self.of(graph) if isinstance(graph, Graph) else self._make()


def forget_trace(graph: Graph) -> None:
    """To be called when the trace of an outermost graph is over."""
    graph.recording.tracing.memory.clear()
