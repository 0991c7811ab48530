"""The kinds of places that Python code can change: how to read each one's contents, put them back, and name a part.

    LIST.read(items)                   [1, 2]: a copy, which later changes leave alone
    LIST.write(items, [1, 2])          the same list, with these contents
    LIST.path("items", 0)              'items[0]'

The contents are a list (`items`), a dict from keys to values (`keys`), or something that is compared as a whole. A
variable is a dict with one key. What can be seen to change but not be put back, such as a generator, has no `write`.
"""

from __future__ import annotations

import collections
import itertools
import operator
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, MemberDescriptorType
from typing import Any, Final, cast

import numpy as np

from autograph.cache import IdentityCache
from autograph.operators.classes import own_attributes
from runtime.heap.hidden import hidden_states
from runtime.heap.placeholders import PLACEHOLDERS, is_undefined
from runtime.heap.positions import position_reader

__all__ = [
    "ARRAY", "ATTRIBUTES", "CELL", "CLASS", "GLOBAL", "LARGE_ARRAY", "MOST_COMPARED", "MOST_ELEMENTS", "SLOTS", "Kind",
    "add_kind", "container_kind", "is_container_class", "iterator_kind", "object_kinds",
]  # fmt: skip

MOST_ELEMENTS: Final = 10_000
"""Longer containers are watched, not carried."""

MOST_COMPARED: Final = 1_000_000
"""Of containers that are watched: their length, and so many of their elements."""


@dataclass(frozen=True, slots=True)
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
    is_closed: bool = False
    """Whether nothing of the user's is inside of the contents."""
    remedy: str = ""
    """What to do about a change in staged code, where that is another thing than for variables."""

    def unchanged(self, before: Any, now: Any) -> bool:
        if self.same is not None:
            return self.same(before, now)
        if self.form == "items":
            return len(before) == len(now) and all(map(operator.is_, before, now))
        if len(before) == len(now) and all(map(operator.is_, before.values(), now.values())):
            return all(map(operator.is_, before, now)) or list(before) == list(now)
        return _defined(before) == [] == _defined(now)

    def path(self, label: str, key: Any) -> str:
        return label + self.step.format(key if self.step == ".{}" else repr(key))


def _defined(contents: dict[Any, Any]) -> list[Any]:
    return [value for value in contents.values() if not is_undefined(value)]


# -- variables


def _read_cell(cell: CellType) -> dict[Any, Any]:
    try:
        return {None: cell.cell_contents}
    except ValueError:
        return {}


def _write_cell(cell: CellType, contents: dict[Any, Any]) -> None:
    if contents:
        cell.cell_contents = contents[None]
    elif _read_cell(cell):
        del cell.cell_contents


def _read_global(owner: tuple[dict[str, Any], str]) -> dict[Any, Any]:
    namespace, name = owner
    return {None: namespace[name]} if name in namespace else {}


def _write_global(owner: tuple[dict[str, Any], str], contents: dict[Any, Any]) -> None:
    namespace, name = owner
    if contents:
        namespace[name] = contents[None]
    else:
        namespace.pop(name, None)


CELL: Final = Kind("variable", "keys", _read_cell, _write_cell)
GLOBAL: Final = Kind("global", "keys", _read_global, _write_global)


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


def _write_array(owner: np.ndarray[Any, Any], contents: np.ndarray[Any, Any]) -> None:
    writeable = owner.flags.writeable
    if writeable:
        np.copyto(owner, contents)


def _checksum(owner: np.ndarray[Any, Any]) -> tuple[Any, int]:
    return owner.shape, 0 if owner.dtype.hasobject else zlib.crc32(np.ascontiguousarray(owner).data)


def _same_members(a: set[Any], b: set[Any]) -> bool:
    return len(a) == len(b) and set(map(id, a)) == set(map(id, b))


def _same_array(a: Any, b: Any) -> bool:
    return a.shape == b.shape and bool(a.tobytes() == b.tobytes())


def _is_list_as(owner: list[Any], contents: list[Any]) -> bool:
    return len(owner) == len(contents) and all(map(operator.is_, owner, contents))


def _is_dict_as(owner: dict[Any, Any], contents: dict[Any, Any]) -> bool:
    if len(owner) != len(contents) or not all(map(operator.is_, owner.values(), contents.values())):
        return False
    return all(map(operator.is_, owner, contents))


def _is_object_as(owner: Any, contents: dict[str, Any]) -> bool:
    return _is_dict_as(vars(owner), contents)


LIST: Final = Kind("list", "items", list, _write_list, "[{}]", is_as=_is_list_as)
DEQUE: Final = Kind("deque", "items", list, _write_deque, "[{}]")
DICT: Final = Kind("dict", "keys", _read_dict, _write_dict, "[{}]", is_as=_is_dict_as)
SET: Final = Kind("set", "whole", set, _write_set, same=_same_members)
BYTES: Final = Kind("bytearray", "whole", bytes, _write_bytes, same=operator.eq)
ARRAY: Final = Kind("array", "whole", np.copy, _write_array, same=_same_array)
LARGE_ARRAY: Final = Kind("array", "whole", _checksum, None, same=operator.eq)
"""Of more than `MOST_COMPARED` elements: that it has changed is seen, and cannot be put back."""

HIDDEN: Final = tuple(
    (state.type, Kind(state.word, "whole", state.read, state.write, same=state.same, remedy=state.remedy))
    for state in hidden_states()
)
"""Objects of the standard library and numpy with a state of their own: generators of random numbers, files, arrays."""

_CONTAINERS: Final[list[tuple[type, Kind]]] = [
    (list, LIST),
    (dict, DICT),
    (set, SET),
    (collections.deque, DEQUE),
    (bytearray, BYTES),
    (np.ndarray, ARRAY),
    *HIDDEN,
]


def add_kind(owner: type, kind: Kind) -> None:
    """Say how the contents of a class of this project are read; to be called where the class is defined."""
    _CONTAINERS.append((owner, kind))


_SIZED: Final = (LIST, DICT, SET, DEQUE, BYTES)


def _long(word: str) -> Kind:
    """A container with so many elements that a change of any is refused."""

    def read(owner: Any) -> tuple[int, list[Any]]:
        parts = itertools.chain.from_iterable(dict.items(owner)) if isinstance(owner, dict) else owner
        return len(owner), [*itertools.islice(parts, MOST_COMPARED)]

    def same(before: tuple[int, list[Any]], now: tuple[int, list[Any]]) -> bool:
        return before[0] == now[0] and all(map(operator.is_, before[1], now[1]))

    return Kind(word, "whole", read, None, same=same)


# -- objects


def _read_attributes(owner: Any) -> dict[str, Any]:
    return _read_dict(vars(owner))


def _write_attributes(owner: Any, contents: dict[str, Any]) -> None:
    _write_dict(vars(owner), contents)


def _slots_of(kind: type) -> list[tuple[str, MemberDescriptorType]]:
    return [
        (name, member)
        for base in reversed(kind.__mro__)
        for name, member in vars(base).items()
        if isinstance(member, MemberDescriptorType)
    ]


def _read_slots(owner: Any) -> dict[str, Any]:
    found = {}
    for name, member in _slots_of(type(owner)):
        try:
            value = member.__get__(owner, type(owner))
        except AttributeError:
            continue
        if not is_undefined(value):
            found[name] = value
    return found


def _write_slots(owner: Any, contents: dict[str, Any]) -> None:
    existing = _read_slots(owner)
    for name, member in _slots_of(type(owner)):
        if name in contents:
            member.__set__(owner, contents[name])
        elif name in existing:
            member.__delete__(owner)


def _read_class(owner: type) -> dict[str, Any]:
    return {name: value for name, value in own_attributes(owner).items() if not name.startswith("__")}


def _write_class(owner: type, contents: dict[str, Any]) -> None:
    now = _read_class(owner)
    for name, value in contents.items():
        if name not in now or now[name] is not value:
            setattr(owner, name, value)
    for name in now:
        if name not in contents:
            delattr(owner, name)


CLASS: Final = Kind("class", "keys", _read_class, _write_class, ".{}")


ATTRIBUTES: Final = Kind("object", "keys", _read_attributes, _write_attributes, ".{}", is_as=_is_object_as)
SLOTS: Final = Kind("object", "keys", _read_slots, _write_slots, ".{}")

_with_slots: IdentityCache[type, bool] = IdentityCache()


def object_kinds(value: Any) -> list[Kind]:
    """How to look at the attributes of an object."""
    kind = type(value)
    found = [ATTRIBUTES] if hasattr(value, "__dict__") else []
    has_slots = _with_slots.get(kind)
    if has_slots is None:
        _with_slots.put(kind, has_slots := bool(_slots_of(kind)))
    return [*found, SLOTS] if has_slots else found


def container_kind(value: Any) -> Kind | None:
    """How to look at the contents of a container, or None for what is none."""
    for base, kind in _CONTAINERS:
        if isinstance(value, base):
            if kind is ARRAY and cast(Any, value).size > MOST_COMPARED:
                return LARGE_ARRAY
            return _long(kind.word) if kind in _SIZED and len(cast(Any, value)) > MOST_ELEMENTS else kind
    return None


def is_container_class(kind: type) -> bool:
    return any(issubclass(kind, base) for base, _ in _CONTAINERS)


def iterator_kind(value: Any) -> Kind | None:
    """How to look at the position of an iterator, or None for what is none."""
    reader = position_reader(value)
    if reader is None:
        return None
    return Kind("iterator", "whole", reader, None, same=_same_reading)


def _same_reading(a: Any, b: Any) -> bool:
    (mark_a, parts_a), (mark_b, parts_b) = a, b
    return bool(mark_a == mark_b) and len(parts_a) == len(parts_b) and all(map(operator.is_, parts_a, parts_b))
