"""Places of the program in which a trace leaves tensors, while it is traced: see `runtime.function.places`. One is a
part of an object, or all that a list, deque or dict holds which gets longer, or another order, as in each run.

    def step(self, x):
        self.losses.append(x)            # each run appends what it has for x

What a container holds when a run begins is an input of the graph, by its form: another length has another trace. A list
to which the traced functions only append needs no inputs, and has one trace for all lengths.
"""

from __future__ import annotations

import collections
import operator
from collections.abc import Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lists.replacements import elements_seen
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.watched import can_change
from runtime.function.code_names import may_read, names_in, only_grown
from runtime.function.elements_left import Elements
from runtime.function.keyed_rows import Rows
from runtime.function.left import Left
from runtime.function.left_leaves import Found
from runtime.function.left_values import LeftValues
from runtime.function.state import Read, form_of, holds_texts, inputs_in, texts_in
from runtime.graph.location import definition
from runtime.heap.holder import ABSENT, Holder, Place, part
from runtime.heap.kinds import ATTRIBUTES, DEQUE, DICT, LIST, SLOTS, object_kinds
from runtime.heap.open_objects import own_class
from runtime.heap.place import END, WHOLE, LastingPlace, frozen, handle_of, lasting
from runtime.heap.store import World
from runtime.heap.variables import CELL, GLOBAL, MODULE, NAMESPACE
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "Slot", "Slots", "added", "as_rows", "can_be_copied", "can_be_rows", "can_be_whole", "is_appended", "moves_objects",
    "parts_of", "with_found",
]  # fmt: skip

def as_rows(place: Any, value: Any) -> Any:
    """The place of what a trace leaves: another one for all that a list holds, where only the run knows its length."""
    is_rows = place.key is WHOLE and isinstance(value, TensorList)
    return Elements(place.find, place.words) if is_rows else place


def can_be_whole(holder: Holder) -> bool:
    """Whether runs may leave all that a container holds. To append to one that is the value of a variable is an effect
    of the trace, as TensorFlow's guides have it."""
    return holder.kind in (LIST, DEQUE, DICT) and not holder.label.isidentifier()


def can_be_rows(holder: Holder, roots: tuple[Any, Any]) -> bool:
    """Whether a list that grows in the graph can stand for a list or deque. roots: the function, and what else it is
    given."""
    if type(holder.owner) not in (list, collections.deque) or not can_be_whole(holder):
        return False
    return can_be_copied(holder.before) or added(holder, roots, ()) is not None


def can_be_copied(elements: Any) -> bool:
    """Whether elements of a list can be in one of the graph, and nobody could tell copies of them apart."""
    items = list(elements)
    parts = nest.walked(items, nest.parts_if_structure)
    return not items or (not any(map(can_change, parts)) and elements_seen([items]) is not None)


def parts_of(contents: Any) -> list[Any]:
    """What a tuple or dict holds."""
    return [*contents.values()] if isinstance(contents, dict) else [*contents]


def with_found(place: LastingPlace, before: Any, seen: Any, now: Any, values: LeftValues) -> Any:
    """What a run leaves there, where a trace leaves this. What was there stays the object that it is."""
    keys = {id(value): key for held in (before, seen) for key, value in _items(held)}

    def left(value: Any) -> Any:
        if id(value) in keys:
            return Found(partial(_part, place, keys[id(value)]))
        return Found(handle_of(value)) if values.stays(value) and not isinstance(value, np.ndarray) else value

    if isinstance(now, dict):
        return {key: left(value) for key, value in now.items()}
    return tuple(map(left, now))


def _part(place: LastingPlace, key: Any) -> Any:
    return part(place.read(), key)


def _items(contents: Any) -> Iterable[tuple[Any, Any]]:
    return contents.items() if isinstance(contents, dict) else enumerate(contents)


def moves_objects(before: Any, seen: Any, now: Any, values: LeftValues) -> bool:
    """Whether objects of the program are elsewhere than they were, or gone."""
    held = {key: value for contents in (before, seen) for key, value in _items(contents)}
    known = {id(held[key]) for key, value in _items(before) if values.stays(value)}
    moved = [value for key, value in _items(now) if held.get(key, ABSENT) is not value]
    return any(map(values.stays, moved)) or not known <= set(map(id, parts_of(now)))


def is_appended(before: Any, now: Any) -> bool:
    """Whether all that was there is there, in its place."""
    return isinstance(before, tuple) and len(now) > len(before) and all(map(operator.is_, before, now))


def added(
    holder: Holder, roots: tuple[Any, Any], functions: Iterable[FunctionType]
) -> LastingPlace | None:
    """Where a run appends to a list or deque; None where the trace may depend on what that holds. roots: the function,
    and what else it is given; functions: those that ran."""
    name, end = holder.label.rpartition(".")[2], lasting(Place(holder, END))
    if end is None or not name.isidentifier() or not only_grown(name, functions):
        return None
    keepers = World(roots[0], objects=roots[1], of=[holder.owner]).keepers[id(holder.owner)]
    if len(keepers) != 1 or keepers[0] is None:
        return None
    contents = [kind.read(keepers[0]) for kind in object_kinds(keepers[0]) if kind.has_attributes]
    return end if any(held.get(name) is holder.owner for held in contents) else None


@dataclass(eq=False, slots=True)
class Slot:
    """A place that the function leaves tensors in. inputs: whether its tensors and numbers are inputs of the graph;
    seen: what stands there when a trace begins."""

    known: Place
    place: Any
    """A `LastingPlace`, or `Rows`."""
    before: Any
    seen: Any
    inputs: bool = False
    form: Any = None
    texts: Container[type] = ()
    """The classes of texts that runs are given where they are in a structure."""
    arrays: Sequence[Any] = ()
    """Those among what runs are given."""
    is_used: bool = True
    left: Left | None = None
    added: LastingPlace | None = None
    """Where runs append to a list, of which the trace depends on nothing."""
    elements: Any = None
    """What is known of the elements of a list of which a tensor decides how many they are."""
    guessed: bool = False
    """Whether it is given because it holds another array than before, and nobody knows whether the trace asks for its
    elements."""
    beside: bool = False
    """Whether it is given because its array shares memory with another one that is."""

    def has(self, value: Any) -> bool:
        """Whether a value is what was in the place, or stood there when the trace began."""
        return value is self.before or value is self.seen

    def own_form(self) -> Any:
        """The form of its value."""
        return self.place.form() if isinstance(self.place, Rows) else form_of(self.before, self.texts)

    def has_other_texts(self, other: Read | None) -> bool:
        """Whether runs are given the texts in its structure, too: they are others than in the trace before, or that did
        not look at them. other: what it was given there."""
        if not nest.is_plain(self.before) or not holds_texts(self.before):
            return False
        if other is None:
            return self.guessed and inputs_in(self.before) is None
        if other.texts or not other.is_used:
            return True
        return [*texts_in(form_of(self.before))] != [*texts_in(other.form)]

    @property
    def holder(self) -> Holder:
        """What has it."""
        return self.known.holder

    @property
    def attribute(self) -> str:
        """The attribute by which code reaches it; an empty text where there is none."""
        name = self.known.key if self.holder.kind.has_attributes else self.holder.label.rpartition(".")[2]
        return name if name.isidentifier() and "." in self.place.words else ""

    def is_leak(self, value: Any, called: Iterable[FunctionType]) -> bool:
        """Whether a tensor of the graph was only left behind, as TensorFlow has it, where it is an error to use it:
        each run would assign it to a variable or an attribute that held nothing, or what was left before, and that none
        of the functions that ran reads first. Numbers and texts of Python's, and numbers of arrays, are no tensors of
        the program."""
        holder, key = self.known
        held_nothing = self.before is None or self.before is ABSENT or type(self.before) is SymbolicTensor
        if self.before is ABSENT and holder.kind in (ATTRIBUTES, SLOTS):
            held_nothing = not hasattr(own_class(holder.owner), key)
        if self.inputs or not held_nothing or type(value) is not SymbolicTensor or value.of_array or value.weak:
            return False
        if not (holder.kind.has_attributes or holder.kind in (CELL, GLOBAL, NAMESPACE, MODULE)):
            return False
        name = key or holder.label
        return not any(name in names_in(function.__code__).read_first for function in called)

    def may_be_read(self, called: Iterable[FunctionType]) -> bool:
        """Whether one of the functions that ran may look at what it holds, as far as names tell."""
        return not self.attribute or any(may_read(self.attribute, function) for function in called)

    @property
    def is_whole(self) -> bool:
        """Whether it is all that a container holds."""
        return self.known.key is WHOLE


@dataclass(frozen=True, slots=True)
class Slots:
    """Those of a function. world: what it can reach; roots: the function, and what else it is given; of_the_call: the
    ids of containers among its arguments; known: by what they are of."""

    world: World
    roots: tuple[Any, Mapping[str, Any]]
    of_the_call: Set[int]
    known: dict[Any, Slot] = field(default_factory=dict)

    def of(self, place: Place, before: Any) -> Slot | None:
        """That of a place, known or new; None where it cannot be written by itself."""
        slot = self.known.get(place.at)
        if slot is None and (at := lasting(place)) is not None:
            slot = Slot(place, at, before, before)
        return slot

    def of_whole(self, holder: Holder) -> Slot:
        """That of all that a container holds."""
        if (known := self.known.get(Place(holder, WHOLE).at)) is not None:
            return known
        slot = self.of(Place(holder, WHOLE), frozen(holder.before))
        assert slot is not None
        return slot

    def keep(self, slot: Slot) -> Slot:
        """The slot, which is known from then on."""
        return self.known.setdefault(slot.known.at, slot)

    def here(self) -> str:
        """For messages: where the function is."""
        return f" ({place})" if (place := definition(self.roots[0])) else ""
