"""From the records of a text to graphs: `parse_graph`.

    parse_graph("graph f(%x: int32[]) -> (%y) {  %y = add(%x, %x) : int32[]  }")

Every defect is a FormatError. Nothing is executed: no kernel runs while a text is read. Time is linear, depth costs no
recursion (graphs nest at most 200 deep).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from runtime.errors import FormatError, GraphError
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.parser import Line, Reference, Source, read_sources
from runtime.graph.tokens import Reader
from runtime.graph.verify import verify
from runtime.ops.flow.core import constant_node, placeholder
from runtime.ops.records.families import find
from runtime.ops.records.record import REQUIRED, Array, Op
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["parse_graph"]

DEEPEST: Final = 200


def parse_graph(text: str, arrays: Mapping[str, Array] | None = None) -> Graph:
    """The graph of a text that `print_graph` wrote, or a person. Raises FormatError.

    arrays: those that the text names and does not hold.
    """
    sources, reader = read_sources(text, arrays)
    built: dict[str, Graph] = {}
    for source in _inner_first(sources, reader):
        built[source.label] = _build(source, built, reader)
    graph = built[sources[0].label]
    graph.functions = {source.label: built[source.label] for source in sources if source.in_library}
    try:
        verify(graph)
    except GraphError as error:
        raise FormatError(str(error)) from error
    except Exception as error:  # a shape rule that was given attributes which no call would give it
        raise FormatError(f"an operation has attributes that it cannot have: {error!r}") from error
    return graph


def _inner_first(written: list[Source], reader: Reader) -> list[Source]:
    """The graphs that the first one and those of the library need, each after those that it names."""
    sources = {source.label: source for source in written}
    order: list[Source] = []
    done: set[str] = set()
    path: list[str] = []
    stack = [(source, False) for source in written if source is written[0] or source.in_library]
    while stack:
        source, leaving = stack.pop()
        if leaving:
            path.pop()
            done.add(source.label)
            order.append(source)
        elif source.label not in done:
            path.append(source.label)
            if len(path) > DEEPEST:
                reader.fail_at(source.start, f"graphs are nested more than {DEEPEST} deep")
            stack.append((source, True))
            for reference in source.graphs:
                if reference.name not in sources:
                    reader.fail_at(reference.start, f"there is no graph {reference.name!r}")
                if reference.name in path:
                    reader.fail_at(reference.start, f"graph {reference.name!r} is inside of itself")
                stack.append((sources[reference.name], False))
    return order


def _build(source: Source, built: Mapping[str, Graph], reader: Reader) -> Graph:
    graph = Graph(source.name)
    tensors: dict[tuple[str, int], SymbolicTensor] = {}

    def add(line: Line, op: Op, inputs: tuple[SymbolicTensor, ...]) -> Operation:
        if (line.name, 0) in tensors or line.name in graph._names:
            reader.fail_at(line.start, f"a second operation is called {line.name!r}")
        graph._names[line.name] = 1
        attributes = {k: _with_graphs(v, built) for k, v in line.attributes.items()}
        for name, value in op.attributes.items():
            if name not in attributes and value is not REQUIRED:
                attributes[name] = value  # which the text of an earlier version does not have
        operation = Operation(graph, op, line.name, inputs, attributes, None)
        operation.outputs = tuple(
            SymbolicTensor(operation, i, r.dtype, r.shape, r.weak) for i, r in enumerate(line.results)
        )
        graph.operations.append(operation)
        for tensor in operation.outputs:
            tensors[line.name, tensor.value_index] = tensor
        return operation

    def value_of(reference: Reference) -> SymbolicTensor:
        found = tensors.get((reference.name, reference.index))
        if found is None:
            shown = f"{reference.name}:{reference.index}" if reference.index else reference.name
            reader.fail_at(reference.start, f"%{shown} is not defined before this place")
        return found

    for name, result, start in source.inputs:
        attributes = {"dtype": result.dtype, "shape": result.shape}
        line = Line(name, placeholder.name, [], attributes, [result], start)
        graph.inputs.append(add(line, placeholder, ()).outputs[0])
    for line in source.lines:
        op = find(line.type)
        if op is None or op is placeholder:
            reader.fail_at(line.start, f"there is no operation {line.type!r}")
        operation = add(line, op, tuple([value_of(r) for r in line.inputs]))
        if operation.op is constant_node and len(operation.outputs) == 1:
            operation.outputs[0].value = operation.attributes.get("value")
    graph.outputs = [value_of(reference) for reference in source.outputs]
    return graph


def _with_graphs(value: Any, built: Mapping[str, Graph]) -> Any:
    if isinstance(value, tuple):
        return tuple([_with_graphs(v, built) for v in value]) if any(isinstance(v, Reference) for v in value) else value
    return built[value.name] if isinstance(value, Reference) else value
