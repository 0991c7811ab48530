"""Copying graphs operation by operation: how passes make a new graph and leave the old one as it is.

    build = Rebuild(graph)
    for operation in graph.operations:
        if wanted(operation):
            build.copy(operation)           # its inputs are looked up in what was copied before
        else:
            build.replace(operation.outputs[0], build.tensor(operation.inputs[0]))
    return build.finish()

Names, user's lines and weak flags are kept, types are not inferred again. Graphs inside of operations are shared with
the old graph unless a pass gives new ones: nobody changes a finished graph. Captures served to build the old graph (its
operations now list what they need as inputs) and are not kept, so that the old graph can be freed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.records.record import Array, Op
from runtime.shapes import TensorShape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Change", "Rebuild", "holds_the_same", "owners_of", "with_changes", "with_graphs"]


class Rebuild:
    """A new graph in the making, and which of its tensors stands for which tensor of the old one."""

    def __init__(self, graph: Graph) -> None:
        self.old = graph
        self.graph = Graph(graph.name)
        self.graph._names = dict(graph._names)
        self.graph.functions = graph.functions
        self.graph.distinct_handles = graph.distinct_handles
        self.graph.recompute = graph.recompute
        self._tensors: dict[int, SymbolicTensor] = {}

    def tensor(self, old: SymbolicTensor) -> SymbolicTensor:
        """The tensor that stands for `old` in the new graph."""
        return self._tensors[id(old)]

    def replace(self, old: SymbolicTensor, new: SymbolicTensor) -> None:
        """From now on `new`, a tensor of the new graph, stands for `old`."""
        self._tensors[id(old)] = new

    def copy(
        self,
        operation: Operation,
        inputs: Sequence[SymbolicTensor] | None = None,
        attributes: Mapping[str, Any] | None = None,
        caller: Operation | None = None,
        op: Op | None = None,
    ) -> Operation:
        """Adds a copy of an operation; `inputs` are tensors of the new graph, by default those of its own inputs.

        `caller`: the control flow in whose place an operation of a branch comes; it becomes part of the name. `op`:
        what computes the same in its place.
        """
        new = self._inputs(operation) if inputs is None else tuple(inputs)
        given = operation.attributes if attributes is None else attributes
        name, location = operation.name, operation.location
        if caller is not None:
            name, location = self.graph.unique_name(f"{caller.name}/{name}"), location or caller.location
        copied = Operation(self.graph, op or operation.op, name, new, given, location)
        made = []
        for old in operation.outputs:
            tensor = SymbolicTensor(copied, old.value_index, old.dtype, old.shape, old.weak, old.value)
            made.append(tensor)
            self._tensors[id(old)] = tensor
        copied.outputs = tuple(made)
        self.graph.operations.append(copied)
        return copied

    def narrow(
        self,
        operation: Operation,
        kept: Sequence[int],
        inputs: Sequence[SymbolicTensor],
        attributes: Mapping[str, Any],
    ) -> Operation:
        """Adds a copy that has only the outputs with the positions `kept`; all else is given for the new graph."""
        copied = Operation(self.graph, operation.op, operation.name, tuple(inputs), attributes, operation.location)
        olds = [operation.outputs[i] for i in kept]
        copied.outputs = tuple(SymbolicTensor(copied, i, t.dtype, t.shape, t.weak, t.value) for i, t in enumerate(olds))
        self._add(olds, copied)
        return copied

    def constant(self, tensor: SymbolicTensor, value: Array) -> SymbolicTensor:
        """Adds a constant that stands for `tensor`, under the name of its operation where that is free."""
        mine = tensor.op.graph is self.old and len(tensor.op.outputs) == 1
        name = tensor.op.name if mine else self.graph.unique_name(f"{tensor.op.name}_{tensor.value_index}")
        made = Operation(self.graph, constant_node, name, (), {"value": value}, tensor.op.location)
        new = SymbolicTensor(made, 0, tensor.dtype, TensorShape(value.shape), tensor.weak, value)
        made.outputs = (new,)
        self.graph.operations.append(made)
        self._tensors[id(tensor)] = new
        return new

    def new_constant(self, value: Array) -> SymbolicTensor:
        """Adds a constant that stands for nothing in the old graph."""
        return self.graph.constant(value)

    def input(self, tensor: SymbolicTensor) -> None:
        """Adds an input that stands for `tensor`, which may be of another graph; `finish` is told its place."""
        attributes = {"dtype": tensor.dtype, "shape": tensor.shape}
        name = self.graph.unique_name(tensor.op.name)
        made = Operation(self.graph, placeholder, name, (), attributes, tensor.op.location)
        made.outputs = (SymbolicTensor(made, 0, tensor.dtype, tensor.shape, tensor.weak, None),)
        self._add((tensor,), made)

    def remember(self) -> None:
        """Lets the new graph know which of its tensors stand for those of the old one, which it keeps."""
        self.graph.recording.copies.append((self.old, self._tensors))

    def finish(
        self, inputs: Sequence[SymbolicTensor] | None = None, outputs: Sequence[SymbolicTensor] | None = None
    ) -> Graph:
        """The new graph. `inputs`, `outputs`: those of the old graph that it keeps; all of them by default."""
        kept = self.old.inputs if inputs is None else inputs
        self.graph.inputs = [self._tensors[id(t)] for t in kept]
        self.graph.outputs = [self._tensors[id(t)] for t in (self.old.outputs if outputs is None else outputs)]
        return self.graph

    def _inputs(self, operation: Operation) -> tuple[SymbolicTensor, ...]:
        tensors = self._tensors
        return tuple([tensors[id(t)] for t in operation.inputs])

    def _add(self, olds: Sequence[SymbolicTensor], new: Operation) -> None:
        self.graph.operations.append(new)
        for before, after in zip(olds, new.outputs, strict=True):
            self._tensors[id(before)] = after


def with_graphs(operation: Operation, graphs: Mapping[int, Graph]) -> Mapping[str, Any]:
    """The attributes of an operation with its graphs replaced: `graphs` has the new one by the old one's id."""
    if not operation.op.nests:
        return operation.attributes
    return {k: _replaced(v, graphs) for k, v in operation.attributes.items()}


def holds_the_same(graph: Graph, graphs: Mapping[int, Graph]) -> bool:
    """Whether none of the graphs inside of this one has a new one."""
    return all(graphs.get(id(inner)) is inner for o in graph.operations if o.op.nests for inner in o.subgraphs)


def owners_of(graph: Graph) -> Mapping[int, int]:
    """By the id of each graph inside of this one, how many operations have it."""
    return Counter(
        id(inner) for current in nested_graphs(graph) for o in current.operations if o.op.nests for inner in o.subgraphs
    )


Change = Callable[[Rebuild, Operation, Mapping[str, Any]], None]
"""What adds others in the place of an operation, given that and its attributes with the new graphs."""


def with_changes(graph: Graph, find: Callable[[Operation], Change | None]) -> Graph:
    """The graph with others in the place of the operations, in it and inside, for which `find` gives a change.

    Each graph in which there is nothing to do is the same as before.
    """
    done: dict[int, Graph] = {}
    for current in nested_graphs(graph):
        found = {id(o): change for o in current.operations if (change := find(o)) is not None}
        done[id(current)] = current if not found and holds_the_same(current, done) else _changed(current, found, done)
    return done[id(graph)]


def _changed(graph: Graph, changes: Mapping[int, Change], done: Mapping[int, Graph]) -> Graph:
    build = Rebuild(graph)
    for operation in graph.operations:
        attributes = with_graphs(operation, done)
        if id(operation) in changes:
            changes[id(operation)](build, operation, attributes)
        else:
            build.copy(operation, attributes=attributes)
    return build.finish()


def _replaced(value: Any, graphs: Mapping[int, Graph]) -> Any:
    if isinstance(value, tuple):
        return tuple(_replaced(v, graphs) for v in value) if any(isinstance(v, Graph) for v in value) else value
    return graphs.get(id(value), value) if isinstance(value, Graph) else value
