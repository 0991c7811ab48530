"""One place of the program: an attribute, a variable, the value of a key, an element of a list; how to read and set it.

    place = lasting(Place(holder_of_model, "cache"))
    place.read()              # the value; ABSENT where there is none
    place.put(value)          # ABSENT: removes it

A holder says what an object held when it was looked at, and so does a `Place` of it; this one outlives that. It holds
its object weakly where that can be, and touches nothing else of it, which other threads may be using.
"""

from __future__ import annotations

import collections
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from runtime.heap.holder import ABSENT, Contents, Place
from runtime.heap.kind import Kind
from runtime.heap.kinds import CLASS, CLASS_OF_LIBRARY, DEQUE, DICT, LIST, SET
from runtime.heap.library import CONTEXT_VARIABLE
from runtime.heap.variables import CELL, GLOBAL, MODULE, NAMESPACE

__all__ = ["END", "WHOLE", "LastingPlace", "frozen", "handle_of", "lasting"]

WHOLE: Final = object()
"""The key of all that a container holds: a tuple, or a dict."""

END: Final = object()
"""The key of the end of a list or deque, to which what is in a tuple is appended."""


@dataclass(frozen=True, eq=False, slots=True)
class LastingPlace:
    """See the module's docstring. find: gives the owner, None where that is gone; words: how the user calls it."""

    find: Callable[[], Any]
    kind: Kind
    key: Any
    words: str
    _way: _Way = field(init=False)

    def __post_init__(self) -> None:
        ways, kind = _ways_of_all(self.key), self.kind
        way = (_WAYS.get(kind) or (_SLOTS if kind.is_slots else _ATTRIBUTES)) if ways is None else ways[kind]
        object.__setattr__(self, "_way", way)

    def read(self) -> Any:
        """The value now; ABSENT where there is none."""
        owner = self.find()
        return ABSENT if owner is None else self._way.read(owner, self.key)

    def put(self, value: Any) -> None:
        """Sets or removes it; of an owner that is gone nothing is left to set."""
        if (owner := self.find()) is not None and (value is not ABSENT or self.read() is not ABSENT):
            self._way.put(owner, self.key, value)


def lasting(place: Place) -> LastingPlace | None:
    """A place of a holder; None where it cannot be set by itself."""
    holder, key = place
    if (ways := _ways_of_all(key)) is not None:
        return LastingPlace(handle_of(holder.owner), holder.kind, key, holder.label) if holder.kind in ways else None
    if holder.kind is SET:
        return LastingPlace(handle_of(holder.owner), SET, key, holder.label)
    if holder.kind not in _WAYS and not holder.kind.has_attributes:
        return None
    if holder.kind.write is None or holder.kind.is_whole:
        return None
    if holder.kind.form == "items" and not 0 <= key < len(holder.before):
        return None
    return LastingPlace(handle_of(holder.owner), holder.kind, key, holder.label if key is None else place.path)


def frozen(contents: Contents) -> Any:
    """Contents of a container as the value of all of it."""
    return contents if isinstance(contents, dict) else tuple(contents)


def handle_of(owner: Any) -> Callable[[], Any]:
    """What gives an object, without keeping it where that can be."""
    try:
        return weakref.ref(owner)
    except TypeError:
        return lambda: owner


@dataclass(frozen=True, slots=True)
class _Way:
    read: Callable[[Any, Any], Any]
    put: Callable[[Any, Any, Any], None]


def _in(contents: Callable[[Any, Any], tuple[dict[Any, Any], Any]]) -> _Way:
    """Of what is kept in a dict. contents: that, and the key there, for an owner and a key."""

    def read(owner: Any, key: Any) -> Any:
        held, name = contents(owner, key)
        return held.get(name, ABSENT)

    def put(owner: Any, key: Any, value: Any) -> None:
        held, name = contents(owner, key)
        kind: Any = collections.OrderedDict if isinstance(held, collections.OrderedDict) else dict
        if value is ABSENT:
            kind.__delitem__(held, name)
        else:
            kind.__setitem__(held, name, value)

    return _Way(read, put)


def _read_item(owner: Any, key: int) -> Any:
    return owner[key] if key < len(owner) else ABSENT


def _put_item(kind: Any, owner: Any, key: int, value: Any) -> None:
    kind.__setitem__(owner, key, value)


def _read_slot(owner: Any, key: str) -> Any:
    try:
        return object.__getattribute__(owner, key)
    except AttributeError:
        return ABSENT


def _put_attribute(kind: Any, owner: Any, key: str, value: Any) -> None:
    if value is ABSENT:
        kind.__delattr__(owner, key)
    else:
        kind.__setattr__(owner, key, value)


def _put_variable(owner: Any, key: Any, value: Any) -> None:
    CELL.write(owner, {} if value is ABSENT else {None: value})  # type: ignore[misc]


def _put_member(owner: Any, key: Any, value: Any) -> None:
    if value is ABSENT:
        set.discard(owner, key)
    else:
        set.add(owner, key)


_CLASS: Final = _Way(lambda owner, key: vars(owner).get(key, ABSENT), partial(_put_attribute, type))

_WAYS: Final[dict[Kind, _Way]] = {
    DICT: _in(lambda owner, key: (owner, key)),
    GLOBAL: _in(lambda owner, key: owner),
    NAMESPACE: _in(lambda owner, key: (owner[0], key)),
    LIST: _Way(_read_item, partial(_put_item, list)),
    DEQUE: _Way(_read_item, partial(_put_item, collections.deque)),
    CONTEXT_VARIABLE: _Way(
        lambda owner, key: CONTEXT_VARIABLE.read(owner).get(None, ABSENT), lambda owner, key, value: owner.set(value)
    ),
    CELL: _Way(lambda owner, key: CELL.read(owner).get(None, ABSENT), _put_variable),
    SET: _Way(lambda owner, key: True if set.__contains__(owner, key) else ABSENT, _put_member),
    MODULE: _in(lambda owner, key: (vars(owner[0]), key)),
    **dict.fromkeys((CLASS, CLASS_OF_LIBRARY), _CLASS),
}
_ATTRIBUTES: Final = _in(lambda owner, key: (vars(owner), key))
_SLOTS: Final = _Way(_read_slot, partial(_put_attribute, object))


def _read_all(kind: Kind, owner: Any, key: Any) -> Any:
    return frozen(kind.read(owner))


def _put_all(kind: Kind, owner: Any, key: Any, value: Any) -> None:
    assert kind.write is not None
    kind.write(owner, value if isinstance(value, dict) else list(value))


_WHOLES: Final = {kind: _Way(partial(_read_all, kind), partial(_put_all, kind)) for kind in (LIST, DEQUE, DICT)}
_ENDS: Final = {
    LIST: _Way(lambda owner, key: ABSENT, lambda owner, key, value: list.extend(owner, value)),
    DEQUE: _Way(lambda owner, key: ABSENT, lambda owner, key, value: collections.deque.extend(owner, value)),
}


def _ways_of_all(key: Any) -> dict[Kind, _Way] | None:
    return _WHOLES if key is WHOLE else _ENDS if key is END else None
