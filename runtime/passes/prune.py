"""Dead code: operations whose results nothing needs, and what only they needed.

    state of a loop that neither its condition, nor its effects, nor a reader of its result depends on
    operands of a branch that no branch reads; results of a branch that nobody reads

One marking over the graph and all graphs inside of it, from outputs and effects back to inputs, then one rebuild: time
is linear however deeply loops nest.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.graph import Graph
from runtime.graph.nesting import nested_graphs
from runtime.graph.operation import Operation
from runtime.graph.rebuild import Rebuild, holds_the_same, with_graphs
from runtime.graph.risks import may_raise
from runtime.ops.flow.control import try_node, while_node
from runtime.ops.flow.core import placeholder
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["drop_dead"]


def drop_dead(graph: Graph) -> Graph:
    """Every output keeps its value and every effect stays, in its order; inputs of the graph itself stay.

    What can raise in the body of a `try` is an effect.

    A loop without effects whose results nobody reads is dropped, even one that would never end.
    """
    graphs = nested_graphs(graph)
    marking = _Marking(graph, graphs)
    marking.run()
    done: dict[int, Graph] = {}
    for current in graphs:
        if current is graph or any(id(o) in marking.operations for o in marking.owners[id(current)]):
            done[id(current)] = _sweep(current, marking, done, current is graph)
    return done[id(graph)]


class _Marking:
    """Which tensors and operations are needed."""

    def __init__(self, root: Graph, graphs: Sequence[Graph]) -> None:
        self.tensors: set[int] = set()
        self.effects: list[Operation] = []
        self.operations: set[int] = set()
        self.owners: dict[int, list[Operation]] = {id(g): [] for g in graphs}
        self.work: list[SymbolicTensor] = list(root.outputs)
        self.positions = {id(t): i for g in graphs for i, t in enumerate(g.inputs)}
        for graph in graphs:
            for operation in graph.operations:
                if operation.op.nests:
                    for inner in operation.subgraphs:
                        self.owners[id(inner)].append(operation)
        # One graph in several places: those that are needed keep all that they have.
        self.whole = {id(owner) for owners in self.owners.values() if len(owners) > 1 for owner in owners}
        for graph in graphs:
            for operation in graph.operations:
                if operation.acts and operation.op is not placeholder:
                    self._act(operation)
        for operation in _tried(graphs):
            self._act(operation)

    def _act(self, operation: Operation) -> None:
        """An effect: it is needed, and so is the control flow around it in all places."""
        around = [operation]
        while around:
            current = around.pop()
            if id(current) not in self.operations:
                self._need(current)
                around += self.owners[id(current.graph)]

    def run(self) -> None:
        while self.work or self.effects:
            while self.effects:
                self._need(self.effects.pop())
            if not self.work:
                break
            tensor = self.work.pop()
            if (key := id(tensor)) not in self.tensors:
                self.tensors.add(key)
                self._need(tensor.op)
                if tensor.op.op is placeholder:
                    self._input(tensor)
                elif tensor.op.op.nests:
                    self._result(tensor.op, tensor.value_index)

    def _need(self, operation: Operation) -> None:
        """The operation runs: what it reads whatever happens is needed, and so is the control flow around it."""
        if (key := id(operation)) in self.operations:
            return
        self.operations.add(key)
        if key in self.whole:
            self.work += [*operation.inputs, *operation.outputs]
            for inner in operation.subgraphs:
                self.work += [*inner.inputs, *inner.outputs]
        if operation.op is while_node:
            self.work += operation.attributes["cond_graph"].outputs
        elif operation.op.nests:
            self.work += operation.inputs[: _selectors(operation)]
        else:
            self.work += operation.inputs
        for owner in self.owners[id(operation.graph)]:
            if id(owner) not in self.whole:  # else it is needed already, or another one is that has this graph
                self.effects.append(owner)

    def _input(self, tensor: SymbolicTensor) -> None:
        """An input of a nested graph is needed: so is the operand, and a loop's state with all that makes it."""
        for owner in self.owners[id(tensor.op.graph)]:
            if id(owner) in self.whole:
                continue
            position = self.positions[id(tensor)]
            if owner.op is not while_node:
                self.work.append(owner.inputs[position + _selectors(owner)])
            elif position < len(owner.outputs):
                self._result(owner, position)
            else:
                self.work.append(owner.inputs[position])

    def _result(self, operation: Operation, index: int) -> None:
        """A result of control flow is needed: so is what each graph returns for it."""
        if operation.op is while_node:
            body = operation.attributes["body_graph"]
            self.work += [operation.inputs[index], body.outputs[index], body.inputs[index], operation.outputs[index]]
        else:
            self.work += [graph.outputs[index] for graph in operation.subgraphs]


def _selectors(operation: Operation) -> int:
    """How many inputs of control flow come before those that its graphs take."""
    return 0 if operation.op in (while_node, try_node) else 1


def _tried(graphs: Sequence[Graph]) -> list[Operation]:
    """The operations in bodies of `try`, at any depth, that can raise: a handler runs because they do."""
    waiting = [
        operation.attributes["body_graph"]
        for graph in graphs
        for operation in graph.operations
        if operation.op is try_node
    ]
    seen: set[int] = set()
    found = []
    while waiting:
        graph = waiting.pop()
        if id(graph) not in seen:
            seen.add(id(graph))
            found += [operation for operation in graph.operations if may_raise(operation)]
            waiting += [inner for operation in graph.operations if operation.op.nests for inner in operation.subgraphs]
    return found


def _sweep(graph: Graph, marking: _Marking, done: dict[int, Graph], root: bool) -> Graph:
    """The graph without what is not marked; `done` has the new graphs inside of it."""
    inputs, outputs = graph.inputs, graph.outputs
    if not root:
        owner = next(o for o in marking.owners[id(graph)] if id(o) in marking.operations)
        inputs = [graph.inputs[i] for i in _kept_inputs(owner, marking.tensors)]
        if owner.op is not while_node or owner.attributes["cond_graph"] is not graph:
            outputs = [t for t, o in zip(graph.outputs, owner.outputs, strict=True) if id(o) in marking.tensors]
    kept = set(map(id, inputs))
    same_ends = len(inputs) == len(graph.inputs) and len(outputs) == len(graph.outputs)
    if same_ends and _is_whole(graph, marking, kept, done):
        return graph
    build = Rebuild(graph)
    for operation in graph.operations:
        if operation.op is placeholder:
            if id(operation.outputs[0]) in kept:
                build.copy(operation)
        elif id(operation) in marking.operations:
            if operation.op.nests:
                _sweep_control(operation, build, marking.tensors, done)
            else:
                build.copy(operation)
    return build.finish(inputs, outputs)


def _is_whole(graph: Graph, marking: _Marking, inputs: set[int], done: dict[int, Graph]) -> bool:
    """Whether all operations of a graph stay, with all that the graphs inside of them have."""
    return holds_the_same(graph, done) and all(
        id(o.outputs[0]) in inputs if o.op is placeholder else id(o) in marking.operations for o in graph.operations
    )


def _kept_inputs(owner: Operation, needed: set[int]) -> list[int]:
    """The positions of the inputs that the graphs inside of an operation keep, all of them the same."""
    state = len(owner.outputs) if owner.op is while_node else 0
    return [
        i
        for i, inner in enumerate(zip(*(g.inputs for g in owner.subgraphs), strict=True))
        if (id(owner.outputs[i]) in needed if i < state else any(id(t) in needed for t in inner))
    ]


def _sweep_control(operation: Operation, build: Rebuild, needed: set[int], done: dict[int, Graph]) -> None:
    first = _selectors(operation)
    positions = [*range(first), *(first + i for i in _kept_inputs(operation, needed))]
    outputs = [i for i, t in enumerate(operation.outputs) if id(t) in needed]
    inputs = [build.tensor(operation.inputs[i]) for i in positions]
    build.narrow(operation, outputs, inputs, with_graphs(operation, done))
