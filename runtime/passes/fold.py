"""Constant folding: what depends on constants alone is computed now.

%c = add(2, 3)               ->  %c = 5
if constant True: ...        ->  the operations of the branch, in place of the cond
shape(%x), x: float32[2, 3]  ->  [2, 3]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.dtypes import variant
from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.overflow import leaves_dtype, may_leave
from runtime.graph.own_numbers import is_of_numbers, value_of_numbers
from runtime.graph.rebuild import Rebuild, with_graphs
from runtime.ops.flow.control import call_node, cond_node, switch_node, while_node
from runtime.ops.flow.core import constant_node, identity, placeholder
from runtime.ops.flow.custom import custom_gradient_node
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["fold_constants"]

MOST_BYTES = 1 << 20
"""The largest result that becomes a constant."""

MOST_BYTES_IN_ALL = 1 << 25
"""What one graph may gain in constants."""


@dataclass(slots=True)
class Frame:
    """The operations of the graph itself, or of a branch that takes the place of its `cond` (the caller)."""

    operations: Iterator[Operation]
    caller: Operation | None = None
    branch: Graph | None = None


def fold_constants(graph: Graph) -> Graph:
    """Every value keeps its bits: what is computed now is computed by the kernel that would compute it then.

    Operations with effects are never folded; one whose kernel raises is left to raise when the graph runs. A `cond` or
    `switch` whose choice is constant becomes the operations of its branch, a loop whose condition is constantly false
    its first state. Results above 1 MiB stay operations.
    """
    done: dict[int, Graph] = {}
    for current in nested_graphs(graph):
        done[id(current)] = _Folder(current, done).run()
    return done[id(graph)]


class _Folder:
    """Folding one graph; the graphs inside of it are folded before."""

    def __init__(self, graph: Graph, done: dict[int, Graph]) -> None:
        self.graph = graph
        self.done = done
        self.build = Rebuild(graph)
        self.room = MOST_BYTES_IN_ALL
        self.frames = [Frame(iter(graph.operations))]

    def run(self) -> Graph:
        while self.frames:
            frame = self.frames[-1]
            operation = next(frame.operations, None)
            if operation is None:
                self._leave(self.frames.pop())
            elif frame.branch is None or operation.op is not placeholder:
                self._fold(operation, frame)
        return self.build.finish()

    def _leave(self, frame: Frame) -> None:
        if frame.caller is not None and frame.branch is not None:
            for old, new in zip(frame.caller.outputs, frame.branch.outputs, strict=True):
                self.build.replace(old, self.build.tensor(new))

    def _fold(self, operation: Operation, frame: Frame) -> None:
        if operation.op is identity and _same_shape(operation):
            self.build.replace(operation.outputs[0], self.build.tensor(operation.inputs[0]))
        elif operation.op is custom_gradient_node:  # gradients have been taken: it is the values alone
            for output, value in zip(operation.outputs, operation.inputs, strict=False):
                self.build.replace(output, self.build.tensor(value))
        elif not self._control(operation) and not self._compute(operation):
            # The graphs of an operation from an inlined branch are new already.
            attributes = with_graphs(operation, self.done)
            self.build.copy(operation, attributes=attributes, caller=frame.caller)

    # -- control flow ---------------------------------------------------------------------------------------------

    def _control(self, operation: Operation) -> bool:
        """Replaces control flow whose way is known; returns whether it did."""
        if operation.op is while_node:
            return self._skip_loop(operation)
        if operation.op is not cond_node and operation.op is not switch_node:
            return False
        chosen = self._constant(operation.inputs[0])
        if chosen is None:
            return False
        if operation.op is cond_node:
            branch = operation.attributes["then_graph" if chosen.item() else "else_graph"]
        else:
            branches = operation.attributes["branches"]
            number = chosen.item()
            branch = branches[number] if 0 <= number < len(branches) else branches[-1]
        folded = self._folded(branch)
        for parameter, argument in zip(folded.inputs, operation.inputs[1:], strict=True):
            self.build.replace(parameter, self.build.tensor(argument))
        self.frames.append(Frame(iter(folded.operations), operation, folded))
        return True

    def _folded(self, graph: Graph) -> Graph:
        """A graph inside of an operation, folded; those in an inlined branch are already."""
        return self.done.get(id(graph), graph)

    def _skip_loop(self, operation: Operation) -> bool:
        condition = self._folded(operation.attributes["cond_graph"])
        limit = operation.attributes["maximum_iterations"]
        answer = condition.outputs[0].op
        never = answer.op is constant_node and not answer.attributes["value"].item()
        if not (never and _only_computes(condition)) and (limit is None or limit > 0):
            return False
        for output, operand in zip(operation.outputs, operation.inputs, strict=False):
            self.build.replace(output, self.build.tensor(operand))
        return True

    # -- values ---------------------------------------------------------------------------------------------------

    def _constant(self, tensor: SymbolicTensor) -> Array | None:
        """The value of an operand (a tensor of the old graph), if it is a constant by now."""
        made = self.build.tensor(tensor).op
        return made.attributes["value"] if made.op is constant_node else None

    def _compute(self, operation: Operation) -> bool:
        """Replaces an operation by its value; returns whether it did."""
        op = operation.op
        if operation.acts or op in (constant_node, call_node) or op.nests or not operation.outputs:
            return False
        if op.static_value is not None:
            known = op.static_value(*(self.build.tensor(t).operand for t in operation.inputs), **operation.attributes)
            if known is not None:
                self._become(operation.outputs, [known])
                return True
        if any(t.dtype is variant for t in operation.outputs):
            return False  # a list grows while the graph runs; its elements do not belong into the text
        sizes = [t.shape.num_elements() for t in operation.outputs]
        if any(n is None or n * t.dtype.size > MOST_BYTES for n, t in zip(sizes, operation.outputs, strict=True)):
            return False
        arrays = [self._constant(t) for t in operation.inputs]
        if any(a is None for a in arrays) or (may_leave(operation) and leaves_dtype(op, arrays, operation.attributes)):
            return False  # it raises when it runs
        results = _run(operation, arrays)
        if is_of_numbers(operation):
            number = value_of_numbers(operation, arrays)
            results = None if number is None else [np.asarray(number)]
        if results is None or sum(r.nbytes for r in results) > self.room:
            return False
        self._become(operation.outputs, results)
        return True

    def _become(self, tensors: tuple[SymbolicTensor, ...], values: list[Array]) -> None:
        for tensor, value in zip(tensors, values, strict=True):
            self.build.constant(tensor, value)
            self.room -= value.nbytes


def _run(operation: Operation, arrays: list[Any]) -> list[Array] | None:
    """What the kernel returns, as arrays of the static types; None if it raises or does not keep to them."""
    try:
        result = operation.op.run(arrays, operation.attributes)
    except Exception:  # whatever it is, it belongs to the run of the graph
        return None
    results = [result] if operation.op.outputs == 1 else list(result)
    found = [np.asarray(r, t.dtype.numpy) for r, t in zip(results, operation.outputs, strict=True)]
    fits = all(t.shape.is_compatible_with(f.shape) for f, t in zip(found, operation.outputs, strict=True))
    return found if fits else None


def _same_shape(operation: Operation) -> bool:
    return operation.inputs[0].shape.dims == operation.outputs[0].shape.dims


def _only_computes(graph: Graph) -> bool:
    """Whether skipping the graph is unnoticed."""
    return not graph.stateful
