"""A graph with the graphs inside of it: as one picture, and the list of all of them from the outside in.

    whole(graph).boxes[3].parts          # the pictures of the condition and the body of a loop
"""

from __future__ import annotations

from typing import Any, Final

from runtime.pictures.model import Graph, Picture, Times
from runtime.pictures.order import inner_first
from runtime.pictures.reading import parts_of, read

__all__ = ["MOST", "all_graphs", "total_of", "whole", "with_inner"]

MOST: Final = 300
"""The most operations of one picture, those of graphs inside of it included."""


def all_graphs(graph: Graph) -> list[Any]:
    """The graph, those inside of it and of its library, each once, from the outside in."""
    found: dict[int, Any] = {}
    waiting: list[Any] = [graph]
    while waiting:
        current = waiting.pop()
        if id(current) not in found:
            found[id(current)] = current
            waiting += _inner(current)
            waiting += current.functions.values()
    return list(found.values())


def _inner(graph: Graph) -> list[Any]:
    return [g for operation in graph.operations for _, g in parts_of(operation)]


def with_inner(times: Times, graph: Graph) -> dict[Any, float]:
    """The times, and for operations with graphs inside of them what is spent there."""
    found = dict(times)
    sums: dict[int, float] = {}
    for current in inner_first(graph, _inner):
        for operation in current.operations:
            inner = parts_of(operation)
            if inner:
                found[operation] = times.get(operation, 0.0) + sum(sums[id(g)] for _, g in inner)
        sums[id(current)] = sum(found.get(operation, 0.0) for operation in current.operations)
    return found


def total_of(times: Times, graph: Graph) -> float:
    """What the graph takes as a whole, by times as `with_inner` gives them."""
    return sum(times.get(operation, 0.0) for operation in graph.operations)


def whole(graph: Graph, times: Times | None = None) -> Picture:
    """The picture of a graph, with those of branches and loops inside of their boxes while it stays small."""
    known = with_inner(times or {}, graph)
    total = total_of(known, graph)
    order = inner_first(graph, _inner)
    roles = {id(g): role for current in order for operation in current.operations for role, g in parts_of(operation)}
    pictures: dict[int, Picture] = {}
    counts: dict[int, int] = {}
    for current in order:
        inner = _inner(current)
        size = len(current.operations) + sum(counts[id(g)] for g in inner)
        fits = size <= MOST
        counts[id(current)] = size
        shown = {id(g): pictures[id(g)] for g in inner} if fits else {}
        pictures[id(current)] = read(current, roles.get(id(current), ""), known, total, shown)
    return pictures[id(graph)]
