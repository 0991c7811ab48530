"""Places of the program whose values each run of a trace is given: what stands there while a function is traced.

    given = GivenPlaces(world, roots, of_the_call, slots)
    given.give(slot)                      # from the next round on, inputs of the graph stand in this place
    given.put(graph)                      # ... which they do from here on
    given.guarded()                       # and is guarded by its form alone

An array that shares memory with one that is given is given, too, in all places where there is one; where that cannot
be, none of them is, and the trace is for these very arrays.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.function.array_arguments import Arrays
from runtime.function.array_uses import positions
from runtime.function.given_arrays import MeetsOthers, Shared, arrays_in, lie_as, owners_of
from runtime.function.left import Keep, containers_in
from runtime.function.left_arrays import GivenArray
from runtime.function.slot import Slot, slot_of
from runtime.function.snapshots import Given, Snapshot, snapshot_of
from runtime.function.state import Read, State, fits, form_of, inputs_in, relaxed, with_inputs
from runtime.graph.graph import Graph
from runtime.heap.holder import Holder, part
from runtime.heap.kinds import ARRAY, LARGE_ARRAY, SET
from runtime.heap.store import World
from runtime.ndarrays.overlaps import groups_of, pattern_of
from runtime.ndarrays.traced import TracedArray

__all__ = ["GivenPlaces"]

Rows = list[tuple[str, Callable[[], Any], Snapshot]]


class GivenPlaces:
    """See the module's docstring."""

    def __init__(
        self,
        world: World,
        roots: tuple[Any, Mapping[str, Any]],
        of_the_call: Set[int],
        slots: dict[Any, Slot],
        stale: State | None,
    ) -> None:
        """world: what the function can reach; roots: the function, and what else it is given; of_the_call: the ids of
        containers among the arguments; slots: the places by what they are of; stale: of the trace that is replaced."""
        self._world = world
        self._roots = roots
        self._of_the_call = of_the_call
        self._slots = slots
        self._stale = stale
        self.owners: set[int] = set()
        """The ids of the arrays that own the memory of those that are given."""
        self._fixed: set[int] = set()
        """The same of those that cannot be given."""
        self._arrays = Arrays()
        self.numbers: dict[int, GivenArray] = {}
        """What runs leave for arrays that they are given, by their ids."""
        self.meets = MeetsOthers(((), ()))

    @property
    def _given(self) -> list[Slot]:
        return [slot for slot in self._slots.values() if slot.inputs]

    def give(self, slot: Slot) -> bool:
        """Makes the value of a place inputs of the graph, where that can be. Where a trace has computed nothing of it,
        and it has another shape now, any shape will do."""
        slot.inputs = slot.added is None and self._can_be_given(slot)
        if slot.inputs:
            slot.form = form_of(slot.before)
            other = None if self._stale is None else self._stale.unused(slot.place)
            slot.form = slot.form if other is None else relaxed(slot.form, other)
        return slot.inputs

    def _can_be_given(self, slot: Slot) -> bool:
        """Whether a run can be given what was in the place: tensors, arrays and numbers, and no list that others have,
        too."""
        if slot.holder.kind is SET or inputs_in(slot.before) is None:
            return False
        if not self._fixed.isdisjoint(owners_of(_arrays_of([slot.before]))):
            return False
        changed = {id(holder.owner) for holder in self._world.changes()}
        (function, objects), containers = self._roots, containers_in(slot.before)
        known = World(function, objects=objects, of=containers).keepers if containers else {}
        return not any(
            id(container) in changed or any(type(keeper) is not Ref for keeper in known[id(container)])
            for container in containers
        )

    # -- while it is traced

    def put(self, graph: Graph) -> None:
        """Puts inputs of the graph there."""
        self._give_what_meets()
        given, first = self._given, len(graph.inputs)
        symbolic = [with_inputs(graph, slot.before, slot.form, slot.place.words) for slot in given]
        leaves = [leaf for slot in given for leaf in inputs_in(slot.before) or ()]
        placed = [(first + i, leaf) for i, leaf in enumerate(leaves) if isinstance(leaf, np.ndarray)]
        self._arrays = Arrays(graph, pattern_of(groups_of(placed)) or ())
        for slot, value in zip(given, symbolic, strict=True):
            slot.seen = self._arrays.given(slot.place.words, slot.before, value)
            slot.place.put(slot.seen)
        self.numbers = {id(array): GivenArray(number) for number, array in reversed(placed)}

    def standing(self) -> list[tuple[TracedArray, Any]]:
        """What stands for arrays, with these."""
        return self._arrays.standing()

    def _give_what_meets(self) -> None:
        self.owners = owners_of(_arrays_of(slot.before for slot in self._given))
        settled = not self.owners
        while not settled:
            before = self.owners, len(self._fixed)
            for holder, key, value in self._others():
                met = owners_of([value]) & self.owners
                slot = slot_of(self._slots, holder, key, value) if met else None
                if slot is not None and not slot.is_whole and not slot.inputs:
                    self._slots.setdefault((holder.place, key), slot)
                    self.give(slot)
                if met and (slot is None or not slot.inputs):
                    self._fixed |= met
            self._fix_what_cannot_lie_so()
            for slot in self._given:
                slot.inputs = self._fixed.isdisjoint(owners_of(_arrays_of([slot.before])))
            self.owners = owners_of(_arrays_of(slot.before for slot in self._given))
            settled = before == (self.owners, len(self._fixed))

    def _others(self) -> Iterator[tuple[Holder, Any, Any]]:
        """The places that hold arrays and are not given."""
        left_out = {id(found) for slot in self._given for found in containers_in(slot.before)} | self._of_the_call
        for holder in self._world.holders:
            if holder.kind in (ARRAY, LARGE_ARRAY) or holder.kind.form == "whole" or id(holder.owner) in left_out:
                continue
            for key in range(len(holder.before)) if holder.kind.form == "items" else holder.before:
                known = self._slots.get((holder.place, key))
                if (known is None or not known.inputs) and arrays_in(value := part(holder.before, key)):
                    yield holder, key, value

    def _fix_what_cannot_lie_so(self) -> None:
        """Arrays that overlap with themselves, or with others of another type."""
        for group in groups_of(list(enumerate(_arrays_of(slot.before for slot in self._given)))):
            if pattern_of([group]) is None:
                self._fixed |= owners_of(array for _, array in group)

    # -- when it has been

    def written(self, graph: Graph, keep: Keep) -> tuple[tuple[int, ...], list[Any]]:
        """The numbers of the inputs whose arrays are written to, and the outputs for what they hold then."""
        rows = self._arrays.written()
        return positions(graph, [tensor for tensor, _ in rows]), [keep(content) for _, content in rows]

    def note_used(self, graph: Graph) -> None:
        """Finds the places of which something is computed."""
        used = {id(tensor) for operation in graph.operations for tensor in operation.inputs}
        for slot in self._given:
            leaves = map(_input_of, nest.flatten(slot.seen, nest.is_plain))
            slot.is_used = any(id(leaf) in used for leaf in leaves)

    def shared(self) -> Shared:
        """How the arrays lie."""
        return lie_as(_arrays_of(slot.before for slot in self._given))

    def reads(self) -> list[Read]:
        """What each run is given."""
        return [Read(slot.place, slot.form, slot.is_used) for slot in self._given]

    @contextlib.contextmanager
    def guarded(self) -> Iterator[Rows]:
        """While guards are taken: what is read in each run is guarded by its form alone. The guards of the places."""
        rows: Rows = []
        for slot in [slot for slot in self._slots.values() if slot.inputs or (slot.is_used and slot.added is None)]:
            found = _of_form(slot.form) if slot.inputs else snapshot_of(slot.before)
            rows.append((f"{slot.place.words!r}", slot.place.read, found))
        self.meets = MeetsOthers(self.shared())
        if self.owners:
            places = [slot.place for slot in self._given]
            words = f"the memory of arrays such as {places[0].words!r}"
            rows.append((words, lambda: _arrays_of(place.read() for place in places), self.meets))
        parts = [slot for slot in self._given if not slot.is_whole]
        try:
            for slot in parts:
                slot.place.put(_of_form(slot.form))
            yield rows
        finally:
            for slot in parts:
                slot.place.put(slot.before)


def _of_form(form: Any) -> Given:
    return Given(lambda now: inputs_in(now) is not None and fits(form_of(now), form))


def _arrays_of(values: Iterable[Any]) -> list[Any]:
    """The arrays in values that runs are given."""
    return [leaf for value in values for leaf in inputs_in(value) or () if isinstance(leaf, np.ndarray)]


def _input_of(leaf: Any) -> Any:
    """The input of the graph for what stands in a place, or what is computed of several."""
    return leaf.buffer.given if isinstance(leaf, TracedArray) else leaf
