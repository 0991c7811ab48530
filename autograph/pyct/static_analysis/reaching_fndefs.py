"""Which inner functions may exist when a statement starts, under whatever name.

Example:
    reaching_fndefs.resolve(node, ctx, graphs)
    anno.getanno(statement, anno.Static.DEFINED_FNS_IN)   # a set of the trees of functions and lambdas

A function that was made may have been kept anywhere, so it exists from then on, also when its name is bound to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gast

from autograph.pyct import anno
from autograph.pyct.cfg_graph import Graph
from autograph.pyct.static_analysis.dataflow import ForwardMasks, graphs_of, own_nodes
from autograph.pyct.static_analysis.name_sets import NameSet, Universe

__all__ = ["resolve"]

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)


def resolve(node: Any, source_info: Any = None, graphs: Mapping[Any, Graph] | None = None) -> Any:
    """Annotate each statement with Static.DEFINED_FNS_IN; returns the tree.

    source_info: accepted and not needed. graphs: what cfg.build gave.
    """
    for owner, graph in graphs_of(node, graphs).items():
        functions = {
            step: [tree for tree in own_nodes(step.ast_node) if isinstance(tree, _FUNCTIONS)]
            for step in graph.nodes
            if step.ast_node is not owner
        }
        universe = Universe([function for found in functions.values() for function in found])
        made = {step: universe.mask(found) for step, found in functions.items()}
        flow = ForwardMasks(graph, made, {})
        flow.visit_forward()
        for statement, span in graph.stmt_span.items():
            exist = NameSet(universe, flow.in_[graph.nodes[span[0]]])
            anno.setanno(statement, anno.Static.DEFINED_FNS_IN, exist)
    return node
