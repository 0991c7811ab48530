"""The control flow graph of one function, and visitors that carry facts along its edges.

Example:
    class Reached(GraphVisitor):
        def init_state(self, node):
            return False

        def visit_node(self, node):
            before = self.out[node]
            self.out[node] = node is self.graph.entry or any(self.out[p] for p in node.prev)
            return self.out[node] != before          # True: the nodes after it are visited again

    visitor = Reached(graph)
    visitor.visit_forward()

Visitors go in the order in which facts flow: a node is visited about as many times as loops stand around it, and twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import gast

from autograph.pyct import anno
from autograph.pyct.parser import unparse

__all__ = ["Graph", "GraphVisitor", "Node", "Span", "borders"]


class Node:
    """A step of the program: a simple statement, a test, an iterated value, a target of a loop, a handler, a pattern.

    ast_node: its tree. next, prev: the nodes that may run after and before it. handlers, raisers: those of them that
    are reached by an exception in the node, which may have come before, amid or after its effects. number: its place in
    the text. reachable: whether control can come here at all, as far as the statements show.
    """

    __slots__ = ("__weakref__", "ast_node", "handlers", "next", "number", "prev", "raisers", "reachable")

    def __init__(self, ast_node: Any, number: int, reachable: bool) -> None:
        self.ast_node = ast_node
        self.number = number
        self.reachable = reachable
        self.next: frozenset[Node] | set[Node] = set()
        self.prev: frozenset[Node] | set[Node] = set()
        self.handlers: frozenset[Node] | set[Node] = set()
        self.raisers: frozenset[Node] | set[Node] = set()

    def freeze(self) -> None:
        """No more edges."""
        self.next, self.prev = frozenset(self.next), frozenset(self.prev)
        self.handlers, self.raisers = frozenset(self.handlers), frozenset(self.raisers)

    def __repr__(self) -> str:
        return _label(self.ast_node)


_HEADS: Final[Mapping[type, Callable[[Any], str]]] = {
    gast.arguments: lambda node: f"parameters {', '.join(n.id for n in _parameters(node))}".strip(),
    gast.For: lambda node: "next item",
    gast.AsyncFor: lambda node: "next item",
    gast.With: lambda node: "leave with",
    gast.AsyncWith: lambda node: "leave with",
    gast.Try: lambda node: "try",
    gast.TryStar: lambda node: "try",
    gast.ExceptHandler: lambda node: "except" + (f" as {node.name.id}" if node.name is not None else ""),
    gast.match_case: lambda node: "bind what the pattern captures",
    gast.FunctionDef: lambda node: f"def {node.name}",
    gast.AsyncFunctionDef: lambda node: f"async def {node.name}",
    gast.ClassDef: lambda node: f"class {node.name}",
    gast.Module: lambda node: "module",
}


def _label(node: Any) -> str:
    head = _HEADS.get(type(node))
    return head(node) if head is not None else unparse(node, include_encoding_marker=False).strip()


def _parameters(node: Any) -> list[Any]:
    stars = [each for each in (node.vararg, node.kwarg) if each is not None]
    return [*node.posonlyargs, *node.args, *node.kwonlyargs, *stars]


@dataclass(frozen=True, eq=False)
class Graph:
    """The nodes of one function, lambda, class body or module, in the order of the text.

    entry: where it starts. exit: the nodes after which it ends. error: `raise` statements that surely end it. index:
    from trees to nodes. stmt_prev, stmt_next: for each statement, the nodes outside of it that come right before it and
    right after it. stmt_span: the numbers of its nodes; the first of them is where it starts.
    """

    entry: Node
    exit: frozenset[Node]
    error: frozenset[Node]
    index: Mapping[Any, Node]
    stmt_prev: Mapping[Any, frozenset[Node]]
    stmt_next: Mapping[Any, frozenset[Node]]
    stmt_span: Mapping[Any, range]
    nodes: tuple[Node, ...]

    def as_dot(self) -> str:
        """The graph in the language of Graphviz; edges of exceptions are dashed."""
        lines = ["digraph CFG {"]
        for node in self.nodes:
            text = repr(node).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\l")
            lines.append(f'  n{node.number} [label="{text}"];')
        for node in self.nodes:
            for after in sorted(node.next, key=_number):
                style = " [style=dashed]" if after in node.handlers else ""
                lines.append(f"  n{node.number} -> n{after.number}{style};")
        return "\n".join([*lines, "}"])

    def __repr__(self) -> str:
        return self.as_dot()


def _number(node: Node) -> int:
    return node.number


class Span(NamedTuple):
    """A statement, its nodes by number from `first` to before `end`, and the span of the statement around it or -1."""

    statement: Any
    first: int
    end: int
    around: int


def borders(
    nodes: Sequence[Node], spans: Sequence[Span], home: Sequence[int]
) -> tuple[dict[Any, frozenset[Node]], dict[Any, frozenset[Node]]]:
    """The nodes right before and right after each statement: the ends of edges that cross its border.

    home: for each node, the span of the innermost statement that it belongs to.
    """
    before: list[set[Node]] = [set() for _ in spans]
    after: list[set[Node]] = [set() for _ in spans]

    def cross(span: int, outside: Node, found: list[set[Node]]) -> None:
        while span >= 0 and not spans[span].first <= outside.number < spans[span].end:
            found[span].add(outside)
            span = spans[span].around

    for node in nodes:
        for other in node.next:
            cross(home[node.number], other, after)
            cross(home[other.number], node, before)
    statements = [span.statement for span in spans]
    return (
        dict(zip(statements, map(frozenset, before), strict=True)),
        dict(zip(statements, map(frozenset, after), strict=True)),
    )


class GraphVisitor:
    """Carries facts along the edges until nothing changes. Subclasses say what the facts are.

    graph: the graph. in_, out: the facts at the start and the end of each node.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.in_: dict[Node, Any] = {}
        self.out: dict[Node, Any] = {}
        self.reset()

    def init_state(self, node: Node) -> Any:
        """The fact at the start and the end of a node before anything is known."""
        raise NotImplementedError(f"{type(self).__name__} has to define init_state(node)")

    def visit_node(self, node: Node) -> bool:
        """Set the facts of a node from those of its neighbours; whether the neighbours have to be visited again."""
        raise NotImplementedError(f"{type(self).__name__} has to define visit_node(node)")

    def can_ignore(self, node: Node) -> bool:
        """Whether a node changes no facts: it only says where control goes, or is to be left alone."""
        tree = node.ast_node
        return anno.hasanno(tree, anno.Basic.SKIP_PROCESSING) or isinstance(
            tree, gast.Break | gast.Continue | gast.Raise | gast.Pass
        )

    def reset(self) -> None:
        """Forget all facts."""
        self.in_ = {node: self.init_state(node) for node in self.graph.nodes}
        self.out = {node: self.init_state(node) for node in self.graph.nodes}

    def visit_forward(self) -> None:
        """Visit all nodes, from the entry on, until nothing changes."""
        self._run(self.graph.nodes, lambda node: node.next)

    def visit_reverse(self) -> None:
        """Visit all nodes, from the ends on, until nothing changes."""
        self._run(self.graph.nodes[::-1], lambda node: node.prev)

    def _run(self, order: Sequence[Node], after: Callable[[Node], Iterable[Node]]) -> None:
        """Go through the nodes in order, then again through what loops have changed, until nothing is left.

        In the order of the text only the edges of loops lead back, so each loop around a node costs one more visit.
        """
        place = {node: index for index, node in enumerate(order)}
        waiting = [True] * len(order)
        again = True
        while again:
            again = False
            for index, node in enumerate(order):
                if not waiting[index]:
                    continue
                waiting[index] = False
                if self.visit_node(node):
                    for other in after(node):
                        waiting[place[other]] = True
                        again = again or place[other] <= index
