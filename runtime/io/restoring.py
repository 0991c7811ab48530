"""`Restoration`: gives the values of a file to the objects of a program, also to those that come into being later.

    restoration = Restoration([root], container, nodes, ledger)
    restoration.begin()                # checks all that there is, then gives it its values
    ledger.left                        # names of values that no object has got yet
    restoration.settle()               # looks again

Objects and nodes of the file are matched from the root on, part by part, by the names of the parts. A part that the
file has and the object has not is waited for. All that matches is checked before anything is changed; each Variable
gets a value once, so that what a program has done with it since is never undone.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from runtime.dtypes import int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.io.container import Container
from runtime.io.container_layout import Entry
from runtime.io.ledger import Ledger
from runtime.io.objects import has_parts, parts_of
from runtime.io.saved_tree import SavedNode, SavedSlot, has_value, is_value_of, named_variables
from runtime.ops.record import Array
from runtime.shapes import TensorShape
from runtime.state.expected import LOCK, WAITING, arrived, stop_waiting, wait
from runtime.state.variable import Variable

__all__ = ["Restoration"]

KEPT: Final = 64 << 20
"""Bytes that are kept between the check of all values and the assignment; larger values are read twice."""

LARGE: Final = 4 << 20
"""Bytes above which a value is read into the memory of the Variable."""


class Place(NamedTuple):
    """Where an object is: an object of the program, and the names of containers and items that lead on from there."""

    owner: weakref.ref[Any]
    names: tuple[str, ...]


class Match(NamedTuple):
    """An object, and what stands for it in the file."""

    value: Any
    node: int
    place: Place


@dataclass
class Found:
    """What one look at the objects has found."""

    given: list[tuple[Any, int]] = field(default_factory=list)
    """What gets a value, and the node that has it."""
    waiting: dict[tuple[int, tuple[str, ...], int], Place] = field(default_factory=dict)
    slots: list[tuple[weakref.ref[Any], SavedSlot]] = field(default_factory=list)


class Restoration:
    """See the module's docstring. It keeps no object of the program alive.

    roots: what the root of the file stands for. ledger: has the names of the values that are waited for; what nobody
    has asked for is told when nobody can any more.
    """

    def __init__(
        self, roots: Sequence[Any], container: Container, nodes: Sequence[SavedNode], ledger: Ledger
    ) -> None:
        self._container = container
        self._nodes = nodes
        self._ledger = ledger
        weakref.finalize(self, ledger.tell_left)  # also when the program ends
        self._refs: dict[int, weakref.ref[Any]] = {}
        self._roots = [self._ref(root) for root in roots]
        self._left = ledger.left
        self._given: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._waiting: dict[tuple[int, tuple[str, ...], int], Place] = {}
        self._slots: list[tuple[weakref.ref[Any], SavedSlot]] = []

    def begin(self) -> None:
        """Raises for what does not fit, before anything is changed: see `_check`, and FileFormatError."""
        with LOCK:
            self._take(self._matched([Match(ref(), 0, Place(ref, ())) for ref in self._roots]))
            if not self.waits():
                self.stop()
                return
            for other in list(WAITING.values()):
                if isinstance(other, Restoration):
                    other._give_way(self)
            wait(self)

    def settle(self) -> None:
        """Gives values to what has come into being since. Raises as `begin`, once for each thing that does not fit."""
        with LOCK:
            if not self.waits():
                return
            seen: dict[int, dict[str, Any]] = {}
            pairs = []
            for key, place in list(self._waiting.items()):
                value = _at(place, seen)
                if value is not None:
                    del self._waiting[key]
                    pairs.append(Match(value, key[2], self._place_of(value, place)))
            try:
                self._take(self._matched(pairs))
            finally:
                if not self.waits():
                    self.stop()

    def _give_way(self, newer: Restoration) -> None:
        """What another one waits for that began later is not waited for here any more."""
        names = {(id(place.owner()), place.names) for place in newer._waiting.values()}
        optimizers = {id(ref()) for ref, _ in newer._slots}
        self._waiting = {k: p for k, p in self._waiting.items() if (id(p.owner()), p.names) not in names}
        self._slots = [(ref, slot) for ref, slot in self._slots if id(ref()) not in optimizers]
        if not self.waits():
            self.yield_to(newer)

    def yield_to(self, newer: Restoration) -> None:
        """Ends, because another one has taken its place; tells what that has not."""
        self.stop()
        self._ledger.tell_left(newer._container.entries)

    def waits(self) -> bool:
        """Whether objects may still come that get values."""
        return bool(self._left and (self._waiting or self._slots))

    def has_given_any(self) -> bool:
        """Whether anything has got its value."""
        return bool(self._given)

    def has_given(self, value: Any) -> bool:
        """Whether a Variable or an iterator has got its value."""
        return self._node_of(value) is not None

    def stop(self) -> None:
        """Waits for nothing any more."""
        with LOCK:
            stop_waiting(self)
            self._waiting.clear()
            self._slots.clear()
            self._container.close()

    # -- matching -------------------------------------------------------------------------------------------------

    def _node_of(self, value: Any) -> int | None:
        found = self._given.get(id(value))
        return found[1] if found is not None and found[0]() is value else None

    def _matched(self, pairs: list[Match]) -> Found:
        """What belongs together, from these objects on. Nothing is changed yet."""
        found = Found()
        seen = set()
        for value, node, place in pairs:  # grows meanwhile
            if (id(value), node) in seen:
                continue
            seen.add((id(value), node))
            saved = self._nodes[node]
            if saved.value is not None and is_value_of(saved.value, value):
                found.given.append((value, node))
            if hasattr(type(value), "_saved_slots"):
                found.slots += [(place.owner, slot) for slot in saved.slots]
            if not saved.parts:
                continue
            parts = parts_of(value, has_value)
            for name, number in saved.parts:
                if (part := parts.get(name)) is not None:
                    pairs.append(Match(part, number, self._place_of(part, Place(place.owner, (*place.names, name)))))
                else:
                    missing = Place(place.owner, (*place.names, name))
                    found.waiting[id(place.owner), missing.names, number] = missing
        return found

    def _take(self, found: Found) -> None:
        """Gives values to what was found and to the slots that are known by that."""
        self._waiting |= found.waiting
        self._slots += found.slots
        self._give([*found.given, *self._found_slots(found.given)])

    def _found_slots(self, given: Sequence[tuple[Any, int]]) -> list[tuple[Any, int]]:
        """The slots that are there by now; the others are waited for. given: what is about to get its value."""
        variables: dict[int, list[Any]] = {}
        for value, node in [*((ref(), node) for ref, node in self._given.values()), *given]:
            variables.setdefault(node, []).append(value)
        known: dict[int, dict[Any, Any]] = {}
        found, waiting = [], []
        for ref, slot in self._slots:
            optimizer = ref()
            if optimizer is None:
                continue
            if id(optimizer) not in known:
                known[id(optimizer)] = _slots_of(optimizer)
            if slot.variable is None:
                keys: list[Any] = [(slot.name, slot.number, slot.slot)]
            else:
                keys = [(id(variable), slot.slot) for variable in variables.get(slot.variable, ())]
            kept = [known[id(optimizer)].get(key) for key in keys]
            found += [(one, slot.node) for one in kept if one is not None]
            if not kept or any(one is None for one in kept):
                waiting.append((ref, slot))
        self._slots = waiting
        return found

    # -- giving ---------------------------------------------------------------------------------------------------

    def _give(self, given: Sequence[tuple[Any, int]]) -> None:
        """Gives values to those that have none yet, after a check of all."""
        new: dict[int, tuple[Any, int]] = {}
        for value, node in given:
            before = new[id(value)][1] if id(value) in new else self._node_of(value)
            if before is None:
                new[id(value)] = value, node
            elif before != node:
                names = f"{self._nodes[before].path!r} and {self._nodes[node].path!r}"
                raise InvalidArgumentError(
                    f"{self._container.path}: {names} are two values in the file, and one and the same object in the"
                    " program, which cannot have both. Make two objects, or restore only one of them"
                )
        self._check(new.values())
        kept = self._verified(new.values())
        iterators = [(value, self._name(node)) for value, node in new.values() if not isinstance(value, Variable)]
        for go_on in [value._reached(self._container.array(name)) for value, name in iterators]:
            go_on()
        for value, node in new.values():
            name = self._name(node)
            if isinstance(value, Variable):
                self._put(value, name, kept.pop(name, None))
            self._left.discard(name)
            self._given[id(value)] = weakref.ref(value), node

    def _name(self, node: int) -> str:
        name = self._nodes[node].value
        assert name is not None
        return name

    def _check(self, given: Iterable[tuple[Any, int]]) -> None:
        """Raises DtypeMismatchError or ShapeMismatchError that name all Variables that their values do not fit."""
        wrong: dict[type[Exception], list[str]] = {DtypeMismatchError: [], ShapeMismatchError: []}
        for value, node in given:
            entry = self._container.entries[self._name(node)]
            kind = _difference(value, entry)
            if kind is not None:
                wrong[kind].append(f"{self._nodes[node].path!r} {_in_words(value, entry)}")
        for error, lines in wrong.items():
            if lines:
                everything = [line for found in wrong.values() for line in found]
                raise error(
                    f"{self._container.path}: values in the file do not fit the objects that they are for; nothing has"
                    " been restored of them:\n  " + "\n  ".join(everything)
                )

    def _verified(self, given: Iterable[tuple[Any, int]]) -> dict[str, Array]:
        """Reads all values once, so that damage shows before anything is changed. What is small is kept."""
        kept: dict[str, Array] = {}
        room = KEPT
        for name in dict.fromkeys(self._name(node) for _, node in given):
            length = self._container.entries[name].length
            if length <= min(room, LARGE):
                kept[name] = self._container.array(name)
                room -= length
            else:
                self._container.check(name)
        return kept

    def _put(self, value: Variable, name: str, array: Array | None) -> None:
        entry = self._container.entries[name]
        memory = value.handle
        arrived(memory)
        if entry.length > LARGE and entry.dtype is not string and memory.read().shape == entry.shape:
            memory.change(lambda target: self._container.read_into(name, target, checked=True))
        else:
            memory.take(self._container.array(name) if array is None else array)

    # -- objects without keeping them --------------------------------------------------------------------------

    def _ref(self, value: Any) -> weakref.ref[Any]:
        """One reference for each object, which tells when it is gone."""
        found = self._refs.get(id(value))
        if found is None or found() is not value:
            found = self._refs[id(value)] = weakref.ref(value, self._owner_gone)
        return found

    def _place_of(self, value: Any, place: Place) -> Place:
        """The place of an object: itself, if something can refer to it without keeping it."""
        if isinstance(value, Variable) or hasattr(type(value), "_saved_parts"):
            return Place(self._ref(value), ())
        return place

    def _owner_gone(self, gone: weakref.ref[Any]) -> None:
        """Called when an object is gone: perhaps it was the last one that something was waited for."""
        with LOCK:
            if not self.waits():
                return
            self._waiting = {key: place for key, place in self._waiting.items() if place.owner() is not None}
            self._slots = [(ref, slot) for ref, slot in self._slots if ref() is not None]
            if not self.waits():
                self.stop()
                self._ledger.tell_left()


def _slots_of(optimizer: Any) -> dict[Any, Any]:
    """The slots of an optimizer by the variable, and by its name and number."""
    rows = list(named_variables(optimizer._saved_slots()))
    return {(id(row[0]), row[3]): row[4] for row in rows} | {row[1:4]: row[4] for row in rows}


def _at(place: Place, seen: dict[int, dict[str, Any]]) -> Any:
    """What is at a place now, or None. seen: the parts of objects that have been asked already."""
    value = place.owner()
    for name in place.names:
        if value is None or not has_parts(value):
            return None
        if id(value) not in seen:
            seen[id(value)] = parts_of(value, has_value)
        value = seen[id(value)].get(name)
    return value


def _difference(value: Any, entry: Entry) -> type[Exception] | None:
    dtype, shape = (value.dtype, value.shape) if isinstance(value, Variable) else (int64, TensorShape([]))
    if dtype is not entry.dtype:
        return DtypeMismatchError
    return None if shape.is_compatible_with(entry.shape) else ShapeMismatchError


def _in_words(value: Any, entry: Entry) -> str:
    if not isinstance(value, Variable):
        return "is not the number of elements that an iterator has given"
    saved = f"{entry.dtype.name} of the shape {TensorShape(entry.shape)}"
    return f"is {saved} in the file; the variable {value.name!r} is {value.dtype.name} of the shape {value.shape}"
