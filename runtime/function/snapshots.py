"""What a Python value was when a trace looked at it, and whether it still is: the comparisons behind the guards.

    was = snapshot_of([1, 2.5, model])
    was.same([1, 2.5, model])        # True; False for [1, 2.5, other] and for [True, 2.5, model]

Numbers, strings and such are the same by type and value (nan is itself, 0.0 is not -0.0), containers by what they
hold, in order, arrays by their elements, all else by identity. Nothing is kept alive but numbers and strings: a trace
must not keep the object alive whose attributes it has looked at.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import Any, Final, Protocol

import numpy as np

__all__ = ["CONTAINERS", "PLAIN", "Plain", "Reference", "Snapshot", "containers_in", "snapshot_of"]

MOST_ELEMENTS: Final = 10_000
"""Longer containers and larger arrays are compared by identity and length."""

PLAIN: Final = frozenset(
    {bool, int, float, complex, str, bytes, type(None), type(...), type(NotImplemented), range, slice}
)

CONTAINERS: Final = (list, tuple, dict, set, frozenset, deque)


class Snapshot(Protocol):
    """What a value was."""

    def same(self, value: Any) -> bool:
        """Whether a value is that one still."""


class Plain:
    """A number, a string, None."""

    __slots__ = ("shown", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.shown = repr(value) if isinstance(value, float | complex | np.inexact) else ""

    def same(self, value: Any) -> bool:
        if value is self.value:
            return True
        if type(value) is not type(self.value):
            return False
        return repr(value) == self.shown if self.shown else bool(value == self.value)


class Reference:
    """An object by identity, held weakly; what cannot be held weakly, by its address and type."""

    __slots__ = ("_address", "_kind", "find")

    def __init__(self, value: Any) -> None:
        self._address = id(value)
        self._kind = type(value)
        self.find: Callable[[], Any] | None
        try:
            self.find = weakref.ref(value)
        except TypeError:
            self.find = None

    def same(self, value: Any) -> bool:
        if self.find is not None:
            return self.find() is value
        return id(value) == self._address and type(value) is self._kind


class Array:
    """An array by identity, shape, dtype and elements."""

    __slots__ = ("_elements", "_form", "_reference")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        self._reference = Reference(value)
        self._form = (value.shape, value.dtype)
        self._elements = value.tobytes()

    def same(self, value: Any) -> bool:
        if not self._reference.same(value):
            return False
        return (value.shape, value.dtype) == self._form and bool(value.tobytes() == self._elements)


class Contents:
    """A container by its type and what it holds."""

    __slots__ = ("_kind", "_parts", "_plain")

    def __init__(self, value: Any, seen: tuple[int, ...] = ()) -> None:
        self._kind = type(value)
        parts = [snapshot_of(part, (*seen, id(value))) for part in _parts(value)]
        plain = [part.value for part in parts if isinstance(part, Plain)]
        self._plain = len(plain) == len(parts)
        self._parts: list[Any] = plain if self._plain else parts

    def same(self, value: Any) -> bool:
        if type(value) is not self._kind:
            return False
        now = list(_parts(value))
        if len(now) != len(self._parts):
            return False
        if not self._plain:
            return all(was.same(part) for was, part in zip(self._parts, now, strict=True))
        if all(map(is_, now, self._parts)):
            return True
        return all(Plain(was).same(part) for was, part in zip(self._parts, now, strict=True))


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return (part for item in value.items() for part in item)
    return value  # type: ignore[no-any-return]


def snapshot_of(value: Any, seen: tuple[int, ...] = ()) -> Snapshot:
    """What a value is now. seen: the containers around it."""
    if type(value) in PLAIN or isinstance(value, np.generic):
        return Plain(value)
    if isinstance(value, CONTAINERS) and len(value) <= MOST_ELEMENTS and id(value) not in seen:
        return Contents(value, seen)
    if isinstance(value, np.ndarray) and value.size <= MOST_ELEMENTS and value.dtype != object:
        return Array(value)
    return Reference(value)


def containers_in(value: Any) -> Iterator[int]:
    """The ids of the containers that a snapshot of this value looks into."""
    pending, seen = [value], set()
    while pending:
        part = pending.pop()
        if isinstance(part, (*CONTAINERS, np.ndarray)) and id(part) not in seen:
            seen.add(id(part))
            yield id(part)
            if not isinstance(part, np.ndarray) and len(part) <= MOST_ELEMENTS:
                pending.extend(_parts(part))
