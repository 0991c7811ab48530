"""The graphs inside of a graph: branches and loop bodies, and theirs, to any depth.

>>> [g.name for g in nested_graphs(graph)]        # inner ones first, the graph itself last
['else', 'then', 'main']

Programs nest as deeply as their authors like, so nothing here recurses: `drive` runs work that nests the same way.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from typing import Any

from runtime.errors import GraphError
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation

__all__ = ["Task", "drive", "nested_graphs", "operations_within"]


def nested_graphs(graph: Graph) -> list[Graph]:
    """Every graph once, each after the graphs inside of it. Raises GraphError if a graph is inside of itself."""
    order: list[Graph] = []
    open_: set[Graph] = set()
    done: set[Graph] = set()
    stack: list[tuple[Graph, bool]] = [(graph, False)]
    while stack:
        current, leaving = stack.pop()
        if leaving:
            open_.discard(current)
            done.add(current)
            order.append(current)
        elif current in open_:
            raise GraphError(f"graph {current.name!r} is nested inside of itself; copy it (runtime.graph.rebuild)")
        elif current not in done:
            open_.add(current)
            stack.append((current, True))
            inner = [g for operation in current.operations if operation.op.nests for g in operation.subgraphs]
            stack += [(g, False) for g in inner]
    return order


def operations_within(operations: Iterable[Operation]) -> Iterator[Operation]:
    """The operations, and those of the graphs inside of them."""
    for operation in operations:
        yield operation
        for graph in operation.subgraphs:
            for inner in nested_graphs(graph):
                yield from inner.operations


Task = Generator["Task", Any, Any]
"""Work on one graph. It yields the tasks for the graphs inside of it and receives their results."""


def drive(task: Task) -> Any:
    """Runs a task and the tasks that it yields, to any depth, on one stack of its own; returns the task's result."""
    stack = [task]
    result: Any = None
    while stack:
        try:
            child = stack[-1].send(result)
        except StopIteration as done:
            stack.pop()
            result = done.value
        else:
            stack.append(child)
            result = None
    return result
