"""What engines have in common: they make plans of graphs, and plans are called with arrays.

    plan = backend.compile(graph)
    plan.function(*arrays)              # a tuple with an array for each output

The engines are found by name in `runtime.backends`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.records.record import Array

__all__ = ["Backend", "Plan"]


class Plan(Protocol):
    """A graph ready to run. It holds no state of a run: it may run in several threads at once."""

    @property
    def function(self) -> Callable[..., tuple[Array, ...]]:
        """Takes an array for each input, gives a tuple of arrays; what it raises names the operation and its line."""
        ...

    @property
    def source(self) -> str:
        """What runs, as text."""
        ...


class Backend(Protocol):
    """An engine."""

    def refuses(self, graph: Graph) -> list[tuple[Operation, str]]:
        """The operations that it cannot carry out itself, with the reasons."""
        ...

    def compile(self, graph: Graph, whole: bool = False) -> Plan:
        """The graph, ready to run. whole: an engine that carries out parts of a graph raises NotCompiledError for a
        loop that is not such a part from its first operation to its last."""
        ...
