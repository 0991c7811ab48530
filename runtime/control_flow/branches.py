"""Building `cond` and `switch` operations out of traced branches.

outputs = merge_branches(predicate, [then, orelse], ["main", "else"], names)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.control_flow.merge import Merger
from runtime.control_flow.subgraph import align_captures, current_graph, trace
from runtime.graph.graph import Graph
from runtime.ops.control import cond_node, switch_node
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["cond_values", "switch_values"]

Branch = Callable[[], Sequence[Any]]


def cond_values(predicate: SymbolicTensor, then: Branch, orelse: Branch, names: Sequence[str]) -> list[Any]:
    """Traces both branches and adds the cond. Each branch returns the values of `names`; so does this."""
    outer = current_graph()
    labels = ("main", "else")
    graphs = [Graph("then", outer), Graph("else", outer)]
    results = [trace(g, b, f"the {label} branch") for g, b, label in zip(graphs, (then, orelse), labels, strict=True)]
    merger = Merger(graphs, labels, predicate)
    resolvers = [merger.merge(name, values) for name, *values in zip(names, *results, strict=True)]
    outputs = _add(outer, cond_node, predicate, merger, {"then_graph": graphs[0], "else_graph": graphs[1]})
    return [resolve(outputs) for resolve in resolvers]


def switch_values(index: SymbolicTensor, branches: Sequence[Branch], names: Sequence[str]) -> list[Any]:
    """As `cond_values` for any number of branches, chosen by an integer scalar."""
    outer = current_graph()
    labels = [f"number {i}" for i in range(len(branches))]
    graphs = [Graph(f"branch_{i}", outer) for i in range(len(branches))]
    results = [trace(g, b, f"branch {label}") for g, b, label in zip(graphs, branches, labels, strict=True)]
    merger = Merger(graphs, labels)
    resolvers = [merger.merge(name, values) for name, *values in zip(names, *results, strict=True)]
    outputs = _add(outer, switch_node, index, merger, {"branches": tuple(graphs)})
    return [resolve(outputs) for resolve in resolvers]


def _add(
    outer: Graph, op: Any, selector: SymbolicTensor, merger: Merger, attributes: dict[str, Any]
) -> Sequence[SymbolicTensor]:
    for i, graph in enumerate(merger.graphs):
        graph.outputs = [column[i] for column in merger.columns]
    captured = align_captures(merger.graphs, 0)
    if not merger.columns and not any(graph.stateful for graph in merger.graphs):
        return ()
    return outer.add(op, [selector, *captured], attributes).outputs
