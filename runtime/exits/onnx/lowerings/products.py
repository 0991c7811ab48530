"""Products of matrices and sums of products."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.exits.onnx.build import Build, rank_of
from runtime.exits.onnx.nodes import Value
from runtime.exits.onnx.rules import Refused, lowers
from runtime.graph.operation import Operation
from runtime.ops.linear.einsum import einsum
from runtime.ops.linear.products import matmul

__all__: list[str] = []


@lowers(matmul)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    sides = []
    for value, tensor, name in zip(operands, operation.inputs, ("transpose_a", "transpose_b"), strict=True):
        if operation.attributes[name]:
            rank = rank_of(tensor)
            value = build.node("Transpose", value, perm=[*range(rank - 2), rank - 1, rank - 2])
        sides.append(value)
    return build.node("MatMul", *sides)


@lowers(einsum)
def _(build: Build, operation: Operation, operands: Sequence[Value]) -> Value:
    if operands[0].dtype.is_integer:
        raise Refused("onnxruntime sums integers by floats where letters repeat, or the equation leaves something open")
    return build.node("Einsum", *operands, equation=operation.attributes["equation"])
