"""The gradient of `cond`, `switch` and `try`: another choice of the same kind, over the gradients of the branches.

    y = cond(p, x) {then: x * x, else: -x}       dx = cond(p, dy, x) {then: dy * 2 * x, else: -dy}

A `try` is made to tell which of its graphs came to its end, its body or a handler; its gradient chooses by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.autodiff.handlers import recalled, through_body
from runtime.autodiff.rules import STRUCTURED
from runtime.autodiff.saving import BranchValues, append_output, own, zeros_for
from runtime.autodiff.sweep import sweep, total
from runtime.context import recording
from runtime.control_flow.statement.subgraph import align_captures, current_graph
from runtime.dtypes import int32
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.flow.control import cond_node, switch_node, try_node
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__: list[str] = []


def _branches(operation: Operation, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    own(operation)
    outer, branches = current_graph(), operation.subgraphs
    first = 0 if operation.op is try_node else 1
    wanted = [i - first for i, n in enumerate(needed) if n and i >= first]
    targets = [(j, u) for j, u in enumerate(upstreams) if u is not None]
    graphs: list[Graph] = []
    found: list[list[Any]] = []
    for number, branch in enumerate(branches):
        graph = Graph.within(outer, f"{branch.name}_gradient")
        graph.recording.gradients.source = BranchValues(operation, branches, number, graph)
        with recording(graph):
            pairs = [(branch.outputs[j], upstream) for j, upstream in targets]
            reads = recalled(branch) if operation.op is try_node and number else []
            sources = [*(branch.inputs[i] for i in wanted), *(read.outputs[0] for read in reads)]
            made = sweep(branch.operations, pairs, sources)
            ways = [made[: len(wanted)]]
            for read, upstream in zip(reads, made[len(wanted) :], strict=True):
                if upstream is not None:
                    ways += through_body(operation, branch, read, upstream, wanted)
            found.append([_sum(gradients) for gradients in zip(*ways, strict=True)])
        graphs.append(graph)
    gradients: list[Any] = [None] * len(needed)
    kept = [place for place in range(len(wanted)) if any(gs[place] is not None for gs in found)]
    if not kept:
        return gradients
    for graph, gs in zip(graphs, found, strict=True):
        with recording(graph):
            for place in kept:
                gradient = gs[place]
                if gradient is None:
                    like = next(other[place] for other in found if other[place] is not None)
                    gradient = zeros_for(operation.inputs[wanted[place] + first], like.dtype, like.shape)
                graph.outputs.append(graph.recording.localize(gradient, "gradient"))
    results = _choose(operation, outer, graphs)
    for place, result in zip(kept, results, strict=True):
        gradients[wanted[place] + first] = result
    return gradients


def _sum(gradients: Sequence[Any]) -> Any:
    present = [g for g in gradients if g is not None]
    return total(present) if present else None


def _choose(operation: Operation, outer: Graph, graphs: Sequence[Graph]) -> Sequence[SymbolicTensor]:
    """The results of that graph which belongs to the branch that ran."""
    operands = align_captures(graphs, 0)
    attributes: dict[str, Any] = {"branches": tuple(graphs)}
    if operation.op is cond_node:
        attributes = {"then_graph": graphs[0], "else_graph": graphs[1]}
    choice = _which(operation) if operation.op is try_node else operation.inputs[0]
    op = cond_node if operation.op is cond_node else switch_node
    return outer.add(op, [outer.recording.localize(choice, "gradient"), *operands], attributes).outputs


def _which(operation: Operation) -> SymbolicTensor:
    """The number of the graph of a `try` that came to its end, as one more result of it."""
    graphs = operation.subgraphs
    found = graphs[0].recording.gradients.saved.get(0)
    if found is None:
        for number, graph in enumerate(graphs):
            graph.outputs.append(graph.constant(np.array(number, np.int32)))
        found = graphs[0].recording.gradients.saved[0] = append_output(operation, int32, TensorShape([]))
    return found


STRUCTURED[cond_node] = STRUCTURED[switch_node] = STRUCTURED[try_node] = _branches
