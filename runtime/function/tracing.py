"""One trace: the Python function is called with symbolic tensors, and the operations that it calls become a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from autograph.errors import StagingError
from autograph.operators.classes import tracing
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.builtins.numpy_functions import look_for_scipy
from runtime.control_flow.lists.promotion import watching
from runtime.control_flow.lists.rows import check_rows
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.loops.known import check_numbers
from runtime.control_flow.objects.maybe_views import check_orders
from runtime.control_flow.objects.ref_each import with_copies
from runtime.control_flow.objects.watched import check_watched
from runtime.control_flow.optional.values import map_values, values_within
from runtime.control_flow.stager import STAGER
from runtime.control_flow.tries.raised import Diverged, holds_tensors, is_of_the_program, record_raise
from runtime.dtypes import resource
from runtime.function.argument_containers import ArgumentContainers
from runtime.function.array_arguments import Arrays, without_arrays
from runtime.function.array_uses import NO_ARRAYS, ArrayUses
from runtime.function.changed_copies import Copies
from runtime.function.floating_errors import floating_guard
from runtime.function.leaves import input_names, is_input, is_number_of_numpy
from runtime.function.number_arguments import as_expected
from runtime.function.numbers import Number
from runtime.function.signature import Signature
from runtime.function.trace_protocol import with_parts, with_placeholders, without_values
from runtime.function.trace_types import as_tensor
from runtime.graph.graph import Graph
from runtime.graph.library import called_functions
from runtime.graph.location import definition, locating
from runtime.graph.nesting import nested_graphs
from runtime.ops.flow.core import identity
from runtime.ops.kernels.resource import Resource
from runtime.shapes import TensorShape
from runtime.state.creation import Creations
from runtime.state.parameters import Parameter, VariableSpec
from runtime.state.tensor_array import warn_of_lost_changes
from runtime.state.variable import Variable
from runtime.tensor.convert import as_operand, convert_to_tensor
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

if TYPE_CHECKING:  # which imports this
    from runtime.function.restarting import Memory

__all__ = ["Trace", "as_outputs", "trace_function"]

CONVERTIBLE: Final = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


@dataclass(frozen=True, slots=True)
class Trace:
    """A finished trace. `outputs` has the structure of the result, with symbolic tensors of the graph (and None).

    What is None in some runs only is a MaybeNone of them.
    """

    graph: Graph
    outputs: Any
    arguments: dict[str, Any]
    """The canonical arguments, with the graph's inputs in the place of tensors."""
    by_identity: bool = False
    """Whether the trace depends on which Variables were given, not only on their types."""
    memories: tuple[Resource, ...] = ()
    """The memory of the Variables that the function met on its way; their handles are the last inputs of the graph."""
    diverges: bool = False
    """Whether the function raises on all its ways, so that nothing comes after a call of it."""
    uses: ArrayUses = NO_ARRAYS
    """What it does with ndarrays of the caller."""
    changed_copies: tuple[str, ...] = ()
    """What the function changes of its copies of structures among the arguments, for good: as the caller writes it."""
    copied: tuple[str, ...] = ()
    """The same, where a call of the Function itself takes a trace that changes those of the caller."""


def trace_function(
    function: Callable[..., Any],
    signature: Signature,
    name: str,
    arguments: dict[str, Any],
    call: Callable[[tuple[Any, ...], dict[str, Any]], Any],
    memory: Memory,
    containers: ArgumentContainers,
    classes: Sequence[type] = (),
    expected: Sequence[Any] = (),
) -> Trace:
    """Calls `function` with an input of a new graph for each tensor, ndarray, Variable and spec in `arguments`.

    `call` does it: `call(args, kwargs)`. memory: puts what is traced where runs read and write. classes: the user's
    that it may meet. expected: results to be like. containers: those among the arguments that a tensor decides about.
    It leaves nothing if it raises.
    """
    graph = _new_graph(name)
    creations = graph.recording.tracing.creations = Creations(graph, function)
    parameters: dict[int, Parameter] = {}
    symbolic = {name: _with_inputs(graph, name, value, parameters) for name, value in arguments.items()}
    arrays = memory.arrays(graph)
    seen = containers.standing(_given(symbolic, arguments, arrays), graph)
    copies = Copies(arguments, seen)
    args, kwargs = signature.split(seen)
    with (
        tracing(STAGER, function, args, kwargs, *classes), recording(graph), watching(graph, function, args, kwargs),
        memory.captured(graph) as captures,
    ):  # fmt: skip
        value, diverges = _run(graph, lambda: call(args, kwargs))
        check_watched()
        copies.end(value, containers)
        check_orders(result := as_expected(as_outputs(value, name, function), expected, graph))
        _check(graph, name)
        outputs = map_values(lambda leaf: _output(graph, leaf), result)
        written = [] if diverges else arrays.written()
        ends = [_output(graph, tensor) for _, tensor in written]
        ends += captures.write(graph, partial(_output, graph), diverges, arrays)
    graph.outputs = [*(leaf for leaf in values_within(outputs) if leaf is not None), *ends]
    graph.functions = called_functions(graph)
    warn_of_lost_changes(nested_graphs(graph))
    changed = copies.words(containers)
    del value, result, copies  # what only they keep is kept by nothing
    creations.finish()
    graph.recording.tracing.creations = None
    by_identity = True in [parameter.close() for parameter in parameters.values()]  # each is closed
    symbolic = {name: without_values(value) for name, value in symbolic.items()}
    uses = arrays.uses(graph, [tensor for tensor, _ in written], memory.unread())
    return Trace(graph, outputs, symbolic, by_identity, _memories(graph), diverges, uses, *changed)


def _check(graph: Graph, name: str) -> None:
    check_numbers(graph)
    graph.recording.tracing.writes.check_parts()
    if (failure := graph.recording.tracing.failure) is not None:
        raise StagingError(
            f"{name!r} caught an exception that left a staged part of it: {failure}. A graph cannot take that path"
            " back: let the exception pass, or test the condition before."
        )


def _memories(graph: Graph) -> tuple[Resource, ...]:
    """What the graph takes after its arguments. Handles that only discarded parts of the trace used are dropped."""
    used = {id(t) for operation in graph.operations for t in operation.inputs}
    unused = {id(handle) for _, handle in graph.recording.tracing.resources.values()} - used
    graph.inputs = [t for t in graph.inputs if id(t) not in unused]
    graph.operations = [o for o in graph.operations if not any(id(t) in unused for t in o.outputs)]
    arguments = len(graph.inputs) - sum(id(handle) in used for _, handle in graph.recording.tracing.resources.values())
    given = any(t.dtype is resource for t in graph.inputs[:arguments])
    graph.distinct_handles = not (given and len(graph.inputs) > arguments)
    return tuple(memory for memory, handle in graph.recording.tracing.resources.values() if id(handle) in used)


def _new_graph(name: str) -> Graph:
    graph = Graph(name)
    graph.recording.guards = (floating_guard(),)
    return graph


def _run(graph: Graph, code: Callable[[], Any]) -> tuple[Any, bool]:
    """The function's result, and whether it raises on all its ways.

    An exception of the program is one of the trace, unless the program does something before, which is done first then;
    or it shows what a tensor holds.
    """
    look_for_scipy()
    try:
        with locating():
            return code(), False
    except Diverged:
        return None, True
    except Exception as error:
        if not (is_of_the_program(error) and (graph.stateful or holds_tensors(error))):
            raise
        record_raise(graph, error)
        return None, True


def _with_inputs(graph: Graph, parameter: str, value: Any, parameters: dict[int, Parameter]) -> Any:
    """An argument with inputs of the graph in the place of its tensors.

    What holds no tensors is passed as it is, the very object, so that the function may change it.
    """
    names = iter(input_names(parameter, value))

    def to_input(leaf: Any) -> Any:
        if not is_input(leaf):
            return leaf
        if isinstance(leaf, Variable | VariableSpec):
            known = parameters.get(id(leaf))
            name = next(names)
            if known is None:
                handle = graph.placeholder(resource, [], name)
                if isinstance(leaf, Variable):
                    graph.recording.tracing.creations.given[id(handle)] = leaf._memory
                known = parameters[id(leaf)] = Parameter(handle, leaf)
            else:
                graph.placeholder(resource, [], name)  # never used: the first one stands for both
            return known
        is_number = isinstance(leaf, Number)
        like = leaf if isinstance(leaf, TensorSpec | Tensor) else leaf.tensor() if is_number else as_tensor(leaf)
        tensor = graph.placeholder(like.dtype, like.shape, next(names), weak=is_number)
        tensor.of_array = is_number_of_numpy(leaf)
        if isinstance(like, EagerTensor):
            graph.recording.tracing.creations.given[id(tensor)] = like._array
        return tensor

    return nest.map_structure(to_input, value) if any(map(is_input, nest.flatten(value))) else value


def _given(symbolic: dict[str, Any], arguments: dict[str, Any], arrays: Arrays) -> dict[str, Any]:
    """What the function is given, and may change: copies of structures with inputs of the graph."""
    given = {}
    for name, value in symbolic.items():
        own = value if value is arguments[name] else nest.map_structure(lambda leaf: leaf, value)
        given[name] = with_placeholders(arrays.given(name, arguments[name], own))
    return given


def as_outputs(result: Any, name: str, function: Callable[..., Any]) -> Any:
    """The result of a Function: numbers, strings and ndarrays become tensors, None stays.

    Raises TypeError for what a graph cannot return.
    """

    def to_output(leaf: Any) -> Any:
        leaf = as_operand(leaf) if isinstance(leaf, Variable) else leaf
        if leaf is None or isinstance(leaf, Tensor):
            return leaf
        if isinstance(leaf, CONVERTIBLE):
            return convert_to_tensor(leaf)
        place = definition(function)
        raise TypeError(
            f"{name}(){place and f' ({place})'} returned a value of type {type(leaf).__name__}, but a"
            f" Function returns tensors, numbers, strings, None and structures (list, tuple, dict,"
            f" dataclass) of them; got {leaf!r}"
        )

    result = with_copies(with_copies(result), values=True)
    leaves = nest.flatten(result, nest.is_plain)
    for value in leaves:
        if isinstance(value, TensorList):
            value.note_use()
    if any(type(value) is TensorShape for value in leaves):
        result = nest.map_structure(_with_sizes, result, nested=nest.is_plain)
    check_rows()
    return map_values(to_output, without_values(with_parts(without_arrays(result))))


def _with_sizes(leaf: Any) -> Any:
    """A static shape as the tuple of its sizes, where all are known."""
    return leaf.as_tuple() if type(leaf) is TensorShape and leaf.is_fully_defined() else leaf


def _output(graph: Graph, leaf: Any) -> Any:
    if leaf is None:
        return None
    assert isinstance(leaf, EagerTensor | SymbolicTensor)
    tensor = identity(leaf, name="Identity")
    tensor.weak = False
    return tensor
