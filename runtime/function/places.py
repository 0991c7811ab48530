"""While a function is traced: the places of the program that it leaves tensors in, which become state of the graph.

    places = Places(world, roots, arguments)
    with places.standing(graph):          # inputs of the graph stand in the places that are known
        ...                               # the function is traced
        places.leave(keep)                # what it leaves becomes outputs; new places are found
    places.grown                          # whether the trace must begin again, because those are read as well
    places.state()                        # what each run reads and writes

The first time, all that the function finds is what it is. Each time that it begins again, the tensors and numbers in
the places that were found stand for what a run finds there. What the trace has left is taken out of the places when it
is over: it is written there by the runs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.function.argument_containers import ArgumentContainers, check_defaults
from runtime.function.array_arguments import Arrays
from runtime.function.array_uses import ArrayUses
from runtime.function.containers_of_call import OfCall
from runtime.function.exchanged import Exchanged, begin_again_for_elements, check_elements
from runtime.function.given_arrays import owners_of
from runtime.function.given_places import GivenPlaces
from runtime.function.left import Keep, Left, Made, both, check_arrays, check_left, containers_in, is_in_order
from runtime.function.left_leaves import Found, NewObject
from runtime.function.left_values import (
    LeftValues,
    begin_again_for_arrays,
    called_in,
    check_array_on_some_ways,
)
from runtime.function.sharing import Callers
from runtime.function.slot import (
    Slot,
    Slots,
    added,
    as_rows,
    can_be_whole,
    is_appended,
    moves_objects,
    parts_of,
    with_found,
)  # fmt: skip
from runtime.function.state import TEXTS, State, holds_texts, inputs_in
from runtime.graph.graph import Graph
from runtime.heap.holder import ABSENT, Holder, Location, Place, part
from runtime.heap.kinds import ARRAY, ATTRIBUTES, DEQUE, DICT, LARGE_ARRAY, LIST, SET, SLOTS
from runtime.heap.open_objects import own_class
from runtime.heap.place import WHOLE
from runtime.heap.placeholders import Absent
from runtime.heap.store import World
from runtime.ndarrays.traced import TracedArray
from runtime.tensor.eager import EagerTensor

__all__ = ["Places"]


@dataclass
class Places:
    """See the module's docstring. world: what the function can reach; roots: the function, and what else it is given;
    arguments: whose structures are known by their parts, and are others in each call."""

    world: World
    roots: tuple[Any, Mapping[str, Any]]
    arguments: Mapping[str, Any]
    are_copies: bool = False
    """Whether the function gets copies of those, because an input_signature makes them."""
    stale: State | None = None
    """That of the trace whose place the new one takes."""
    changed: Set[Location] = frozenset()
    """What that has found in another state, where it may have looked for what is given to runs."""
    taken: Sequence[OfCall] = ()
    """The containers among the arguments that are known to be changed."""
    callers: Callers = field(default_factory=Callers)
    """The arrays among the arguments that share memory."""
    containers: ArgumentContainers = field(init=False)
    grown: bool = False
    exchanged: Exchanged = field(init=False)
    as_left: Callable[[Any], Any] = field(default_factory=lambda: _itself)
    """What a run leaves for what a trace does: arrays of the program for what stands for them, and for new ones."""
    is_left: Callable[[Any], bool] = field(default_factory=lambda: _never)
    """Whether runs leave what is in a buffer of the trace in places, or find it there."""
    given: GivenPlaces = field(init=False)
    _kept: tuple[OfCall, ...] = ()
    _held: list[Any] = field(default_factory=list)
    """The objects that were there before, and that runs leave themselves: equal ones are not as good to the trace."""
    _slots: Slots = field(init=False)
    _lefts: list[Left] = field(default_factory=list)
    """What is left in this round, in the order of the outputs of the graph."""

    def __post_init__(self) -> None:
        kinds = (ATTRIBUTES, SLOTS)
        self._classes = [(h.owner, own_class(h.owner)) for h in self.world.holders if h.kind in kinds]
        function, objects = self.roots
        others = {name: value for name, value in objects.items() if name not in self.arguments}
        self.containers = ArgumentContainers(self.arguments, (function, others), self.are_copies, self.taken)
        of_the_call = {id(found) for value in self.arguments.values() for found in containers_in(value)}
        self._slots = Slots(self.world, self.roots, of_the_call)
        self.given = GivenPlaces(self._slots, self.stale, self.callers)
        self.given.guess(self.changed)
        self.exchanged = Exchanged(self._slots, self.given)

    # -- while it is traced

    def restore(self) -> None:
        """Before the trace begins again: all is as it was, the classes of objects, too."""
        for owner, kind in self._classes:
            if own_class(owner) is not kind:
                object.__setattr__(owner, "__class__", kind)
        self.world.restore()

    @contextlib.contextmanager
    def standing(self, graph: Graph) -> Iterator[None]:
        """To be entered while the graph is recorded."""
        self.grown, self.exchanged.pairs = False, []
        try:
            for slot in self._slots.known.values():
                slot.left, slot.seen = None, slot.before
            self.given.put()
            yield
        finally:
            self._put_back(graph)
            self.as_left, self.is_left = _itself, _never  # which keeps nothing of this round

    def leave(self, graph: Graph, keep: Keep, arguments: Arrays) -> list[Any]:
        """At the end of a trace: the outputs of the graph for what it leaves. arguments: the arrays among them."""
        self._lefts = []
        self.given.numbers |= arguments.numbers(graph) | self.given.containers()
        made = Made(self.world, keep, self.given.numbers, self.as_left, self.exchanged.original)
        made.found, self._held = self.containers.kept, made.held
        self._take_out_stand_ins(graph)
        begin_again_for_elements(self.exchanged.rows())
        for slot, value in self._changes(graph):
            is_new = self._slots.keep(slot).left is None and not slot.inputs
            if is_new and not self.exchanged.knows(slot.before):
                may_guess = self.given.guesses and holds_texts(slot.before)
                if may_guess and not slot.may_be_read(self._values(graph).called):
                    slot.guessed, slot.texts = True, TEXTS
                self.grown = self.given.give(slot) or self.grown
            is_known = type(slot.before) is EagerTensor or id(slot.before) in self.world.by_owner
            known = slot.before if is_known else ABSENT
            check_left(slot.place.words, known, value, self._slots.here())
            if slot.is_whole:
                check_array_on_some_ways(slot.place.words, value)
            slot.left = made.left(slot.added or as_rows(slot.place, value), value)
            self._lefts.append(slot.left)
        self._kept = tuple(made.kept)
        changes = self.world.changes()
        in_order = [(h, now) for h, now in changes.items() if is_in_order(h, h.before, now)]
        rows = [(place, part(now, place.key)) for h, now in in_order for place in h.changed(h.before, now)]
        begin_again_for_arrays(self.world, rows, arguments.has_no_tensors(graph), graph.recording.tracing.writes)
        check_arrays(((place.path, value, self.as_left(value)) for place, value in rows), self._slots.here())
        has_tensors = self._values(graph, elsewhere=False).has_tensors
        check_defaults(self.roots[0], changes, has_tensors)
        self.containers.can_be_left(changes, has_tensors, self.as_left)
        self.containers.leave(made, has_tensors, self.as_left)
        lists = [(slot.place.words, rows) for slot, rows in self.exchanged.rows()]
        check_elements(lists, graph, self.world, made, self.is_left)
        self.grown = self.exchanged.give_what_is_read(called_in(graph)) or self.grown
        self.grown = self.exchanged.learn_rows() or self.grown
        self.grown = self.containers.note(changes, has_tensors) or self.grown
        self.given.note_used(graph)
        for slot in self._slots.known.values():
            value = None if slot.left is None or slot.inputs else slot.left.value
            if type(value) is NewObject and slot.holder.kind.has_attributes:
                slot.is_used = slot.may_be_read(self._values(graph).called)
        return made.outputs

    def drop_guesses(self) -> bool:
        """After a trace that has failed: whether that may be because of something that was given without being asked
        for, or that was taken for a list that nobody reads."""
        return self.given.drop_guesses() or self.containers.drop_guesses() or self.exchanged.give_what_is_read(None)

    def narrow(self, graph: Graph) -> bool:
        """After a trace: whether something is given without need, which takes another round."""
        return any([self.given.narrow(self._values(graph).called), self.containers.narrow()])

    def _take_out_stand_ins(self, graph: Graph) -> None:
        """Containers in which nothing has changed but that something stands for what they hold are as they were."""
        values = self._values(graph)
        for holder, now in self.world.changes().items():
            if holder.kind in (LIST, DICT, DEQUE) and [*holder.keys_of(now)] == [*holder.keys_of(holder.before)]:
                left = self._as_left(now, values)
                if all(self._stands(Place(holder, key), part(left, key)) for key in holder.keys_of(now)):
                    holder.write(holder.before)

    def _stands(self, place: Place, value: Any) -> bool:
        """Whether a value is what was in a place, or stands there."""
        slot = self._slots.of(place, place.before)
        return value is place.before if slot is None else slot.has(value)

    def _changes(self, graph: Graph) -> Iterator[tuple[Slot, Any]]:
        """The places that hold what only runs have, and it."""
        others = self._slots.of_the_call | {id(holder.owner) for holder, _ in self.exchanged.pairs}
        for holder, now in self.world.changes().items():
            if id(holder.owner) in others:
                continue
            if self._is_whole(holder, now, graph):
                yield from self._whole_left(holder, now, graph)
                continue
            for place in holder.changed(holder.before, now):
                slot = self._slots.of(place, place.before)
                original = self.exchanged.original(part(now, place.key))
                if slot is None or original is slot.seen:
                    continue
                value = self.as_left(original)
                is_argument = isinstance(original, TracedArray) and original.buffer.is_argument  # another one next time
                if not is_argument and slot.has(value):
                    continue
                found = self._values(graph).of_place(value, slot.before)
                if found is None and self._values(graph).holds_stand_ins(value):
                    raise self._cannot_be_made(place.path)
                is_left = found or (found is False and _holds_tensors(slot.before))
                if is_left and not (found and slot.is_leak(original, self._values(graph).called)):
                    yield slot, value
        for holder, made in self.exchanged.keyed():
            yield from self._keys_left(holder, made, graph)
        yield from self.exchanged.rows()

    def _is_whole(self, holder: Holder, now: Any, graph: Graph) -> bool:
        """Whether no part of what a container holds can be left by itself."""
        if Place(holder, WHOLE).at in self._slots.known or not is_in_order(holder, holder.before, now):
            return True
        values = self._values(graph)
        return holder.kind in (LIST, DEQUE) and moves_objects(holder.before, (), self._as_left(now, values), values)

    def _whole_left(self, holder: Holder, now: Any, graph: Graph) -> Iterator[tuple[Slot, Any]]:
        """What is left in a list or dict that gets longer, or another order."""
        if not can_be_whole(holder):
            return
        slot = self._slots.of_whole(holder)
        values = self._values(graph)
        now = self._as_left(now, values, slot.seen)
        value = with_found(slot.place, slot.before, slot.seen, now, values)
        has_tensors: bool | None = moves_objects(slot.before, slot.seen, now, values)
        for part_left in parts_of(value):
            found = type(part_left) is not Found and values.has_tensors(part_left)
            if found is None and values.holds_stand_ins(part_left):
                raise self._cannot_be_made(slot.place.words)
            has_tensors = both(has_tensors, found)
        if has_tensors or (has_tensors is False and _holds_tensors(slot.before)):
            slot.added = added(holder, self.roots, values.called) if is_appended(slot.before, now) else None
            self._held += filter(values.stays, parts_of(now))
            yield slot, value if slot.added is None else value[len(slot.before) :]

    def _as_left(self, now: Any, values: LeftValues, seen: Any = ()) -> Any:
        """What a container holds, with what runs leave for it. seen: what it held when the trace began."""
        parts = now if isinstance(now, dict) else dict(enumerate(now))
        known = set(map(id, parts_of(seen)))
        original = self.exchanged.original
        left = {k: v if values.stays(v) or id(v) in known else self.as_left(original(v)) for k, v in parts.items()}
        return left if isinstance(now, dict) else [*left.values()]

    def _keys_left(self, holder: Holder, made: MaybeContainer, graph: Graph) -> Iterator[tuple[Slot, Any]]:
        """What is left in a dict or set in whose place something stood."""
        before = holder.before if isinstance(holder.before, dict) else dict.fromkeys(holder.before, True)
        now = {key: self.exchanged.original(value) for key, value in made.contents.items() if type(value) is not Absent}
        for key in {**before, **now}:
            slot, value = self._slots.of(Place(holder, key), before.get(key, ABSENT)), now.get(key, ABSENT)
            if slot is None or slot.has(value):
                continue
            if self._values(graph).has_tensors(value) is None:
                raise self._cannot_be_made(holder.path(key))
            if isinstance(holder.owner, dict) and not (made.is_ordered and is_in_order(holder, before, now)):
                raise StagingError(
                    f"the order of the keys of {holder.described()} depends on a tensor when a run is over, or is"
                    f" another one than before{self._slots.here()}: give them a value in one order, or leave a new dict"
                    " there"
                )
            yield slot, value

    def _cannot_be_made(self, words: str) -> StagingError:
        return StagingError(
            f"{words!r} is left with what cannot be made anew in each run, or is known elsewhere"
            f"{self._slots.here()}: leave tensors, numbers, text and new structures of them"
        )

    def reached(self) -> World:
        """What the function can reach now, but for arguments that are arrays, which are others in each call."""
        function, objects = self.roots
        return World(function, objects={k: v for k, v in objects.items() if not isinstance(v, np.ndarray)})

    def elsewhere(self, owners: Set[int]) -> set[int]:
        """Those of the owners of arrays among the arguments, by their ids, to which other places lead as well."""
        function, objects = self.roots
        others = {name: value for name, value in objects.items() if name not in self.arguments}
        held = World(function, objects=others).holders if owners else ()
        return {*owners} & owners_of(h.owner for h in held if h.kind in (ARRAY, LARGE_ARRAY))

    def _values(self, graph: Graph, elsewhere: bool = True) -> LeftValues:
        """elsewhere: of places that are no containers of the call, which these may be left in."""
        given = self.given.numbers.keys() | (self.containers.kept.keys() if elsewhere else set())
        return LeftValues(self.world, self._slots.of_the_call, given, self.exchanged.original, self.as_left, graph)

    def _put_back(self, graph: Graph) -> None:
        """What was in the places before, and in all others that hold what only a run has."""
        for slot, _ in list(self._changes(graph)):
            slot.place.put(slot.before)
            if own_class(slot.holder.owner) is not type(slot.holder.owner):
                slot.holder.write(slot.holder.read())  # which closes it
        for slot in self._slots.known.values():
            if slot.place.read() is slot.seen:
                slot.place.put(slot.before)

    # -- afterwards

    @property
    def owners(self) -> list[Any]:
        """What runs read or write: another container with the same parts is not as good to this trace."""
        slots = [slot for slot in self._slots.known.values() if slot.left or slot.inputs]
        held = [known for known in self._held if not isinstance(known, np.ndarray)]  # whose elements may be read
        return [slot.holder.owner for slot in slots if slot.holder.kind in (LIST, DICT, DEQUE, SET)] + held

    @property
    def wholes(self) -> list[Any]:
        """The containers of which all that they hold is left by runs."""
        return [slot.holder.owner for slot in self._slots.known.values() if slot.left and slot.is_whole]

    def state(self, uses: ArrayUses) -> State:
        """What the runs of the trace read and write. uses: what it does with arrays."""
        lefts = [*self._lefts, *self.containers.lefts]
        named, given = (self.containers.of_call(), self._kept), self.given
        return State(given.reads(), lefts, *named, given.are_written(uses.written), given.guesses)


def _itself(value: Any) -> Any:
    return value


def _holds_tensors(value: Any) -> bool:
    return any(type(leaf) in (EagerTensor, np.ndarray) for leaf in inputs_in(value) or ())


def _never(value: Any) -> bool:
    return False
