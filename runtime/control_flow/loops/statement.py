"""Staging a loop statement: its test and body become functions of the values of its variables.

    stage_loop(test, body, state, opts, World(test, body))      ->  a `while` operation; the state is what is after it

The test and the body start from a state that holds the loop's inputs, and leave the state as it was before the loop.
What they change besides (`self.total`, `items[0]`, a variable of a function that is called) becomes one more variable
of the loop. Which places these are may only show when the body has been traced; it is traced again then, with inputs in
those places, and what Python prints while the body is traced appears twice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import StagingError
from autograph.operators.variables import Undefined
from runtime import structures as nest
from runtime.context import recording
from runtime.control_flow.branches.refused import line_of, refusal, refusal_of_keys
from runtime.control_flow.lattice.types import as_growing
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.promotion import Longer, elements_seen, grows, take_in, watch_replaced
from runtime.control_flow.lists.replaced_lists import Copies, grown_lists
from runtime.control_flow.loops.aliases import Carried, distinct, made_of, note_carried, object_of
from runtime.control_flow.loops.checkpoints import checkpointed
from runtime.control_flow.loops.options import check_owners, read_options
from runtime.control_flow.loops.signals import MorePlaces, TestAssigns, TwoNames, is_moved
from runtime.control_flow.loops.values import Loop, while_values
from runtime.control_flow.objects.carried import CarriedArrays, CarriedRefs
from runtime.control_flow.objects.chosen_objects import watch_chosen
from runtime.control_flow.objects.refs import possible_objects, refs_in
from runtime.control_flow.objects.together import Together
from runtime.control_flow.objects.watched import Held, Since, check_watched, note_changes, watched_since
from runtime.control_flow.objects.world_values import Reader, Same, kept, rebuilt, unwrapped
from runtime.control_flow.statement.enclosing import inside, places_around, places_of, remember_places
from runtime.control_flow.statement.state import NO_KEY, State
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.tries.regions import note_exception
from runtime.graph.graph import Graph
from runtime.heap.holder import ABSENT, Place, Turn, with_values
from runtime.heap.store import Contents, Holder, World
from runtime.heap.variables import CELL
from runtime.restarts import Restart, settled
from runtime.state.variable import present_value

__all__ = ["stage_loop"]

Thunk = Callable[[], Any]
Options = Mapping[str, Any]
ROUNDS = 20  # how often a body is traced for one more place; a loop over known items is unrolled then


def stage_loop(test: Thunk, body: Thunk, state: State, opts: Options, world: World) -> None:
    """See the module's docstring. Raises Restart(TestAssigns)."""
    loop, rounds, known = _Loop(test, body, state, world), 0, opts.get("known")
    invariants, limit, every = read_options(opts, state.names)
    check_owners(invariants, state.names, loop.start())

    def attempt() -> None:
        traced = Loop(loop.staged_test, loop.staged_body, loop.names, loop.start(), invariants, limit)
        try:
            done = checkpointed(traced, every, StagingError, "set_loop_options") if every else None
            loop.end(while_values(traced, known) if done is None else done)
            if known:
                known.lists.give_back(known.operation)
        except BaseException as error:
            loop.back()
            if isinstance(error, UnboundLocalError):
                error.add_note("In a staged loop a variable that an iteration reads must be defined before the loop.")
            raise

    def learn(found: Restart) -> None:
        nonlocal loop, rounds
        if (rounds := rounds + 1) > ROUNDS:
            raise RuntimeError("the places that the loop changes do not settle")
        if isinstance(found.learnt, TwoNames):
            loop.merge_names(found.learnt.twins)
        elif found.is_for(loop, Longer):
            take_in(found, loop, loop.refusal_again) if known is None else known.lists.take_in(found.learnt, loop.world)
            loop, rounds = _Loop(test, body, state, world.again()), 0
        elif found.target is not loop:
            raise found

    settled(attempt, learn)


@dataclass(eq=False)
class _Loop:
    """One loop statement: its variables are those of `state`, and `places` of objects in `world`."""
    test: Thunk
    body: Thunk
    state: State
    world: World
    places: dict[Place, None] = field(default_factory=dict)
    rebound: set[str] = field(default_factory=set)
    """Names of variables that are bound to an object before the loop and to another one after an iteration."""
    grown: dict[str, ElementType | Grown | None] = field(default_factory=dict)
    """Variables that are bound to a list, and to one of another length after an iteration: what its elements are."""

    def __post_init__(self) -> None:
        check_watched()
        self.state, places = self.state.without_places(self.world)
        self.initial, world = self.state.get(), self.world
        self.mark = watched_since()
        self.seen: tuple[Graph, Sequence[Any]] | None = None
        self.given: Mapping[Holder, Contents] = {}
        self.unchanged = set[Place]()
        self.held: tuple[Held, list[Since | None]] = (Held(), [])
        self.ends: dict[str, tuple[Any, Any]] = {}
        self.own_refs = {id(ref) for ref in refs_in(self.initial)}
        self.arrays, self.refs, self.together = CarriedArrays(world), CarriedRefs(world), Together(world)
        for place in (*places, *places_of(world)):
            self.add_place(place)
        for value in self.initial:
            self.add_contents(value)

    @property
    def names(self) -> list[str]:
        return distinct([*self.state.names, *(place.path for place in self.places)])

    def start(self) -> list[Any]:
        """The values of `names` before the loop."""
        return self._carried(self._before(), lambda h: h.before, is_end=False)

    def _before(self) -> list[Any]:
        return [*self.initial, *map(_before, self.places)]

    # -- which places are variables

    def add_place(self, place: Place) -> bool:
        """Makes a place a variable of the loop; False if it has no value before the loop, or is one already."""
        holder, key = place
        if key is NO_KEY or holder.kind.form == "whole" or self.state.has(place):
            return False
        value = place.before
        if place in self.places or (value is ABSENT and holder.kind is not CELL and not holder.can_lack(key)):
            return False
        if value is ABSENT and holder.kind.forget_order is not None and self._gains(holder, key):
            holder.kind.forget_order(holder.owner)  # the iterations decide which one comes first
        self.places[place] = None
        self.add_contents(value)
        return True

    def _gains(self, holder: Holder, key: Any) -> bool:
        """Whether another place of an object than a key has no value before the loop, and is a variable already."""
        known = [place for place in self.places if place.holder is holder and type(place.key) is not Turn]
        return type(key) is not Turn and any(place.before is ABSENT for place in known)

    def add_contents(self, value: Any) -> None:
        """Makes the elements of a list or dict that a variable is bound to variables, for it may well change them."""
        for leaf in nest.flatten(kept(value, self.world)) if nest.is_nested(value) else ():
            if type(leaf) is not Same:
                continue
            holder = self.world.by_owner[id(leaf.value)]
            for key in holder.keys_of(holder.before):
                self.add_place(Place(holder, key))

    def merge_names(self, twins: Mapping[int, int]) -> None:
        self.state = self.state.without(twins)
        self.initial = self.state.get()

    def put(self, values: Sequence[Any]) -> dict[Holder, Contents]:
        """Sets all variables. Returns the contents that objects have then, where they are not those before the loop."""
        bound, own = list(map(object_of, self.together.bound(self.names, values))), len(self.state.names)
        self.state.put(tuple(bound[:own]))
        contents = with_values(zip(self.places, bound[own:], strict=True))
        for holder, now in contents.items():
            holder.write(now)
        note_changes()
        return contents

    def end(self, final: Sequence[Any]) -> None:
        """Sets all variables to what they are after the loop; places that no iteration changes are as they were."""
        as_were = {i: Same(_before(p)) for i, p in enumerate(self.places, len(self.state.names)) if p in self.unchanged}
        self.put([as_were.get(i, value) for i, value in enumerate(final)])
        self._watch_grown(final := self.together.bound(self.names, final))
        self.arrays.watch(self.names, after := [unwrapped(value) for value in final])
        self.held[0].watch(after, self.held[1])

    def _watch_grown(self, final: Sequence[Any]) -> None:
        """After a loop of no iteration a variable is bound to the list before it, else to another one."""
        copies = {*self.grown, *self.rebound, *made_of(self.ends, self.world)} - self.together.exact(self.ends)
        rows = zip(self.state.names, self.initial, final, strict=False)
        watch_replaced([(old, new) for name, old, new in rows if name in self.grown and name in copies], self.world)
        pairs = zip(self.names, final, strict=True)  # a variable may be there twice, as itself and as a place
        moved = {n: (*self.ends[n], unwrapped(new)) for n, new in pairs if n in copies}.values()
        watch_chosen([[row[0] for row in moved], [row[1] for row in moved]], [row[2] for row in moved], self.world)

    def back(self) -> None:
        """Puts everything back to what it was before the loop."""
        watched_since(self.mark)
        self.state.put(self.initial)
        self.world.restore()

    def staged_test(self, values: Sequence[Any]) -> Any:
        given_contents = self.put(values)
        given = self.state.get()
        if twins := self.state.twins([unwrapped(value) for value in self.together.own(values)[: len(given)]]):
            raise Restart(TwoNames(twins))
        try:
            value = present_value(self.test())  # while an array, or a list that grows, holds what it holds here
            value = getattr(type(value), "__ag_truth__", lambda value: value)(value)
            for name, now, before in zip(self.state.names, self.state.get(), given, strict=True):
                if now is not before and not (type(now) is type(before) is Undefined):  # made anew by each read
                    raise Restart(TestAssigns(name))
            self.state.put(self.initial)
            if changed := self.world.changes(given_contents):
                raise Restart(TestAssigns(next(iter(changed)).label))
        except BaseException as error:
            note_exception(current_graph(), error)
            raise
        finally:
            self.back()
        return value

    def staged_body(self, values: Sequence[Any]) -> Sequence[Any]:
        given = self.given = self.put(values)
        values, known, own = self.together.own(values), len(self.places), len(self.state.names)
        seen = [*self.state.get(), *(place.held(given.get(place.holder, place.holder.before)) for place in self.places)]
        names = list(zip(self.names, self._before(), self.together.in_place_of(self.names, seen, values), strict=True))
        carried = Carried(self.names, values, self.world, {**self.arrays.choices, **self.refs.choices}, self.together)
        copies = Copies(row for row in names if row[0] in self.rebound or row[0] in self.grown)
        try:
            with inside(self, sys._getframe()):
                self.body()
            check_watched()
            copies.look((holder.owner for holder in self.world.changes(given)), self.together.names)
        except BaseException as error:
            note_exception(current_graph(), error)
            self.back()
            raise
        results = list(self.state.get())
        self.state.put(self.initial)
        changes = self.world.changes(given)

        def read(holder: Holder) -> Contents:
            return changes[holder] if holder in changes else given.get(holder, holder.before)

        held = Held.since(self.mark)
        again = self._take_in(changes, given, values)
        results += [place.held(read(place.holder)) for place in self.places]
        self.unchanged = {p for p, a, b in zip(self.places, seen[own:], results[own:], strict=False) if a is b}
        again |= self._find_rebound(values, results)
        self.back()
        if again or carried.check(self._before(), results, changes, self.rebound | self.grown.keys(), copies):
            raise Restart(MorePlaces(), self._outermost(list(self.places)[known:]))
        self.arrays.check_copies(names, results, {id(holder.owner) for holder in changes})
        self.held = carried.check_held(held, results, changes)
        return self._carried(results, read, is_end=True)

    # -- what an iteration did

    def _carried(self, values: Sequence[Any], read: Reader, is_end: bool) -> list[Any]:
        """What is carried of the values of all variables."""
        held = [self._after(name, value, read) for name, value in zip(self.names, values, strict=True)]
        note_carried(values, held)
        return self.together.ends(self.names, values, held, is_end)

    def _after(self, name: str, value: Any, read: Reader) -> Any:
        for carried in (self.arrays, self.refs):
            if carried.holds(name, value):
                return carried.end(name, value)
        if name in self.grown:
            return as_growing(name, rebuilt(value, self.world, read, name), self.grown[name])
        if name in self.rebound or name in self.together.names:
            return rebuilt(value, self.world, read, name)
        return kept(value, self.world, read, self.own_refs, name)

    def _take_in(
        self, changes: Mapping[Holder, Contents], given: Mapping[Holder, Contents], values: Sequence[Any]
    ) -> bool:
        """Makes what an iteration changed variables of the loop; True if there are new ones. Raises StagingError."""
        found = False
        if longer := {h: elements_seen([c]) for h, c in changes.items() if grows(h, given.get(h, h.before), c)}:
            self.seen = (current_graph(), values)
            raise Restart(Longer(longer))
        for holder, now in changes.items():
            before = given.get(holder, holder.before)
            if not holder.can_carry(before, now):
                line = self._line(holder, values)
                keyed = refusal_of_keys(holder, before, now, line) if holder.kind.form == "keys" else None
                raise keyed or refusal(holder, "the body of a loop", line)
            for place in holder.changed(before, now):
                found |= self.add_place(place)
        return found

    def _outermost(self, found: Sequence[Place]) -> _Loop:
        """The outermost loop around that must carry one of these places, too, and does not yet; else this one."""
        around = [(loop, place) for loop, place in places_around(found) if isinstance(loop, _Loop)]
        new = dict.fromkeys(loop for loop, place in around if loop.add_place(place))
        for loop in (*new, self):
            loop.add_changed()
            remember_places(loop.world, loop.places)
        return next(iter(new), self)

    def add_changed(self) -> None:
        """Makes the places that have changed so far in this iteration variables, where that can be."""
        self.state.put(self.initial)  # all is put back anyway, to trace this loop again
        for holder, now in self.world.changes(self.given).items():
            before = self.given.get(holder, holder.before)
            if holder.can_carry(before, now):
                for place in holder.changed(before, now):
                    self.add_place(place)

    def _find_rebound(self, given: Sequence[Any], after: Sequence[Any]) -> bool:
        """Finds variables that are bound to another object after the iteration. True if there are new ones."""
        before = self._before()
        rows = [row for row in zip(self.names, before, after, strict=True) if row[0] not in self.grown]
        new_arrays = self.arrays.find(rows, list(zip(self.names, given, strict=False)))
        new_refs = self.refs.find([row for row in rows if row[0] not in self.together.names])
        rows = [row for row in rows if not self.arrays.holds(*row[:2]) and row[0] not in self.refs.choices]
        longer = grown_lists((name, ends) for name, *ends in rows)
        known = {*self.grown, *longer, *self.refs.choices}
        made = zip(self.names, zip(given, after, strict=False), strict=False)
        changed = ((name, ends) for name, ends in made if name not in known and ends[0] is not ends[1])
        longer |= grown_lists((name, possible_objects(ends)) for name, ends in changed)
        fixed = self.rebound | longer.keys()
        found = {n for n, old, new in rows if n not in fixed and is_moved(kept(old, self.world), new)}
        self.ends = dict(zip(self.names, zip(before, after, strict=True), strict=True))
        self.grown |= longer
        self.rebound |= found
        return bool(found or longer or new_arrays or new_refs)

    def refusal_again(self, holder: Holder) -> StagingError:
        """What is to be said of it, after the trace of the body was given up."""
        if self.seen is None:
            return refusal(holder, "the body of a loop", "")
        graph, values = self.seen
        with recording(graph):
            return refusal(holder, "the body of a loop", self._line(holder, values))

    def _line(self, holder: Holder, values: Sequence[Any]) -> str:
        """The line that changed a holder, found by running the body once more."""
        self.back()
        found_since = list(self.places)[len(values) - len(self.state.names) :]
        self.put([*values, *map(_before, found_since)])
        line = line_of(self.body, holder)
        self.back()
        return f" (at {line})" if line else ""


def _before(place: Place) -> Any:
    """The value of a place before the loop, or what stands for none."""
    if place.holder.kind is CELL and place.before is ABSENT:
        return Undefined(place.holder.label)
    return place.held(place.holder.before)
