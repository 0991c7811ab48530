"""The gradient of `cond` and `switch`: another one with the same choice, over the gradients of the branches.

    y = cond(p, x) {then: x * x, else: -x}       dx = cond(p, dy, x) {then: dy * 2 * x, else: -dy}
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.autodiff.rules import STRUCTURED
from runtime.autodiff.saving import BranchValues, own, zeros_for
from runtime.autodiff.sweep import sweep
from runtime.context import recording
from runtime.control_flow.subgraph import align_captures, current_graph
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.control import cond_node, switch_node

__all__: list[str] = []


def _branches(operation: Operation, upstreams: Sequence[Any], needed: Sequence[bool]) -> Sequence[Any]:
    own(operation)
    outer, branches = current_graph(), operation.subgraphs
    wanted = [i - 1 for i, n in enumerate(needed) if n]
    graphs: list[Graph] = []
    found: list[list[Any]] = []
    targets = [(j, u) for j, u in enumerate(upstreams) if u is not None]
    for number, branch in enumerate(branches):
        graph = Graph(f"{branch.name}_gradient", outer)
        graph.source = BranchValues(operation, branches, number, graph)
        with recording(graph):
            pairs = [(branch.outputs[j], upstream) for j, upstream in targets]
            found.append(sweep(branch.operations, pairs, [branch.inputs[i] for i in wanted]))
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
                    gradient = zeros_for(operation.inputs[wanted[place] + 1], like.dtype, like.shape)
                graph.outputs.append(graph.localize(gradient, "gradient"))
    operands = align_captures(graphs, 0)
    choice = outer.localize(operation.inputs[0], "gradient")
    names = [k for k, v in operation.attributes.items() if isinstance(v, Graph)]
    attributes = dict(zip(names, graphs, strict=True)) if names else {"branches": tuple(graphs)}
    results = outer.add(operation.op, [choice, *operands], attributes).outputs
    for place, result in zip(kept, results, strict=True):
        gradients[wanted[place] + 1] = result
    return gradients


STRUCTURED[cond_node] = STRUCTURED[switch_node] = _branches
