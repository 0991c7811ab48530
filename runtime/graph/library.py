"""The library of a graph: the functions that its `call` operations name, and what can be said about all of them.

called_functions(graph)        those that can be reached by calls, in the order of the library
settle_effects(graph)          calls of functions without effects say so
add_functions(graph, more)     functions of another graph; says which of them have other names here
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.ops.flow.control import call_node
from runtime.ops.flow.core import placeholder

__all__ = ["add_functions", "called_functions", "calls_of", "free_name", "renamed", "settle_effects"]


def calls_of(graph: Graph) -> Iterator[Operation]:
    """The `call` operations of a graph and of the graphs inside of it."""
    return (o for inner in nested_graphs(graph) for o in inner.operations if o.op is call_node)


def called_functions(graph: Graph) -> dict[str, Graph]:
    """The functions of the library that calls lead to."""
    found: set[str] = set()
    work = [graph]
    while work:
        for operation in calls_of(work.pop()):
            name = operation.attributes["function"]
            if name not in found:
                found.add(name)
                work.append(graph.functions[name])
    return {name: function for name, function in graph.functions.items() if name in found}


def settle_effects(graph: Graph) -> None:
    """Sets `stateful` of every call to what the function and those that it calls do.

    While a function is traced its calls of itself are taken to have effects.
    """
    calls = {name: list(calls_of(function)) for name, function in graph.functions.items()}
    callers: dict[str, list[str]] = {name: [] for name in calls}
    for name, operations in calls.items():
        for operation in operations:
            callers[operation.attributes["function"]].append(name)
    work = [name for name, function in graph.functions.items() if _acts_by_itself(function)]
    acting = set(work)
    while work:
        for caller in callers[work.pop()]:
            if caller not in acting:
                acting.add(caller)
                work.append(caller)
    for operation in [*calls_of(graph), *(o for operations in calls.values() for o in operations)]:
        operation.attributes = {**operation.attributes, "stateful": operation.attributes["function"] in acting}


def _acts_by_itself(function: Graph) -> bool:
    return any(o.op.stateful and o.op is not placeholder for inner in nested_graphs(function) for o in inner.operations)


def add_functions(graph: Graph, functions: Mapping[str, Graph]) -> dict[str, str]:
    """Adds functions of another graph to the library. Returns the new names of those whose names were taken.

    What was added before is not added again.
    """
    names: dict[str, str] = {}
    added: dict[str, Graph] = {}
    for name, function in functions.items():
        _, known = graph.recording.tracing.copied_functions.get(id(function), (None, None))
        if known is None:
            known = name if graph.functions.get(name, function) is function else free_name(graph, name, functions)
            graph.recording.tracing.copied_functions[id(function)] = function, known
            added[known] = function
        if known != name:
            names[name] = known
    for name, function in added.items():
        graph.functions[name] = renamed(function, names) if names else function
    return names


def free_name(graph: Graph, name: str, others: Mapping[str, Any] | None = None) -> str:
    """A name like this one that no function of the library has."""
    made, number = name, 0
    while made in graph.functions or (others is not None and made in others):
        number += 1
        made = f"{name}_{number}"
    return made


def renamed(graph: Graph, names: Mapping[str, str]) -> Graph:
    """The graph with other functions called in the place of those in `names`."""
    done: dict[int, Graph] = {}
    for inner in nested_graphs(graph):
        build = Rebuild(inner)
        for operation in inner.operations:
            attributes = with_graphs(operation, done)
            if operation.op is call_node:
                called = operation.attributes["function"]
                attributes = {**attributes, "function": names.get(called, called)}
            build.copy(operation, attributes=attributes)
        build.remember()
        done[id(inner)] = build.finish()
    return done[id(graph)]
