"""Which Variables a graph writes to: what becomes a further result of the branch, loop or function that it is."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.dtypes import resource
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.control import call_node, while_node
from runtime.ops.flow.state import WRITES

__all__ = ["written"]


def written(graph: Graph, functions: Mapping[str, Graph], known: dict[int, frozenset[int]]) -> frozenset[int]:
    """The numbers of the inputs that are handles of Variables which the graph, or what it calls, writes to."""
    if id(graph) not in known:
        for inner in nested_graphs(graph):
            if id(inner) not in known:
                known[id(inner)] = frozenset()  # of a function that calls itself, which is refused elsewhere
                known[id(inner)] = _of_graph(inner, functions, known)
    return known[id(graph)]


def _of_graph(graph: Graph, functions: Mapping[str, Graph], known: dict[int, frozenset[int]]) -> frozenset[int]:
    places = {id(tensor): i for i, tensor in enumerate(graph.inputs) if tensor.dtype is resource}
    found: set[int] = set()
    for operation in graph.operations:
        if operation.op in WRITES:
            found.add(places[id(operation.inputs[0])])
            continue
        given = operation.inputs if operation.op in (while_node, call_node) else operation.inputs[1:]
        for inner in _inner(operation, functions):
            found |= {places[id(given[i])] for i in written(inner, functions, known) if id(given[i]) in places}
    return frozenset(found)


def _inner(operation: Operation, functions: Mapping[str, Graph]) -> tuple[Graph, ...]:
    if operation.op is call_node:
        return (functions[operation.attributes["function"]],)
    return operation.subgraphs
