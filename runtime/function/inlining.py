"""A trace that is called while another one is made: its operations become a part of that.

    kept = step.get_concrete_function(spec)

    @runtime.function
    def twice(x):
        return kept(kept(x))

What it writes to ndarrays reaches what stands for these in the trace around it, which writes it to them in its end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from autograph.errors import StagingError
from runtime.context import current_recorder
from runtime.control_flow.optional.values import map_values
from runtime.control_flow.tries.raised import Diverged
from runtime.function.array_arguments import check_apart, write_traced
from runtime.function.trace_protocol import with_objects
from runtime.graph.graph import Graph
from runtime.graph.library import add_functions, renamed
from runtime.graph.location import called_at, user_location
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.restart import memory_in_trace
from runtime.ndarrays.traced import TracedArray
from runtime.ops.flow import state
from runtime.ops.flow.core import placeholder
from runtime.ops.kernels.resource import Resource
from runtime.state.parameters import Parameter
from runtime.state.variable import Variable
from runtime.state.writing import note_writes
from runtime.tensor import taping
from runtime.tensor.leaks import leak
from runtime.tensor.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from runtime.function.concrete import ConcreteFunction

__all__ = ["inline"]


def inline(concrete: ConcreteFunction, tensors: Sequence[Any]) -> Any:
    """The result of a call in the graph that is being recorded. tensors: for the inputs of its graph.

    Raises StagingError where it writes to what the trace around it does not know.
    """
    uses = concrete.uses
    concrete.state.refuse(f"{concrete.header} is called", "call the Function itself")
    if concrete.knows_arrays:
        check_apart(concrete, tensors)
    graph = current_recorder()
    if not isinstance(graph, Graph):
        tensor = next(t for t in tensors if isinstance(t, SymbolicTensor | Parameter))
        raise leak(tensor.input if isinstance(tensor, Parameter) else tensor, f"used in {concrete.name!r}")
    memories = concrete.captured_inputs
    arrays = [_standing_for(concrete, memory) if isinstance(memory, ArrayMemory) else None for memory in memories]
    for memory, array in zip(memories, arrays, strict=True):
        if taping.active and array is None:
            taping.note_access(Variable._of(memory))
    names = add_functions(graph.recording.root, concrete.graph.functions)
    source = renamed(concrete.graph, names) if names else concrete.graph
    given = [t._handle(graph) if isinstance(t, Variable) else t for t in tensors]
    given += [_handle(graph, *pair) for pair in zip(memories, arrays, strict=True)]
    inner: dict[int, Any] = {
        id(i): graph.recording.localize(value, concrete.name)
        for i, value in zip(source.inputs, given, strict=True)
        if not isinstance(value, TracedArray)
    }
    outside = {id(i): value for i, value in zip(source.inputs, given, strict=True) if isinstance(value, TracedArray)}
    _copy(source, graph, inner, outside)
    note_writes(concrete.graph, given, graph)
    if concrete._diverges:
        raise Diverged
    if uses.written:
        ends = [inner[id(made)] for made in source.outputs[-len(uses.written) :]]
        write_traced(uses.written, concrete.header, tensors, ends)
    results = {id(t): inner[id(made)] for t, made in zip(concrete.graph.outputs, source.outputs, strict=True)}
    return with_objects(map_values(lambda t: None if t is None else results[id(t)], concrete.structured_outputs))


def _standing_for(concrete: ConcreteFunction, memory: ArrayMemory) -> TracedArray:
    """What stands for an array that the trace captures. The trace around it begins again where that is not known."""
    found = memory_in_trace(memory.array, begins_again=True)
    if found is None:
        raise StagingError(
            f"{concrete.header} writes to the array {memory.name!r}, and is called in a graph that is made by hand:"
            " call it in a function that runtime.function decorates"
        )
    return found


def _handle(graph: Graph, memory: Resource, array: TracedArray | None) -> Any:
    return graph.recording.handle(memory) if array is None else array


def _copy(source: Graph, graph: Graph, inner: dict[int, Any], arrays: dict[int, TracedArray]) -> None:
    """Adds the operations. inner: by the id of a tensor of `source` that which stands for it in `graph`. arrays: by the
    id of an input what stands for an array that is read at the beginning, and written at the end."""
    place = user_location()
    for operation in source.operations:
        if operation.op is placeholder:
            continue
        array = arrays.get(id(operation.inputs[0])) if operation.inputs else None
        if array is not None and operation.op is state.read_variable:
            inner[id(operation.outputs[0])] = graph.recording.localize(array.value(), "read")
        elif array is not None and operation.op is state.assign_variable:
            array.write(inner[id(operation.inputs[1])])
        else:
            copy = graph.add(
                operation.op, [inner[id(t)] for t in operation.inputs], operation.attributes, operation.name
            )
            copy.location = called_at(operation.location, place)
            inner.update((id(old), new) for old, new in zip(operation.outputs, copy.outputs, strict=True))
    graph.recording.copies.append((source, inner))
