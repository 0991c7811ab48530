"""A trace as a file of ONNX: everything is decided before the file is touched.

    model = exported(concrete, opset=21)       # NotExportableError names all operations that cannot leave
    model.SerializeToString(deterministic=True)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from autograph import __version__
from runtime import structures as nest
from runtime.dtypes import resource, variant
from runtime.errors import NotExportableError
from runtime.exits.expanding import expanded
from runtime.exits.onnx.build import NO_RANK
from runtime.exits.onnx.messages import IR_VERSIONS, Port, model_of
from runtime.exits.onnx.nodes import ELEMENT_TYPES, Handle, Node, Value
from runtime.exits.onnx.writing import Writing
from runtime.exits.problems import Problem, listed
from runtime.exits.traces import check_trace
from runtime.exits.variables import written
from runtime.function.concrete import ConcreteFunction
from runtime.graph.graph import Graph
from runtime.ops.records.record import Array
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["OPSETS", "exported", "graph_model"]

OPSETS: Final = tuple(IR_VERSIONS)[1:]

NO_RANK_OF_RESULT: Final = (
    "it is a result, and the number of its dimensions is not known; say it with runtime.ensure_shape(x, [None, ...])"
)


class _Model:
    """A graph on its way: its inputs, outputs and Variables, as values and as ports."""

    def __init__(
        self, graph: Graph, memories: Sequence[Any], writing: Writing, names: list[str], output_names: Sequence[str]
    ) -> None:
        self.writing = writing
        self.inputs: list[Port] = []
        self.outputs: list[Port] = []
        self.weights: dict[str, Array] = {}
        self.given: list[Any] = []
        self.changed: list[tuple[Handle, Port]] = []
        unique = self.writing.build.unique
        ports = [unique(names.pop(0)) if tensor.dtype is not resource else "" for tensor in graph.inputs]
        self.output_names = [unique(name) for name in output_names]
        places = written(graph, graph.functions, {})
        first = len(graph.inputs) - len(memories)
        for place, tensor in enumerate(graph.inputs):
            if tensor.dtype is resource:
                self._variable(place, tensor, memories[place - first] if place >= first else None, place in places)
            else:
                self._input(ports[place], tensor)

    def _input(self, name: str, tensor: SymbolicTensor) -> None:
        if tensor.shape.rank is None:
            self._refuse(tensor, NO_RANK)
            return
        if tensor.dtype not in ELEMENT_TYPES:
            self._refuse(tensor, f"it is an argument of {tensor.dtype.name}, which ONNX has not, or onnxruntime not")
            return
        value = Value(name, tensor.dtype)
        self.inputs.append(Port(value, _dims(name, tensor)))
        self.given.append(value)

    def _refuse(self, tensor: SymbolicTensor, reason: str) -> None:
        self.writing.problems.append(Problem(tensor.op, reason))
        self.given.append(None)

    def _variable(self, place: int, tensor: SymbolicTensor, memory: Any, changes: bool) -> None:
        if memory is None:
            self._refuse(tensor, "it is an argument that is a Variable; let the function find it itself")
            return
        name, array = memory.name.partition(":")[0], memory.read()
        if memory.dtype not in ELEMENT_TYPES:
            self._refuse(tensor, f"it is a Variable of {memory.dtype.name}, which ONNX has not, or onnxruntime not")
            return
        handle = Handle(f"{name}:{place}", memory.dtype)
        value = Value(self.writing.build.unique(name), memory.dtype)
        self.writing.handles[handle] = value
        self.weights[value.name] = array
        self.given.append(handle)
        if changes:
            dims = array.shape if memory.shape.dims is None else memory.shape.dims
            self.inputs.append(Port(value, [f"{value.name}_{i}" if d is None else d for i, d in enumerate(dims)]))
            self.changed.append((handle, self.inputs[-1]))

    def output(self, name: str, value: Value, tensor: SymbolicTensor) -> None:
        """Adds an output: a value under the name that was promised."""
        self.writing.build.scope.nodes.append(Node("Identity", [value.name], [name], {}))
        named = Value(name, value.dtype, value.is_list)
        self.outputs.append(Port(named, _dims(name, tensor)))

    def change(self, handle: Handle, before: Port) -> None:
        """Adds what a Variable is after the run as an output, called after the input that it was."""
        value = self.writing.handles[handle]
        name = self.writing.build.unique(f"{before.value.name}_next")
        self.writing.build.scope.nodes.append(Node("Identity", [value.name], [name], {}))
        self.outputs.append(Port(Value(name, value.dtype), before.dims))


def exported(
    concrete: ConcreteFunction,
    opset: int,
    input_names: Sequence[str] | None,
    output_names: Sequence[str] | None,
    drop_checks: bool = False,
) -> Any:
    """The message of a model that computes what a trace does. Names: as many as there are tensors, where given.

    Raises NotExportableError, with all reasons; ValueError for a set of operators or names that do not fit.
    """
    if opset not in OPSETS:
        raise ValueError(f"export.onnx: opset is one of {', '.join(map(str, OPSETS))}; got {opset!r}")
    check_trace("export.onnx", concrete)
    names = [t.op.name for t in concrete.graph.inputs if t.dtype is not resource]
    inputs = _names("input_names", input_names, names)
    outputs = _names("output_names", output_names, _output_names(concrete))
    graph, memories = concrete.optimized_graph, concrete.captured_inputs
    model, problems = graph_model(graph, memories, opset, inputs, outputs, drop_checks)
    if problems:
        heading = f"export.onnx: {concrete.header} cannot leave, and nothing was written:"
        raise NotExportableError(listed(heading, problems))
    return model()


def graph_model(
    graph: Graph,
    memories: Sequence[Any],
    opset: int,
    input_names: Sequence[str],
    output_names: Sequence[str],
    drop_checks: bool = False,
) -> tuple[Callable[[], Any], list[Problem]]:
    """What makes the message of a graph, and what is in the way. memories: of the Variables, for the last inputs."""
    graph = expanded(graph)
    model = _Model(graph, memories, Writing(graph.functions, opset, drop_checks), [*input_names], output_names)
    results = model.writing.run(graph, model.given)
    problems = model.writing.problems
    problems += [Problem(t.op, NO_RANK_OF_RESULT) for t in graph.outputs if t.shape.rank is None]

    def made() -> Any:
        for name, value, tensor in zip(model.output_names, results, graph.outputs, strict=True):
            model.output(name, value, tensor)
        for handle, before in model.changed:
            model.change(handle, before)
        return model_of(model.writing.build, model.inputs, model.outputs, model.weights, __version__)

    return made, problems


def _names(what: str, given: Sequence[str] | None, own: list[str]) -> list[str]:
    if given is None:
        return own
    names = [given] if isinstance(given, str) else list(given)
    if len(names) != len(own) or len(set(names)) != len(names) or not all(isinstance(n, str) and n for n in names):
        raise ValueError(f"export.onnx: {what} are {len(own)} different texts, for {', '.join(own) or 'nothing'}; got"
                         f" {given!r}")  # fmt: skip
    return names


def _output_names(concrete: ConcreteFunction) -> list[str]:
    """The keys of a dict of tensors; else output_0, output_1, ..."""
    result, count = concrete.structured_outputs, len(concrete.graph.outputs)
    if isinstance(result, dict) and all(isinstance(part, SymbolicTensor) for part in result.values()):
        by_place = {id(part): str(name) for name, part in result.items()}
        return [by_place[id(part)] for part in nest.flatten(result)]
    return [f"output_{i}" for i in range(count)]


def _dims(name: str, tensor: SymbolicTensor) -> list[int | str] | None:
    """Sizes; those that are open have names. Of a list, and of an open rank, nothing is said."""
    dims = tensor.shape.dims
    if dims is None or tensor.dtype is variant:
        return None
    return [f"{name}_{i}" if size is None else size for i, size in enumerate(dims)]
