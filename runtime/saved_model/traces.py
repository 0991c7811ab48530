"""One trace of a Function as JSON, and back.

    {"name": "step", "signature": 0, "graph": 0,
     "arguments": [["x", {"tensor": 0}]], "result": {"tuple": [{"tensor": 0}, null]}, "variables": [3], ...}

Tensors among the arguments are numbers of inputs of the graph, those in the result of its outputs; the last inputs are
the handles of Variables, which are named by their numbers among the saved objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from runtime import structures as nest
from runtime.composite.extension_type import ExtensionType
from runtime.composite.ragged_tensor import RaggedTensor
from runtime.composite.sparse_tensor import SparseTensor
from runtime.control_flow.lists.element_types import ElementType, LeafType, RowType
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.optional.values import MaybeNone, presence, values_within
from runtime.dtypes import resource
from runtime.errors import FailedPreconditionError, FormatError
from runtime.function.array_uses import key_of
from runtime.function.concrete import ConcreteFunction
from runtime.function.guards import Guards
from runtime.function.signature import Signature
from runtime.function.trace_types import ObjectKey
from runtime.function.tracing import Trace
from runtime.graph.graph import Graph
from runtime.graph.literals import DTYPES
from runtime.ops.kernels.resource import Resource
from runtime.saved_model.arrays import describe_uses, reads_of, uses_of
from runtime.saved_model.extensions import described_extension, extension_of, fixed_of
from runtime.saved_model.memories import check_handles, describe_memory, memory_of
from runtime.saved_model.values import Leaf, NotSavable, describe, described_dims, dims_of, text_of, value_of
from runtime.state.parameters import Parameter, VariableSpec
from runtime.state.slices import IndexedSlices
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["COMPOSITES", "Reading", "Writing", "add_composites", "describe_trace", "trace_of"]

COMPOSITES: Final[dict[str, Any]] = {"ragged": RaggedTensor, "sparse": SparseTensor, "slices": IndexedSlices}
"""Values that are made of several tensors, which go in and out of Functions."""


@dataclass(frozen=True, slots=True)
class Writing:
    """What the description of a trace needs to know of the rest of the model."""

    number_of: Callable[[Any], int | None]
    """The number of a Variable or another object among the saved ones; None if it is none of them."""
    number_of_memory: Callable[[Any], int | None]
    """The number of what has the memory of an array; None if it is none of them."""
    signature: Callable[[Signature], int]
    graph: Callable[[Graph], int]


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a trace needs to know of the rest of the model."""

    argument: Callable[[Any], Any]
    """The object with a number, which a trace was made with. Raises FormatError."""
    object_of: Callable[[Any], Any]
    """The object with a number. Raises FormatError."""
    signatures: Sequence[Signature]
    graph: Callable[[Any], Graph]
    """The graph with a number. Raises FormatError."""


# -- writing --------------------------------------------------------------------------------------------------------


def describe_trace(trace: ConcreteFunction, writing: Writing) -> Any:
    """A trace as JSON. Raises NotSavable, which says what cannot be saved, and at which line it is used."""
    if any(isinstance(part, ObjectKey) and isinstance(part.target(), Resource) for part in trace.key[0]):
        raise NotSavable(
            "it depends on which Variable it was given, because it asks for that by `name`, `ref()` or `handle`; make"
            " the Variable an attribute, or let the function ask only for its value"
        )
    if trace.state.first:
        raise NotSavable(
            f"it writes to {trace.state.first!r}, which is no part of what is saved: keep the tensor in a Variable, or"
            " return it"
        )
    inputs = {id(tensor): number for number, tensor in enumerate(trace.graph.inputs)}
    outputs = {id(tensor): number for number, tensor in enumerate(trace.graph.outputs)}

    def leaf(value: Any) -> Any:
        if isinstance(value, Parameter):
            spec = [described_dims(value.shape), value.dtype.name, value.trainable]
            return {"variable": [inputs[id(value.input)], *spec]}
        if isinstance(value, ObjectKey):
            return describe(_living(value), of_tree)
        for head, kind in COMPOSITES.items():
            if isinstance(value, kind):
                return {head: [describe(part, leaf) for _, part in value._nest_parts()]}
        if isinstance(value, SymbolicTensor):
            return {"tensor": inputs[id(value)]}
        return described_extension(value, leaf) if isinstance(value, ExtensionType) else of_tree(value)

    def of_tree(value: Any) -> Any:
        number = writing.number_of(value)
        if number is None or isinstance(value, ConcreteFunction):
            raise NotSavable(
                f"it was traced with an object of type {type(value).__name__}, which is not a part of what is saved:"
                " no call could give that very object to the loaded function. Make it an attribute of the saved object,"
                " or let the function take tensors and Python values"
            )
        return {"object": number}

    memories, numbers = trace.captured_inputs, (writing.number_of, writing.number_of_memory)
    handles = trace.graph.inputs[len(trace.graph.inputs) - len(memories) :]
    return {
        "name": trace.name,
        "signature": writing.signature(trace._signature),
        "arguments": [[name, describe(value, leaf)] for name, value in trace._arguments.items()],
        "result": describe(trace.structured_outputs, partial(_describe_output, outputs)),
        "variables": [describe_memory(*one, *numbers) for one in zip(memories, handles, strict=True)],
        "diverges": trace._diverges,
        **describe_uses(trace, writing.number_of),
        "graph": writing.graph(trace.graph),
    }


def _living(key: ObjectKey) -> Any:
    found = key.target()
    if found is None:
        raise NotSavable(f"it was traced with an object of type {key.kind}, which does not exist any more")
    return found


def _describe_output(numbers: Mapping[int, int], value: Any) -> Any:
    inner = partial(_describe_output, numbers)
    if isinstance(value, SymbolicTensor):
        return {"tensor": numbers[id(value)]}
    if isinstance(value, MaybeNone):
        seen = presence(value)
        return {"maybe": [describe(seen.value, inner), describe(seen.present, inner)]}
    if isinstance(value, TensorList):
        return {"growing": [_describe_elements(value._elements, inner), *map(inner, value.handles)]}
    for head, kind in COMPOSITES.items():
        if isinstance(value, kind):
            return {head: [describe(part, inner) for _, part in value._nest_parts()]}
    if isinstance(value, ExtensionType):
        return described_extension(value, inner)
    raise NotSavable(
        f"it returns an object of type {type(value).__name__}; what is saved returns tensors and structures of lists,"
        " tuples, named tuples and dicts"
    )


def _describe_elements(elements: ElementType | None, leaf: Leaf) -> Any:
    if elements is None:
        return None
    kinds = [
        ["rows", _describe_elements(kind.rows, leaf)]
        if isinstance(kind, RowType)
        else [kind.dtype.name, described_dims(kind.shape)]
        for kind in elements.leaves
    ]
    return [describe(elements.model, leaf), kinds]


# -- reading --------------------------------------------------------------------------------------------------------


def trace_of(described: Any, reading: Reading) -> ConcreteFunction:
    """The trace that `describe_trace` was given. Raises FormatError."""
    name = text_of(described, "name")
    try:
        graph = reading.graph(described["graph"])
        signature = reading.signatures[described["signature"]]
        memories = [memory_of(number, reading.object_of) for number in described["variables"]]
        count = len(graph.inputs) - len(memories)
        arguments = _arguments(described["arguments"], graph.inputs[: max(count, 0)], reading)
        uses = uses_of(described, graph)
        outputs = _result(described["result"], graph.outputs[: len(graph.outputs) - len(uses.written)])
        diverges = described["diverges"] is True
        reads = reads_of(described, reading.object_of)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, FormatError | FailedPreconditionError):
            raise
        raise FormatError(f"the trace {name!r:.80} of a saved model cannot be read: {error}") from None
    check_handles(name, graph, memories)
    if list(arguments) != list(signature.signature.parameters)[: len(arguments)]:
        raise FormatError(f"the trace {name!r:.80} has the arguments {list(arguments)!r:.200}, its signature others")
    trace = Trace(graph, outputs, arguments, memories=tuple(memories), diverges=diverges, uses=uses)
    key = key_of(arguments, graph, uses)
    made = ConcreteFunction(name, signature, trace, Guards((), {}), key)
    made.is_loaded, made.reads = True, reads
    return made


def _arguments(described: Any, inputs: Sequence[SymbolicTensor], reading: Reading) -> dict[str, Any]:
    parameters: dict[int, Parameter] = {}

    def variable(body: Any) -> Any:
        number, dims, dtype, trainable = body
        if number not in parameters:
            handle = _numbered(inputs, number)
            spec = VariableSpec(dims_of(dims), DTYPES[dtype], trainable is True, handle.op.name)
            parameters[number] = Parameter(handle, spec)
            parameters[number].close()
        return parameters[number]

    leaves: dict[str, Callable[[Any], Any]] = {
        "object": reading.argument,
        "tensor": partial(_numbered, inputs),
        "variable": variable,
    }
    add_composites(leaves)
    found = {}
    for parameter, value in described:
        if type(parameter) is not str or parameter in found:
            raise ValueError(f"{parameter!r:.80} is no name of an argument, or comes twice")
        found[parameter] = value_of(value, leaves)
    _check_inputs([leaf for value in found.values() for leaf in nest.flatten(value)], inputs)
    return found


def _check_inputs(leaves: Sequence[Any], inputs: Sequence[SymbolicTensor]) -> None:
    """The tensors and Variables of the arguments, in order, are the inputs; for a Variable that comes again there is
    one that nothing uses."""
    remaining = iter(inputs)
    met: set[int] = set()
    for leaf in leaves:
        if isinstance(leaf, SymbolicTensor | Parameter):
            found = next(remaining, None)
            is_variable = isinstance(leaf, Parameter)
            same = found is (leaf.input if isinstance(leaf, Parameter) else leaf) or id(leaf) in met
            if found is None or not same or (found.dtype is resource) != is_variable:
                raise ValueError("the inputs of the graph are not its arguments")
            if is_variable:
                met.add(id(leaf))
    if next(remaining, None) is not None:
        raise ValueError("the graph has more inputs than arguments")


def _numbered(tensors: Sequence[SymbolicTensor], number: Any) -> SymbolicTensor:
    if type(number) is not int or not 0 <= number < len(tensors):
        raise ValueError(f"the graph has no input or output {number!r:.80}")
    return tensors[number]


def add_composites(leaves: dict[str, Callable[[Any], Any]]) -> None:
    """Adds what reads values that are made of tensors to what reads tensors."""

    def part(described: Any) -> Any:
        return value_of(described, leaves)

    leaves["extension"], leaves["fixed"] = (partial(read, read=part) for read in (extension_of, fixed_of))
    leaves["ragged"] = lambda body: _ragged(*_parts(map(part, body), 2))
    leaves["slices"] = lambda body: _slices(_parts(map(part, body), 3))
    leaves["sparse"] = lambda body: SparseTensor.of(*_parts(map(part, body), 3))


def _parts(parts: Iterable[Any], count: int) -> list[Any]:
    found = list(parts)
    allowed = EagerTensor | SymbolicTensor | RaggedTensor | None
    if len(found) != count or not all(isinstance(part, allowed) for part in found) or found[0] is None:
        raise ValueError("a value that is made of tensors has other parts")
    return found


def _ragged(values: Any, row_splits: Any) -> RaggedTensor:
    return RaggedTensor(values, row_splits, internal=True)


def _slices(parts: Sequence[Any]) -> IndexedSlices:
    made = object.__new__(IndexedSlices)
    made.values, made.indices, made.dense_shape = parts
    return made


def _result(described: Any, tensors: Sequence[SymbolicTensor]) -> Any:
    def maybe(body: Any) -> MaybeNone:
        value, present = body
        return MaybeNone(value_of(value, leaves), value_of(present, leaves))

    def growing(body: Any) -> TensorList:
        elements, *handles = body
        return TensorList.like(_elements(elements, leaves), [value_of(handle, leaves) for handle in handles])

    leaves: dict[str, Callable[[Any], Any]] = {
        "growing": growing,
        "maybe": maybe,
        "tensor": partial(_numbered, tensors),
    }
    add_composites(leaves)
    result = value_of(described, leaves)
    found = [leaf for leaf in values_within(result) if leaf is not None]
    if len(found) != len(tensors) or any(a is not b for a, b in zip(found, tensors, strict=True)):
        raise ValueError("the outputs of the graph are not the tensors of its result")
    if any(tensor.dtype is resource for tensor in tensors):
        raise ValueError("the result has handles of Variables")
    return result


def _elements(described: Any, leaves: Mapping[str, Callable[[Any], Any]]) -> ElementType | None:
    if described is None:
        return None
    model, types = described
    kinds = [
        RowType(_elements(kind, leaves)) if name == "rows" else LeafType(DTYPES[name], dims_of(kind))
        for name, kind in types
    ]
    return ElementType(value_of(model, leaves), tuple(kinds))
