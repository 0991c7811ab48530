"""The ndarrays among the arguments of one trace: what stands for them, and which of them the function has written to.

    arrays = Arrays()
    seen = arrays.given("a", a, tensor)      # a TracedArray in the place of the input of the graph
    ...                                      # the function is traced: a[0] = 1.0
    arrays.written()                         # [(input, what it holds now)]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

import numpy as np

import runtime.ndarrays.calls  # noqa: F401 - which gives arrays their operators
from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.optional.values import MaybeNone, presence
from runtime.errors import InvalidArgumentError, SignatureError
from runtime.function.trace_protocol import is_whole
from runtime.graph.graph import Graph
from runtime.ndarrays.arguments import is_memory, mark_of, overlapping
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.captured import ArrayMemory
from runtime.ndarrays.layout import laid_out
from runtime.ndarrays.restart import restart
from runtime.ndarrays.steps import Index
from runtime.ndarrays.traced import TracedArray
from runtime.state.variable import present_value

__all__ = ["Arrays", "check_replaced", "targets_of", "without_arrays", "write_traced"]


class Arrays:
    """See the module's docstring."""

    def __init__(self) -> None:
        self._known: list[tuple[Any, Any, TracedArray]] = []
        self._texts: list[Any] = []

    def given(self, name: str, argument: Any, symbolic: Any) -> Any:
        """An argument as the function sees it. symbolic: the argument with inputs of the graph for its tensors."""
        leaves = nest.flatten(argument, is_whole)
        if not any(isinstance(leaf, np.ndarray) or is_memory(leaf) for leaf in leaves):
            return symbolic
        pairs = list(zip(leaves, nest.flatten(symbolic, is_whole), strict=True))
        self._texts += [tensor for leaf, tensor in pairs if isinstance(leaf, np.ndarray) and not is_memory(leaf)]
        found = [self._array(name, leaf, tensor) if is_memory(leaf) else tensor for leaf, tensor in pairs]
        return nest.pack_sequence_as(symbolic, found, is_whole)

    def _array(self, name: str, leaf: Any, tensor: Any) -> TracedArray:
        known = next((array for other, _, array in self._known if other is leaf), None)
        if known is not None:
            return known
        made = _traced(tensor, leaf, name)
        self._known.append((leaf, tensor, made))
        return made

    def without(self, tensors: Sequence[Any]) -> list[Any]:
        """Those of the inputs of the graph that stand for no array."""
        return [tensor for tensor in tensors if not any(tensor is known for _, known, _ in self._known)]

    def written(self) -> list[tuple[Any, Any]]:
        """The inputs whose arrays were written to, each with what the array holds now."""
        return [(tensor, array.value()) for _, tensor, array in self._known if array.buffer.is_written]

    def check_kept(self, header: str, recorder: Any) -> None:
        """After a call within a trace: an ndarray of numpy's own that was written to is memory from now on; one of text
        cannot be."""
        if recorder.tracing.writes.touch(self._texts):
            raise SignatureError(f"{header}: {_TEXT}")
        for leaf, _, array in self._known:
            if array.buffer.is_written:
                restart(leaf)
                raise StagingError(
                    f"{header} writes to {array.buffer.label!r}, an array of numpy that the function around it takes"
                    " from elsewhere: pass it as an argument of that function, or a copy"
                )


def _traced(tensor: Any, array: Any, label: str) -> TracedArray:
    """What stands for an argument in a trace. tensor: the input of the graph; array: the ndarray, or its spec."""
    mark = mark_of(array)
    if mark.strides is None:
        return TracedArray(Buffer(tensor, label, refusal=mark.refusal))
    if not tensor.shape.is_fully_defined():
        return TracedArray(Buffer(tensor, label, refusal=mark.refusal), (Index((...,)),))  # of no layout that is known
    layout = laid_out(tensor.shape.as_tuple(), [stride // tensor.dtype.size for stride in mark.strides])
    return TracedArray(Buffer(tensor, label, layout, mark.refusal))


def targets_of(
    graph: Graph, header: str, written: Sequence[int], tensors: Any, memories: Sequence[Any] = ()
) -> list[Any]:
    """The caller's arrays that a run writes to. written: the numbers of the inputs of the graph; memories: those of the
    Variables and arrays that it captures.

    Raises SignatureError for a tensor in the place of an array, InvalidArgumentError where two share their memory.
    """
    given = dict(getattr(tensors, "arrays", ()))
    for place in written:
        if place not in given:
            raise SignatureError(
                f"{header}: {graph.inputs[place].op.name!r} is an array that the function writes to, and a tensor never"
                " changes: pass an ndarray"
            )
    targets = [given[place] for place in written]
    for memory in memories:
        if isinstance(memory, ArrayMemory) and any(np.shares_memory(memory.array, array) for array in given.values()):
            raise InvalidArgumentError(
                f"{header}: an argument shares memory with the array {memory.name!r}, which the function captures and"
                " writes to: pass a copy"
            )
    if (pair := overlapping(targets, list(given.values()))) is not None:
        names = [graph.inputs[place].op.name for place, array in given.items() if any(array is one for one in pair)]
        raise InvalidArgumentError(
            f"{header}: the arrays {' and '.join(map(repr, names))} share memory, and one of them is written to: pass a"
            " copy of one of them"
        )
    return targets


_TEXT: Final = (
    "an array of text or of objects is written to, and is no memory of a graph, so that the caller would not see that:"
    " keep the texts in a list, or pass a tensor (runtime.constant(array)) and return the new one"
)


def check_replaced(graph: Graph, header: str, replaced: Collection[int], tensors: Any) -> None:
    """Raises SignatureError for arrays where a trace was made for tensors, and the function writes to them.

    replaced: the numbers of those inputs.
    """
    if not replaced:
        return
    if any(place in replaced for place in getattr(tensors, "texts", ())):
        raise SignatureError(f"{header}: {_TEXT}")
    for place, _ in getattr(tensors, "arrays", ()):
        if place in replaced:
            name = graph.inputs[place].op.name
            raise SignatureError(
                f"{header}: this trace was made for a tensor {name!r}, and the function writes to it: an array that is"
                " given here would not see that. Call the Function itself, or get_concrete_function with the array, or"
                " pass a tensor (runtime.constant)"
            )


def write_traced(written: Sequence[int], header: str, tensors: Any, values: Sequence[Any]) -> None:
    """Writes what a graph leaves in its arguments to the arrays of the trace that calls it."""
    given = dict(getattr(tensors, "arrays", ()))
    for place, value in zip(written, values, strict=True):
        target = given.get(place)
        if not isinstance(target, TracedArray):
            restart(target)
            raise SignatureError(f"{header}: input {place} is an array that the function writes to: pass an ndarray")
        target.write(value)


def without_arrays(value: Any) -> Any:
    """The value with tensors in the place of arrays: what they hold now."""
    if not any(isinstance(leaf, TracedArray | MaybeNone) for leaf in nest.flatten(value, nest.is_structure)):
        return value
    return nest.map_structure(_without_arrays, value, nested=nest.is_structure)


def _without_arrays(leaf: Any) -> Any:
    if isinstance(leaf, MaybeNone):
        seen = presence(leaf)
        return MaybeNone(without_arrays(seen.value), seen.present)
    return present_value(leaf)
