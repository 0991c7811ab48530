"""`Graph`: operations in program order, with inputs and outputs. Built by tracing, rewritten by passes, run by plans.

    graph = Graph("double")
    x = graph.placeholder(runtime.int32, [], "x")
    with graph.as_default():
        graph.outputs = [x + x]
    print(graph.as_text())

Program order is also the order of effects. A graph nested in another one (a branch, a loop body) sees the outer
graph's tensors through *captures*: each becomes an extra input, and `captures` says which outer tensor feeds it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import runtime.tensor.dispatch  # noqa: F401 - which tells the operations how to be called
from runtime.context import recording
from runtime.dtypes import as_dtype, resource
from runtime.errors import InvalidArgumentError, NotFoundError
from runtime.graph.derived import ELSEWHERE, made_elsewhere
from runtime.graph.gradient_state import GradientState
from runtime.graph.known_values import remember_value
from runtime.graph.location import user_location
from runtime.graph.operation import GraphDef, Operation, node_def
from runtime.graph.program_parts import Assumption, Handling
from runtime.graph.trace_state import TraceState
from runtime.ops.core import constant_node, placeholder
from runtime.ops.dataset import dataset_node
from runtime.ops.record import Array, Op
from runtime.ops.resource import Resource
from runtime.shapes import as_shape
from runtime.tensor.eager import EagerTensor
from runtime.tensor.leaks import leak
from runtime.tensor.operand_names import name_shapes
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Graph"]

SHOWN_NAMES = 20
"""The most names that an error lists."""


Guard = Callable[[Operation], None]


class Graph:
    """A list of operations with inputs and outputs. See the module's docstring."""

    assumption: Assumption | None = None
    """In a branch: what is known of its condition."""
    handling: Handling | None = None
    """In a handler: what is known of the exception."""
    distinct_handles = False
    """Whether two handles never stand for the same Variable; where an argument may be one that is captured, no."""
    repeats = False
    """In the test and the body of a loop: that they run many times."""
    recompute = False
    """In the body of a loop: gradients compute its values again, in the place of saving them all."""

    def __init__(self, name: str = "graph", outer: Graph | None = None) -> None:
        self.name = name
        self.outer = outer
        self.operations: list[Operation] = []
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.captures: list[tuple[SymbolicTensor, SymbolicTensor]] = []
        """Pairs (tensor of the outer graph, the input that stands for it here), in the order of the last inputs."""
        self.functions: dict[str, Graph] = {}
        """The library: the graphs that `call` operations of this outermost graph, and of those graphs, name."""
        self.tracing: TraceState = TraceState() if outer is None else outer.tracing
        """What all graphs of the trace share."""
        self._gradients: GradientState | None = None
        self.scope: str = "" if outer is None else outer.scope
        """What the names of new operations start with, e.g. "step/"; see `name_scope`."""
        self.guards: tuple[Guard, ...] = () if outer is None else outer.guards
        """What is told of each operation that can raise: the `try` statements around the code that is being traced."""
        self.copies: list[tuple[Graph, dict[int, SymbolicTensor]]] = []
        """Graphs whose operations were copied into this one, and what stands for their tensors here."""
        self._names: dict[str, int] = {}
        self._captured: dict[int, SymbolicTensor] = {}
        self._constants: dict[int, tuple[EagerTensor, SymbolicTensor]] = {}
        self._lifted: dict[int, tuple[EagerTensor, SymbolicTensor]] = {}

    @property
    def gradients(self) -> GradientState:
        """What gradients know of this graph."""
        if self._gradients is None:
            self._gradients = GradientState()
        return self._gradients

    @property
    def root(self) -> Graph:
        """The outermost graph."""
        graph = self
        while graph.outer is not None:
            graph = graph.outer
        return graph

    @property
    def root_name(self) -> str:
        """The name of the function that this graph is a part of: that of the outermost graph."""
        return self.root.name

    def nest_in(self, outer: Graph) -> None:
        """Makes this graph, which was made by itself, a part of another one."""
        self.outer, self.tracing = outer, outer.tracing

    # -- building ------------------------------------------------------------------------------------------------

    def placeholder(self, dtype: Any, shape: Any = None, name: str = "input", weak: bool = False) -> SymbolicTensor:
        """A new input of the graph."""
        attributes = {"dtype": as_dtype(dtype), "shape": as_shape(shape)}
        tensor = self.add(placeholder, (), attributes, name).outputs[0]
        tensor.weak = weak
        self.inputs.append(tensor)
        return tensor

    def constant(self, value: Array, name: str = "Const") -> SymbolicTensor:
        """A constant of the graph; it takes ownership of the array."""
        return self.add(constant_node, (), {"value": value}, name).outputs[0]

    def record(self, op: Op, arguments: Sequence[Any], attributes: Mapping[str, Any], name: str | None) -> Any:
        """`runtime.context.Recorder`: adds an operation on tensors of any kind; returns one tensor or a tuple."""
        if op in ELSEWHERE and (made := made_elsewhere(self, op, arguments[0], attributes)) is not None:
            return made
        operation = self.add(op, [self.localize(a, op.name) for a in arguments], attributes, name)
        return operation.outputs[0] if op.outputs == 1 and len(operation.outputs) == 1 else operation.outputs

    def add(
        self, op: Op, inputs: Sequence[SymbolicTensor], attributes: Mapping[str, Any], name: str | None = None
    ) -> Operation:
        """Adds an operation on tensors of this graph; dtypes and shapes of the outputs are inferred.

        Raises InvalidArgumentError (a subclass) when the operands do not fit, naming the user's line.
        """
        operands = [t.operand for t in inputs]
        try:
            types = op.infer(operands, attributes)
        except InvalidArgumentError as error:
            if (location := user_location()) is not None:
                error.add_note(f"while {self.root_name!r} was traced, at {location}")
            name_shapes(error, inputs)
            raise
        full_name = self.unique_name(self.scope + (name or op.name))
        operation = Operation(self, op, full_name, tuple(inputs), attributes, user_location())
        # Arithmetic on what came from literals; a cast says which dtype is wanted.
        weak = op.elementwise and not op.attributes and all(t.weak for t in inputs)
        operation.outputs = tuple(
            SymbolicTensor(operation, i, dtype, shape, weak and not dtype.is_bool)
            for i, (dtype, shape) in enumerate(types)
        )
        remember_value(operation, operands)
        for guard in self.guards:
            guard(operation)
        self.operations.append(operation)
        return operation

    def localize(self, tensor: Any, where: str) -> SymbolicTensor:
        """The tensor of this graph that stands for `tensor`: itself, a capture, or a constant for an eager tensor."""
        if (writes := self.tracing.writes).found:
            writes.use(tensor, self)
        if isinstance(tensor, EagerTensor):
            kept = self._constants.get(id(tensor))
            if kept is None:
                lifted = self.lifted(tensor)
                made = self._held(tensor._array) if lifted is None else self.capture(lifted, where)
                kept = self._constants[id(tensor)] = (tensor, made)
            return kept[1]
        if (aliases := self.tracing.aliases).found:
            aliases.use(tensor)
        if tensor.op.graph is self:
            return tensor  # type: ignore[no-any-return]
        return self.capture(tensor, where)

    def lift(self, tensor: EagerTensor) -> None:
        """From now on the graphs in this one take an eager tensor from here, so that one constant stands for it."""
        self._lifted[id(tensor)] = tensor, self.localize(tensor, self.name)

    def lifted(self, tensor: EagerTensor) -> SymbolicTensor | None:
        """The constant of this graph, or of one around it, that stands for an eager tensor in all graphs within."""
        graph: Graph | None = self
        while graph is not None:
            if (found := graph._lifted.get(id(tensor))) is not None:
                return found[1]
            graph = graph.outer
        return None

    def _held(self, array: Array) -> SymbolicTensor:
        """A value from outside of the trace: a constant, or what makes an object of this process that has a term."""
        term = getattr(array.item()[0], "__graph_term__", None) if array.dtype.names is not None else None
        if term is None:
            return self.constant(array)
        return self.add(dataset_node, (), {"make": term}).outputs[0]

    def capture(self, tensor: SymbolicTensor, where: str = "") -> SymbolicTensor:
        """An input that stands for a tensor of an enclosing graph. Raises InaccessibleTensorError for other graphs."""
        chain: list[Graph] = []
        graph: Graph | None = self
        while graph is not None and graph is not tensor.op.graph:
            source = None if graph._gradients is None else graph._gradients.source
            if source is not None and (given := source(tensor)) is not None:
                return self.localize(given, where)
            chain.append(graph)
            graph = graph.outer
        if graph is None:
            copy = next((t for g in chain if (t := g.own_version(tensor)) is not None), None)
            if copy is not None:
                return self.capture(copy, where)
            raise leak(tensor, f"used in {where or self.name!r}")
        for inner in reversed(chain):
            found = inner._captured.get(id(tensor))
            if found is None:
                found = inner.placeholder(tensor.dtype, tensor.shape, tensor.op.name, tensor.weak)
                found.value, found.parts, found.of_array = tensor.value, tensor.parts, tensor.of_array
                inner._captured[id(tensor)] = found
                inner.captures.append((tensor, found))
            tensor = found
        return tensor

    def own_version(self, tensor: SymbolicTensor) -> SymbolicTensor | None:
        """The tensor, if it is one of this graph, or what stands for it where its graph was copied into this one."""
        if tensor.op.graph is self:
            return tensor
        for source, tensors in self.copies:
            found = source.own_version(tensor)
            if found is not None:
                return tensors.get(id(found))
        return None

    def handle(self, memory: Resource) -> SymbolicTensor:
        """The handle of a Variable's memory: an input of the outermost graph."""
        known = self.tracing.resources.get(id(memory))
        if known is None:
            root = self.root
            name = memory.name.removesuffix(":0").replace("/", "_")
            scope, root.scope = root.scope, ""
            known = self.tracing.resources[id(memory)] = (memory, root.placeholder(resource, [], name))
            root.scope = scope
        return known[1]

    def forget(self, start: int, also: Operation | None = None) -> None:
        """Removes what has an effect, and what depends on it, from the operations recorded since there were `start`:
        Python code may have kept the results of others, and unused ones are pruned. also: one more that goes."""
        dropped: set[int] = set()
        kept = self.operations[:start]
        for operation in self.operations[start:]:
            depends = any(id(tensor) in dropped for tensor in operation.inputs)
            if operation.op is not placeholder and (operation.stateful or depends or operation is also):
                dropped.update(id(tensor) for tensor in operation.outputs)
            else:
                kept.append(operation)
        self.operations = kept

    def unique_name(self, name: str) -> str:
        """`name`, or `name_1`, `name_2`, ... when it is taken."""
        name = name.replace(" ", "_")
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        while count:
            candidate = f"{name}_{count}"
            if candidate not in self._names:
                self._names[candidate] = 1
                return candidate
            count += 1
            self._names[name] = count + 1
        return name

    @contextlib.contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Operations inside the block are added to this graph."""
        with recording(self):
            yield self

    @contextlib.contextmanager
    def name_scope(self, name: str) -> Iterator[str]:
        """Operations added inside the block, also in graphs nested in this one, have names that start with `name/`."""
        outer, self.scope = self.scope, f"{self.scope}{name}/"
        try:
            yield self.scope
        finally:
            self.scope = outer

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def stateful(self) -> bool:
        """Whether any operation but the placeholders has an effect."""
        return any(o.stateful for o in self.operations if o.op is not placeholder)

    def get_operations(self) -> list[Operation]:
        """The operations, in program order."""
        return list(self.operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of this name. Raises NotFoundError, which lists the names."""
        for operation in self.operations:
            if operation.name == name:
                return operation
        known = ", ".join(operation.name for operation in self.operations[:SHOWN_NAMES]) or "none"
        more = len(self.operations) - SHOWN_NAMES
        raise NotFoundError(
            f"graph {self.name!r} has no operation {name!r}; it has {known}{f' and {more} more' if more > 0 else ''}"
        )

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor `operation:index`; the index of a first output may be left out. Raises NotFoundError."""
        operation_name, _, index = name.partition(":")
        outputs = self.get_operation_by_name(operation_name).outputs
        if not (index or "0").isdecimal() or int(index or 0) >= len(outputs):
            raise NotFoundError(f"operation {operation_name!r} has {len(outputs)} output(s), none of index {index!r}")
        return outputs[int(index or 0)]

    def as_graph_def(self) -> GraphDef:
        """The nodes as plain data."""
        return GraphDef([node_def(operation) for operation in self.operations])

    def as_text(self) -> str:
        """The graph as readable text, with the graphs inside of it; `from_text` reads it (see runtime.graph.text)."""
        from runtime.graph.text import print_graph

        return print_graph(self)

    @staticmethod
    def from_text(text: str) -> Graph:
        """The graph that `as_text` wrote. Runs nothing. Raises FormatError with line and column."""
        from runtime.graph.text import parse_graph

        return parse_graph(text)

    def __repr__(self) -> str:
        return f"<Graph {self.name!r}: {len(self.inputs)} inputs, {len(self.operations)} operations>"
