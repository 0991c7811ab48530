"""Transposed matrices that are only multiplied by vectors: no element of them is moved.

`x.T @ v` is `v @ x`, and `v @ x.T` is `x @ v`: numpy calls BLAS for both in the same way, where x has no gaps.

    spared = spared_transposes(graph)               # by the id of x.T the tensor x
    for tensor in reads(operation, spared): ...     # what an operation really reads
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.ops.arrays.shape import transpose
from runtime.ops.linear.products import axis_pairs, tensordot
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["last_uses", "reads", "spared_transposes"]


def spared_transposes(graph: Graph) -> dict[int, SymbolicTensor]:
    """By their ids the transposed matrices that nothing but products with vectors reads, and what they are made of."""
    found: dict[int, SymbolicTensor] = {}
    for operation in graph.operations:
        if operation.op is transpose and _swaps(operation):
            found[id(operation.outputs[0])] = operation.inputs[0]
    for tensor in graph.outputs:
        found.pop(id(tensor), None)
    for operation in graph.operations:
        for tensor in operation.inputs:
            if id(tensor) in found and not _is_product_with_vector(operation):
                del found[id(tensor)]
    return found


def _swaps(operation: Operation) -> bool:
    perm = operation.attributes["perm"]
    return operation.inputs[0].shape.rank == 2 and (perm is None or tuple(axis % 2 for axis in perm) == (1, 0))


def _is_product_with_vector(operation: Operation) -> bool:
    if operation.op is not tensordot or {t.shape.rank for t in operation.inputs} != {1, 2}:
        return False
    ranks = [t.shape.rank or 0 for t in operation.inputs]
    return axis_pairs(operation.attributes["axes"], *ranks) == ((ranks[0] - 1,), (0,))


def reads(operation: Operation, spared: Mapping[int, SymbolicTensor]) -> list[SymbolicTensor]:
    """The operands, and those in whose place they stand."""
    sources = [spared[id(t)] for t in operation.inputs if id(t) in spared]
    return [*operation.inputs, *sources]


def last_uses(graph: Graph, spared: Mapping[int, SymbolicTensor]) -> dict[int, int]:
    """By the tensor's id, the number of the operation that reads it last; what the graph returns is never done with."""
    last = {id(t): number for number, operation in enumerate(graph.operations) for t in reads(operation, spared)}
    last.update((id(t), len(graph.operations)) for t in graph.outputs)
    return last
