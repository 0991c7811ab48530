"""A graph as numbered nodes, clusters and edges: what texts for other programs that draw have in common.

    numbered(graph).items       # Node(0, ...), Node(1, ...), Cluster(0, "while: body"), Node(2, ...), None (its end)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from runtime.pictures.model import Graph
from runtime.pictures.reading import clipped, line_of, parts_of, result_names, type_text

__all__ = ["Cluster", "Edge", "Node", "Numbered", "numbered"]


_LINE: Final = 60
"""The most letters of a line of the program."""


@dataclass(frozen=True, slots=True)
class Node:
    """An input, an operation or a result. text: several lines."""

    number: int
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Cluster:
    """The beginning of a graph inside of an operation; None is its end."""

    number: int
    title: str


@dataclass(frozen=True, slots=True)
class Edge:
    """text: which result of several it is. dashed: from an operation into a graph inside of it."""

    start: int
    end: int
    text: str = ""
    dashed: bool = False


@dataclass(slots=True)
class Numbered:
    """The nodes and clusters in the order of the text, and the edges."""

    items: list[Node | Cluster | None] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    nodes: int = 0
    clusters: int = 0

    def node(self, text: str, kind: str) -> int:
        self.items.append(Node(self.nodes, text, kind))
        self.nodes += 1
        return self.nodes - 1


@dataclass(frozen=True, slots=True)
class _Open:
    """A graph that is to be written. owner: the node of the operation around it."""

    graph: Any
    title: str
    role: str
    owner: int | None


def numbered(graph: Graph) -> Numbered:
    """All of a graph, with those inside of it, once, and those of its library."""
    found = Numbered()
    waiting: list[_Open | None] = [_Open(graph, "", "", None)]
    for name, function in graph.functions.items():
        waiting.insert(0, _Open(function, f"function {name}", "", None))
    done: set[int] = set()
    while waiting:
        current = waiting.pop()
        if current is None:
            found.items.append(None)
        elif id(current.graph) not in done:
            done.add(id(current.graph))
            if current.title:
                found.items.append(Cluster(found.clusters, current.title))
                found.clusters += 1
                waiting.append(None)
            waiting += _written(current, found)[::-1]
    return found


def _written(current: _Open, found: Numbered) -> list[_Open | None]:
    """Writes the nodes and edges of one graph; gives the graphs inside of it."""
    graph, inner = current.graph, list[_Open | None]()
    made: dict[int, tuple[int, str]] = {}
    first = found.nodes
    for tensor in graph.inputs:
        made[id(tensor)] = found.node(f"{tensor.op.name}\n{type_text(tensor)}", "input"), ""
    for operation in graph.operations:
        if any(id(tensor) in made for tensor in operation.outputs):
            continue  # an input
        place = operation.location
        source = () if place is None else (clipped(f"{place.lineno}: {line_of(place)}", _LINE),)
        kinds = ", ".join(map(type_text, operation.outputs))
        name = operation.name if operation.type in operation.name.lower() else f"{operation.name} = {operation.type}"
        number = found.node("\n".join(filter(None, (name, kinds, *source))), "op")
        found.edges += [Edge(*made[id(t)][:1], number, made[id(t)][1]) for t in operation.inputs]
        several = len(operation.outputs) > 1
        made |= {id(t): (number, str(t.value_index) if several else "") for t in operation.outputs}
        inner += [_Open(g, f"{operation.name}: {role}", role, number) for role, g in parts_of(operation)]
    for name, tensor in zip(result_names(graph, current.role), graph.outputs, strict=True):
        number = found.node(name, "output")
        found.edges.append(Edge(made[id(tensor)][0], number, made[id(tensor)][1]))
    if current.owner is not None and found.nodes > first:
        ends = [made[id(tensor)][0] for tensor in graph.inputs] or [first]
        found.edges += [Edge(current.owner, end, dashed=True) for end in ends]
    return inner
