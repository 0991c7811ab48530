"""Building `cond` and `switch` operations out of traced branches.

outputs = merge_branches(predicate, [then, orelse], ["main", "else"], names)

A branch that raises before its end has no say in what the variables are after it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.control_flow.merge import Merger, zeros_of
from runtime.control_flow.raised import UNREACHABLE, Diverged
from runtime.control_flow.subgraph import align_captures, current_graph, trace, with_graph
from runtime.graph.graph import Graph
from runtime.ops.control import cond_node, switch_node
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Settle", "Settled", "add_merged", "cond_values", "switch_values"]

Branch = Callable[[], Sequence[Any]]

Settled = tuple[list[Any], list[str]]
"""What each branch returned, and the names of these values."""

Settle = Callable[[Sequence[Any], Sequence[str]], Settled]


def cond_values(
    predicate: SymbolicTensor, then: Branch, orelse: Branch, names: Sequence[str], settle: Settle | None = None
) -> list[Any]:
    """Traces both branches and adds the cond. Each branch returns the values of `names`; so does this.

    settle: given what both returned (UNREACHABLE where one raises) and the names, says what is merged instead.
    """
    outer = current_graph()
    labels = ("main", "else")
    graphs = [Graph("then", outer), Graph("else", outer)]
    for graph, holds in zip(graphs, (True, False), strict=True):
        graph.assumed = (predicate, holds)
    results = [trace(g, b, f"the {label} branch") for g, b, label in zip(graphs, (then, orelse), labels, strict=True)]
    if settle is not None and any(result is not UNREACHABLE for result in results):
        results, names = settle(results, names)
    attributes = {"then_graph": graphs[0], "else_graph": graphs[1]}
    return add_merged(cond_node, [predicate], graphs, labels, results, names, attributes, predicate)


def switch_values(index: SymbolicTensor, branches: Sequence[Branch], names: Sequence[str]) -> list[Any]:
    """As `cond_values` for any number of branches, chosen by an integer scalar."""
    outer = current_graph()
    labels = [f"number {i}" for i in range(len(branches))]
    graphs = [Graph(f"branch_{i}", outer) for i in range(len(branches))]
    results = [trace(g, b, f"branch {label}") for g, b, label in zip(graphs, branches, labels, strict=True)]
    return add_merged(switch_node, [index], graphs, labels, results, names, {"branches": tuple(graphs)})


def add_merged(
    op: Any,
    selectors: Sequence[SymbolicTensor],
    graphs: Sequence[Graph],
    labels: Sequence[str],
    results: Sequence[Any],
    names: Sequence[str],
    attributes: Mapping[str, Any],
    predicate: SymbolicTensor | None = None,
) -> list[Any]:
    """Adds an operation that runs one of traced graphs, and returns the values of `names` after it.

    `results`: what each graph's code returned, UNREACHABLE where it raises. Where each of them raises, nothing comes
    after the operation: Diverged.
    """
    outer = current_graph()
    reached = [i for i, result in enumerate(results) if result is not UNREACHABLE]
    whole = len(reached) == len(graphs)
    merger = Merger([graphs[i] for i in reached], [labels[i] for i in reached], predicate if whole else None)
    values = [results[i] for i in reached]
    resolvers = [merger.merge(name, column) for name, *column in zip(names, *values, strict=True)] if reached else []
    for i, graph in enumerate(graphs):
        ends = [_end(graph, column, reached.index(i) if i in reached else None) for column in merger.columns]
        graph.outputs = ends
    captured = align_captures(graphs, 0)
    outputs: Sequence[SymbolicTensor] = ()
    if merger.columns or any(graph.stateful for graph in graphs):
        outputs = outer.add(op, [*selectors, *captured], attributes).outputs
    if not reached:
        raise Diverged
    return [resolve(outputs) for resolve in resolvers]


def _end(graph: Graph, column: Sequence[SymbolicTensor], position: int | None) -> SymbolicTensor:
    """What a graph returns for a column of the merged values; what is never reached returns zeros."""
    if position is not None:
        return column[position]
    shown = column[0]
    return with_graph(graph, lambda: graph.localize(zeros_of(shown.dtype, shown.shape), graph.name))
