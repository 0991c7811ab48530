"""Something whose contents can change: a variable, a list, a dict, an object, with what it held when it was found.

    holder = Holder(items, LIST, "items", [1])
    items.append(2)
    holder.read(), holder.before            # [1, 2], [1]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from runtime.control_flow.world_kinds import ATTRIBUTES, CELL, CLASS, GLOBAL, SLOTS, Kind

__all__ = ["Contents", "Holder"]

Contents = Any
"""What `Kind.read` gives."""


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

    def path(self, key: Any) -> str:
        return self.kind.path(self.label, key)

    @property
    def place(self) -> tuple[Any, ...]:
        """What it holds, the same for all holders of it."""
        if self.kind is GLOBAL:
            return id(self.owner[0]), self.owner[1]
        return id(self.owner), self.kind.word, self.kind is SLOTS

    def described(self) -> str:
        """The holder in a message: `the list of the variable 'items'`, `the dict 'self.cache'`."""
        plain = self.kind not in (CELL, GLOBAL, CLASS) and self.label.isidentifier()
        word = f"object ({type(self.owner).__name__})" if self.kind in (ATTRIBUTES, SLOTS) else self.kind.word
        return f"the {word} {'of the variable ' if plain else ''}{self.label!r}"
