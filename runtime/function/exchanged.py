"""Containers of the program of which a tensor decides what they have: what stands for them while a function is traced.

    exchanged.add([1.0], None, graph)     # learnt in a round of the trace
    exchanged.make(owners)                # ... so that a list that grows stands for it in the next one
    exchanged.rows()                      # what the runs leave in its place

For a list to which the functions append, and do nothing else, stands an empty one, to which no run gives anything:
there is one trace for all lengths. Others get their elements from each run.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime.control_flow.lists.element_types import ElementType, LeafType, RowType
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.keyed_calls import KEYED
from runtime.control_flow.lists.replacements import in_place_of
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.watched import watched_elements
from runtime.function.code_names import only_grown
from runtime.function.given_places import GivenPlaces
from runtime.function.keyed_rows import Rows
from runtime.function.left import Made
from runtime.function.left_values import called_in
from runtime.function.slot import Slot, Slots, added, can_be_copied, can_be_rows
from runtime.graph.graph import Graph
from runtime.heap.holder import Holder, Place
from runtime.heap.place import WHOLE, handle_of
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.restart import IsMemory, are_traced, restart_for_left
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart

__all__ = ["Exchanged", "begin_again_for_elements", "check_elements"]


class Exchanged:
    """See the module's docstring. pairs: in this round, what holds them, and what stands there."""

    def __init__(self, slots: Slots, given: GivenPlaces) -> None:
        """given: the places whose values each run is given."""
        self._slots = slots
        self._given = given
        self.pairs: list[tuple[Holder, Any]] = []

    def can_be(self, container: Any, by_keys: bool = False) -> bool:
        """Whether something of ours can stand for a container. by_keys: because tensors are keys or members of it."""
        holder = self._slots.world.find(container)
        if holder is None or id(container) in self._slots.of_the_call:
            return False
        if by_keys:
            return type(container) in KEYED and not self._has_rows(holder)
        return type(container) in (dict, OrderedDict, Counter, set) or can_be_rows(holder, self._slots.roots)

    def add(self, container: Any, elements: Any, graph: Graph | None, by_keys: bool = False) -> None:
        """From the next round on something of ours stands for a container. elements: what is known of those of a list;
        graph: of the round that has found that; by_keys: whether tensors are keys or members of it."""
        holder = self._slots.world.find(container)
        if holder is not None and by_keys:
            self._add_keyed(holder)
            return
        if holder is None or type(container) not in (list, deque):
            return
        slot = self._slots.keep(self._slots.of_whole(holder))
        slot.elements = None if _has_arrays(elements) else elements  # arrays may be traced ones from then on
        slot.added = added(holder, self._slots.roots, () if graph is None else called_in(graph))
        if slot.added is None:
            self._give_elements(slot)

    def make(self, owners: Iterable[Any]) -> None:
        """Makes what stands for containers in this round: with what they hold, or nothing where runs append alone."""
        holders = [self._slots.world.by_owner[id(owner)] for owner in owners]
        slots = [self._slots.known.get(Place(holder, WHOLE).at) for holder in holders]
        self.pairs = [(h, _stand_in(h, slot)) for h, slot in zip(holders, slots, strict=True)]

    def original(self, value: Any) -> Any:
        """A container of the program for what stands for it."""
        return next((holder.owner for holder, made in self.pairs if made is value), value)

    def knows(self, owner: Any) -> bool:
        """Whether something stands for a container."""
        return any(holder.owner is owner for holder, _ in self.pairs)

    def keyed(self) -> list[tuple[Holder, MaybeContainer]]:
        """The dicts and sets."""
        return [(holder, made) for holder, made in self.pairs if isinstance(made, MaybeContainer)]

    def rows(self) -> list[tuple[Slot, TensorList]]:
        """The lists and deques, and the dicts and sets of which tensors are keys, as lists that grow."""
        lists = [(holder, made) for holder, made in self.pairs if not isinstance(made, MaybeContainer)]
        return [(self._slots.of_whole(h), made.rows if isinstance(made, Grown) else made) for h, made in lists]

    def learn_rows(self) -> bool:
        """After a trace: takes in what has been put into dicts and sets. Whether that is more than was known."""
        found = [(slot, slot.place, made) for slot, made in self.rows() if isinstance(slot.place, Rows)]
        before = [place.elements for _, place, _ in found]
        for slot, place, made in found:
            self._learn(slot, place, made.elements)
        return before != [place.elements for _, place, _ in found]

    def _has_rows(self, holder: Holder) -> bool:
        slot = self._slots.known.get(Place(holder, WHOLE).at)
        return slot is not None and isinstance(slot.place, Rows)

    def _add_keyed(self, holder: Holder) -> None:
        whole, rows = Place(holder, WHOLE), Rows(handle_of(holder.owner), holder.label)
        slot = self._slots.known[whole.at] = Slot(whole, rows, (), ())
        self._learn(slot, rows)

    def _learn(self, slot: Slot, rows: Rows, elements: ElementType | None = None) -> None:
        if not rows.learn(elements):
            raise StagingError(
                f"tensors are keys or members of {slot.holder.described()}{self._slots.here()}, of which runs are given"
                " all that it holds: what is in it must be numbers of one kind, texts, tensors of one dtype and shape,"
                " or tuples of such, and what is put in of the same kinds. Keep others in a dict or set of their own"
            )
        if not rows.is_in_order:
            raise StagingError(
                f"{slot.holder.described()} is gone through{self._slots.here()}, and has lost members since it was"
                " made: its order is Python's own. Go through `sorted(s)`, or through a new set (`self.s = set(s)`)"
            )
        slot.before = slot.seen = rows.read()
        self._given.give(slot, stands=True)

    def give_what_is_read(self, called: Sequence[FunctionType] | None) -> bool:
        """Gives the elements of lists for which an empty one stood, where code does more than to append. called: the
        functions that ran; None: any may. Whether there are such."""
        lists = [slot for slot, _ in self.rows() if slot.added is not None]
        found = [slot for slot in lists if called is None or not only_grown(slot.attribute, called)]
        for slot in found:
            self._give_elements(slot)
        return bool(found)

    def _give_elements(self, slot: Slot) -> None:
        if not can_be_copied(slot.before):
            raise StagingError(
                f"{slot.place.words!r} gets longer as a tensor decides, and is not only appended to"
                f"{self._slots.here()}: its elements are of several kinds, or lists, arrays or objects, of which the"
                " graph would have copies. Append to it alone, or decide by what Python knows"
            )
        slot.added = None
        self._given.give(slot, stands=True)


def _stand_in(holder: Holder, slot: Slot | None) -> Any:
    """What stands for a container in a round."""
    if slot is None:
        return in_place_of(holder)
    if isinstance(slot.place, Rows):
        return slot.place.stand_in(holder, slot.seen)
    return in_place_of(holder, slot.added is not None, slot.elements)


# -- elements that are arrays, lists or objects: each run leaves copies of its own


def begin_again_for_elements(lists: Iterable[tuple[Slot, TensorList]]) -> None:
    """Raises Restart where arrays may be in such lists, and arrays are tensors in this round; StagingError where what
    is put into one is an array on some ways only."""
    known = [(slot, rows.elements) for slot, rows in lists if _has_arrays(rows.elements)]
    if known and not are_traced():
        raise Restart(IsMemory(None))
    for slot, elements in known:
        found = [leaf for leaf in elements.leaves if _was_array(leaf)] if elements else []
        restart_for_left(found, True)
        if found:
            raise StagingError(
                f"what is put into {slot.place.words!r} is an array, or none, as a tensor decides: the graph has one"
                " tensor for both. Put in an array on all ways (`np.array(0.0)`)"
            )


def check_elements(
    lists: Sequence[tuple[str, TensorList]], graph: Graph, world: World, made: Made, is_left: Callable[[Buffer], bool]
) -> None:
    """Raises StagingError where an array, list or object that is put into one of the lists, or read from one, has
    another name when a run is over. lists: with words for each; made: what runs leave; is_left: whether they leave what
    is in a buffer elsewhere."""
    if not lists:
        return
    writes = graph.recording.tracing.writes
    objects, arrays = writes.objects_in_lists, list[Any]()
    read = [value for value in watched_elements() if not isinstance(value, TracedArray | np.ndarray)]
    has_other_name = made.has_views or any(made.leaves(value) for value in [*read, *objects])
    if any(_has_arrays(rows.elements) for _, rows in lists):
        arrays = [*writes.put_in_lists]
        buffers = [buffer for array in arrays if isinstance(array, TracedArray) for buffer in array.buffers]
        has_other_name = has_other_name or any(buffer.is_argument or is_left(buffer) for buffer in buffers)
        has_other_name = has_other_name or bool(buffers and writes.names_in_lists)
        arrays = [*buffers, *[owner_of(array) for array in arrays if isinstance(array, np.ndarray)]]
    put = [*map(id, [*objects, *arrays])]
    if has_other_name or len(set(put)) < len(put) or not world.by_owner.keys().isdisjoint(put):
        words = " or ".join(repr(words) for words, _ in lists)
        raise StagingError(
            f"an array, list or object is an element of {words}, which a tensor decides about, and has another name or"
            " is in another place, too, where the graph has a copy: put a copy into the list"
            " (`rows.append(row.copy())`)"
        )


def _was_array(leaf: LeafType | RowType) -> bool:
    """Whether arrays of the program are among the elements, for which tensors stand."""
    return isinstance(leaf, LeafType) and leaf.was_array and leaf.shape.rank != 0


def _has_arrays(elements: ElementType | None) -> bool:
    """Whether there may be arrays among the elements of a list."""
    return elements is not None and any(leaf.shape.rank != 0 for leaf in elements.leaves)
