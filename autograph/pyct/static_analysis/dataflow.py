"""What the analyses share: a visitor whose facts are sets as numbers, and the names and trees that they look at.

Example:
    visitor = ForwardMasks(graph, made={node: 0b01}, killed={other: 0b01})
    visitor.visit_forward()
    visitor.in_[node]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import gast

from autograph.pyct import anno, cfg
from autograph.pyct.cfg_graph import Graph, GraphVisitor, Node
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.activity import EMPTY, node_scope
from autograph.pyct.static_analysis.activity_scope import Scope
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.syntax import SCOPES, children

__all__ = ["ForwardMasks", "graphs_of", "late_nodes", "local_names", "names_of", "own_nodes", "scope_of"]


class ForwardMasks(GraphVisitor):
    """Facts that flow forward, as numbers: `(in & ~killed) | made` at the end of a node.

    An exception may come before, amid or after the effects of a node: what is true before it and after it may be true
    where the exception is caught.
    """

    def __init__(self, graph: Graph, made: Mapping[Node, int], killed: Mapping[Node, int], at_start: int = 0) -> None:
        self.made = made
        self.killed = killed
        self.at_start = at_start
        super().__init__(graph)

    def init_state(self, node: Node) -> int:
        return 0

    def visit_node(self, node: Node) -> bool:
        facts = self.at_start if node is self.graph.entry else 0
        for before in node.prev:
            facts |= self.out[before]
        for before in node.raisers:
            facts |= self.in_[before]
        after = (facts & ~self.killed.get(node, 0)) | self.made.get(node, 0)
        changed = bool(after != self.out[node] or (facts != self.in_[node] and node.handlers))
        self.in_[node], self.out[node] = facts, after
        return changed


def scope_of(owner: Any, node: Node) -> Scope:
    """What a node of the graph of `owner` reads and changes by itself. The first node of a class only starts it."""
    return EMPTY if node.ast_node is owner else node_scope(node.ast_node)


def graphs_of(node: Any, graphs: Mapping[Any, Graph] | None) -> Mapping[Any, Graph]:
    """The graphs that were given, or those of the tree."""
    return cfg.build(node) if graphs is None else graphs


def local_names(owner: Any) -> set[QN]:
    """The variables of a function, class or module itself: bound in it, and declared neither global nor nonlocal."""
    scope: Scope = anno.getanno(owner, NodeAnno.ARGS_AND_BODY_SCOPE)
    return {qn for qn in scope.bound - scope.globals - scope.nonlocals if qn.is_simple()}


def names_of(owner: Any) -> list[QN]:
    """All names that occur in a function, sorted."""
    scope: Scope = anno.getanno(owner, NodeAnno.ARGS_AND_BODY_SCOPE)
    return sorted(scope.read | scope.modified | scope.bound | scope.deleted | scope.captured)


def late_nodes(tree: Any) -> Iterator[Any]:
    """Those of `own_nodes` that are evaluated whenever somebody asks for a value: in generators and type aliases."""
    pending = [(tree, False)]
    while pending:
        node, late = pending.pop()
        if late:
            yield node
        if isinstance(node, gast.GeneratorExp):
            first = node.generators[0].iter
            pending += [(node.elt, True), (first, late)]
            pending += [(part, True) for each in node.generators for part in children(each) if part is not first]
        elif isinstance(node, gast.TypeAlias):
            pending += [(part, True) for part in (*node.type_params, node.value)]
        elif not isinstance(node, SCOPES) and type(node) not in _PARTS:
            pending += [(child, late) for child in children(node)]


_PARTS: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((gast.For, gast.AsyncFor, gast.With, gast.AsyncWith, gast.Try, gast.TryStar, gast.Module), ()),
    gast.match_case: (),
    gast.ExceptHandler: ("name",),
    **dict.fromkeys((gast.FunctionDef, gast.AsyncFunctionDef), ("decorator_list", "returns")),
    gast.ClassDef: ("decorator_list", "bases", "keywords"),
    gast.Lambda: (),
}


def own_nodes(tree: Any) -> Iterator[Any]:
    """The trees in a node of a graph that are evaluated where it stands, not those of functions in it."""
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        fields = _PARTS.get(type(node))
        if fields is None:
            pending += children(node)
            continue
        for field in fields:
            value = getattr(node, field)
            pending += value if isinstance(value, list) else [] if value is None else [value]
        if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef | gast.Lambda):
            pending += [each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None]
