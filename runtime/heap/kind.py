"""What a table of kinds says of one of them: how to read the contents of such objects, put them back, and name a part.

    LIST.read(items)                   [1, 2]: a copy, which later changes leave alone
    LIST.write(items, [1, 2])          the same list, with these contents
    LIST.path("items", 0)              'items[0]'

The contents are a list (`items`), a dict from keys to values (`keys`), or something that is compared as a whole. A
variable is a dict with one key. What can be seen to change but not be put back, such as a generator, has no `write`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from autograph.rules import is_user_code
from runtime.heap.placeholders import is_undefined

__all__ = ["PLAIN", "Kind", "are_same_items"]

PLAIN: Final = frozenset(
    {bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented), range, slice}
)
"""The types of values that never change, and are the same by type and value."""


def are_same_items(before: Collection[Any], now: Collection[Any]) -> bool:
    """Whether two containers hold the very same objects, in one order."""
    return len(before) == len(now) and all(map(operator.is_, before, now))


@dataclass(frozen=True, eq=False, slots=True)  # each is another one: they are looked for in tuples, and often
class Kind:
    """See the module's docstring. `write` is None for what cannot be put back."""

    word: str
    form: str
    """"items", "keys" or "whole"."""
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], None] | None
    step: str = ""
    """How a part is written after the name of the whole, with the part's key in the place of {}."""
    same: Callable[[Any, Any], bool] | None = None
    """Whether two contents are the same, for the form "whole" and for what `read` makes anew each time."""
    is_as: Callable[[Any, Any], bool] | None = None
    """A quick test whether an owner has certain contents; it may say no where `unchanged` says yes."""
    parts: Callable[[Any], Iterator[tuple[Any, str]]] | None = None
    """For the form "whole": what is inside of the contents, and what is written after the name of the whole for it."""
    is_slots: bool = False
    """Whether it is what an object keeps in slots."""
    is_value: bool = False
    """Whether another one with the same contents is as good: that is so for lists, not for context variables."""
    is_momentary: bool = False
    """Whether what is read of it moves it on, or it is another one at each moment, as files and locks: a trace that was
    made at another one is as good."""
    is_fixed: bool = False
    """Whether Python lets nothing stand in it that a graph would have there, such as a tensor for a text."""
    is_closed: bool = False
    """Whether nothing of the user's is inside of the contents."""
    may_lack: Callable[[Any, Any], bool] | None = None
    """For the form "keys": whether an owner may have a key in some runs only; None: none of them."""
    forget_order: Callable[[Any], None] | None = None
    """Notes that the order of the keys of an owner is not known any more; None where it must be known."""
    remedy: str = ""
    """What to do about a change in staged code, where that is another thing than for variables."""
    undo: Callable[[Any, Any], None] | None = None
    """Where there is no `write`: puts back what it can after a refusal."""
    happens: str = "that happens"
    """What a change while code is traced means, as a sentence goes on: "... once for each trace"."""

    def unchanged(self, before: Any, now: Any) -> bool:
        if self.same is not None:
            return self.same(before, now)
        if self.form == "items":
            return are_same_items(before, now)
        if are_same_items(before.values(), now.values()):
            return all(map(operator.is_, before, now)) or list(before) == list(now)
        return _defined(before) == [] == _defined(now)

    def inside(self, label: str, contents: Any) -> Iterator[tuple[Any, str]]:
        """The objects inside of contents, and how the user calls them."""
        if self.is_closed:
            return
        if self.form == "items":
            for i, value in enumerate(contents):
                if type(value) not in PLAIN:
                    yield value, f"{label}[{i}]"
        elif self.form == "keys":
            for key, value in contents.items():
                if type(value) not in PLAIN:
                    yield value, self.path(label, key)
                if type(key) not in PLAIN:
                    yield key, f"a key of {label}"
        elif self.parts is not None:
            for value, step in self.parts(contents):
                if type(value) not in PLAIN:
                    yield value, label + step

    def path(self, label: str, key: Any) -> str:
        return label + self.step.format(_shown(key) if self.step == "[{}]" else key)

    @property
    def is_whole(self) -> bool:
        """Whether a graph can carry no part of the contents by itself."""
        return self.form == "whole" or self.is_fixed

    @property
    def has_attributes(self) -> bool:
        """Whether the keys are names of attributes."""
        return self.step == ".{}"


def _defined(contents: dict[Any, Any]) -> list[Any]:
    return [value for value in contents.values() if not is_undefined(value)]


def _shown(key: Any) -> str:
    """A key as text: of an object whose `__repr__` the user wrote its class, for that may do anything."""
    written = type(key).__repr__
    is_users = type(written) is FunctionType and is_user_code(written.__code__.co_filename)
    return f"<{type(key).__name__}>" if is_users else repr(key)
