"""`reduce_retracing`: a trace that leaves open which dims differ from those of the traces that there are.

calls with shapes [2, 3], then [4, 3]      ->  the second trace is for [None, 3], and serves [5, 3] too
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from runtime import structures as nest
from runtime.function.leaves import VARIABLES, is_input, is_number_of_numpy
from runtime.function.trace_protocol import TraceType, Typed, TypedParts, is_whole
from runtime.function.trace_types import Key, Specs, tensor_keys
from runtime.ndarrays.arguments import ArraySpec, is_memory, mark_of
from runtime.shapes import TensorShape
from runtime.tensor.spec import TensorSpec

__all__ = ["relaxed"]


def relaxed(arguments: dict[str, Any], key: Key, alike: Sequence[Specs]) -> dict[str, Any]:
    """The arguments, whose key is given, with specs in the place of tensors. `alike`: the tensors of similar traces.

    What has a TraceType of its own gets the narrowest one above those of the similar traces, if there is any.
    """
    if not alike:
        return arguments
    tensors = tensor_keys(key[1])
    shapes = [TensorShape(dims) for _, dims in tensors]
    for specs in map(tensor_keys, alike):
        shapes = [shape.relax_with(TensorShape(dims)) for shape, (_, dims) in zip(shapes, specs, strict=True)]
    open_specs = iter([TensorSpec(shape, dtype) for shape, (dtype, _) in zip(shapes, tensors, strict=True)])
    types = iter([_above(given, [specs[i] for specs in alike]) for i, given in enumerate(key[1]) if i >= len(tensors)])
    return {
        name: nest.map_structure(lambda leaf: _opened(leaf, open_specs, types), value, nested=is_whole)
        for name, value in arguments.items()
    }


def _opened(leaf: Any, specs: Iterator[TensorSpec], types: Iterator[TraceType]) -> Any:
    """Variables keep their shape, and numbers have none."""
    if isinstance(leaf, TypedParts):
        for _ in leaf.parts:  # their specs are those of the type
            next(specs)
        return TypedParts(next(types), leaf.value)
    if type(leaf) is Typed:
        return Typed(next(types), leaf.value)
    if not is_input(leaf):
        return leaf
    spec = next(specs)
    if is_memory(leaf):
        return ArraySpec(spec, mark_of(leaf))
    return leaf if isinstance(leaf, VARIABLES) or is_number_of_numpy(leaf) else spec


def _above(given: Any, others: Sequence[Any]) -> TraceType:
    found = given.most_specific_common_supertype([other for other in others if other != given])
    return given if found is None else found
