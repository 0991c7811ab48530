"""What a trace does with ndarrays of its caller, and for which arrays that is right.

    uses.written          # (0,): the first input of the graph is an array that the function writes to
    check_layout(...)     # SignatureError: the array 'a' is not laid out as that which the function was traced with

Where numpy gives a view and where a copy (`a.ravel()`) depends on how an array lies in memory, so that what reaches the
caller's array does. A Function has a trace for each layout; one trace by itself takes none but its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from runtime import structures as nest
from runtime.dtypes import DType
from runtime.errors import SignatureError
from runtime.function.trace_types import Key, encode
from runtime.graph.graph import Graph
from runtime.ndarrays.arguments import ArraySpec, Mark, mark_of
from runtime.ndarrays.overlaps import Pattern
from runtime.state.parameters import VariableSpec
from runtime.tensor.spec import TensorSpec

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.concrete import ConcreteFunction

__all__ = ["NO_ARRAYS", "ArrayUses", "check_layout", "check_placed", "key_of", "positions", "specs_of"]


@dataclass(frozen=True, slots=True)
class ArrayUses:
    """See the module's docstring. Numbers are those of inputs of the graph: of arrays that are arguments, and of those
    that runs find in places of the program, which come after these."""

    written: tuple[int, ...] = ()
    """The arrays that are written to; what they hold at the end are outputs of the graph, after those of the result."""
    replaced: tuple[int, ...] = ()
    """The inputs that are tensors, and that the function writes to as if they were arrays: a variable gets a new tensor
    there. No array may be given for them."""
    same: tuple[tuple[int, ...], ...] = ()
    """Those that are the same array of the caller as an earlier one, with that."""
    pattern: Pattern = ()
    """How those lie that share memory (`runtime.ndarrays.overlaps`), if it was made for such a call."""
    marks: tuple[tuple[int, Mark], ...] = ()
    """All arrays, each with what the trace depends on."""
    needs_layout: bool = False
    """Whether it is right for arrays that are laid out as in the trace alone, because it writes to arrays, and
    asks for a view of one that may be a copy."""
    asks_identity: bool = False
    """Whether it depends on which of them are one."""
    unread: frozenset[int] = frozenset()
    """The arrays in places of the program of which nothing is computed: it does not matter what they share."""


NO_ARRAYS: Final = ArrayUses()


def positions(graph: Graph, inputs: Sequence[Any]) -> tuple[int, ...]:
    """The numbers of these inputs of the graph."""
    places = {id(tensor): place for place, tensor in enumerate(graph.inputs)}
    return tuple(places[id(tensor)] for tensor in inputs)


def check_layout(trace: ConcreteFunction, tensors: Any) -> None:
    """Raises SignatureError for arrays that the trace would write to in another way than Python."""
    uses, given = trace.uses, dict(getattr(tensors, "arrays", ()))
    for place, mark in uses.marks:
        if (array := given.get(place)) is None:
            continue
        name = trace.graph.inputs[place].op.name
        if place in uses.written and (refusal := _refusal(array)):
            raise SignatureError(f"{trace.header}: {name!r} is written to: {refusal}")
        if uses.needs_layout and _strides(array) != mark.strides:
            raise SignatureError(
                f"{trace.header}: the array {name!r} is laid out in memory in another way (strides) than that which it"
                " was traced with, and what it writes reaches an array or a copy of it by that: pass an array that is"
                f" laid out like that (b = np.ascontiguousarray({name}), or np.asfortranarray), and copy what it holds"
                f" then ({name}[...] = b)"
            )


def check_placed(trace: ConcreteFunction, arrays: Mapping[int, Any]) -> None:
    """Raises SignatureError for a tensor in the place of an array that the trace writes to. arrays: what it is given,
    by the numbers of their inputs."""
    for place in trace.uses.written:
        if place not in arrays:
            raise SignatureError(
                f"{trace.header}: {trace.graph.inputs[place].op.name!r} is an array that the function writes to, and a"
                " tensor never changes: pass an ndarray"
            )


def _refusal(array: Any) -> str:
    """Why nothing may be written to an array; an empty text where it may."""
    return mark_of(array).refusal if isinstance(array, np.ndarray) else ""


def _strides(array: Any) -> tuple[int, ...] | None:
    """As those of a `Mark`, of an ndarray or of what stands for one in a trace."""
    if isinstance(array, np.ndarray):
        return mark_of(array).strides
    layout = array.layout
    if layout is None or layout.flags.c_contiguous:
        return None
    return tuple(stride * array.dtype.size for stride in layout.strides)


def key_of(arguments: Mapping[str, Any], graph: Graph, uses: ArrayUses) -> Key:
    """The key of a trace with these arguments, in which inputs of its graph stand for tensors, numbers and arrays."""
    places = {id(tensor): place for place, tensor in enumerate(graph.inputs)}
    first: dict[int, int] = {place: known for place, known, *_ in uses.same}
    marks = dict(uses.marks)
    made: dict[int, Any] = {}

    def given(leaf: Any) -> Any:
        place = places.get(id(leaf))
        if place is not None and leaf.of_array:
            return _number(leaf.dtype)
        if place is None or place not in marks:
            return leaf
        place = first.get(place, place)
        spec = TensorSpec(leaf.shape, leaf.dtype)
        return made.setdefault(place, ArraySpec(spec, marks[place]))

    key, _ = encode({name: nest.map_structure(given, value) for name, value in arguments.items()})
    return ((*key[0], uses.pattern), key[1]) if uses.pattern else key


def specs_of(trace: ConcreteFunction) -> dict[str, Any]:
    """The arguments to trace once more with: as those of the trace, with specs in the place of tensors and arrays."""
    places, marks = itertools.count(), dict(trace.uses.marks)
    first: dict[int, int] = {place: known for place, known, *_ in trace.uses.same}
    made: dict[int, Any] = {}

    def as_given(leaf: Any) -> Any:
        if not isinstance(leaf, TensorSpec | VariableSpec):
            return leaf
        place = next(places)
        if trace.graph.inputs[place].of_array:
            return _number(leaf.dtype)
        place = first.get(place, place)
        if place not in marks or isinstance(leaf, VariableSpec):
            return leaf
        return made.setdefault(place, ArraySpec(leaf, marks[place]))

    return {name: nest.map_structure(as_given, value) for name, value in trace.wanted.items()}


def _number(dtype: DType) -> Any:
    """What stands for all numbers of numpy of a dtype."""
    return np.zeros((), dtype.numpy)[()]
