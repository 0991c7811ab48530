"""Building `cond` and `switch` operations out of traced branches.

outputs = merge_branches(predicate, [then, orelse], ["main", "else"], names)

A branch that raises before its end has no say in what the variables are after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from runtime.control_flow.branches.merge import Branches
from runtime.control_flow.lattice.leaf import zeros_of
from runtime.control_flow.statement.subgraph import align_captures, current_graph, trace, with_graph
from runtime.control_flow.tries.raised import UNREACHABLE, Diverged
from runtime.graph.graph import Graph
from runtime.graph.program_parts import Assumption
from runtime.ops.flow.control import cond_node, switch_node
from runtime.state.variable import stands_for
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Group", "Settle", "Settled", "add_groups", "add_merged", "cond_values", "switch_values"]

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
    graphs = [Graph.within(outer, "then"), Graph.within(outer, "else")]
    for graph, holds in zip(graphs, (True, False), strict=True):
        graph.recording.assumption = Assumption(predicate, holds)
    results = [trace(g, b, f"the {label} branch") for g, b, label in zip(graphs, (then, orelse), labels, strict=True)]
    if settle is not None and any(result is not UNREACHABLE for result in results):
        results, names = settle(results, names)
    attributes = {"then_graph": graphs[0], "else_graph": graphs[1]}
    return add_merged(cond_node, [predicate], graphs, labels, results, names, attributes, predicate)


def switch_values(
    index: SymbolicTensor, branches: Sequence[Branch], names: Sequence[str], settle: Settle | None = None,
    in_range: bool = False,
) -> list[Any]:  # fmt: skip
    """As `cond_values` for any number of branches, chosen by an integer scalar.

    in_range: whether it surely is the number of one; else the last one is that of all other numbers, too.
    """
    outer = current_graph()
    labels = [f"number {i}" for i in range(len(branches))]
    graphs = [Graph.within(outer, f"branch_{i}") for i in range(len(branches))]
    for i, graph in enumerate(graphs if in_range else graphs[:-1]):
        graph.recording.assumption = Assumption(index, i)
    results = [trace(g, b, f"branch {label}") for g, b, label in zip(graphs, branches, labels, strict=True)]
    if settle is not None and any(result is not UNREACHABLE for result in results):
        results, names = settle(results, names)
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
    group = Group(range(len(graphs)), labels, names, results)
    (values,) = add_groups(op, graphs, [group], attributes, selectors, predicate)
    if values is None:
        raise Diverged
    return values


@dataclass(frozen=True, slots=True)
class Group:
    """Values that some of an operation's graphs give, to be merged: the numbers of the graphs, and what each gives.

    `results`: for each of the graphs the values of `names`, UNREACHABLE where it raises.
    """

    members: Sequence[int]
    labels: Sequence[str]
    names: Sequence[str]
    results: Sequence[Any]


def add_groups(
    op: Any,
    graphs: Sequence[Graph],
    groups: Sequence[Group],
    attributes: Mapping[str, Any],
    selectors: Sequence[SymbolicTensor] = (),
    predicate: SymbolicTensor | None = None,
) -> list[list[Any] | None]:
    """Adds an operation that runs traced graphs, and returns the merged values of each group.

    They are None for a group of graphs that all raise. A graph that is no member of a group returns zeros for it.
    """
    outer = current_graph()
    columns: list[dict[int, SymbolicTensor]] = []
    ends: list[list[_Value] | None] = []
    for group in groups:
        reached = [i for i, result in enumerate(group.results) if result is not UNREACHABLE]
        members = [group.members[i] for i in reached]
        whole = predicate if len(reached) == len(group.results) else None
        ways = Branches([graphs[m] for m in members], [group.labels[i] for i in reached], whole)
        values = [group.results[i] for i in reached]
        rows = zip(group.names, *values, strict=True) if reached else ()
        found = [_Value(ways, name, row) for name, *row in rows]
        columns += [dict(zip(members, column, strict=True)) for value in found for column in value.columns]
        ends.append(found if reached else None)
    for i, graph in enumerate(graphs):
        graph.outputs = [_end(graph, column, column.get(i)) for column in columns]
    captured = align_captures(graphs, 0)
    outputs: Iterator[SymbolicTensor] = iter(())
    if columns or any(graph.stateful for graph in graphs):
        outputs = iter(outer.add(op, [*selectors, *captured], attributes).outputs)
    return [None if values is None else [value.after(outputs) for value in values] for values in ends]


class _Value:
    """A variable at the ends of branches. columns: for each of its leaves what the branches give."""

    def __init__(self, ways: Branches, name: str, values: Sequence[Any]) -> None:
        self.name = name
        self.type = ways.type_of(name, values)
        leaves = self.type.leaves
        self.rows = [with_graph(g, partial(self.type.parts, v)) for g, v in zip(ways.graphs, values, strict=True)]
        ends = [
            [with_graph(graph, partial(ways.end_of, i, *pair)) for pair in zip(leaves, self.rows[i], strict=True)]
            for i, graph in enumerate(ways.graphs)
        ]
        self.columns = [[end[n] for end in ends] for n in range(len(leaves))]

    def after(self, outputs: Iterator[SymbolicTensor]) -> Any:
        """The value after the operation, made of the next of its outputs."""
        own = [next(outputs) for _ in self.columns]
        value = self.type.value(iter(own))
        for tensor, parts in zip(own, zip(*self.rows, strict=True), strict=True):
            stands_for(tensor, self.name, parts)
        return value


def _end(graph: Graph, column: Mapping[int, SymbolicTensor], own: SymbolicTensor | None) -> SymbolicTensor:
    """What a graph returns for a column of the merged values; what is never reached returns zeros."""
    if own is not None:
        return own
    shown = next(iter(column.values()))
    return with_graph(graph, lambda: graph.recording.localize(zeros_of(shown.dtype, shown.shape), graph.name))
