"""What a Python value was when a trace looked at it, and whether it still is: the comparisons behind the guards.

    was = snapshot_of([1, 2.5, model])
    was.same([1, 2.5, model])        # True; False for [1, 2.5, other] and for [True, 2.5, model]

Numbers, strings and such are the same by type and value (nan is itself, 0.0 is not -0.0), what holds others by what it
holds, as the table of kinds reads it (`runtime.heap.kinds`), arrays by their elements, all else by identity. Nothing of
the user's is kept alive but numbers and strings: a trace must not keep the object alive whose attributes it has looked
at. Objects that cannot be held weakly are known by their addresses, which others get after them, and so by what they
hold.
"""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator, Sequence, Set, Sized
from contextvars import ContextVar
from itertools import chain, repeat
from operator import call, is_, is_not
from types import FunctionType
from typing import Any, Final, NamedTuple, Protocol

import numpy as np

from autograph.contexts import binding
from autograph.operators.classes import as_written
from runtime.heap.code import names_of_library
from runtime.heap.holder import Location
from runtime.heap.immutable import is_immutable
from runtime.heap.kind import PLAIN, Kind
from runtime.heap.kinds import DICT, MOST_COMPARED, MOST_ELEMENTS, SET, kind_of_class
from runtime.heap.leads import parts_reader
from runtime.heap.looks import looks_of
from runtime.heap.positions import has_position
from runtime.ndarrays.layout import bits_of, owner_of
from runtime.structures import attributes

__all__ = ["Given", "Method", "Names", "Plain", "Reference", "Snapshot", "locations_in", "snapshot_of"]

SAMPLES: Final = 4096
"""Of longer containers than `MOST_ELEMENTS`, in which there are not only numbers and such, and of all that are longer
than `MOST_COMPARED`, so many elements are compared."""

Names = Set[str] | None
"""The names of the attributes that count; None: all."""

Read = Callable[[Any], Sequence[Any]]
"""What a value holds, in order."""


class Snapshot(Protocol):
    """What a value was."""

    def same(self, value: Any, /) -> bool:
        """Whether a value is that one still."""
        ...


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


class Given:
    """A value that each run is given anew, by what is asked of it. While guards are taken it stands in its place."""

    __slots__ = ("same",)

    def __init__(self, same: Any) -> None:
        self.same = same


class Reference:
    """An object by identity, held weakly; what can be held only in the usual way, and holds nothing, so."""

    __slots__ = ("find",)

    def __init__(self, value: Any) -> None:
        self.find: Callable[[], Any] = _weak(value) or (lambda: value)

    def same(self, value: Any) -> bool:
        return value is not None and self.find() is value  # a dead reference gives None


class Method:
    """A method of a class of the user's, in whose place a trace, of another thread perhaps, may have put its own."""

    __slots__ = ("find",)

    def __init__(self, method: FunctionType) -> None:
        self.find = weakref.ref(method)

    def same(self, value: Any) -> bool:
        return isinstance(value, FunctionType) and self.find() is as_written(value)


class Contents:
    """What holds others: by its type and what it holds; and by which one it is, where another one is not as good."""

    __slots__ = ("_address", "_find", "_kind", "_parts", "_read")

    def __init__(self, value: Any, inside: Inside, names: Names, seen: tuple[int, ...]) -> None:
        self._kind = type(value)
        is_value = inside.is_value and not any(value is owner for owner in _MEMORY.get())
        self._find = None if is_value else _weak(value)
        self._address = 0 if is_value or self._find is not None else id(value)
        self._read = inside.read
        parts = inside.read(value)
        self._parts = _sample(parts) if inside.is_sample else _compared(parts, names, (*seen, id(value)))

    def same(self, value: Any) -> bool:
        if type(value) is not self._kind or (self._address and id(value) != self._address):
            return False
        return (self._find is None or self._find() is value) and self._parts(self._read(value))


def _compared(parts: Sequence[Any], names: Names, seen: tuple[int, ...]) -> Callable[[Sequence[Any]], bool]:
    """Whether parts are these; numbers and such, and objects, are compared all at once."""
    if PLAIN.issuperset(map(type, parts)):

        def same_values(now: Sequence[Any]) -> bool:
            if len(now) != len(parts):
                return False
            return all(map(is_, now, parts)) or all(Plain(was).same(part) for was, part in zip(parts, now, strict=True))

        return same_values
    snapshots = [snapshot_of(part, names, seen) for part in parts]
    if {Reference}.issuperset(map(type, snapshots)):
        return _same_objects([snapshot.find for snapshot in snapshots])  # type: ignore[attr-defined]
    return lambda now: (
        len(now) == len(snapshots) and all(was.same(part) for was, part in zip(snapshots, now, strict=True))
    )


def _same_objects(finds: Sequence[Callable[[], Any]]) -> Callable[[Sequence[Any]], bool]:
    return lambda now: (  # None: what a dead reference gives
        len(now) == len(finds) and all(map(is_, now, map(call, finds))) and all(map(is_not, now, repeat(None)))
    )


def _sample(parts: Sequence[Any]) -> Callable[[Sequence[Any]], bool]:
    size, same = parts[0], _same_objects([Reference(part).find for part in parts[1:]])
    return lambda now: now[0] == size and same(now[1:])


_MEMORY: ContextVar[Sequence[Any]] = ContextVar("runtime_memory_of_the_graph", default=())
_WHOLES: ContextVar[Sequence[Any]] = ContextVar("runtime_containers_written_as_a_whole", default=())


@contextlib.contextmanager
def memory_of_the_graph(owners: Sequence[Any], wholes: Sequence[Any] = ()) -> Iterator[None]:
    """Snapshots of arrays with this memory are by identity alone, for what they hold is read in each run; containers
    that runs write to are no others with the same contents. wholes: those that are by identity alone, too."""
    with binding(_MEMORY, owners), binding(_WHOLES, wholes):
        yield


class Array:
    """An array by identity, shape, dtype, whether it can be written to, and elements; of a very large one some."""

    __slots__ = ("_elements", "_form", "_reference")

    def __init__(self, value: np.ndarray[Any, Any]) -> None:
        self._reference = Reference(value)
        self._form = (value.shape, value.dtype, value.flags.writeable)
        is_memory = any(owner_of(value) is owner for owner in _MEMORY.get())
        self._elements = None if is_memory else _elements(value).copy()

    def same(self, value: Any) -> bool:
        if not self._reference.same(value) or (value.shape, value.dtype, value.flags.writeable) != self._form:
            return False
        return self._elements is None or np.array_equal(_elements(value), self._elements)


def _elements(value: np.ndarray[Any, Any]) -> Any:
    return bits_of(value.flat[:: value.size // SAMPLES] if value.size > MOST_COMPARED else value)


# -- what values hold


class Inside(NamedTuple):
    """How to read what a value holds. is_value: whether another one that holds the same is as good to a trace;
    is_object: whether it holds attributes, with their names first; is_sample: whether it is the length and elements,
    which are compared by identity."""

    read: Read
    is_value: bool
    is_object: bool = False
    is_sample: bool = False


_NOTHING: Final = Inside(lambda value: (), is_value=False)


def _inside(value: Any, names: Names) -> Inside | None:
    """None for what is compared by identity alone."""
    kind = type(value)
    if any(value is owner for owner in _WHOLES.get()):
        return None
    if issubclass(kind, np.ndarray):
        read = lambda array: (array.ndim, *array.shape, *array.flat)
        return Inside(read, is_value=True) if value.size <= MOST_ELEMENTS else None
    if (held := kind_of_class(kind)) is not None:
        if held.is_momentary or next(iter(_form_of(value)), 0) > MOST_COMPARED:
            return None
        return _whole_or_sample(value, _size_of(value), _reader(held), held.is_value)
    if (lead := parts_reader(kind)) is not None:
        if issubclass(kind, tuple) and kind.__dictoffset__ and (fields := _fields(value, names)) is not None:
            beside = fields.read  # objects of such a class cannot be held weakly
            return Inside(lambda value: [*value, *beside(value)], is_value=True)
        return _whole_or_sample(value, len(lead(value)), lead, True)
    if _weak(value) is not None or is_immutable(kind):
        return None
    return _NOTHING if has_position(kind) else _fields(value, names)


def _size_of(value: Any) -> int:
    try:
        return len(value) if isinstance(value, Sized) else 0
    except ValueError:  # closed
        return 0


def _reader(kind: Kind) -> Read:
    read: Callable[[Any], Any] = kind.read
    if kind is DICT:
        return lambda value: [*chain.from_iterable(value.items())]
    if kind.form == "keys":
        return lambda value: [*chain.from_iterable(read(value).items())]
    if kind.form == "items" or kind is SET:
        return list
    return lambda value: (*_form_of(value), read(value))


def _form_of(value: Any) -> Sequence[Any]:
    """What the bytes of a buffer are; nothing for what is none."""
    try:
        view = memoryview(value)
    except (TypeError, ValueError):  # released
        return ()
    return view.nbytes, view.format, *(view.shape or ())


def _whole_or_sample(value: Any, size: int, read: Read, is_value: bool) -> Inside:
    """A long container that does not hold numbers and such alone is known by its address and some of its elements."""
    if size <= MOST_ELEMENTS or (size <= MOST_COMPARED and PLAIN.issuperset(map(type, read(value)))):
        return Inside(read, is_value)
    step = max(1, size // SAMPLES)

    def some(value: Any) -> Sequence[Any]:
        parts = value if isinstance(value, list | tuple) else read(value)
        return len(value), *parts[::step]

    return Inside(some, is_value=False, is_sample=True)


def _fields(value: Any, names: Names) -> Inside | None:
    """The attributes of an object that cannot be held weakly."""
    kinds = [kind for look in looks_of(type(value)) for kind in look.kinds(value) if kind.has_attributes]
    wanted = None if names is None else names | names_of_library(type(value))

    def read(value: Any) -> Sequence[Any]:
        names, parts = [], []
        for kind in kinds:
            for name, part in kind.read(value).items():
                if wanted is None or name in wanted:
                    names.append(name)
                    parts.append(part)
        return names + parts

    is_opaque = all(kind.form == "whole" for kind in kinds)
    return None if is_opaque and not (kinds and read(value)) else Inside(read, is_value=False, is_object=True)


def _weak(value: Any) -> Callable[[], Any] | None:
    try:
        return weakref.ref(value)
    except TypeError:
        return None


def snapshot_of(value: Any, names: Names = None, seen: tuple[int, ...] = ()) -> Snapshot:
    """What a value is now. names: of the attributes that count; seen: the containers around it."""
    if type(value) in PLAIN or isinstance(value, np.generic):
        return Plain(value)
    if type(value) is Given:
        return value
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return Array(value)
    inside = _inside(value, names)
    if inside is None:
        return Reference(value)
    return Contents(value, _NOTHING if id(value) in seen else inside, names, seen)


def locations_in(value: Any, names: Names) -> Iterator[Location]:
    """What must not change for a snapshot of this value to be the same, beyond that it is another value."""
    pending, seen = [value], {}
    while pending:
        part = pending.pop()
        if type(part) in PLAIN or id(part) in seen:
            continue
        seen[id(part)] = part  # kept, for the addresses
        if isinstance(part, np.ndarray):
            yield id(part), None
        elif (inside := _inside(part, names)) is not None:
            held = inside.read(part)
            yield from ((id(part), name) for name in (held[: len(held) // 2] if inside.is_object else (None,)))
            if isinstance(part, tuple):
                yield from ((id(part), name) for name in attributes(part))
            pending += held
