"""Places of the program whose values each run of a trace is given: what stands there while a function is traced.

    given = GivenPlaces(slots, stale, callers)
    given.give(slot)                      # from the next round on, inputs of the graph stand in this place
    given.inputs(graph)
    given.put()                           # ... which they do from here on
    given.guarded()                       # and is guarded by its form alone

An array that shares memory with one that is given is given, too, in all places where there is one; where that cannot
be, none of them is, and the trace is for these very arrays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.watched import contents_of, differ
from runtime.function.array_arguments import Arrays
from runtime.function.code_names import may_name, names_in
from runtime.function.given_arrays import MeetsOthers, arrays_in, owners_of
from runtime.function.left import containers_in
from runtime.function.left_leaves import Found, GivenArray
from runtime.function.sharing import Callers
from runtime.function.slot import Slot, Slots
from runtime.function.snapshots import Given, Snapshot, snapshot_of
from runtime.function.state import TEXTS, Read, State, form_of, inputs_in, relaxed, test_of, with_inputs
from runtime.graph.graph import Graph
from runtime.heap.holder import Holder, Location, Place
from runtime.heap.kinds import ARRAY, LARGE_ARRAY, SET
from runtime.heap.place import LastingPlace
from runtime.heap.store import World
from runtime.heap.variables import NAMESPACE
from runtime.ndarrays.overlaps import APART, groups_of, lie_as, pattern_of
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.eager import EagerTensor

__all__ = ["GivenPlaces"]

Rows = list[tuple[str, Callable[[], Any], Snapshot]]


class GivenPlaces:
    """See the module's docstring."""

    def __init__(self, slots: Slots, stale: State | None, callers: Callers) -> None:
        """stale: of the trace that is replaced; callers: the arguments that share memory."""
        self._slots = slots
        self._callers = callers
        self._known = {} if stale is None else stale.given
        self._fixed: set[int] = set()
        """The ids of the arrays that own the memory of those that cannot be given."""
        self._left_out: set[Any] = set()
        """Places that are not given: those whose arrays share memory with others, but that no code names, and those
        with lists and dicts that the trace changes."""
        self._contents: dict[Any, list[Any]] = {}
        """What the containers hold that stand in places, by these."""
        self._arrays = Arrays()
        self._first = 0
        """The number of the first input for a place."""
        self._symbolic: list[Any] = []
        self.numbers: dict[int, Any] = {}
        """What runs leave for arrays that they are given, by their ids."""
        self.meets = MeetsOthers(APART)
        self.guesses = True
        """Whether guesses have been right so far."""

    @property
    def _given(self) -> list[Slot]:
        return [slot for slot in self._slots.known.values() if slot.inputs]

    @property
    def _given_arrays(self) -> list[Any]:
        return [array for slot in self._given for array in slot.arrays]

    @property
    def _all_arrays(self) -> list[Any]:
        return [*(array for _, array in self._callers.arrays), *self._given_arrays]

    @property
    def owners(self) -> set[int]:
        """The ids of the arrays that own the memory of those that are given."""
        return owners_of(self._given_arrays)

    def give(self, slot: Slot, stands: bool = False) -> bool:
        """Makes the value of a place inputs of the graph, where that can be. Where a trace has computed nothing of it,
        and it has another shape now, any shape will do. stands: whether the value is in its place now."""
        other = self._known.get(slot.known.at)
        if self.guesses and slot.has_other_texts(other):
            slot.texts, slot.guessed = TEXTS, True
        slot.inputs = slot.added is None and self._can_be_given(slot, stands)
        if slot.inputs:
            slot.form = slot.own_form()
            slot.form = slot.form if other is None or other.is_used else relaxed(slot.form, other.form)
        return slot.inputs

    def _can_be_given(self, slot: Slot, stands: bool) -> bool:
        """Whether a run can be given what was in the place: tensors, arrays and numbers, and no list that others have,
        too."""
        if slot.holder.kind is SET and not slot.is_whole:  # one of its members
            return False
        if inputs_in(slot.before, slot.texts) is None or slot.known.at in self._left_out:
            return False
        if type(slot.before) in TEXTS and not slot.guessed:  # code may ask which of a few it is
            return False
        slot.arrays = _arrays_of(slot.before)
        if not self._fixed.isdisjoint(owners_of(slot.arrays)):
            return False
        (function, objects), containers = self._slots.roots, containers_in(slot.before)
        if not containers:
            return True
        changed = {id(holder.owner) for holder in self._slots.world.changes()}
        known = World(function, objects=objects, of=containers).keepers
        own = {id(owner) for owner in (*containers, slot.holder.owner)} if stands else set()
        keepers = {found: [k for k in known[found] if type(k) is not Ref] for found in map(id, containers)}
        if any(id(container) in changed for container in containers):
            return False
        return all(len(found) <= stands and own.issuperset(map(id, found)) for found in keepers.values())

    def guess(self, changed: Set[Location]) -> None:
        """Gives the tensors, arrays and texts in places that have changed since another trace, for they may do so
        again, and in those that were given there."""
        inside = {*self._slots.of_the_call}
        for holder in self._slots.world.holders if changed or self._known else ():
            if not _has_parts(holder) or id(holder.owner) in inside:
                continue
            for known, value in _places_of(holder):
                is_changed = known.at in self._known or holder.location(known.key) in changed
                if is_changed and _may_differ(value, (id(value), None) in changed):
                    slot = self._slots.of(known, value)
                    if slot is None:
                        continue
                    slot.guessed = True
                    if self.give(slot, stands=True):
                        self._slots.keep(slot)
                        inside.update(map(id, containers_in(value)))

    def drop_guesses(self) -> bool:
        """After a trace that has failed: whether that may be because of guesses. There are none from then on."""
        guessed = [known for known, slot in self._slots.known.items() if slot.guessed]
        for known in guessed:
            del self._slots.known[known]
        self.guesses = self.guesses and not guessed
        return bool(guessed)

    # -- while it is traced

    def inputs(self, graph: Graph) -> Arrays:
        """Adds inputs to the graph for what is given. What stands for all arrays of a run."""
        self._give_what_meets()
        given, self._first = self._given, len(graph.inputs)
        leaves = [leaf for slot in given for leaf in inputs_in(slot.before, slot.texts) or ()]
        placed = [(self._first + i, leaf) for i, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray)]
        groups = groups_of([*self._callers.arrays, *placed])
        together = {id(array) for group in groups for _, array in group}
        for slot in given:
            if not together.isdisjoint(map(id, _arrays_of([slot.before]))):  # how they lie depends on their shapes
                slot.form = form_of(slot.before, slot.texts)
        self._symbolic = [with_inputs(graph, s.before, s.form, s.place.words, s.texts) for s in given]
        found = [pattern for group in groups if (pattern := pattern_of([group])) is not None]
        self._arrays = Arrays(graph, (*self._callers.pattern, *(group for (group,) in found)))
        self.numbers = {id(array): GivenArray(number) for number, array in reversed(placed)}
        return self._arrays

    def put(self) -> None:
        """Puts them there."""
        if not self._callers.arrays:
            self._arrays.separate()
        for slot, value in zip(self._given, self._symbolic, strict=True):
            slot.seen = self._arrays.given(slot.place.words, slot.before, value)
            slot.place.put(slot.seen)
        self._contents = {slot.known.at: _contents_of(slot.seen) for slot in self._given}

    def _give_what_meets(self) -> None:
        owners = owners_of(self._all_arrays)
        settled = not owners
        while not settled:
            count = len(self._fixed)
            for known, value in self._others():
                met = owners_of([value]) & owners
                slot = self._slots.of(known, value) if met else None
                if slot is not None and not slot.is_whole and not slot.inputs:
                    slot.beside = self._slots.keep(slot) is slot
                    self.give(slot)
                if met and (slot is None or not slot.inputs):
                    self._fixed |= met
            for group in groups_of(list(enumerate(self._all_arrays))):
                if pattern_of([group]) is None:  # they overlap with themselves, or with others of another type
                    self._fixed |= owners_of(array for _, array in group)
            for slot in self._given:
                slot.inputs = self._fixed.isdisjoint(owners_of(slot.arrays))
            before, owners = owners, owners_of(self._all_arrays)
            settled = before == owners and count == len(self._fixed)

    def _others(self) -> Iterator[tuple[Place, Any]]:
        """The places that hold arrays and are not given."""
        left_out = {id(found) for slot in self._given for found in containers_in(slot.before)} | self._slots.of_the_call
        for holder in self._slots.world.holders:
            if not _has_parts(holder) or id(holder.owner) in left_out:
                continue
            for known, value in _places_of(holder):
                slot = self._slots.known.get(known.at)
                if known.at not in self._left_out and (slot is None or not slot.inputs) and arrays_in(value):
                    yield known, value

    # -- when it has been

    def containers(self) -> dict[int, Found]:
        """What runs leave where a trace leaves lists and dicts that stand in places, and are as they were: those that
        the run finds there. By their ids."""
        found: dict[int, Found] = {}
        for at, slot in self._slots.known.items():
            if slot.inputs and not slot.is_whole and not differ(_contents_of(slot.seen), self._contents[at]):
                for i, container in enumerate(_containers_in(slot.seen)):
                    found[id(container)] = Found(partial(_container_at, slot.place, i))
        return found

    def note_used(self, graph: Graph) -> None:
        """Finds the places of which something is computed."""
        used = {id(tensor) for operation in graph.operations for tensor in operation.inputs}
        for slot in self._given:
            leaves = map(_input_of, nest.flatten(slot.seen, nest.is_plain))
            slot.is_used = any(id(leaf) in used for leaf in leaves)

    def unread(self) -> set[int]:
        """The numbers of the inputs for the others."""
        slots = [slot for slot in self._given for _ in inputs_in(slot.before, slot.texts) or ()]
        return {self._first + i for i, slot in enumerate(slots) if not slot.is_used}

    def are_written(self, written: Sequence[int]) -> bool:
        """Whether arrays in places are among those of these inputs."""
        return any(number >= self._first for number in written)

    def narrow(self, called: Sequence[FunctionType]) -> bool:
        """Leaves out what shares memory with others, where no code that ran names it, and containers that have been
        changed. Whether there is any."""
        found = [at for at, slot in self._slots.known.items() if self._is_changed(at) or _is_unnamed(slot, called)]
        for at in found:
            del self._slots.known[at]
        self._left_out.update(found)
        return bool(found)

    def _is_changed(self, at: Any) -> bool:
        slot = self._slots.known[at]
        return at in self._contents and differ(_contents_of(slot.seen), self._contents[at])

    def reads(self) -> list[Read]:
        """What each run is given."""
        given = [(at, slot) for at, slot in self._slots.known.items() if slot.inputs]
        return [Read(s.place, s.form, s.is_used, at, test_of(s.form, s.texts), s.texts) for at, s in given]

    @contextlib.contextmanager
    def guarded(self) -> Iterator[Rows]:
        """While guards are taken: what is read in each run is guarded by its form alone. The guards of the places."""
        rows: Rows = []
        for slot in self._slots.known.values():
            if not slot.inputs and (slot.added is not None or not slot.is_used):
                continue
            found = Given(test_of(slot.form, slot.texts)) if slot.inputs else snapshot_of(slot.before)
            rows.append((f"{slot.place.words!r}", slot.place.read, found))
        self.meets = MeetsOthers(lie_as(self._given_arrays))
        if self._given_arrays:
            places = [slot.place for slot in self._given]
            words = f"the memory of arrays such as {places[0].words!r}"
            rows.append((words, lambda: [array for place in places for array in _arrays_of(place.read())], self.meets))
        parts = [slot for slot in self._given if not slot.is_whole]
        try:
            for slot in parts:
                slot.place.put(Given(test_of(slot.form, slot.texts)))
            yield rows
        finally:
            for slot in parts:
                slot.place.put(slot.before)


def _has_parts(holder: Holder) -> bool:
    return holder.kind not in (ARRAY, LARGE_ARRAY) and holder.kind.form != "whole"


def _places_of(holder: Holder) -> Iterator[tuple[Place, Any]]:
    """The places of a holder, with their values before the trace."""
    known = (Place(holder, key) for key in holder.keys_of(holder.before))
    return ((place, place.before) for place in known)


def _is_unnamed(slot: Slot, called: Sequence[FunctionType]) -> bool:
    """Whether a place is given for its memory alone, and no code names it."""
    is_global = slot.holder.kind is NAMESPACE
    name = slot.known.key if is_global else slot.attribute
    if not slot.beside or slot.left is not None or not name:
        return False
    used = is_global and any(name in names_in(function.__code__).used for function in called)
    return not (used or any(may_name(name, function) for function in called))


def _may_differ(value: Any, has_changed: bool) -> bool:
    """Whether runs can be given a value for its tensors and arrays, or because it is a text, or a structure of texts.
    has_changed: whether it is a list or dict that holds other things than before, which are given one by one."""
    if type(value) in TEXTS:
        return True
    if type(value) not in (np.ndarray, EagerTensor) and not nest.is_plain(value):
        return False
    if any(isinstance(part, tuple) and nest.attributes(part) for part in nest.walked([value])):
        return False  # runs would be given another object, whose attributes code may set
    kinds = {type(leaf) for leaf in inputs_in(value, TEXTS) or ()}
    return not kinds.isdisjoint((np.ndarray, EagerTensor)) or bool(kinds and kinds <= TEXTS and not has_changed)


def _contents_of(value: Any) -> list[Any]:
    """What the lists and dicts in a value hold."""
    return [held for container in _containers_in(value) for held in contents_of(container)]


def _containers_in(value: Any) -> list[Any]:
    return [found for found in containers_in(value) if not isinstance(found, TracedArray)]


def _container_at(place: LastingPlace, number: int) -> Any:
    return containers_in(place.read())[number]


def _arrays_of(value: Any) -> list[Any]:
    """The arrays in a value that runs are given."""
    return [leaf for leaf in inputs_in(value) or () if isinstance(leaf, np.ndarray)]


def _input_of(leaf: Any) -> Any:
    """The input of the graph for what stands in a place, or what is computed of several."""
    return leaf.buffer.given if isinstance(leaf, TracedArray) else leaf
