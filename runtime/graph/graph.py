"""`Graph`: operations in program order, with inputs and outputs. Built by tracing, rewritten by passes, run by plans.

    graph = Graph("double")
    x = graph.placeholder(runtime.int32, [], "x")
    with graph.as_default():
        graph.outputs = [x + x]
    print(graph.as_text())

Program order is also the order of effects. What only concerns how a program is traced into it is `Graph.recording`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runtime.context import recording as recorded_by
from runtime.dtypes import as_dtype, string
from runtime.errors import InvalidArgumentError, NotFoundError, of_the_trace
from runtime.graph.known_values import remember_value
from runtime.graph.location import user_location
from runtime.graph.operation import GraphDef, Operation, node_def
from runtime.graph.recording import Recording
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.records.record import Array, Op
from runtime.pictures.model import Times
from runtime.shapes import as_shape
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Graph"]

SHOWN_NAMES = 20
"""The most names that an error lists."""


class Graph:
    """A list of operations with inputs and outputs. See the module's docstring."""

    distinct_handles = False
    """Whether two handles never stand for the same Variable; where an argument may be one that is captured, no."""
    recompute = False
    """In the body of a loop: gradients compute its values again, in the place of saving them all."""

    def __init__(self, name: str = "graph") -> None:
        self.name = name
        self.operations: list[Operation] = []
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self.functions: dict[str, Graph] = {}
        """The library: the graphs that `call` operations of this outermost graph, and of those graphs, name."""
        self._names: dict[str, int] = {}
        self._recording: Recording | None = None

    @classmethod
    def within(cls, outer: Graph | None, name: str) -> Graph:
        """A graph that takes what it needs from another one, in which it is recorded: a branch, the body of a loop."""
        graph = cls(name)
        graph._recording = Recording(graph, outer)
        return graph

    @property
    def recording(self) -> Recording:
        """What is known of the graph while a program is traced into it; that of a graph made by hand knows nothing."""
        if self._recording is None:
            self._recording = Recording(self)
        return self._recording

    def record(self, op: Op, arguments: Sequence[Any], attributes: Mapping[str, Any], name: str | None) -> Any:
        """`runtime.context.Recorder`: adds an operation on tensors of any kind; returns one tensor or a tuple."""
        return self.recording.record(op, arguments, attributes, name)

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

    def add(
        self, op: Op, inputs: Sequence[SymbolicTensor], attributes: Mapping[str, Any], name: str | None = None
    ) -> Operation:
        """Adds an operation on tensors of this graph; dtypes and shapes of the outputs are inferred.

        Raises InvalidArgumentError (a subclass) when the operands do not fit, naming the user's line.
        """
        recording = self._recording
        operands = [t.operand for t in inputs]
        try:
            types = op.infer(operands, attributes)
        except InvalidArgumentError as error:
            if recording is not None:
                recording.explain(error, inputs)
            raise
        full_name = self.unique_name((name or op.name) if recording is None else recording.scope + (name or op.name))
        operation = Operation(self, op, full_name, tuple(inputs), attributes, user_location())
        # Arithmetic on what came from literals; a cast says which dtype is wanted.
        weak = op.elementwise and not op.attributes and all(t.weak for t in inputs)
        if op.facts.of_text and types and types[0][0] is string:
            weak = all(t.weak for t in inputs if t.dtype is string)
        operation.outputs = tuple(
            SymbolicTensor(operation, i, dtype, shape, weak and not dtype.is_bool)
            for i, (dtype, shape) in enumerate(types)
        )
        if weak and any(t.of_bytes for t in inputs):
            if not all(t.of_bytes for t in inputs):
                raise of_the_trace(TypeError(f"{op.name}: str and bytes are not taken together"))
            for output in operation.outputs:
                output.of_bytes = output.weak
        remember_value(operation, operands)
        for guard in () if recording is None else recording.guards:
            guard(operation)
        self.operations.append(operation)
        return operation

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
        with recorded_by(self):
            yield self

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

    def to_dot(self) -> str:
        """The graph as text of Graphviz, with the graphs inside of it as clusters."""
        from runtime.pictures.dot import to_dot  # pictures are loaded when one is asked for

        return to_dot(self)

    def to_mermaid(self) -> str:
        """The graph as a flowchart of Mermaid, with the graphs inside of it as subgraphs."""
        from runtime.pictures.mermaid import to_mermaid

        return to_mermaid(self)

    def to_svg(self, times: Times | None = None) -> str:
        """The graph as the text of an SVG file. times: seconds by operation, which colour what takes long."""
        from runtime.pictures.svg import svg
        from runtime.pictures.whole import whole

        return svg(whole(self, times), alone=True)

    def to_html(self, times: Times | None = None) -> str:
        """A page with the graph, its branches and loops to be opened, and the program beside it. times: as `to_svg`."""
        from autograph.page import page

        return page(self.name, self._as_html(times))

    def _as_html(self, times: Times | None = None, title: str = "") -> str:
        from runtime.pictures.notebook import html

        return html(self, times, title)

    def _repr_html_(self) -> str:
        return self._as_html()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    @staticmethod
    def from_text(text: str) -> Graph:
        """The graph that `as_text` wrote. Runs nothing. Raises FormatError with line and column."""
        from runtime.graph.text import parse_graph

        return parse_graph(text)

    def __repr__(self) -> str:
        counts = {"input": len(self.inputs), "operation": len(self.operations)}
        shown = [f"{count} {word}{'s' * (count != 1)}" for word, count in counts.items()]
        return f"<Graph {self.name!r}: {', '.join(shown)}>"
