"""Loop-invariant code: what a loop computes anew in each turn from what never changes in it is computed before it.

    while: %d = exp(%a); %x = divide(%s, %d)      ->      %d = exp(%a); while: %x = divide(%s, %d)

A branch on what never changes is moved as a whole; what is in a branch on something else stays: it may not be needed.

(Aho, Lam, Sethi, Ullman, Compilers, 2nd ed., 9.5.1: only what cannot raise is moved, for a loop may make no turn.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import operations_within
from runtime.graph.operation import Operation
from runtime.graph.overflow import may_leave
from runtime.graph.rebuild import Change, Rebuild, owners_of, with_changes
from runtime.graph.risks import may_raise
from runtime.ops.arrays.adjoints import add_item
from runtime.ops.arrays.item_update import setitem
from runtime.ops.flow.control import call_node, while_node
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.flow.state import READS
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["hoist_invariants"]


def hoist_invariants(graph: Graph) -> Graph:
    """Every value is computed by the same operation on the same values as before, perhaps earlier and more seldom.

    Operations with effects, and those that can raise, stay where they are; so does what a loop writes to in place or
    hands on to its next turn, which would have to be copied.
    """
    owners = owners_of(graph)

    def find(operation: Operation) -> Change | None:
        is_alone = operation.op is while_node and all(owners[id(inner)] == 1 for inner in operation.subgraphs)
        return _copy if is_alone else None

    return with_changes(graph, find)


def _copy(build: Rebuild, operation: Operation, attributes: Mapping[str, object]) -> None:
    _Loop(build, operation, attributes).copy()


class _Loop:
    """One loop, as it is copied into the graph around it."""

    def __init__(self, around: Rebuild, operation: Operation, attributes: Mapping[str, object]) -> None:
        self.around, self.operation, self.attributes = around, operation, attributes
        self.inputs = [around.tensor(t) for t in operation.inputs]
        self.moved: dict[int, SymbolicTensor] = {}
        """By the id of a tensor in the loop: the one before the loop that has its value."""
        self.constants: dict[int, SymbolicTensor] = {}
        """The same for constants, which the loop keeps."""

    def copy(self) -> None:
        """Adds the loop, with what was moved before it."""
        body, condition = self.attributes["body_graph"], self.attributes["cond_graph"]
        assert isinstance(body, Graph)
        assert isinstance(condition, Graph)
        for graph in (condition, body):
            self._fix_inputs(graph, body)
            self._move(graph)
        needed = [*self._read(condition), *self._read(body)]
        attributes = {
            **self.attributes,
            "cond_graph": self._without(condition, needed) if needed else condition,
            "body_graph": self._without(body, needed) if needed else body,
        }
        inputs = [*self.inputs, *(self.moved[id(t)] for t in needed)]
        self.around.copy(self.operation, inputs=inputs, attributes=attributes)

    def _fix_inputs(self, graph: Graph, body: Graph) -> None:
        """The inputs that have one value in all turns."""
        state = len(body.outputs)
        for place, tensor in enumerate(graph.inputs):
            if place >= state or body.outputs[place] is body.inputs[place]:
                self.moved[id(tensor)] = self.inputs[place]

    def _move(self, graph: Graph) -> None:
        """Copies what is invariant to the graph around the loop."""
        stays = {id(t) for t in graph.outputs}
        for operation in graph.operations:
            if operation.op in (setitem, add_item):
                stays.add(id(operation.inputs[0]))
        constants = {id(o.outputs[0]): o for o in graph.operations if o.op is constant_node}
        for operation in graph.operations:
            if not self._is_invariant(operation, constants) or any(id(t) in stays for t in operation.outputs):
                continue
            copied = self._before(operation, [self._value(t, constants) for t in operation.inputs])
            for old, new in zip(operation.outputs, copied.outputs, strict=True):
                self.moved[id(old)] = new

    def _is_invariant(self, operation: Operation, constants: Mapping[int, Operation]) -> bool:
        op = operation.op
        if op in (placeholder, constant_node):
            return False
        if not all(id(t) in self.moved or id(t) in constants for t in operation.inputs):
            return False
        return all(map(_only_computes, operations_within([operation])))

    def _value(self, tensor: SymbolicTensor, constants: Mapping[int, Operation]) -> SymbolicTensor:
        """What an operand is before the loop."""
        if id(tensor) in self.moved:
            return self.moved[id(tensor)]
        if id(tensor) not in self.constants:
            self.constants[id(tensor)] = self._before(constants[id(tensor)], ()).outputs[0]
        return self.constants[id(tensor)]

    def _before(self, operation: Operation, inputs: Sequence[SymbolicTensor]) -> Operation:
        return self.around.copy(operation, inputs=inputs, caller=self.operation)

    def _without(self, graph: Graph, needed: Sequence[SymbolicTensor]) -> Graph:
        """The test or the body, which takes what was moved."""
        build = Rebuild(graph)
        for tensor in graph.inputs:
            build.copy(tensor.op)
        for tensor in needed:
            build.input(tensor)
        for operation in graph.operations:
            if self._stays(operation):
                build.copy(operation)
        return build.finish([*graph.inputs, *needed])

    def _stays(self, operation: Operation) -> bool:
        moved = operation.outputs and all(id(t) in self.moved for t in operation.outputs)
        return operation.op is not placeholder and not moved

    def _read(self, graph: Graph) -> list[SymbolicTensor]:
        """The moved tensors that what stays in the graph reads, each once."""
        inputs = {id(t) for t in graph.inputs}
        read = [t for operation in graph.operations if self._stays(operation) for t in operation.inputs]
        return list({id(t): t for t in read if id(t) in self.moved and id(t) not in inputs}.values())


def _only_computes(operation: Operation) -> bool:
    """Whether nobody can tell when the operation runs, and that it comes to its end."""
    op = operation.op
    if op is placeholder or op is constant_node:
        return True
    if op in (call_node, while_node) or op in READS or operation.acts:
        return False
    if any(t.dtype is variant for t in (*operation.inputs, *operation.outputs)):
        return False  # lists are the plan's own, and grow in place
    return not may_raise(operation) and not may_leave(operation)
