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

import itertools
import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from runtime.checkpoint.container import Container
from runtime.checkpoint.container_layout import Entry
from runtime.checkpoint.ledger import Ledger
from runtime.checkpoint.objects import parts_of
from runtime.checkpoint.tree import SavedNode, has_value, is_value_of
from runtime.checkpoint.waits import Match, Place, Slot, Waits
from runtime.dtypes import int64, string
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.state.expected import LOCK, WAITING, arrived, stop_waiting, wait
from runtime.state.variable import Variable

__all__ = ["Restoration"]

KEPT: Final = 64 << 20
"""Bytes that are kept between the check of all values and the assignment; larger values are read twice."""

LARGE: Final = 4 << 20
"""Bytes above which a value is read into the memory of the Variable."""


_NUMBERS: Final = itertools.count(1)

_LAST: Final[weakref.WeakKeyDictionary[Any, int]] = weakref.WeakKeyDictionary()
"""Of what has got a value, the number of the restore that gave it: an earlier one that finds it later gives none."""


def _holder(value: Any) -> Any:
    """What stands for an object in a table by identity: Variables have no hash."""
    return value.handle if isinstance(value, Variable) else value


@dataclass
class Found:
    """What one look at the objects has found."""

    given: list[tuple[Any, int]] = field(default_factory=list)
    """What gets a value, and the node that has it."""
    waiting: list[Match] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)


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
        self._gone: deque[int] = deque()
        self._refs: dict[int, weakref.ref[Any]] = {}
        self._left = ledger.left
        self._given: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._number = next(_NUMBERS)
        self._by_node: dict[int, list[weakref.ref[Any]]] = {}
        self._waits = Waits()
        self._roots = [self._ref(root) for root in roots]

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

    def settle(self, owner: Any = None, name: str | None = None) -> None:
        """Gives values to what has come into being since. Raises as `begin`, once for each thing that does not fit.

        owner, name: only to what this attribute of the object has.
        """
        with LOCK:
            self._forget_gone()
            if not self.waits():
                return
            arrived = self._waits.found(owner, name)
            if not arrived and owner is not None:
                return
            try:
                pairs = [match._replace(place=self._place_of(match.value, match.place)) for match in arrived]
                self._take(self._matched(pairs), everything=owner is None)
            finally:
                if not self.waits():
                    self.stop()

    def _give_way(self, newer: Restoration) -> None:
        """What another one waits for that began later is not waited for here any more."""
        self._waits.give_way(newer._waits)
        if not self.waits():
            self.yield_to(newer)

    def yield_to(self, newer: Restoration) -> None:
        """Ends, because another one has taken its place; tells what that has not."""
        self.stop()
        self._ledger.tell_left(newer._container.entries)

    def waits(self) -> bool:
        """Whether objects may still come that get values."""
        return bool(self._left and self._waits)

    def tell_unsaved(self, path: str) -> None:
        """To be called where the objects are saved while values wait."""
        self.settle()
        self._ledger.tell_unsaved(path)

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
            self._waits.clear()
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
                    found.waiting.append(Match(None, number, Place(place.owner, (*place.names, name))))
        return found

    def _take(self, found: Found, everything: bool = True) -> None:
        """Gives values to what was found, and to the slots that are known by that: of all, or of what was found."""
        for missing in found.waiting:
            self._waits.add(missing)
        for slot in found.slots:
            self._waits.add_slot(slot)
        by_node = self._by_node if everything or found.slots else {}
        variables = {node: [ref() for ref in refs] for node, refs in by_node.items()}
        for value, node in found.given:
            if node not in variables:
                variables[node] = [ref() for ref in self._by_node.get(node, ())]
            variables[node].append(value)
        nodes = None if everything or found.slots else [node for _, node in found.given]
        self._give([*found.given, *self._waits.found_slots(variables, nodes)])

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
        for value in [value for value, _ in new.values() if _LAST.get(_holder(value), 0) > self._number]:
            self._note(*new.pop(id(value)))
        self._check(new.values())
        kept = self._verified(new.values())
        iterators = [(value, self._name(node)) for value, node in new.values() if not isinstance(value, Variable)]
        for go_on in [value._reached(self._container.array(name)) for value, name in iterators]:
            go_on()
        for value, node in new.values():
            name = self._name(node)
            if isinstance(value, Variable):
                self._put(value, name, kept.pop(name, None))
            _LAST[_holder(value)] = self._number
            self._note(value, node)

    def _note(self, value: Any, node: int) -> None:
        """An object has its value, from here or from a restore that began later."""
        self._left.discard(self._name(node))
        self._given[id(value)] = weakref.ref(value), node
        self._by_node.setdefault(node, []).append(weakref.ref(value))

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
            identity = id(value)
            self._waits.forget(identity)  # of one that is gone
            found = self._refs[identity] = weakref.ref(value, lambda gone: self._owner_gone(identity))
        return found

    def _place_of(self, value: Any, place: Place) -> Place:
        """The place of an object: itself, if something can refer to it without keeping it."""
        if isinstance(value, Variable) or hasattr(type(value), "_saved_parts"):
            return Place(self._ref(value), ())
        return place

    def _owner_gone(self, identity: int) -> None:
        """Called when an object is gone: perhaps it was the last one that something was waited for. The thread may be
        anywhere, and have any lock, so it must not wait for another one here."""
        self._gone.append(identity)
        if LOCK.acquire(blocking=False):
            try:
                self._forget_gone()
            finally:
                LOCK.release()

    def _forget_gone(self) -> None:
        while self._gone:
            identity = self._gone.popleft()
            ref = self._refs.get(identity)
            if ref is not None and ref() is None:
                del self._refs[identity]
                self._waits.forget(identity)
        if self._left and not self._waits and id(self) in WAITING:
            self.stop()
            self._ledger.tell_left()


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
