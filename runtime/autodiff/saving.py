"""Values of a branch or a loop's body that its gradient needs: the operation is rewritten where it stands to give them.

    y = cond(p, x) {then: exp(x), else: x}           y, saved = cond(p, x) {then: e, e; else: x, zeros}

The operation runs once, effects included; nothing is computed a second time. What a graph of gradients needs is found
while it is built: `GradientState.source` is asked when it captures a tensor of the graph that it goes back through.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.control_flow.statement.subgraph import current_graph
from runtime.dtypes import DType, float32, resource, variant
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild
from runtime.ops.arrays.create import zeros
from runtime.ops.flow.control import call_node, try_node, while_node
from runtime.ops.flow.core import constant_node
from runtime.ops.flow.state import read_variable
from runtime.ops.lists.lists import list_new
from runtime.ops.records.gradients import ops
from runtime.ops.records.record import Op
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["BranchValues", "append_output", "fitted", "own", "variable_type", "zeros_for"]


def own(operation: Operation) -> None:
    """Gives an operation graphs that no other one has, so that they may be changed. Graphs in them are still shared."""
    copies: dict[int, Graph] = {}
    for graph in operation.subgraphs:
        if graph.recording.gradients.owner is operation or id(graph) in copies:
            continue
        build = Rebuild(graph)
        for inner in graph.operations:
            build.copy(inner)
        build.remember()
        copy = copies[id(graph)] = build.finish()
        copy.recording.gradients.owner = operation
        copy.recording.nest_in(operation.graph)
    if copies:
        operation.attributes = {k: _replaced(v, copies) for k, v in operation.attributes.items()}


def _replaced(value: Any, copies: dict[int, Graph]) -> Any:
    if isinstance(value, tuple):
        return tuple([_replaced(v, copies) for v in value])
    return copies.get(id(value), value) if isinstance(value, Graph) else value


def append_output(operation: Operation, dtype: DType, shape: TensorShape) -> SymbolicTensor:
    """One more result of an operation."""
    made = SymbolicTensor(operation, len(operation.outputs), dtype, shape)
    operation.outputs = (*operation.outputs, made)
    return made


def copied_constant(tensor: SymbolicTensor, graph: Graph) -> SymbolicTensor | None:
    """The same constant in a graph, if the tensor is one."""
    return graph.constant(tensor.op.attributes["value"]) if tensor.op.op is constant_node else None


class BranchValues:
    """`GradientState.source` of the gradient of one branch: gives values of the branch as results of its operation."""

    def __init__(self, operation: Operation, branches: Sequence[Graph], number: int, gradient: Graph) -> None:
        self._operation = operation
        self._branches = branches
        self.graph = branches[number]
        self._gradient = gradient
        first = 0 if operation.op is try_node else 1
        operands = operation.inputs[first:]
        self._given = {id(t): v for t, v in zip(self.graph.inputs, operands, strict=True)}

    def __call__(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        own = self.graph.recording.own_version(tensor)
        if own is None:
            return None
        tensor = own
        found: SymbolicTensor | None = self._given.get(id(tensor), self.graph.recording.gradients.saved.get(id(tensor)))
        if found is None:
            found = copied_constant(tensor, self._gradient)
        if found is None:
            found = self.graph.recording.gradients.saved[id(tensor)] = self._save(tensor)
        self._given[id(tensor)] = found
        return found

    def _save(self, tensor: SymbolicTensor) -> SymbolicTensor:
        shape = tensor.shape
        for branch in self._branches:
            value = tensor if branch is self.graph else placeholder_value(branch, tensor.dtype, tensor.shape)
            shape = shape.relax_with(value.shape)
            branch.outputs.append(value)
        return append_output(self._operation, tensor.dtype, shape)


def placeholder_value(graph: Graph, dtype: DType, shape: TensorShape) -> SymbolicTensor:
    """Something of this type, for the branches that do not compute what another one gives: nobody looks at it."""
    if dtype is variant:
        attributes = {"element_dtype": float32, "element_shape": TensorShape(None)}
        return graph.add(list_new, (), attributes).outputs[0]
    sizes = [d or 0 for d in shape.dims or ()]
    if not dtype.is_numeric:
        return graph.constant(np.full(sizes, b"" if dtype.family == "string" else 0, dtype.numpy))
    target = graph.constant(np.array(sizes, np.int32))
    return graph.add(zeros, (target,), {"dtype": dtype}).outputs[0]


# -- zeros and types ----------------------------------------------------------------------------------------------


def zeros_for(value: SymbolicTensor, dtype: DType | None = None, shape: TensorShape | None = None) -> Any:
    """The gradient of a tensor of a graph on which nothing depends. dtype, shape: of the Variable behind a handle."""
    if value.dtype is variant:
        return ops.list_new([])
    if value.dtype is not resource:
        known = value.shape
        return ops.zeros(known.as_tuple(), dtype=value.dtype) if known.is_fully_defined() else ops.zeros_like(value)
    assert dtype is not None and shape is not None
    if shape.is_fully_defined():
        return ops.zeros(shape.as_tuple(), dtype=dtype)
    return ops.zeros_like(current_graph().record(read_variable, [value], {"dtype": dtype, "shape": shape}, None))


def fitted(gradient: Any, shape: TensorShape) -> Any:
    """A gradient, of which at least so much of the shape is known: it has the shape of what it is the gradient of."""
    if gradient.shape.is_subtype_of(shape):
        return gradient
    named = ops.identity(gradient)
    named.set_shape(shape)
    return named


def variable_type(graph: Graph, handle: SymbolicTensor) -> tuple[DType, TensorShape] | None:
    """The dtype and shape of the Variable behind an input of a graph, as those say that read it; None if none does."""
    work, seen = [(graph, handle)], {id(handle)}
    library = graph.recording.root.functions
    while work:
        inside, tensor = work.pop()
        for operation in inside.operations:
            if not any(t is tensor for t in operation.inputs):
                continue
            if operation.op is read_variable:
                return operation.attributes["dtype"], operation.attributes["shape"]
            first = _first_operand(operation.op)
            callees = [library[operation.attributes["function"]]] if operation.op is call_node else operation.subgraphs
            for inner in callees:
                for parameter, operand in zip(inner.inputs, operation.inputs[first:], strict=True):
                    if operand is tensor and id(parameter) not in seen:
                        seen.add(id(parameter))
                        work.append((inner, parameter))
    return None


def _first_operand(op: Op) -> int:
    return 0 if op in (while_node, try_node, call_node) else 1
