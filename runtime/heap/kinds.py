"""The table of the kinds of places that Python code can change: variables, containers, objects, classes, modules.

    container_kind([1, 2])             LIST: see runtime.heap.kind for what it says
    object_kinds(model)                [ATTRIBUTES]
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import operator
import zlib
from collections.abc import Iterator, Mapping
from enum import Enum
from types import CellType, FunctionType
from typing import Any, Final

import numpy as np

from autograph.cache import kept_by_identity
from runtime.heap.code import in_class, is_user_class
from runtime.heap.fields import CLASS, CLASS_OF_LIBRARY, EXCEPTION, FUNCTION
from runtime.heap.foreign import copy_of_elements, is_foreign_class, write_elements
from runtime.heap.kind import Kind, are_same_items
from runtime.heap.library import LIBRARY_KINDS
from runtime.heap.open_objects import can_be_open, set_open
from runtime.heap.placeholders import PLACEHOLDERS, is_undefined
from runtime.heap.positions import position_reader
from runtime.heap.variables import CELL
from runtime.ndarrays.layout import same_bits
from runtime.structures import slots_of

__all__ = [
    "ARRAY", "ATTRIBUTES", "ATTRIBUTES_OF_LIBRARY", "CLASS", "CLASS_OF_LIBRARY", "DICT", "LARGE_ARRAY", "LIST",
    "MOST_COMPARED", "MOST_ELEMENTS", "SLOTS", "Kind", "add_kind", "container_kind", "is_container_class",
    "iterator_kind", "kind_of_class", "kinds_by_class", "object_kinds", "slots_of",
]  # fmt: skip

MOST_ELEMENTS: Final = 10_000
"""Longer containers are watched, not carried."""

MOST_COMPARED: Final = 1_000_000
"""Of containers that are watched: their length, and so many of their elements."""


# -- containers


def _write_list(owner: list[Any], contents: list[Any]) -> None:
    list.__setitem__(owner, slice(None), contents)


def _write_deque(owner: collections.deque[Any], contents: list[Any]) -> None:
    owner.clear()
    owner.extend(contents)


def _read_dict(owner: dict[Any, Any]) -> dict[Any, Any]:
    """A key whose value is autograph's placeholder does not exist."""
    contents = dict(owner)
    if not PLACEHOLDERS.isdisjoint(map(type, contents.values())):
        return {key: value for key, value in contents.items() if not is_undefined(value)}
    return contents


def _write_dict(owner: dict[Any, Any], contents: dict[Any, Any]) -> None:
    kind: Any = collections.OrderedDict if isinstance(owner, collections.OrderedDict) else dict
    if list(owner) == list(contents):
        for key, value in contents.items():
            kind.__setitem__(owner, key, value)
        return
    kind.clear(owner)
    kind.update(owner, contents)


def _write_set(owner: set[Any], contents: set[Any]) -> None:
    set.clear(owner)
    set.update(owner, contents)


def _write_bytes(owner: bytearray, contents: bytes) -> None:
    owner[:] = contents


def _read_array(owner: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy, which can be written to where the array can."""
    contents = np.copy(owner)
    contents.flags.writeable = owner.flags.writeable
    return contents


def _write_array(owner: np.ndarray[Any, Any], contents: np.ndarray[Any, Any]) -> None:
    if not same_bits(owner, contents):
        with contextlib.suppress(ValueError):  # a view of what cannot be written to
            owner.flags.writeable = True
            np.copyto(owner, contents)
    if owner.flags.writeable is not contents.flags.writeable:
        owner.flags.writeable = contents.flags.writeable


def _same_array(before: np.ndarray[Any, Any], now: np.ndarray[Any, Any]) -> bool:
    return before.flags.writeable is now.flags.writeable and same_bits(before, now)


def _checksum(owner: np.ndarray[Any, Any]) -> tuple[Any, int]:
    return owner.shape, 0 if owner.dtype.hasobject else zlib.crc32(np.ascontiguousarray(owner).data)


def _members(contents: set[Any]) -> Iterator[tuple[Any, str]]:
    return ((member, ".pop()") for member in contents)


def _elements(contents: np.ndarray[Any, Any]) -> Iterator[tuple[Any, str]]:
    return ((part, f".flat[{i}]") for i, part in enumerate(contents.flat if contents.dtype == object else ()))


def _same_members(a: set[Any], b: set[Any]) -> bool:
    return len(a) == len(b) and set(map(id, a)) == set(map(id, b))


def _is_dict_as(owner: dict[Any, Any], contents: dict[Any, Any]) -> bool:
    return are_same_items(owner.values(), contents.values()) and all(map(operator.is_, owner, contents))


def _is_object_as(owner: Any, contents: dict[str, Any]) -> bool:
    return _is_dict_as(vars(owner), contents)


LIST: Final = Kind("list", "items", list, _write_list, "[{}]", is_as=are_same_items, is_value=True)
DEQUE: Final = Kind("deque", "items", list, _write_deque, "[{}]", is_value=True)
DICT: Final = Kind("dict", "keys", _read_dict, _write_dict, "[{}]", is_as=_is_dict_as, is_value=True)
SET: Final = Kind("set", "whole", set, _write_set, same=_same_members, parts=_members, is_value=True)
BYTES: Final = Kind("bytearray", "whole", bytes, _write_bytes, same=operator.eq, is_value=True)
ARRAY: Final = Kind("array", "whole", _read_array, _write_array, same=_same_array, parts=_elements)
FOREIGN_ARRAY: Final = Kind("array", "whole", copy_of_elements, None, same=same_bits, undo=write_elements)
"""Of another library: that it has changed is seen."""
LARGE_ARRAY: Final = Kind("array", "whole", _checksum, None, same=operator.eq)
"""Of more than `MOST_COMPARED` elements: that it has changed is seen, and cannot be put back."""

_CONTAINERS: Final[list[tuple[type, Kind]]] = [
    (list, LIST),
    (dict, DICT),
    (set, SET),
    (collections.deque, DEQUE),
    (bytearray, BYTES),
    (np.ndarray, ARRAY),
    (CellType, CELL),
    *LIBRARY_KINDS,
]


def add_kind(owner: type, kind: Kind) -> None:
    """Say how the contents of a class of this project are read; to be called where the class is defined."""
    _CONTAINERS.insert(0, (owner, kind))


_SIZED: Final = (LIST, DICT, SET, DEQUE, BYTES)


def _long(word: str) -> Kind:
    """A container with so many elements that a change of any is refused."""

    def read(owner: Any) -> tuple[int, list[Any]]:
        parts = itertools.chain.from_iterable(dict.items(owner)) if isinstance(owner, dict) else owner
        return len(owner), [*itertools.islice(parts, MOST_COMPARED)]

    def same(before: tuple[int, list[Any]], now: tuple[int, list[Any]]) -> bool:
        return before[0] == now[0] and all(map(operator.is_, before[1], now[1]))

    def parts(contents: tuple[int, list[Any]]) -> Iterator[tuple[Any, str]]:
        return ((part, "[...]") for part in contents[1])

    return Kind(word, "whole", read, None, same=same, parts=parts)


_LONG: Final = {kind.word: _long(kind.word) for kind in _SIZED}


# -- objects


def _read_attributes(owner: Any) -> dict[str, Any]:
    return _read_dict(vars(owner))


def _write_attributes(owner: Any, contents: dict[str, Any]) -> None:
    _write_dict(vars(owner), contents)
    _set_open(owner)


def _read_slots(owner: Any) -> dict[str, Any]:
    found = {}
    for name, member in slots_of(type(owner)):
        try:
            value = member.__get__(owner, type(owner))
        except AttributeError:
            continue
        if not is_undefined(value):
            found[name] = value
    return found


def _write_slots(owner: Any, contents: dict[str, Any]) -> None:
    existing = _read_slots(owner)
    for name, member in slots_of(type(owner)):
        if name in contents:
            member.__set__(owner, contents[name])
        elif name in existing:
            member.__delete__(owner)
    _set_open(owner)


def _set_open(owner: Any) -> None:
    """Opens or closes an object as what it holds asks for it."""
    held = vars(owner).values() if hasattr(owner, "__dict__") else ()
    set_open(owner, [*held, *_read_slots(owner).values()])


def _same_but_caches(before: dict[str, Any], now: dict[str, Any]) -> bool:
    """Of an object of a library: what it keeps for itself when it is first used is no change that a program sees."""
    for name, value in now.items():
        was = before.get(name)
        if was is not value and not (was is None and name.startswith("_")):
            return False
    return before.keys() <= now.keys()


def _may_lack_attribute(owner: Any, name: Any) -> bool:
    """Whether an attribute may be there in some runs only: one that is no field, of an object that can be open."""
    kind = type(owner)
    fields = [*getattr(kind, "__dataclass_fields__", ()), *(a.name for a in getattr(kind, "__attrs_attrs__", ()))]
    if name in fields or name.startswith("__") or isinstance(owner, BaseException):
        return False
    held = in_class(kind, name)
    # It computes what is not there, as `functools.cached_property` does.
    if hasattr(type(held), "__get__") and not hasattr(type(held), "__set__"):
        return False
    return can_be_open(owner)


_OBJECT: Final = ("object", "keys")
ATTRIBUTES: Final = Kind(
    *_OBJECT, _read_attributes, _write_attributes, ".{}", is_as=_is_object_as, may_lack=_may_lack_attribute
)
SLOTS: Final = Kind(*_OBJECT, _read_slots, _write_slots, ".{}", is_slots=True, may_lack=_may_lack_attribute)
ATTRIBUTES_OF_LIBRARY: Final = Kind(
    *_OBJECT, _read_attributes, _write_attributes, ".{}", same=_same_but_caches, is_as=_is_object_as
)
_SLOTS_OF_LIBRARY: Final = Kind(*_OBJECT, _read_slots, _write_slots, ".{}", same=_same_but_caches, is_slots=True)

def _read_member(owner: Any) -> dict[str, Any]:
    """Without what Python keeps there when `~READ` is first asked for."""
    contents = _read_attributes(owner)
    contents.pop("_inverted_", None)
    return contents


def _write_member(owner: Any, contents: dict[str, Any]) -> None:
    kept = {name: value for name, value in vars(owner).items() if name == "_inverted_"}
    _write_attributes(owner, contents | kept)


_MEMBER: Final = Kind(*_OBJECT, _read_member, _write_member, ".{}", may_lack=_may_lack_attribute)
_FIELDS: Final = ((FunctionType, FUNCTION), (BaseException, EXCEPTION))


def object_kinds(value: Any) -> list[Kind]:
    """How to look at the attributes of an object."""
    kind = type(value)
    users = is_user_class(kind) or isinstance(value, BaseException)
    attributes = _MEMBER if isinstance(value, Enum) else ATTRIBUTES if users else ATTRIBUTES_OF_LIBRARY
    found = [attributes] if hasattr(value, "__dict__") else []
    if slots_of(kind):
        found.append(SLOTS if users else _SLOTS_OF_LIBRARY)
    return [*found, *(fields for base, fields in _FIELDS if isinstance(value, base))]


def kinds_by_class() -> Mapping[type, Kind]:
    """The table: classes of containers and of objects of libraries."""
    return dict(_CONTAINERS)


def container_kind(value: Any) -> Kind | None:
    """How to look at the contents of a container, or None for what is none."""
    kind = kind_of_class(type(value))
    if kind is ARRAY and value.size > MOST_COMPARED:
        return LARGE_ARRAY
    return _LONG[kind.word] if kind in _SIZED and len(value) > MOST_ELEMENTS else kind


def kind_of_class(kind: type) -> Kind | None:
    """The kind of the containers of a class; long ones have another one (`container_kind`)."""
    found = _kind_or_not(kind)
    return found if isinstance(found, Kind) else None


@kept_by_identity
def _kind_or_not(kind: type) -> Kind | bool:
    others = FOREIGN_ARRAY if is_foreign_class(kind) else False
    return next((known for base, known in _CONTAINERS if issubclass(kind, base)), others)


def is_container_class(kind: type) -> bool:
    return kind_of_class(kind) is not None


def iterator_kind(value: Any) -> Kind | None:
    """How to look at the position of an iterator, or None for what is none."""
    reader = position_reader(value)
    if reader is None:
        return None
    remedy = "Take its items before the statement (`items = list(it)`), and go through that list by position"
    return Kind(
        "iterator", "whole", reader, None, same=_same_reading, parts=_parts_of_reading, is_momentary=True, remedy=remedy
    )


def _parts_of_reading(reading: Any) -> Iterator[tuple[Any, str]]:
    return ((part, "") for part in reading[1])


def _same_reading(a: Any, b: Any) -> bool:
    (mark_a, parts_a), (mark_b, parts_b) = a, b
    return bool(mark_a == mark_b) and are_same_items(parts_a, parts_b)
