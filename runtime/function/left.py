"""What a trace leaves in a place of the program, and what its runs leave there: with tensors in the place of outputs.

    made = Made(world, keep)
    left = Left(place, made.of([h, c]), ...)     # outputs of the graph for h and c
    left.made(iter(tensors), {})                 # a new list of two tensors, for one run
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograph.errors import StagingError, StagingTypeError
from autograph.operators.variables import Undefined
from runtime import structures as nest
from runtime.control_flow.calls.chosen import ChosenFunction
from runtime.control_flow.lattice.leaf import LeafType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.maybe_views import check_orders
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.watched import is_copy_of_one
from runtime.control_flow.optional.bools import truth_of
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined, inside_of, presence
from runtime.function.containers_of_call import OfCall
from runtime.function.elements_left import rows_of
from runtime.function.left_leaves import (
    ANEW,
    LEAVES,
    ArrayView,
    Chosen,
    Found,
    NewArray,
    NewContainer,
    NewObject,
    attributes_of,
)
from runtime.heap.holder import ABSENT, Holder
from runtime.heap.open_objects import own_class
from runtime.heap.place import LastingPlace, handle_of
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Tensor

__all__ = ["Keep", "Left", "Made", "both", "check_arrays", "check_left", "containers_in", "is_in_order"]

Keep = Callable[[Any], Any]
"""Makes an output of the graph of a tensor."""


@dataclass(frozen=True, slots=True)
class Left:
    """A place, and what the trace leaves there: with outputs of the graph for tensors. types: of these."""

    place: LastingPlace
    value: Any
    types: tuple[LeafType, ...]

    def made(self, tensors: Iterator[EagerTensor], known: dict[int, Any], arrays: Mapping[int, Any]) -> Any:
        """The value of a run; ABSENT where the place has none. known: what is made of structures, by their ids; arrays:
        those that the run was given, by the numbers of their inputs."""
        made = _Filled(zip(tensors, self.types, strict=False) if self.types else iter(()), known, arrays)
        if not isinstance(self.value, MaybeUndefined):
            return made.of(self.value)
        value = made.of(self.value.value)
        return value if made.of(self.value.defined) else ABSENT


@dataclass(eq=False, slots=True)
class _Filled:
    """Makes what a run leaves: with its tensors, or the numbers and texts that they stand for, for outputs."""

    _outputs: Iterator[tuple[EagerTensor, LeafType]]
    known: dict[int, Any]
    _arrays: Mapping[int, Any]

    def of(self, value: Any) -> Any:
        if isinstance(value, MaybeNone):
            seen = presence(value)
            made = self.of(seen.value)
            return made if self.of(seen.present) else None
        if not isinstance(value, LEAVES) and not nest.is_nested(value):
            return self._tensor() if isinstance(value, SymbolicTensor) else value
        if id(value) not in self.known:
            self.known[id(value)] = value.made(self) if isinstance(value, LEAVES) else self._structure(value)
        return self.known[id(value)]

    def _structure(self, value: Any) -> Any:
        parts = [self.of(part) for _, part in nest.children(value)]
        made = nest.rebuild(value, parts)
        if isinstance(value, Grown):
            return made.of_rows(parts[0])
        if isinstance(value, MaybeContainer):
            made = made.plain()  # whose parts are as they are left: what is the caller's is no copy
        return rows_of(made) if isinstance(value, TensorList) else made

    def _tensor(self) -> Any:
        tensor, kind = next(self._outputs)
        return kind.plain(tensor) if kind.is_plain else tensor

    def array(self) -> Any:
        return next(self._outputs)[0]._array

    def given(self, number: int) -> Any:
        return self._arrays[number]


@dataclass(eq=False)
class Made:
    """Values with outputs of the graph in the place of their tensors; what several of them share is shared again.
    types: of the outputs, weak for Python's numbers; found: what stands for containers of the caller, by their ids,
    with where these are."""

    _world: World
    _keep: Keep
    _given: Mapping[int, Any]
    """What runs leave for arrays and containers, by their ids, of which each run has others."""
    _as_left: Callable[[Any], Any]
    """What runs leave for traced arrays."""
    _original: Callable[[Any], Any]
    """Gives a container of the program for what stands for it."""
    _known: dict[int, Any] = field(default_factory=dict)
    found: Mapping[int, OfCall] = field(default_factory=dict)
    has_views: bool = False
    """Whether there are lists among them that are elements of lists that grow."""
    kept: dict[OfCall, None] = field(default_factory=dict)
    """Those of them that are left."""
    held: list[Any] = field(default_factory=list)
    """The objects that were there before the trace, and that runs leave themselves."""
    outputs: list[Any] = field(default_factory=list)
    types: list[LeafType] = field(default_factory=list)

    def left(self, place: Any, value: Any) -> Left:
        """What runs leave in a place."""
        count = len(self.outputs)
        made = self.of(value)
        return Left(place, made, tuple(self.types[count:]))

    def of(self, value: Any) -> Any:
        """The value; what is there in some runs only, with its flag after it."""
        if isinstance(value, MaybeUndefined):
            made = self._part(value.value)
            return MaybeUndefined(made, self._leaf(value.defined), Undefined(""))
        if id(value) in self.found:
            return Found(self._of_call(value))
        if id(value) in self._given:
            return self._given[id(value)]
        if isinstance(value, TracedArray) and (left := self._as_left(value)) is not value:
            return self.of(left)
        if not nest.is_nested(value) or nest.has_fields(value):  # which may contain itself, as any object
            return self._leaf(value)
        if id(value) not in self._known:
            if isinstance(value, TensorList):
                value.note_use()
            check_orders(value)
            self.has_views = self.has_views or hasattr(type(value), "__ag_view__")
            self._known[id(value)] = nest.rebuild(value, [self._part(inner) for _, inner in nest.children(value)])
        return self._known[id(value)]

    def leaves(self, value: Any) -> bool:
        """Whether runs leave this very object."""
        return id(value) in self._known

    def _find(self, inner: Any) -> Callable[[], Any] | None:
        """What gives an object that was there before the trace."""
        if id(inner) in self.found:
            return self._of_call(inner)
        own = self._original(inner)
        is_known = id(own) in self._world.by_owner and id(own) not in self._given
        return self._held(own) if is_known else None

    def _held(self, known: Any) -> Callable[[], Any]:
        self.held.append(known)
        return handle_of(known)

    def _of_call(self, container: Any) -> Callable[[], Any]:
        place = self.found[id(container)]
        self.kept.setdefault(place)
        return place.find

    def _part(self, value: Any) -> Any:
        """A part of something new: what was there before the trace is the object that it is."""
        own = self._original(value)
        known = id(own) in self._world.by_owner and id(value) not in self.found and id(own) not in self._given
        return Found(self._held(own)) if known else self.of(value)

    def _new(self, leaf: Any) -> Any:
        """What each run makes anew: an array, which may be a leaf already, a deque or an object; None for others."""
        if isinstance(leaf, ArrayView):
            leaf.base = self.of(leaf.base)
            for position in leaf.positions():
                self._keep_tensor(position, False)
        elif isinstance(leaf, NewArray) and not leaf.is_known:
            self._keep_tensor(leaf.content, False)
        elif type(leaf) is np.ndarray:
            return NewArray(leaf.copy())
        elif type(leaf) in ANEW:
            container: Any = leaf
            return NewContainer(leaf, [*map(self._part, container)])
        elif (attributes := None if isinstance(leaf, LEAVES) else attributes_of(leaf)) is not None:
            made = self._known[id(leaf)] = NewObject(own_class(leaf))  # to which its attributes may lead
            made.contents = [(kind, {n: self._part(v) for n, v in held.items()}) for kind, held in attributes]
            return made
        return leaf if isinstance(leaf, LEAVES) else None

    def _leaf(self, leaf: Any) -> Any:
        if isinstance(leaf, MaybeNone):
            seen = presence(leaf)
            made = self._part(seen.value)
            return MaybeNone(made, self._leaf(seen.present))
        if isinstance(leaf, Ref):
            known = [self._find(inner) for inner in leaf._ag_objects]
            pairs = zip(leaf._ag_objects, known, strict=True)
            made = [self.of(inner) if find is None else None for inner, find in pairs]
            return Chosen(self._leaf(leaf._ag_selector), known, made)
        if isinstance(leaf, ChosenFunction):
            found = [lambda function=function: function for function in leaf.functions]
            return Chosen(self._leaf(leaf.index), found, [None] * len(found))
        if not isinstance(leaf, SymbolicTensor):
            if id(leaf) in self._world.by_owner:
                return leaf
            if id(leaf) not in self._known and (new := self._new(leaf)) is not None:
                self._known[id(leaf)] = new
            return self._known.get(id(leaf), leaf)
        number = self._keep_tensor(leaf, leaf.weak)
        if leaf.or_bool is None:
            return number
        both_kinds = [number, self._keep_tensor(truth_of(leaf), True)]  # in the order in which a run takes them
        return Chosen(self._leaf(leaf.or_bool), [None, None], both_kinds)

    def _keep_tensor(self, tensor: SymbolicTensor, weak: bool) -> Any:
        self.types.append(replace(LeafType.of(tensor), weak=weak))
        self.outputs.append(self._keep(tensor))
        return self.outputs[-1]


def check_left(words: str, before: Any, value: Any, where: str) -> None:
    """Raises StagingError where a place is left with what holds weakly what only a run has, for that would be gone, or
    with a copy of what it held before, or of an array, to which other names refer. before: what it held."""
    weak = (weakref.WeakKeyDictionary, weakref.WeakValueDictionary)
    if any(isinstance(container, weak) for container in containers_in(value)):
        raise StagingError(
            f"{words!r} is left with a weak dictionary made in the function, of which a tensor decides what it holds"
            f"{where}: make it outside of the function, and change it there"
        )
    arrays = nest.leaves_once(inside_of(value), nest.is_structure)
    for leaf in map(inside_of, arrays):
        if isinstance(leaf, SymbolicTensor) and (kind := leaf.enumeration) is not None:
            raise StagingTypeError(
                f"{words!r} is left with a member of {kind.__name__}, or with a number or text that is none, as a"
                f" tensor decides{where}: leave a member on all ways (`{kind.__name__}(...)`), or the number (`.value`)"
            )
    held = [array.buffer if isinstance(array, TracedArray) else array for array in map(inside_of, arrays)]
    sources = [array.copy_of for array in held if isinstance(array, Buffer | NewArray) and array.copy_of is not None]
    for array in itertools.chain(*sources):
        restart(array)  # as memory of the graph it can be told which part of it is left
    if sources:
        raise StagingError(
            f"{words!r} is left with an array that has another name, too, and that a loop has put there{where}: the"
            " graph has a copy of that. Leave one of your own (`array.copy()`), or put it there after the loop"
        )
    if before is not ABSENT and type(before) is not EagerTensor and is_copy_of_one(value):
        raise StagingError(
            f"{words!r} is left with what it was before, which has another name, or with a new one, as a tensor"
            f" decides{where}: the graph has a copy of that. Make one before the loop"
            f" (`{words} = {type(before).__name__}({words})`)"
        )


def both(found: bool | None, other: bool | None) -> bool | None:
    """Of two parts of a value: whether there are tensors; None where one of them cannot be made anew."""
    return None if other is None or found is None else found or other


def is_in_order(holder: Holder, before: Any, now: Any) -> bool:
    """Whether what was there stands where it was, so that each place can be written by itself."""
    if not isinstance(now, dict):
        return isinstance(now, list) and len(now) == len(before)
    if holder.kind.has_attributes:
        return True
    kept = [key for key in before if key in now]
    return list(now)[: len(kept)] == kept


def check_arrays(rows: Iterable[tuple[str, Any, Any]], where: str) -> None:
    """Raises StagingError where a place is left with an array that cannot be told apart from others in the runs. rows:
    words for each place, its value, and what a run would leave."""
    for words, value, left in rows:
        if isinstance(inside_of(value), TracedArray) and isinstance(inside_of(left), TracedArray):
            raise StagingError(
                f"{words!r} is bound to an array that only the run can find{where}: write into the one that it has"
                f" (`{words}[:] = ...`), or leave a copy of it there"
            )


def containers_in(value: Any) -> list[Any]:
    """The structures in a value that can change."""
    parts = nest.walked([value], lambda part: () if isinstance(part, Tensor) else nest.parts_if_nested(part))
    return [part for part in parts if nest.is_nested(part) and not isinstance(part, Tensor | tuple)]
