"""Objects whose state nobody can see: those of C types that no table knows. What a call does to them is not known.

    opaque_base(sqlite3.Connection)                     sqlite3.Connection
    opaque_base(socket.socket)                          _socket.socket: of that is the part in C
    is_harmless(hashlib's type, "hexdigest")            True

Whatever is not in the table of kinds, not immutable, and has more than attributes is opaque: that is the rule, and what
is known of a class the exception.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Mapping
from contextlib import suppress
from types import (
    BuiltinFunctionType,
    CellType,
    FunctionType,
    GenericAlias,
    GetSetDescriptorType,
    MemberDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
)  # fmt: skip
from typing import Any, Final

import numpy as np

from autograph.cache import kept_by_identity
from runtime.heap.code import is_own_class
from runtime.heap.immutable import is_immutable
from runtime.heap.kind import PLAIN, Kind
from runtime.heap.kinds import is_container_class
from runtime.heap.leads import PARTS
from runtime.heap.positions import has_position
from runtime.tensor.tensor import Tensor

__all__ = ["OPAQUE", "is_harmless", "opaque_base", "tells"]

_KNOWN: Final = (
    *PLAIN, Tensor, np.ndarray, np.generic, ModuleType, FunctionType, BuiltinFunctionType, MethodType,
    MethodWrapperType, GenericAlias, CellType, type, tuple, property, super, threading.local, BaseException, object,
)  # fmt: skip
"""Types in C that are looked into in other ways, or hold nothing."""

_HARMLESS: Final[Mapping[str, frozenset[str]]] = {
    "_hashlib.HASH": frozenset({"copy", "digest", "hexdigest"}),
    "_hashlib.HMAC": frozenset({"copy", "digest", "hexdigest"}),
    "_blake2.blake2b": frozenset({"copy", "digest", "hexdigest"}),
    "_blake2.blake2s": frozenset({"copy", "digest", "hexdigest"}),
    "_contextvars.Context": frozenset({"copy", "get", "items", "keys", "values"}),
    "_queue.SimpleQueue": frozenset({"empty", "qsize"}),
    "sqlite3.Row": frozenset({"keys"}),
    "numpy.nditer": frozenset({"copy"}),
    "numpy.flatiter": frozenset({"copy"}),
}
"""The methods that change nothing, by the module and name of a class."""

_FILE: Final = frozenset({"tell"})
_TELLS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("TextIOWrapper", "BufferedReader", "BufferedWriter", "BufferedRandom", "FileIO"), _FILE),
    **dict.fromkeys(("StringIO", "BytesIO"), frozenset({"getvalue", "tell"})),
    "SimpleQueue": frozenset({"empty", "qsize"}), "lock": frozenset({"locked"}),
    "RLock": frozenset({"_is_owned", "_recursion_count"}),
}  # fmt: skip
"""The methods without arguments that say in a number, a text or bytes how things are, by the name of a class in C."""


def tells(value: Any) -> frozenset[str]:
    """The methods by which an object in C says how things are, and changes nothing by it."""
    for base in type(value).__mro__:
        if base.__module__ in _MODULES and base.__name__ in _TELLS:
            return _TELLS[base.__name__]
    return frozenset()


_MODULES: Final = frozenset({"_io", "_queue", "_thread"})

_READING: Final = frozenset(
    {
        "__bool__", "__contains__", "__copy__", "__eq__", "__float__", "__format__", "__ge__", "__getattribute__",
        "__getitem__", "__getstate__", "__gt__", "__hash__", "__index__", "__int__", "__iter__", "__le__", "__len__",
        "__lt__", "__ne__", "__reduce__", "__reduce_ex__", "__repr__", "__sizeof__", "__str__",
    }
)  # fmt: skip
"""The methods that change nothing in whatever class."""

def opaque_base(kind: Any) -> type | None:
    """The class in C, the type itself or one above it, that keeps what nobody can see; None if there is none."""
    found = _found_base(kind)
    return None if found is object else found


@kept_by_identity
def _found_base(kind: Any) -> type:
    if kind in PLAIN or is_own_class(kind) or is_immutable(kind) or is_container_class(kind) or has_position(kind):
        return object
    for base in kind.__mro__:
        if base in _KNOWN or base in PARTS:
            return object
        if not _is_python_class(base) and not is_immutable(base):
            found: type = base
            return found
    return object


def _is_python_class(kind: Any) -> bool:
    """Whether a class was made by Python: all that its objects add to those of its base are attributes."""
    made = vars(kind)
    return not {"__slots__", "__dict__", "__weakref__"}.isdisjoint(made) or (
        kind.__basicsize__ == kind.__base__.__basicsize__ and not kind.__itemsize__
    )


def is_harmless(base: type, method: str) -> bool:
    """Whether a method of such a class is known to change nothing."""
    return method in _READING or method in _HARMLESS.get(f"{base.__module__}.{base.__qualname__}", ())


@kept_by_identity
def _names_in(base: type) -> tuple[str, ...]:
    """The attributes that objects of a class in C keep."""
    kinds = GetSetDescriptorType | MemberDescriptorType
    held = {n for b in base.__mro__[:-1] for n, member in vars(b).items() if isinstance(member, kinds)}
    return tuple(sorted(name for name in held if not name.startswith("_")))


_ANSWERS: Final = "..."
"""The name of what the methods of an object tell, which no attribute has."""


def _read(owner: Any) -> dict[str, Any]:
    """The numbers and texts among the attributes, and what its methods tell."""
    found: dict[str, Any] = {}
    if answers := tuple([getattr(owner, name)() for name in sorted(tells(owner))]):
        found[_ANSWERS] = answers
    for name in _names_in(opaque_base(type(owner)) or object):
        try:
            value = getattr(owner, name)
        except Exception:  # of one that is closed, or not begun
            continue
        if type(value) in PLAIN:
            found[name] = value
    return found


def _write(owner: Any, contents: dict[str, Any]) -> None:
    now = _read(owner)
    for name, value in contents.items():
        if name != _ANSWERS and (name not in now or now[name] != value):
            with suppress(AttributeError, TypeError):  # one that only the object itself sets
                setattr(owner, name, value)


OPAQUE: Final = Kind("object", "whole", _read, _write, same=operator.eq, step=".{}")
"""What can be seen of an opaque object."""
