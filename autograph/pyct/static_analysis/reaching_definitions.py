"""Which definitions may have given a variable its value, at each place where it is read.

Example:
    reaching_definitions.resolve(node, ctx, graphs)
    anno.getanno(name, anno.Static.DEFINITIONS)           # a tuple of Definitions: of a name that is read, one or more
    anno.getanno(statement, anno.Static.DEFINED_VARS_IN)  # the names that may have a value when it starts

What is said of the variables of a function holds in every run: the definition that gave the value is among those
named, also where an exception is caught, and where an inner function binds the variable of an outer one. A name that is
read and belongs to others (a global, say) has no definitions here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import gast

from autograph.pyct import anno
from autograph.pyct.cfg_graph import Graph, Node
from autograph.pyct.qual_names import QN
from autograph.pyct.static_analysis.activity_reader import HIDDEN
from autograph.pyct.static_analysis.annos import NodeAnno
from autograph.pyct.static_analysis.dataflow import ForwardMasks, graphs_of, late_nodes, own_nodes, scope_of
from autograph.pyct.static_analysis.name_sets import NamesWithin
from autograph.syntax import SCOPES

__all__ = ["Analyzer", "Definition", "resolve"]


class Definition:
    """One place that gives a name its value. Clients may derive from it and keep what they know there.

    param_of: the function that it is a parameter of, or None. directives: for clients: what the user said of it.
    """

    def __init__(self) -> None:
        self.param_of: Any = None
        self.directives: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<definition {id(self):#x}{' of a parameter' if self.param_of is not None else ''}>"


class Analyzer:
    """The definitions in one function: each has a bit.

    made: from nodes and names to the definition there. Where an inner function is made that binds a variable of this
    one, there is a definition too, and no other definition makes it undone: the function may be called at any time.
    """

    def __init__(self, graph: Graph, owner: Any, definition_factory: Callable[[], Definition] = Definition) -> None:
        self.graph = graph
        self.owner = owner
        self.names: list[QN] = []
        self.definitions: list[Definition] = []
        self.made: dict[tuple[Node, QN], int] = {}
        self._factory = definition_factory
        made: dict[Node, int] = {}
        lasting = 0
        for node in graph.nodes:
            scope = scope_of(owner, node)
            made[node] = 0
            for qn in sorted(scope.modified | scope.params.keys() | scope.rebound):
                place = self._define(qn)
                self.made[node, qn] = 1 << place
                self.definitions[place].param_of = scope.params.get(qn)
                made[node] |= 1 << place
                lasting |= (qn in scope.rebound) << place
        self.of_name: dict[QN, int] = {}
        for place, qn in enumerate(self.names):
            self.of_name[qn] = self.of_name.get(qn, 0) | 1 << place
        killed = {node: self._killed(node) & ~lasting for node in graph.nodes}
        self.flow = ForwardMasks(graph, made, killed)
        self.flow.visit_forward()

    def _define(self, qn: QN) -> int:
        self.names.append(qn)
        self.definitions.append(self._factory())
        return len(self.names) - 1

    def _killed(self, node: Node) -> int:
        scope = scope_of(self.owner, node)
        killed = 0
        for qn in (scope.modified | scope.deleted | scope.params.keys()) - scope.conditional:
            killed |= self.of_name.get(qn, 0)
        return killed

    def those(self, mask: int) -> tuple[Definition, ...]:
        """The definitions of a number, in the order of the text."""
        found = []
        while mask:
            lowest = mask & -mask
            found.append(self.definitions[lowest.bit_length() - 1])
            mask ^= lowest
        return tuple(found)

    def at(self, node: Node, name: Any, assigned_within: set[QN]) -> tuple[Definition, ...]:
        """The definitions of a name, attribute or element that stands in a node."""
        qn = anno.getanno(name, anno.Basic.QN)
        own = self.made.get((node, qn), 0)
        if isinstance(name.ctx, gast.Store | gast.Param):
            return self.those(own)
        before = self.flow.in_[node] & self.of_name.get(qn, 0)
        return self.those(before | (own if qn in assigned_within else 0))


class _Around(NamedTuple):
    """The variables of the functions around one: their definitions, and those that stand for what it binds itself."""

    readable: dict[QN, tuple[Definition, ...]]
    bound: dict[QN, tuple[Definition, ...]]




def resolve(
    node: Any,
    source_info: Any = None,
    graphs: Mapping[Any, Graph] | None = None,
    definition_factory: Callable[[], Definition] = Definition,
) -> Any:
    """Annotate names with Static.DEFINITIONS, and statements with Static.DEFINED_VARS_IN; returns the tree.

    activity.resolve comes before. source_info: accepted and not needed. graphs: what cfg.build gave.
    definition_factory: is called without arguments for each.
    """
    around: dict[Any, _Around] = {}
    for owner, graph in graphs_of(node, graphs).items():
        analyzer = Analyzer(graph, owner, definition_factory)
        outer = around.get(owner, _Around({}, {}))
        own = _own_definitions(owner, analyzer)
        readable = outer.readable if isinstance(owner, gast.ClassDef) else outer.readable | own
        foreign = _Around({qn: found for qn, found in outer.readable.items() if qn not in own}, outer.bound)
        for step in graph.nodes:
            _annotate(step, analyzer, foreign)
            for tree in own_nodes(step.ast_node) if step.ast_node is not owner else ():
                if isinstance(tree, SCOPES):
                    here = {qn: (step, qn) for qn in scope_of(owner, step).rebound & own.keys()}
                    bound = {qn: analyzer.those(analyzer.made[key]) for qn, key in here.items()}
                    hidden = anno.getanno(tree, HIDDEN, frozenset())
                    seen = {qn: found for qn, found in readable.items() if str(qn) not in hidden}
                    around[tree] = _Around(seen if hidden else readable, outer.bound | bound)
        for statement, span in graph.stmt_span.items():
            before = analyzer.flow.in_[graph.nodes[span[0]]]
            anno.setanno(statement, anno.Static.DEFINED_VARS_IN, NamesWithin(analyzer.of_name, before))
    return node


def _own_definitions(owner: Any, analyzer: Analyzer) -> dict[QN, tuple[Definition, ...]]:
    """All definitions of each variable of a function: a function in it may see any of them."""
    scope = anno.getanno(owner, NodeAnno.ARGS_AND_BODY_SCOPE)
    local = scope.bound - scope.globals - scope.nonlocals
    return {qn: analyzer.those(analyzer.of_name.get(qn, 0)) for qn in local if qn.is_simple()}


def _annotate(step: Node, analyzer: Analyzer, foreign: _Around) -> None:
    """Say of the names in a node where their values come from. foreign: of the variables of functions around."""
    trees = list(own_nodes(step.ast_node)) if step.ast_node is not analyzer.owner else []
    late = set(late_nodes(step.ast_node)) if trees else set()
    within = {QN(tree.target.id) for tree in trees if isinstance(tree, gast.NamedExpr)}
    for tree in trees:
        qn = anno.getanno(tree, anno.Basic.QN, None)
        if anno.hasanno(tree, HIDDEN) and qn is not None:
            anno.setanno(tree, anno.Static.DEFINITIONS, ())
        elif qn is not None and qn in foreign.readable:
            table = foreign.readable if isinstance(tree.ctx, gast.Load) else foreign.bound
            anno.setanno(tree, anno.Static.DEFINITIONS, table.get(qn, ()))
        elif qn is not None and tree in late and isinstance(tree.ctx, gast.Load):
            anno.setanno(tree, anno.Static.DEFINITIONS, analyzer.those(analyzer.of_name.get(qn, 0)))
        elif qn is not None:
            anno.setanno(tree, anno.Static.DEFINITIONS, analyzer.at(step, tree, within))
    if isinstance(step.ast_node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef):
        own = analyzer.made.get((step, QN(step.ast_node.name)), 0)
        anno.setanno(step.ast_node, anno.Static.DEFINITIONS, analyzer.those(own))
