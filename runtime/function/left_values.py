"""What a trace leaves in the program: whether tensors of its graph are in a value, and runs can make it anew.

    values = LeftValues(world, of_the_call, original, graph)
    values.has_tensors([x, 1.0])          # True for a tensor x of the graph, None for what cannot be made anew

It also decides whether the trace must begin again, with arrays as memory of the graph:

    self.x = self.x + 1         # an array that numpy has made while the function was traced: each run makes another one
    self.x = np.ones(3) * z     # a tensor, for a number z that only the run knows: an array for numpy
    self.w = TABLE[i:]          # a tensor, for a position that only the run knows: a view of TABLE for numpy
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from enum import Enum
from types import BuiltinFunctionType, FunctionType
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined, inside_of, presence
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.function.left import both
from runtime.function.left_leaves import ANEW, ArrayView, GivenArray, NewArray, attributes_of
from runtime.graph.graph import Graph
from runtime.graph.tensor_writes import TensorWrites
from runtime.heap.holder import ABSENT, Place
from runtime.heap.immutable import is_immutable
from runtime.heap.kind import PLAIN
from runtime.heap.kinds import ARRAY, LARGE_ARRAY
from runtime.heap.store import World
from runtime.ndarrays.layout import owner_of, same_bits
from runtime.ndarrays.restart import IsMemory, are_traced, can_be_memory, restart, restart_for_left
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart
from runtime.tensor.array_classes import holds_numbers
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["LeftValues", "begin_again_for_arrays", "called_in", "check_array_on_some_ways"]


def called_in(graph: Graph) -> list[FunctionType]:
    """The functions that ran in the trace of a graph."""
    return [function for find in graph.recording.tracing.called.values() if (function := find()) is not None]


@dataclass(frozen=True, slots=True)
class LeftValues:
    """world: what there was before the trace; of_the_call: the ids of containers among its arguments; given: of arrays
    and containers of which each run has others; original: gives a container of the program for what stands for it;
    as_left: what runs leave for traced arrays."""

    world: World
    of_the_call: Set[int]
    given: Set[int]
    original: Callable[[Any], Any]
    as_left: Callable[[Any], Any]
    graph: Graph

    @property
    def called(self) -> list[FunctionType]:
        """The functions that ran in the trace."""
        return called_in(self.graph)

    def has_tensors(self, value: Any, known: frozenset[int] = frozenset()) -> bool | None:
        """Whether there are symbolic tensors in a value; None where there is what cannot be made anew in each run."""
        if value is ABSENT:
            return False
        if id(value) in self.given:
            return True
        if isinstance(value, np.ndarray) and id(value) in self.world.by_owner:
            return True  # another array of the program than before, which is bound there in each run
        if isinstance(value, MaybeUndefined):
            return both(True, self.has_tensors([value.value]))
        if self._is_known(value):
            return None
        found: bool | None = False
        for leaf in nest.leaves_once(value, lambda part: nest.is_structure(part) and not self._is_known(part)):
            if isinstance(leaf, TracedArray):
                left = self.as_left(leaf)
                found = both(found, None if left is leaf else self.has_tensors(left, known))
            elif id(leaf) in self.given:
                found = both(found, True)
            elif self._is_known(leaf):  # what only stands for a container is left by runs, which have that
                found = both(found, self.original(leaf) is not leaf or (False if self.stays(leaf) else None))
            elif isinstance(leaf, ArrayView | GivenArray | NewArray):
                found = both(found, True)
            elif isinstance(leaf, MaybeNone):
                found = both(True, self.has_tensors([presence(leaf).value], known))
            elif isinstance(leaf, Ref):
                others = [inner for inner in leaf._ag_objects if not self._is_known(inner)]
                found = both(True, self.has_tensors(others, known))
            elif isinstance(leaf, SymbolicTensor | ChosenFunction):
                tensor = leaf.index if isinstance(leaf, ChosenFunction) else leaf
                found = both(found, True if tensor.graph is self.graph else None)
            elif type(leaf) is np.ndarray:
                found = both(found, False if leaf.base is None and not leaf.dtype.hasobject else None)
            elif type(leaf) in ANEW:
                has_some = self.has_tensors([*leaf], known)
                found = both(found, has_some if type(leaf) is deque or not has_some else None)  # no key is a tensor
            elif not _is_same_in_each_run(leaf):
                found = both(found, self._in_new_object(leaf, known))
            if found is None:
                return None
        return found

    def holds_stand_ins(self, value: Any) -> bool:
        """Whether what only a trace knows stands in something new for an object of Python's: to use it is no error."""
        leaves = nest.leaves_once([value], lambda part: nest.is_structure(part) and not self._is_known(part))
        return any(isinstance(leaf, _STAND_INS) for leaf in leaves)

    def of_place(self, value: Any, before: Any) -> bool | None:
        """`has_tensors` of what a trace leaves in a place; True where that held an array or nothing, and gets a new
        array. before: what it held."""
        held_array = before is None or before is ABSENT or isinstance(before, np.ndarray)
        is_new = type(value) is np.ndarray and holds_numbers(value) and not self._is_known(value)
        return (held_array and is_new) or self.has_tensors(value)

    def _in_new_object(self, leaf: Any, known: frozenset[int]) -> bool | None:
        """The same of an object that the trace has made. known: the ids of those around it."""
        if id(leaf) in known or isinstance(leaf, Enum):  # a member is the same object everywhere, also `READ | WRITE`
            return False
        attributes = None if self._is_known(leaf) else attributes_of(leaf)
        found: bool | None = None if attributes is None else False
        for _, held in attributes or ():
            parts = [value for value in held.values() if not self.stays(value)]
            found = both(found, self.has_tensors(parts, known | {id(leaf)}))
        return found

    def stays(self, known: Any) -> bool:
        """Whether an object that was there before the trace is the same in each run, and nothing stands for it."""
        return id(known) in self.world.by_owner and id(known) not in self.of_the_call

    def _is_known(self, container: Any) -> bool:
        """Whether it was there before the trace, itself or what it stands for."""
        return id(container) in self.world.by_owner or self.original(container) is not container


def _is_same_in_each_run(leaf: Any) -> bool:
    """Whether runs may leave the very object that the trace had: a value that never changes, a class, a builtin."""
    kind = type(leaf)
    return kind in PLAIN or kind is EagerTensor or isinstance(leaf, type | BuiltinFunctionType) or is_immutable(kind)


_STAND_INS: Final = (Ref, MaybeNone, ChosenFunction, Uncertain)

# -- arrays as memory of the graph

_VIEWS: Final = frozenset({"getitem", "transpose", "reshape", "squeeze", "expand_dims", "flip"})
"""Operations that numpy does by views."""


def begin_again_for_arrays(
    world: World, left: Sequence[tuple[Place, Any]], has_no_tensors: bool, writes: TensorWrites
) -> None:
    """Raises Restart where that helps; StagingError for texts, where it does not. left: places with what they are left
    with; has_no_tensors: whether the function is given numbers and arrays alone; writes: of the trace."""
    arrays = [(place, value) for place, value in left if isinstance(value, np.ndarray)]
    tensors = [value for _, value in left if isinstance(value, SymbolicTensor) and value.shape.rank != 0]
    viewed = [constant for constant in map(_viewed_constant, tensors) if constant is not None]
    known = [h.owner for h in world.holders if h.kind in (ARRAY, LARGE_ARRAY)] if arrays or viewed else []
    owners = {id(owner_of(array)): array for array in known}
    for place, value in arrays:
        array = value if id(value) in world.by_owner or are_traced() else place.before
        array = owners.get(id(owner_of(value)), array)
        if id(array) in world.by_owner and can_be_memory(array):
            restart(array)  # which is read in each run then, whatever it holds
    if tensors and has_no_tensors and not are_traced():
        raise Restart(IsMemory(None))
    behind = [array for tensor in tensors for array in writes.arrays_behind(tensor) if isinstance(array, np.ndarray)]
    for array in behind:
        if {id(array), id(owner_of(array))} & world.by_owner.keys() and can_be_memory(array):
            restart(array)
    for constant in viewed:
        restart(next((array for array in known if same_bits(array, constant)), None))
    for place, value in left:
        check_array_on_some_ways(place.path, value, isinstance(place.before, np.ndarray))


def check_array_on_some_ways(words: str, value: Any, is_array: bool = False) -> None:
    """Raises StagingError where what a place is left with is an array on some ways and none on others, or one of
    texts; Restart where that helps. words: for the place; is_array: whether it held an array."""
    tensor = restart_for_left(_tensors_in(value), is_array)
    if tensor is not None and tensor.dtype.family == "string":
        raise StagingError(
            f"{words!r} is left with an array of texts that a tensor decides about, and that is a tensor in"
            " the graph: keep the texts in a list, or bind arrays that are there before the function is called"
        )
    if tensor is not None:
        raise StagingError(
            f"{words!r} is left with an array, or with what is none, as a tensor decides: the graph has one"
            " tensor for both. Leave an array on all ways (`np.array(0.0)`), or None where there is none"
        )


def _tensors_in(value: Any) -> list[Any]:
    """The tensors in a value that are no numbers."""
    leaves = [inside_of(leaf) for leaf in nest.leaves_once(inside_of(value), nest.is_structure)]
    return [leaf for leaf in leaves if isinstance(leaf, SymbolicTensor) and leaf.shape.rank != 0]


def _viewed_constant(tensor: Any) -> Any:
    """The value of a constant of which a tensor would be a view, if it is an array of the program; else None."""
    is_view = False
    while tensor.op.op.name in _VIEWS and isinstance(tensor.op.inputs[0], SymbolicTensor):
        tensor, is_view = tensor.op.inputs[0], True
    return tensor.op.attributes["value"] if is_view and tensor.op.op.name == "constant" else None
