"""Which values may still be read: what is not live can be left out of what a branch returns.

Example:
    liveness.resolve(node, ctx, graphs)
    QN("x") in anno.getanno(statement, anno.Static.LIVE_VARS_OUT)     # may x be read, before it is bound again?

What is said of the variables of a function holds in every run: also where an exception is caught, and for variables
that an inner function or generator may read whenever it is called (from the moment on that it exists). Names of others
(globals, nonlocals), attributes and elements that the function changes can be read by anybody at any time, so they are
always live; those that it only reads are live where it reads them later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autograph.pyct import anno
from autograph.pyct.cfg_graph import Graph, GraphVisitor, Node
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.pyct.static_analysis.dataflow import ForwardMasks, graphs_of, local_names, names_of, scope_of
from autograph.pyct.static_analysis.name_sets import NameSet, Universe

__all__ = ["Analyzer", "resolve"]


class Analyzer(GraphVisitor):
    """Live names at the start and the end of each node, as numbers of `universe`.

    include_annotations: whether a name that only an annotation reads counts as read.
    """

    def __init__(self, graph: Graph, owner: Any, include_annotations: bool = True) -> None:
        self.universe: Universe[QN] = Universe(names_of(owner))
        local = self.universe.mask(local_names(owner))
        scope = anno.getanno(owner, NodeAnno.ARGS_AND_BODY_SCOPE)
        self.always = self.universe.mask(scope.modified | scope.deleted) & ~local
        # What a class or module binds, others read afterwards.
        self.at_end = local if isinstance(owner, gast.ClassDef | gast.Module) else 0
        self.read: dict[Node, int] = {}
        self.bound: dict[Node, int] = {}
        self.captured: dict[Node, int] = {}
        for node in graph.nodes:
            scope = scope_of(owner, node)
            read = scope.read if include_annotations else scope.read - scope.annotations
            self.read[node] = self.universe.mask(read)
            gone = (scope.modified | scope.deleted | scope.params.keys()) - scope.conditional
            self.bound[node] = self.universe.mask(gone) & local
            self.captured[node] = self.universe.mask(scope.captured)
        super().__init__(graph)

    def init_state(self, node: Node) -> int:
        """Nothing is live before anything is known."""
        return 0

    def visit_node(self, node: Node) -> bool:
        """What is live at the end of a node is so at the start of one after it; at its start, what it reads is too."""
        after = self.at_end if node in self.graph.exit else 0
        for other in node.next:
            after |= self.in_[other]
        before = self.read[node] | (after & ~self.bound[node])
        for handler in node.handlers:  # the exception may come before anything was bound
            before |= self.in_[handler]
        changed = bool(before != self.in_[node])
        self.in_[node], self.out[node] = before, after
        return changed

    def solve(self) -> None:
        """Find what is live, read later by the function itself or by functions in it."""
        self.visit_reverse()
        later = ForwardMasks(self.graph, self.captured, {})
        later.visit_forward()
        for node in self.graph.nodes:
            self.in_[node] |= later.in_[node] | self.always
            self.out[node] |= later.out[node] | self.always

    def after(self, statement: Any, span: range) -> int:
        """What is live after a statement of several nodes."""
        found = self.always
        for node in self.graph.stmt_next[statement]:
            found |= self.in_[node]
        for number in span:
            if self.graph.nodes[number] in self.graph.exit:
                found |= self.out[self.graph.nodes[number]]
        return found


def resolve(
    node: Any,
    source_info: Any = None,
    graphs: Mapping[Any, Graph] | None = None,
    include_annotations: bool = True,
) -> Any:
    """Annotate each statement with Static.LIVE_VARS_IN and LIVE_VARS_OUT; returns the tree.

    activity.resolve comes before. source_info: accepted and not needed. graphs: what cfg.build gave.
    """
    for owner, graph in graphs_of(node, graphs).items():
        analyzer = Analyzer(graph, owner, include_annotations)
        analyzer.solve()
        universe = analyzer.universe
        for step in graph.nodes:
            if step.ast_node is not owner or isinstance(owner, gast.Module):
                anno.setanno(step.ast_node, anno.Static.LIVE_VARS_IN, NameSet(universe, analyzer.in_[step]))
                anno.setanno(step.ast_node, anno.Static.LIVE_VARS_OUT, NameSet(universe, analyzer.out[step]))
        for statement, span in graph.stmt_span.items():
            if len(span) > 1:
                first = graph.nodes[span[0]]
                anno.setanno(statement, anno.Static.LIVE_VARS_IN, NameSet(universe, analyzer.in_[first]))
                anno.setanno(statement, anno.Static.LIVE_VARS_OUT, NameSet(universe, analyzer.after(statement, span)))
    return node
