"""What a Python value was when a trace looked at it, and whether it still is: the comparisons behind the guards.

    was = snapshot_of([1, 2.5, model])
    was.same([1, 2.5, model])        # True; False for [1, 2.5, other] and for [True, 2.5, model]

Numbers, strings and such are the same by type and value (nan is itself, 0.0 is not -0.0), containers by what they
hold, in order, arrays and buffers by their elements, all else by identity. Nothing of the user's is kept alive but
numbers and strings: a trace must not keep the object alive whose attributes it has looked at. Objects that cannot be
held weakly are known by their addresses, which others get after them, and so by the attributes that the trace names.
"""

from __future__ import annotations

import array
import contextlib
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextvars import ContextVar
from itertools import chain, islice
from operator import call, is_
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final, Protocol

import numpy as np

from runtime.function.own_effects import Token, of_contents, of_part
from runtime.heap.code import is_user_class
from runtime.heap.kind import PLAIN
from runtime.heap.kinds import slots_of
from runtime.ndarrays.layout import owner_of

__all__ = ["CONTAINERS", "Names", "Plain", "Reference", "Snapshot", "fields_of", "snapshot_of", "tokens_in"]

MOST_ELEMENTS: Final = 10_000
"""Longer containers are compared element by element if there are only numbers, strings and such in them."""

MOST_COMPARED: Final = 1_000_000
"""Of longer containers and larger arrays `SAMPLES` elements are compared."""

SAMPLES: Final = 4096

CONTAINERS: Final = (list, tuple, dict, set, frozenset, deque, MappingProxyType)
BUFFERS: Final = (bytearray, array.array, memoryview)

Names = Set[str] | None
"""The names of the attributes that count; None: all."""


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
    """An object by identity, held weakly; what can be held only in the usual way and is not of the user's, so."""

    __slots__ = ("find", "is_weak")

    def __init__(self, value: Any) -> None:
        self.find: Callable[[], Any]
        try:
            self.find, self.is_weak = weakref.ref(value), True
        except TypeError:
            self.find, self.is_weak = lambda: value, False

    def same(self, value: Any) -> bool:
        return value is not None and self.find() is value  # a dead reference gives None


class Fields:
    """An object of the user's that cannot be held weakly: by its address, type and attributes."""

    __slots__ = ("_address", "_kind", "_names", "_parts")

    def __init__(self, value: Any, names: Names, seen: tuple[int, ...]) -> None:
        self._address = id(value)
        self._kind = type(value)
        self._names = names
        found = fields_of(value, names)
        self._parts = {name: snapshot_of(part, names, (*seen, id(value))) for name, part in found.items()}

    def same(self, value: Any) -> bool:
        if id(value) != self._address or type(value) is not self._kind:
            return False
        now = fields_of(value, self._names)
        return now.keys() == self._parts.keys() and all(was.same(now[name]) for name, was in self._parts.items())


_MEMORY: ContextVar[Sequence[Any]] = ContextVar("runtime_arrays_of_the_graph", default=())


@contextlib.contextmanager
def memory_of_the_graph(owners: Sequence[Any]) -> Iterator[None]:
    """Snapshots of arrays with this memory are by identity alone: what they hold is read in each run."""
    token = _MEMORY.set(owners)
    try:
        yield
    finally:
        _MEMORY.reset(token)


class Array:
    """An array by identity, shape, dtype and elements; a very large one by some of them."""

    __slots__ = ("_elements", "_form", "_reference")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        self._reference = Reference(value)
        self._form = (value.shape, value.dtype)
        is_memory = any(owner_of(value) is owner for owner in _MEMORY.get())
        self._elements = None if is_memory else _bits(value).copy()

    def same(self, value: Any) -> bool:
        if not self._reference.same(value) or (value.shape, value.dtype) != self._form:
            return False
        return self._elements is None or np.array_equal(_bits(value), self._elements)


def _bits(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements as integers, by which nan is itself; large ones, which are compared quickly."""
    if value.size > MOST_COMPARED:
        value = value.flat[:: value.size // SAMPLES]
    if not value.flags.c_contiguous:
        value = np.ascontiguousarray(value)
    return value.reshape(-1).view(np.uint8 if value.nbytes % 8 else np.uint64)


class Buffer:
    """A bytearray, an array of the standard library or a memoryview, by its bytes."""

    __slots__ = ("_bytes", "_form")

    def __init__(self, value: Any) -> None:
        self._form = _form_of(value)
        self._bytes = bytes(value)

    def same(self, value: Any) -> bool:
        return _form_of(value) == self._form and bytes(value) == self._bytes


def _form_of(value: Any) -> tuple[Any, ...]:
    return type(value), getattr(value, "typecode", None), getattr(value, "format", None), getattr(value, "shape", None)


class Current:
    """A context variable, by what it is set to."""

    __slots__ = ("_find", "_value")

    def __init__(self, value: ContextVar[Any], names: Names, seen: tuple[int, ...]) -> None:
        self._find = Reference(value).find
        self._value = snapshot_of(value.get(None), names, seen)

    def same(self, value: Any) -> bool:
        return value is self._find() and self._value.same(value.get(None))


class Contents:
    """A container by its type and what it holds."""

    __slots__ = ("_kind", "_parts", "_plain")

    def __init__(self, value: Any, names: Names, seen: tuple[int, ...]) -> None:
        self._kind = type(value)
        found = list(_parts(value))
        self._plain = PLAIN.issuperset(map(type, found))
        self._parts: list[Any] = found if self._plain else [snapshot_of(p, names, (*seen, id(value))) for p in found]

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


class Many:
    """A container with very many elements that are no numbers: by its address, type and length, and some of these."""

    __slots__ = ("_form", "_references")

    def __init__(self, value: Any) -> None:
        self._form = id(value), type(value), len(value)
        self._references = [Reference(part).find for part in _some(value)]

    def same(self, value: Any) -> bool:
        if (id(value), type(value), len(value)) != self._form:
            return False
        return all(map(is_, map(call, self._references), _some(value)))


def _some(value: Any) -> Iterable[Any]:
    step = max(1, len(value) // SAMPLES)
    return value[::step] if isinstance(value, list | tuple) else islice(_parts(value), 0, None, step)


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict | MappingProxyType):
        return chain.from_iterable(value.items())
    return value.flat if isinstance(value, np.ndarray) else value


def fields_of(value: Any, names: Names) -> Mapping[str, Any]:
    """The attributes that an object holds itself, in its `__dict__` and its slots, with these names."""
    found = dict(getattr(value, "__dict__", ()))
    for name, member in slots_of(type(value)):
        if hasattr(value, name):
            found[name] = member.__get__(value)
    return found if names is None else {name: part for name, part in found.items() if name in names}


def snapshot_of(value: Any, names: Names = None, seen: tuple[int, ...] = ()) -> Snapshot:
    """What a value is now. names: of the attributes that count; seen: the containers around it."""
    if type(value) in PLAIN or isinstance(value, np.generic):
        return Plain(value)
    if isinstance(value, CONTAINERS) and id(value) not in seen:
        fits = len(value) <= MOST_ELEMENTS
        return Contents(value, names, seen) if fits or _is_plain(value) else Many(value)
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return Array(value)
    if isinstance(value, np.ndarray) and value.size <= MOST_ELEMENTS and id(value) not in seen:
        return Contents(value, names, seen)
    if isinstance(value, BUFFERS) and memoryview(value).nbytes <= MOST_COMPARED:
        return Buffer(value)
    if isinstance(value, ContextVar):
        return Current(value, names, seen)
    reference = Reference(value)
    if reference.is_weak or not (is_user_class(type(value)) or isinstance(value, (SimpleNamespace, *CONTAINERS))):
        return reference
    return Fields(value, names if id(value) not in seen else frozenset(), seen)


def _is_plain(value: Any) -> bool:
    return len(value) <= MOST_COMPARED and PLAIN.issuperset(map(type, _parts(value)))


def tokens_in(value: Any, names: Names) -> Iterator[Token]:
    """The changes that concern a snapshot of this value, beyond that it is another one."""
    pending, seen = [value], set()
    while pending:
        part = pending.pop()
        if type(part) in PLAIN or id(part) in seen:
            continue
        if isinstance(part, (*CONTAINERS, *BUFFERS, np.ndarray)):
            seen.add(id(part))
            yield of_contents(part)
            if isinstance(part, CONTAINERS) and len(part) <= MOST_ELEMENTS:
                pending.extend(_parts(part))
        elif isinstance(part, SimpleNamespace) or (is_user_class(type(part)) and not Reference(part).is_weak):
            seen.add(id(part))
            held = fields_of(part, names)
            yield from (of_part(part, name) for name in held)
            pending.extend(held.values())
