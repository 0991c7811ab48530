"""What functions and exceptions keep beside their attributes, what classes have, and which class an object is of.

    FUNCTION.read(step)["__defaults__"]     (0.5,)
    EXCEPTION.read(error)                   {"args": ("too large",)}
    CLASS_OF.read(model)                    {"__class__": Model}
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from autograph.operators.classes import own_attributes
from runtime.heap.kind import Kind

__all__ = ["CLASS", "CLASS_OF", "CLASS_OF_LIBRARY", "EXCEPTION", "FUNCTION"]


def _kind(word: str, names: Sequence[str]) -> Kind:
    get: Callable[[Any], Any] = operator.attrgetter(*names)
    values = get if len(names) > 1 else lambda owner: (get(owner),)

    def read(owner: Any) -> dict[str, Any]:
        return dict(zip(names, values(owner), strict=True))

    def write(owner: Any, contents: dict[str, Any]) -> None:
        for name, was in zip(names, values(owner), strict=True):
            if contents[name] is not was:
                setattr(owner, name, contents[name])

    def is_as(owner: Any, contents: dict[str, Any]) -> bool:
        return all(map(operator.is_, values(owner), contents.values()))

    return Kind(word, "keys", read, write, ".{}", is_as=is_as, is_slots=True, is_fixed=True, is_closed=True)


FUNCTION: Final = _kind(
    "function", ("__code__", "__defaults__", "__kwdefaults__", "__name__", "__qualname__", "__doc__")
)
EXCEPTION: Final = _kind("exception", ("args",))
CLASS_OF: Final = _kind("class of an object", ("__class__",))
"""For objects to which code gives another class."""


# -- classes

_KEPT_BY_PYTHON: Final = frozenset(
    {
        "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__",
        "__dict__", "__slotnames__", "__weakref__", "_value2member_map_",
    }
)  # fmt: skip
"""What Python writes into classes by itself; the last one holds what `READ | WRITE` of an enum has made."""


def _read_class(owner: type) -> dict[str, Any]:
    held = own_attributes(owner).items()
    found = {name: value for name, value in held if name not in _KEPT_BY_PYTHON}
    return found | {"__bases__": owner.__bases__}


def _write_class(owner: type, contents: dict[str, Any]) -> None:
    now = _read_class(owner)
    for name, value in contents.items():
        if name not in now or now[name] is not value:
            setattr(owner, name, value)
    for name in now:
        if name not in contents:
            delattr(owner, name)


CLASS: Final = Kind("class", "keys", _read_class, _write_class, ".{}")
CLASS_OF_LIBRARY: Final = Kind("class", "keys", _read_class, _write_class, ".{}", is_closed=True)
