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
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any, Final

import numpy as np

from runtime import structures as nest
from runtime.control_flow.lists.replacements import elements_seen
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.watched import can_change
from runtime.function.code_names import only_grown
from runtime.function.elements_left import WHOLE, Elements
from runtime.function.left import Found, Left
from runtime.function.left_values import LeftValues
from runtime.heap.holder import ABSENT, Holder, part
from runtime.heap.kind import Kind
from runtime.heap.kinds import DEQUE, DICT, LIST, object_kinds
from runtime.heap.place import handle_of, place_of
from runtime.heap.store import World

__all__ = [
    "WHOLE", "Added", "Slot", "Whole", "added", "as_rows", "can_be_copied", "can_be_rows", "is_appended",
    "moves_objects", "parts_of", "slot_of", "slot_of_whole", "whole_of", "with_found",
]  # fmt: skip

_EXTEND: Final[dict[Kind, Callable[[Any, Any], None]]] = {LIST: list.extend, DEQUE: collections.deque.extend}


@dataclass(frozen=True, eq=False, slots=True)
class Whole:
    """All that a container holds, as a `Place`: a tuple, or a dict."""

    find: Callable[[], Any]
    kind: Kind
    words: str
    key: Any = WHOLE

    def read(self) -> Any:
        """What it holds now; ABSENT where it is gone."""
        owner = self.find()
        return ABSENT if owner is None else _frozen(self.kind.read(owner))

    def put(self, value: Any) -> None:
        """Sets that."""
        if (owner := self.find()) is not None and self.kind.write is not None:
            self.kind.write(owner, value if isinstance(value, dict) else list(value))


@dataclass(frozen=True, eq=False, slots=True)
class Added:
    """The end of a list or deque, as a `Place` to which a run appends."""

    find: Callable[[], Any]
    kind: Kind
    words: str
    key: Any = WHOLE

    def put(self, value: Any) -> None:
        """Appends what is in a tuple."""
        if (owner := self.find()) is not None:
            _EXTEND[self.kind](owner, value)


def _frozen(contents: Any) -> Any:
    return contents if isinstance(contents, dict) else tuple(contents)


def whole_of(holder: Holder) -> tuple[Whole, Any] | None:
    """The place, and what it held; None for what is no such container, and for one that is the value of a variable: to
    append to that is an effect of the trace, as TensorFlow's guides have it."""
    if holder.kind not in (LIST, DEQUE, DICT) or holder.label.isidentifier():
        return None
    return Whole(handle_of(holder.owner), holder.kind, holder.label), _frozen(holder.before)


def as_rows(place: Any, value: Any) -> Any:
    """The place of what a trace leaves: another one for all that a list holds, where only the run knows its length."""
    is_rows = isinstance(place, Whole) and isinstance(value, TensorList)
    return Elements(place.find, place.words) if is_rows else place


def can_be_rows(holder: Holder, roots: tuple[Any, Any]) -> bool:
    """Whether a list that grows in the graph can stand for a list or deque. roots: the function, and what else it is
    given."""
    if type(holder.owner) not in (list, collections.deque) or whole_of(holder) is None:
        return False
    return can_be_copied(holder.before) or added(holder, roots, ()) is not None


def can_be_copied(elements: Any) -> bool:
    """Whether elements of a list can be in one of the graph, and nobody could tell copies of them apart."""
    items = list(elements)
    return not items or (not any(can_change(part) for part in _parts_in(items)) and elements_seen([items]) is not None)


def _parts_in(items: list[Any]) -> Iterator[Any]:
    """What is in elements, with what is in these."""
    pending = [*items]
    while pending:
        part = pending.pop()
        yield part
        if nest.is_structure(part):
            pending += [inner for _, inner in nest.children(part)]


def parts_of(contents: Any) -> list[Any]:
    """What a tuple or dict holds."""
    return [*contents.values()] if isinstance(contents, dict) else [*contents]


def with_found(place: Whole, before: Any, seen: Any, now: Any, values: LeftValues) -> Any:
    """What a run leaves there, where a trace leaves this. What was there stays the object that it is."""
    keys = {id(value): key for held in (before, seen) for key, value in _items(held)}

    def left(value: Any) -> Any:
        if id(value) in keys:
            return Found(partial(_part, place, keys[id(value)]))
        return Found(handle_of(value)) if values.stays(value) and not isinstance(value, np.ndarray) else value

    if isinstance(now, dict):
        return {key: left(value) for key, value in now.items()}
    return tuple(map(left, now))


def _part(place: Whole, key: Any) -> Any:
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
) -> Added | None:
    """Where a run appends to a list or deque; None where the trace may depend on what that holds. roots: the function,
    and what else it is given; functions: those that ran."""
    name = holder.label.rpartition(".")[2]
    if holder.kind not in _EXTEND or not name.isidentifier() or not only_grown(name, functions):
        return None
    keepers = World(roots[0], objects=roots[1], of=[holder.owner]).keepers[id(holder.owner)]
    if len(keepers) != 1 or keepers[0] is None:
        return None
    contents = [kind.read(keepers[0]) for kind in object_kinds(keepers[0]) if kind.has_attributes]
    if not any(held.get(name) is holder.owner for held in contents):
        return None
    return Added(handle_of(holder.owner), holder.kind, holder.label)


@dataclass(eq=False, slots=True)
class Slot:
    """A place that the function leaves tensors in. inputs: whether its tensors and numbers are inputs of the graph;
    seen: what stands there when a trace begins."""

    holder: Holder
    key: Any
    place: Any
    """A `Place`, or a `Whole`."""
    before: Any
    inputs: bool = False
    form: Any = None
    is_used: bool = True
    seen: Any = None
    left: Left | None = None
    added: Added | None = None
    """Where runs append to a list, of which the trace depends on nothing."""
    elements: Any = None
    """What is known of the elements of a list of which a tensor decides how many they are."""
    guessed: bool = False
    """Whether it is given because it holds another array than before, and nobody knows whether the trace asks for its
    elements."""
    beside: bool = False
    """Whether it is given because its array shares memory with another one that is."""

    @property
    def attribute(self) -> str:
        """The attribute by which code reaches it; an empty text where there is none."""
        name = self.key if self.holder.kind.has_attributes else self.holder.label.rpartition(".")[2]
        return name if name.isidentifier() and "." in self.place.words else ""

    @property
    def is_whole(self) -> bool:
        """Whether it is all that a container holds."""
        return isinstance(self.place, Whole)


def slot_of(slots: Mapping[Any, Slot], holder: Holder, key: Any, before: Any) -> Slot | None:
    """The place of a key, known or new; None where it cannot be written by itself."""
    slot = slots.get((holder.place, key))
    if slot is None and (place := place_of(holder, key)) is not None:
        slot = Slot(holder, key, place, before, seen=before)
    return slot


def slot_of_whole(slots: dict[Any, Slot], holder: Holder) -> Slot:
    """The place of all that a list or deque holds, which is known from then on."""
    found = whole_of(holder)
    assert found is not None
    return slots.setdefault((holder.place, WHOLE), Slot(holder, WHOLE, *found, seen=found[1]))
