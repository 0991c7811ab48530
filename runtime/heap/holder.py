"""Something whose contents can change: a variable, a list, a dict, an object, with what it held when it was found.

    holder = Holder(items, LIST, "items", [1])
    items[0] = 2
    holder.read(), holder.before            # [2], [1]
    holder.changed([1], [2])                # [Place(holder, 0)]: what statements carry is known by its place
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from types import ModuleType
from typing import Any, Final, NamedTuple

from runtime.heap.kinds import CLASS, CLASS_OF_LIBRARY, Kind
from runtime.heap.open_objects import own_class
from runtime.heap.placeholders import Absent
from runtime.heap.variables import CELL, GLOBAL, MODULE, NAMESPACE

__all__ = [
    "ABSENT", "Contents", "Holder", "Location", "Place", "Turn", "location", "merged_order", "part", "put",
    "with_values",
]  # fmt: skip

Location = tuple[int, Any]
"""One thing that can change: the address of what holds it, and its name or key; None for the contents of a container,
and for a variable of a closure. It means something only while that object is alive."""


def location(owner: Any, key: Any) -> Location:
    """Where an object keeps what it has under a key. The attributes of a module are the globals of its functions."""
    return id(vars(owner) if isinstance(owner, ModuleType) else owner), key


Contents = Any
"""What `Kind.read` gives."""

ABSENT: Final = object()
"""The value of a key or attribute that does not exist."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The key under which contents have when a key of theirs came, which the program does not see."""

    key: Any

    def __repr__(self) -> str:
        return f"the turn of {self.key!r}"


def part(contents: Contents, key: Any) -> Any:
    """The value at a key, an attribute or a position; ABSENT where there is none."""
    if isinstance(contents, dict):
        return contents.get(key, ABSENT)
    return contents[key] if -len(contents) <= key < len(contents) else ABSENT


def put(contents: Contents, key: Any, value: Any) -> None:
    """Sets the value at a key; what is absent has none."""
    if type(value) is Absent:
        contents.pop(key, None)
    else:
        contents[key] = value


def merged_order(orders: Iterable[Iterable[Any]]) -> list[Any] | None:
    """An order of keys in which those of each of several are as they are there; None where there is none."""
    merged: list[Any] = []
    for order in orders:
        keys = list(order)
        known, own = set(merged), set(keys)
        if [key for key in merged if key in own] != [key for key in keys if key in known]:
            return None
        rest = iter(merged)
        merged = []
        for key in keys:
            if key in known:
                merged += takewhile(partial(operator.ne, key), rest)  # which takes the key, too
            merged.append(key)
        merged += rest
    return merged


@dataclass(frozen=True, eq=False, slots=True)
class Holder:
    """Something whose contents can change. `label`: how the user calls it, `before`: its contents at the start."""

    owner: Any
    kind: Kind
    label: str
    before: Contents

    def read(self) -> Contents:
        return self.kind.read(self.owner)

    def write(self, contents: Contents) -> None:
        assert self.kind.write is not None
        self.kind.write(self.owner, contents)

    def exchange(self, change: Callable[[Any, Any], Any]) -> Contents | None:
        """Puts in the place of each value what `change` makes of its key and it. What was held until then; None where
        nothing is another one, or can be set."""
        if self.kind.write is None or self.kind.form == "whole":
            return None
        before = self.read()
        made = {key: change(key, before[key]) for key in self.keys_of(before)}
        if all(made[key] is before[key] for key in made):
            return None
        self.write(list(made.values()) if self.kind.form == "items" else made)
        return before

    def is_put_back(self) -> bool:
        """Whether what was changed has been put back as it was at the start; a closed file, for one, cannot be."""
        return self.kind.write is not None and (
            self.kind.form != "whole" or self.kind.unchanged(self.before, self.read())
        )

    def can_carry(self, before: Contents, now: Contents) -> bool:
        """Whether contents have the same structure but for keys that may be absent, and can be written."""
        if self.kind.write is None or self.kind.is_whole:
            return False
        if self.kind.form == "items":
            return len(before) == len(now)
        if self.kind is CELL or list(before) == list(now):
            return True
        differing = before.keys() ^ now.keys()
        return all(map(self.can_lack, differing)) and self.order((before, now)) is not None

    def order(self, contents: Sequence[Contents]) -> list[Any] | None:
        """The keys of several contents in an order that holds for each; None where there is none, and it matters."""
        found = merged_order(contents)
        if found is None and self.kind.forget_order is not None:
            self.kind.forget_order(self.owner)
            return list(dict.fromkeys(chain.from_iterable(contents)))
        return found

    def can_lack(self, key: Any) -> bool:
        """Whether the owner may have a key in some runs only."""
        return self.kind.may_lack is not None and self.kind.may_lack(self.owner, key)

    def keys_of(self, contents: Contents) -> Iterable[Any]:
        """The keys of contents of this form: of a list the positions."""
        return range(len(contents)) if self.kind.form == "items" else contents

    def changed(self, before: Contents, now: Contents) -> list[Place]:
        """The places in which something else is kept now, or nothing."""
        keys = self.keys_of(now if self.kind.form == "items" else {**before, **now})
        return [Place(self, key) for key in keys if part(now, key) is not part(before, key)]

    def held(self, contents: Contents, key: Any) -> Any:
        """The value at a key, where it may be absent."""
        value = part(contents, key)
        return self.absent(key) if value is ABSENT else value

    def absent(self, key: Any) -> Any:
        """What stands for the value of a key that is not there."""
        if self.kind.has_attributes:
            return Absent(AttributeError(f"{own_class(self.owner).__name__!r} object has no attribute {key!r}"))
        return Absent(KeyError(key))

    def differing(self, now: Contents) -> list[Any]:
        """The keys under which something else is kept than at the start, or nothing now, or nothing then."""
        return [key for _, key in self.changed(self.before, now)]

    def locations(self, now: Contents) -> list[Location]:
        """What has changed since the start."""
        by_key = self.kind.has_attributes or self.kind is NAMESPACE
        return [self.location(key) for key in (self.differing(now) if by_key else (None,))]

    def location(self, key: Any) -> Location:
        """What concerns the value at a key."""
        kind, owner = self.kind, self.owner
        if kind is GLOBAL:
            return location(*owner)
        if kind.has_attributes or kind is NAMESPACE:
            return location(owner[0] if kind in (NAMESPACE, MODULE) else owner, key)
        return location(owner, None)

    def path(self, key: Any) -> str:
        return self.kind.path(self.label, key)

    @property
    def place(self) -> tuple[Any, ...]:
        """What it holds, the same for all holders of it."""
        if self.kind in (GLOBAL, NAMESPACE, MODULE):
            return id(self.owner[0]), self.owner[1]
        return id(self.owner), self.kind.word, self.kind.is_slots

    def described(self) -> str:
        """The holder in a message: `the list of the variable 'items'`, `the dict 'self.cache'`."""
        plain = self.kind not in (CELL, GLOBAL, CLASS, CLASS_OF_LIBRARY) and self.label.isidentifier()
        word = f"object ({type(self.owner).__name__})" if self.kind.word == "object" else self.kind.word
        if self.label:
            return f"the {word} {'of the variable ' if plain else ''}{self.label!r}"
        return f"an {word}" if word[0] in "aeiou" else f"a {word}"


class Place(NamedTuple):
    """What a holder holds under a key, as an attribute, or at a position."""

    holder: Holder
    key: Any

    @property
    def path(self) -> str:
        """How the user calls it."""
        return self.holder.path(self.key)

    @property
    def at(self) -> tuple[Any, Any]:
        """What it is, the same for all holders of that."""
        return self.holder.place, self.key

    @property
    def before(self) -> Any:
        """Its value at the start; ABSENT where there was none."""
        return part(self.holder.before, self.key)

    def held(self, contents: Contents) -> Any:
        """Its value in contents of the holder, where it may be absent."""
        return self.holder.held(contents, self.key)

    def read(self) -> Any:
        """Its value now; ABSENT where there is none."""
        return part(self.holder.read(), self.key)


def with_values(values: Iterable[tuple[Place, Any]]) -> dict[Holder, Contents]:
    """The contents that holders have with values in some places, and elsewhere what they held at the start."""
    found: dict[Holder, Contents] = {}
    for (holder, key), value in values:
        if holder not in found:
            found[holder] = holder.before.copy()
        put(found[holder], key, value)
    return found
