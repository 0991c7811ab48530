"""How a graph comes to be: what is known of it while a program is traced into it, and no engine needs.

    graph.recording.outer          the graph around it, whose tensors it takes as captures
    graph.recording.tracing        what all graphs of the trace share

A graph nested in another one (a branch, a loop body) sees the outer graph's tensors through *captures*: each becomes an
extra input, and `captures` says which outer tensor feeds it. Graphs that passes make have no recording.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import runtime.tensor.dispatch  # noqa: F401 - which tells the operations how to be called
from runtime.context import outwards
from runtime.dtypes import resource
from runtime.errors import InvalidArgumentError
from runtime.graph.derived import ELSEWHERE, made_elsewhere
from runtime.graph.gradient_state import GradientState
from runtime.graph.location import user_location
from runtime.graph.operation import Operation
from runtime.graph.program_parts import Assumption, Handling
from runtime.graph.trace_state import TraceState
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.dataset import dataset_node
from runtime.ops.kernels.resource import Resource
from runtime.ops.records.record import Array, Op
from runtime.tensor.eager import EagerTensor
from runtime.tensor.leaks import leak
from runtime.tensor.operand_names import name_shapes
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.graph.graph import Graph

__all__ = ["Recording"]

Guard = Callable[[Operation], None]


class Recording:
    """What is known of one graph while operations are recorded in it. See the module's docstring."""

    assumption: Assumption | None = None
    """In a branch: what is known of its condition."""
    handling: Handling | None = None
    """In a handler: what is known of the exception."""
    repeats = False
    """In the test and the body of a loop: that they run many times."""

    def __init__(self, graph: Graph, outer: Graph | None = None) -> None:
        around = None if outer is None else outer.recording
        self.graph = graph
        self.outer = outer
        self.captures: list[tuple[SymbolicTensor, SymbolicTensor]] = []
        """Pairs (tensor of the outer graph, the input that stands for it here), in the order of the last inputs."""
        self.tracing: TraceState = TraceState() if around is None else around.tracing
        """What all graphs of the trace share."""
        self.scope: str = "" if around is None else around.scope
        """What the names of new operations start with, e.g. "step/"; see `name_scope`."""
        self.guards: tuple[Guard, ...] = () if around is None else around.guards
        """What is told of each operation that can raise: the `try` statements around the code that is being traced."""
        self.copies: list[tuple[Graph, dict[int, SymbolicTensor]]] = []
        """Graphs whose operations were copied into this one, and what stands for their tensors here."""
        self.captured: dict[int, SymbolicTensor] = {}
        """By the id of a tensor of a graph around: the input that stands for it."""
        self._gradients: GradientState | None = None
        self.constants: dict[int, tuple[EagerTensor, SymbolicTensor]] = {}
        """By the id of an eager tensor: it, and the constant that stands for it."""
        self._lifted: dict[int, tuple[EagerTensor, SymbolicTensor]] = {}

    @property
    def gradients(self) -> GradientState:
        """What gradients know of this graph."""
        if self._gradients is None:
            self._gradients = GradientState()
        return self._gradients

    def outwards(self) -> Iterator[Recording]:
        """That of this graph, of the one around it, and so on."""
        return (graph.recording for graph in outwards(self.graph))

    @property
    def root(self) -> Graph:
        """The outermost graph."""
        *_, graph = outwards(self.graph)
        return graph

    @property
    def root_name(self) -> str:
        """The name of the function that this graph is a part of: that of the outermost graph."""
        return self.root.name

    def nest_in(self, outer: Graph) -> None:
        """Makes this graph, which was made by itself, a part of another one."""
        self.outer, self.tracing = outer, outer.recording.tracing

    # -- building ------------------------------------------------------------------------------------------------

    def record(self, op: Op, arguments: Sequence[Any], attributes: Mapping[str, Any], name: str | None) -> Any:
        """Adds an operation on tensors of any kind; returns one tensor or a tuple."""
        if op in ELSEWHERE and (made := made_elsewhere(self.graph, op, arguments[0], attributes)) is not None:
            return made
        operation = self.graph.add(op, [self.localize(a, op.name) for a in arguments], attributes, name)
        return operation.outputs[0] if op.outputs == 1 and len(operation.outputs) == 1 else operation.outputs

    def explain(self, error: InvalidArgumentError, inputs: Sequence[SymbolicTensor]) -> None:
        """Says where the operands were put together that do not fit, and what they are called."""
        if (location := user_location()) is not None:
            error.add_note(f"while {self.root_name!r} was traced, at {location}")
        name_shapes(error, inputs)

    def localize(self, tensor: Any, where: str) -> SymbolicTensor:
        """The tensor of this graph that stands for `tensor`: itself, a capture, or a constant for an eager tensor."""
        if (writes := self.tracing.writes).found:
            writes.use(tensor, self.graph)
        if isinstance(tensor, EagerTensor):
            kept = self.constants.get(id(tensor))
            if kept is None:
                lifted = self.lifted(tensor)
                made = self._held(tensor._array) if lifted is None else self.capture(lifted, where)
                kept = self.constants[id(tensor)] = (tensor, made)
            return kept[1]
        if (aliases := self.tracing.aliases).found:
            aliases.use(tensor)
        if tensor.op.graph is self.graph:
            return tensor
        return self.capture(tensor, where)

    def lift(self, tensor: EagerTensor) -> None:
        """From now on the graphs in this one take an eager tensor from here, so that one constant stands for it."""
        self._lifted[id(tensor)] = tensor, self.localize(tensor, self.graph.name)

    def lifted(self, tensor: EagerTensor) -> SymbolicTensor | None:
        """The constant of this graph, or of one around it, that stands for an eager tensor in all graphs within."""
        for recording in self.outwards():
            if (found := recording._lifted.get(id(tensor))) is not None:
                return found[1]
        return None

    def _held(self, array: Array) -> SymbolicTensor:
        """A value from outside of the trace: a constant, or what makes an object of this process that has a term."""
        term = getattr(array.item()[0], "__graph_term__", None) if array.dtype.names is not None else None
        if term is None:
            return self.graph.constant(array)
        return self.graph.add(dataset_node, (), {"make": term}).outputs[0]

    def capture(self, tensor: SymbolicTensor, where: str = "") -> SymbolicTensor:
        """An input that stands for a tensor of an enclosing graph. Raises InaccessibleTensorError for other graphs."""
        home, chain = tensor.op.graph, list[Recording]()
        for recording in self.outwards():
            if recording.graph is home:
                break
            source = None if recording._gradients is None else recording._gradients.source
            if source is not None and (given := source(tensor)) is not None:
                return self.localize(given, where)
            chain.append(recording)
        else:
            copy = next((t for r in chain if (t := r.own_version(tensor)) is not None), None)
            if copy is not None:
                return self.capture(copy, where)
            raise leak(tensor, f"used in {where or self.graph.name!r}")
        for inner in reversed(chain):
            found = inner.captured.get(id(tensor))
            if found is None:
                found = inner.graph.placeholder(tensor.dtype, tensor.shape, tensor.op.name, tensor.weak)
                found.value, found.parts = tensor.value, tensor.parts
                found.of_array, found.of_bytes, found.or_bool = tensor.of_array, tensor.of_bytes, tensor.or_bool
                inner.captured[id(tensor)] = found
                inner.captures.append((tensor, found))
            tensor = found
        return tensor

    def own_version(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """The tensor, if it is one of this graph, or what stands for it where its graph was copied into this one."""
        if tensor.op.graph is self.graph:
            return tensor
        for source, tensors in self.copies:
            found = source.recording.own_version(tensor)
            if found is not None:
                return tensors.get(id(found))
        return None

    def handle(self, memory: Resource) -> SymbolicTensor:
        """The handle of a Variable's memory: an input of the outermost graph."""
        known = self.tracing.resources.get(id(memory))
        if known is None:
            root = self.root
            name = memory.name.removesuffix(":0").replace("/", "_")
            scope, root.recording.scope = root.recording.scope, ""
            known = self.tracing.resources[id(memory)] = (memory, root.placeholder(resource, [], name))
            root.recording.scope = scope
        return known[1]

    def forget(self, start: int, also: Operation | None = None) -> None:
        """Removes what has an effect, and what depends on it, from the operations recorded since there were `start`:
        Python code may have kept the results of others, and unused ones are pruned. also: one more that goes."""
        dropped: set[int] = set()
        kept = self.graph.operations[:start]
        for operation in self.graph.operations[start:]:
            depends = any(id(tensor) in dropped for tensor in operation.inputs)
            if operation.op is not placeholder and (operation.stateful or depends or operation is also):
                dropped.update(id(tensor) for tensor in operation.outputs)
            else:
                kept.append(operation)
        self.graph.operations = kept

    @contextlib.contextmanager
    def name_scope(self, name: str) -> Iterator[str]:
        """Operations added inside the block, also in graphs nested in this one, have names that start with `name/`."""
        outer, self.scope = self.scope, f"{self.scope}{name}/"
        try:
            yield self.scope
        finally:
            self.scope = outer
