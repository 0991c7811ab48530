"""`Waits`: the parts and slots that a restoration waits for, found by the objects that are to get them.

    waits = Waits()
    waits.add(Match(None, 7, Place(ref(model), ("layers", "2", "kernel"))))
    waits.found(model, "layers")       # what is there by now of what begins so, no longer waited for
    waits.found()                      # the same of all objects

No object is kept alive. That an attribute was set costs a look at what that object waits for, not at everything.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from runtime.checkpoint.objects import has_parts, part_of
from runtime.checkpoint.tree import SavedSlot, has_value, named_variables

__all__ = ["Match", "Place", "Waits"]


class Place(NamedTuple):
    """Where an object is: an object of the program, and the names of containers and items that lead on from there."""

    owner: weakref.ref[Any]
    names: tuple[str, ...]


class Match(NamedTuple):
    """An object, and what stands for it in the file."""

    value: Any
    node: int
    place: Place


Slot = tuple[weakref.ref[Any], SavedSlot]
"""An optimizer, and a slot of it."""


class Waits:
    """See the module's docstring."""

    def __init__(self) -> None:
        self._parts: dict[int, dict[tuple[tuple[str, ...], int], Place]] = {}
        self._slots: dict[int | None, list[Slot]] = {}
        self._optimizers: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._parts or self._slots)

    def clear(self) -> None:
        """Nothing is waited for any more."""
        self._parts.clear()
        self._slots.clear()

    def add(self, missing: Match) -> None:
        """Waits for a part."""
        place = missing.place
        self._parts.setdefault(id(place.owner()), {})[place.names, missing.node] = place

    def add_slot(self, slot: Slot) -> None:
        """Waits for a slot."""
        self._slots.setdefault(slot[1].variable, []).append(slot)
        self._optimizers.add(id(slot[0]()))

    def found(self, owner: Any = None, name: str | None = None) -> list[Match]:
        """The parts that are there by now, which are not waited for any more. owner, name: only those of this object
        whose names begin with that."""
        known: dict[tuple[int, str], Any] = {}
        found = []
        for key in list(self._parts) if owner is None else [id(owner)]:
            waiting = self._parts.get(key, {})
            for (names, node), place in list(waiting.items()):
                if name is not None and names[0] != name:
                    continue
                value = _at(place, known)
                if value is not None:
                    del waiting[names, node]
                    found.append(Match(value, node, place))
            if not waiting:
                self._parts.pop(key, None)
        return found

    def found_slots(self, variables: dict[int, list[Any]], nodes: Iterable[int | None] | None) -> list[tuple[Any, int]]:
        """The slots that are there by now, with their nodes. variables: what has got the value of a node; nodes: only
        the slots for these."""
        known: dict[int, dict[Any, Any]] = {}
        found = []
        for node in list(self._slots) if nodes is None else nodes:
            still = []
            for ref, slot in self._slots.pop(node, ()):
                optimizer = ref()
                if optimizer is None:
                    continue
                if id(optimizer) not in known:
                    known[id(optimizer)] = _slots_of(optimizer)
                if node is None:
                    keys: list[Any] = [(slot.name, slot.number, slot.slot)]
                else:
                    keys = [(id(variable), slot.slot) for variable in variables.get(node, ())]
                kept = [known[id(optimizer)].get(key) for key in keys]
                found += [(one, slot.node) for one in kept if one is not None]
                if not kept or any(one is None for one in kept):
                    still.append((ref, slot))
            if still:
                self._slots[node] = still
        return found

    def forget(self, gone: int) -> None:
        """Waits no more for parts of an object that is gone, by its identity, and for slots of such optimizers."""
        self._parts.pop(gone, None)
        if gone in self._optimizers:
            self._optimizers.discard(gone)
            self._slots = _kept(self._slots, lambda ref: ref() is not None)

    def give_way(self, newer: Waits) -> None:
        """Waits no more for what another one waits for."""
        for owner, waiting in newer._parts.items():
            names = {names for names, _ in waiting}
            mine = {key: place for key, place in self._parts.pop(owner, {}).items() if key[0] not in names}
            if mine:
                self._parts[owner] = mine
        optimizers = {id(ref()) for slots in newer._slots.values() for ref, _ in slots}
        self._slots = _kept(self._slots, lambda ref: id(ref()) not in optimizers)


def _kept(slots: dict[int | None, list[Slot]], test: Callable[[Any], bool]) -> dict[int | None, list[Slot]]:
    """The slots of the optimizers that pass a test."""
    kept = {node: [slot for slot in row if test(slot[0])] for node, row in slots.items()}
    return {node: row for node, row in kept.items() if row}


def _slots_of(optimizer: Any) -> dict[Any, Any]:
    """The slots of an optimizer by the variable, and by its name and number."""
    rows = list(named_variables(optimizer._saved_slots()))
    return {(id(row[0]), row[3]): row[4] for row in rows} | {row[1:4]: row[4] for row in rows}


def _at(place: Place, known: dict[tuple[int, str], Any]) -> Any:
    """What is at a place now, or None. known: what has been asked already."""
    value = place.owner()
    for name in place.names:
        if value is None or not has_parts(value):
            return None
        key = (id(value), name)
        if key not in known:
            known[key] = part_of(value, name, has_value)
        value = known[key]
    return value
