"""What a branch computes again: numbers that are known before it are handed in.

    %a = getitem(%x, %i); cond: %b = getitem(%x, %i)        # the branch takes %a, which stands for %b
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.flow.state import READS
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Known", "hand_in"]

Known = Callable[[Operation, Sequence[SymbolicTensor]], Sequence[SymbolicTensor] | None]
"""The results of an operation like this one on these operands, where there is one before the branch."""


def hand_in(
    branches: Sequence[Graph], operands: Sequence[SymbolicTensor], known: Known
) -> tuple[Sequence[Graph], list[SymbolicTensor]]:
    """The branches, and what they take besides their operands: each the same, also what only one of them reads."""
    found = [_known_in(branch, operands, known) for branch in branches]
    more = list({id(outer): outer for each in found for outer in each.values()}.values())
    if not more:
        return branches, more
    return [_with_inputs(branch, each, more) for branch, each in zip(branches, found, strict=True)], more


def _known_in(branch: Graph, operands: Sequence[SymbolicTensor], known: Known) -> dict[int, SymbolicTensor]:
    """By the id of a number in a branch: the one before it that is the same."""
    outside = {id(parameter): operand for parameter, operand in zip(branch.inputs, operands, strict=True)}
    found: dict[int, SymbolicTensor] = {}
    for operation in branch.operations:
        if operation.op is placeholder or operation.op in READS or operation.op.nests or operation.acts:
            continue
        if not all(id(t) in outside for t in operation.inputs):
            continue
        results = known(operation, [outside[id(t)] for t in operation.inputs])
        for inner, outer in zip(operation.outputs, results or (), strict=results is not None):
            outside[id(inner)] = outer
            if operation.op is not constant_node and outer.shape.rank == 0 and outer.dtype is not variant:
                found[id(inner)] = outer
    return found


def _with_inputs(branch: Graph, known: Mapping[int, SymbolicTensor], more: Sequence[SymbolicTensor]) -> Graph:
    build = Rebuild(branch)
    for tensor in branch.inputs:
        build.copy(tensor.op)
    for outer in more:
        build.input(outer)
    for operation in branch.operations:
        if any(id(t) in known for t in operation.outputs):
            for inner in operation.outputs:
                build.replace(inner, build.tensor(known[id(inner)]))
        elif operation.op is not placeholder:
            build.copy(operation)
    return build.finish([*branch.inputs, *more])
