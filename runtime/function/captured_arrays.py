"""Arrays that a function is found to write to while it is traced: the trace begins again, with them as its memory.

    with captured([TABLE], world, places) as arrays:      # TABLE is a TracedArray wherever `world` leads to it
        ...                                               # the function is traced
        arrays.write(graph, keep, False)                  # what it has written is in TABLE when the graph has run

In all places that lead to the array, or to a view of it, stands what is traced, until the trace is over.
"""

from __future__ import annotations

import contextlib
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError, StagingTypeError
from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.optional.values import inside_of, with_inside
from runtime.dtypes import int32
from runtime.function.array_arguments import Arrays
from runtime.function.guards import Guards
from runtime.function.left import Keep
from runtime.function.left_leaves import ArrayView, NewArray, can_be_made
from runtime.function.places import Places
from runtime.graph.graph import Graph
from runtime.heap.holder import part
from runtime.heap.kinds import ARRAY, LARGE_ARRAY
from runtime.heap.store import Holder, World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.captured import Captured
from runtime.ndarrays.chosen import ChosenArray, alternatives
from runtime.ndarrays.keys import same_step, same_view
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.steps import Step
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.array_classes import check_plain

__all__ = ["EXCHANGED", "CapturedArrays", "arrays_read", "captured", "reached_arrays"]

EXCHANGED: Final = (dict, set, list, deque)
"""The containers in whose place something of ours may stand."""


def reached_arrays(holders: Iterable[Holder]) -> list[Holder]:
    """Those of the holders whose owners are ndarrays."""
    return [holder for holder in holders if holder.kind in (ARRAY, LARGE_ARRAY)]


def arrays_read(world: World, guards: Guards, given: Set[int]) -> Iterator[tuple[Callable[[], Any], str, str]]:
    """The arrays that a trace has read, held weakly, with words for the place and how the program reaches it: those
    that its guards know. given: the ids of the owners of those that each run has others of."""
    known = guards.locations()
    for holder in reached_arrays(world.holders):
        place = known.get((id(holder.owner), None))
        if place is not None and id(owner_of(holder.owner)) not in given:
            yield weakref.ref(holder.owner), place.words, place.path or place.words


class CapturedArrays:
    """The arrays of one trace that are memory of the graph, by the arrays that own theirs."""

    def __init__(self, owners: Sequence[Any], world: World, places: Places) -> None:
        self.places = places
        labels = {id(owner_of(h.owner)): h.label for h in reversed(reached_arrays(world.holders))}
        memory = [owner for owner in owners if isinstance(owner, np.ndarray)]
        self._by_owner = {id(owner): Captured.of(owner, labels.get(id(owner), "array")) for owner in memory}
        self._views: dict[int, tuple[Any, Any]] = {}
        self._behind: dict[int, Any] = {}
        """The arrays, and tuples with arrays in them, for which something stands, by the id of that."""
        self._of_buffer: dict[int, list[tuple[TracedArray, Any]]] = {}
        """The same with what stands for them, by the id of its buffer."""
        self._left: dict[int, tuple[Any, Any]] = {}
        """What runs leave for arrays and memory of the trace, by their ids, and these."""
        places.exchanged.make(owner for owner in owners if not isinstance(owner, np.ndarray))
        self._views.update((id(holder.owner), (holder.owner, made)) for holder, made in places.exchanged.pairs)
        places.as_left, places.is_left = self.as_left, self._is_left

    def write(self, graph: Graph, keep: Keep, diverges: bool, arguments: Arrays) -> list[Any]:
        """At the end of the trace: they are written, and the outputs of the graph for places. What always raises leaves
        all as it was. arguments: the arrays among them."""
        if diverges:
            return []
        self.stands_for(arguments.standing(graph))
        for array in self._by_owner.values():
            array.write()
        return self.places.leave(graph, keep, arguments)

    def written(self) -> list[Any]:
        """Those that the function has written to."""
        return [array.owner for array in self._by_owner.values() if array.buffer.is_written]

    def stands_for(self, rows: Iterable[tuple[TracedArray, Any]]) -> None:
        """What runs leave for arrays that stand for those that they are given."""
        for array, leaf in rows:
            self._behind[id(array)] = leaf
            self._of_buffer.setdefault(id(array.buffer), []).append((array, leaf))

    def as_left(self, value: Any) -> Any:
        """What a run leaves where a trace leaves this: the array or tuple of the program for what stands for it."""
        inner = inside_of(value)
        if isinstance(inner, TracedArray):
            left = self._array_left(inner)
        else:
            left = self._behind.get(id(inner), inner)
        return value if left is inner else with_inside(value, left)

    def _array_left(self, array: TracedArray) -> Any:
        """What a run leaves for an array; the same where it cannot be told apart from others in the runs."""
        if id(array) in self._behind:
            return self._behind[id(array)]
        if type(array) is ChosenArray:
            return self._once(array, self._one_of)
        base, count = self._memory_left(array.buffer, array.steps)
        if base is None or count == len(array.steps):
            return array if base is None else base
        if not can_be_made(array):
            return array
        return self._once(array, lambda view: ArrayView(base, view.steps[count:]))

    def _memory_left(self, buffer: Buffer, steps: Sequence[Step]) -> tuple[Any, int]:
        """What a run leaves for some memory, or a part of it that steps lead through, and how many of these; None where
        it leaves other parts alone."""
        known = [row for row in self._of_buffer.get(id(buffer), ()) if _is_way_to(row[0].steps, steps)]
        if known:  # the same steps are those of another name, as of one of several after a branch
            made, value = max(known, key=lambda row: len(row[0].steps))
            return value, len(made.steps)
        is_new = not buffer.is_argument and all(buffer is not array.buffer for array in self._by_owner.values())
        return self._once(buffer, NewArray.of) if is_new else None, 0

    def _is_left(self, buffer: Buffer) -> bool:
        """Whether runs leave what is in some memory in places, or find it there."""
        is_known = any(buffer is array.buffer for array in self._by_owner.values())
        return is_known or id(buffer) in self._of_buffer or id(buffer) in self._left

    def _once(self, key: Any, make: Callable[[Any], Any]) -> Any:
        if id(key) not in self._left:
            self._left[id(key)] = key, make(key)
        return self._left[id(key)][1]

    def _one_of(self, array: ChosenArray) -> Any:
        """One of several arrays of the program and new ones, as a run chooses it."""
        flags, sources = zip(*alternatives(array), strict=True)
        objects = [self._array_left(source) for source in sources]
        if any(isinstance(part, TracedArray) for part in objects):
            return array
        number = flags[1]
        if len(objects) > 2:
            number = sum(REGISTRY["cast"](flag, int32) * i for i, flag in enumerate(flags))
        return Ref(objects, number)

    def standing_for(self, value: Any) -> Any:
        """What stands for a value: for an array the traced one, for a tuple with such arrays in it another tuple."""
        if isinstance(value, np.ndarray):
            found = self._by_owner.get(id(owner_of(value)))
            if found is None:
                return value
            check_plain(value, "an array whose memory the function writes to", StagingTypeError)
            if id(value) not in self._views:
                self._views[id(value)] = value, found.view(value)
                made = self._views[id(value)][1]
                self._behind[id(made)] = value
                self._of_buffer.setdefault(id(made.buffer), []).append((made, value))
            return self._views[id(value)][1]
        if isinstance(value, EXCHANGED):
            return self._views.get(id(value), (value, value))[1]
        if isinstance(value, tuple):
            if id(value) not in self._views:
                made = nest.changed(value, self.standing_for)
                self._views[id(value)], self._behind[id(made)] = (value, made), value
            return self._views[id(value)][1]
        return value


def _is_way_to(steps: Sequence[Step], others: Sequence[Step]) -> bool:
    """Whether steps are the first ones of others."""
    return len(steps) <= len(others) and all(map(same_step, steps, others))


@contextlib.contextmanager
def captured(owners: Sequence[Any], world: World, places: Places) -> Iterator[CapturedArrays]:
    """See the module's docstring. Raises StagingError where something that cannot be changed leads to one of them."""
    given = places.given.owners
    owners = [owner for owner in owners if id(owner) not in given]
    arrays = CapturedArrays(owners, world, places)
    changed: list[Holder] = []
    try:
        for holder in world.holders if owners else ():
            if holder.exchange(lambda key, value: arrays.standing_for(value)) is not None:
                changed.append(holder)
        for _, made in places.exchanged.keyed():
            made.contents = {key: arrays.standing_for(value) for key, value in made.contents.items()}
        if owners:
            _check(world.again(), owners)
        if places.exchanged.pairs:
            _check(places.reached(), owners)
        yield arrays
    finally:
        for holder in dict.fromkeys([*changed, *(world.changes() if places.exchanged.pairs else ())]):
            holder.exchange(partial(_original, holder, arrays))


def _original(holder: Holder, arrays: CapturedArrays, key: Any, now: Any) -> Any:
    """The array itself again, where what is traced still stands."""
    before = part(holder.before, key)
    is_still = now is not before and _is_still(now, arrays.standing_for(before))
    return before if is_still else arrays.places.exchanged.original(now)


def _is_still(now: Any, made: Any) -> bool:
    """Whether there is what was put in place, or after a branch another name of it."""
    return now is made or (isinstance(now, TracedArray) and isinstance(made, TracedArray) and same_view(now, made))


def _check(world: World, owners: Sequence[Any]) -> None:
    for holder in world.holders:
        is_array = holder.kind in (ARRAY, LARGE_ARRAY)
        if any((owner_of(holder.owner) if is_array else holder.owner) is owner for owner in owners):
            raise StagingError(
                f"the {holder.kind.word} {holder.label!r} is written to in the function, and is reached by something"
                " that the trace cannot exchange (an element of a set, an array of objects): pass"
                " it as an argument, or keep it in a global, an attribute, a list or a dict"
            )
