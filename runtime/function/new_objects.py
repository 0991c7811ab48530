"""Objects of the user's classes that a trace makes and leaves in the program: each run makes others like them.

    self.items.append(Item(x))           # each run appends an Item with what it has for x

Such an object is made without calling its class, which the trace has done: it gets the attributes that it had then.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.heap.kind import Kind
from runtime.heap.kinds import ATTRIBUTES, SLOTS, container_kind, object_kinds
from runtime.heap.open_objects import own_class

__all__ = ["NewArray", "NewObject", "attributes_of"]

_ANEW: Final = ([ATTRIBUTES], [SLOTS], [ATTRIBUTES, SLOTS])


class NewObject:
    """An object of a trace: a leaf of a structure. contents: its attributes by kind, with outputs of the graph."""

    __slots__ = ("contents", "kind")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.contents: list[tuple[Kind, dict[str, Any]]] = []


class NewArray:
    """An array of numpy's that a trace has made, as it is when the trace is over: a leaf of a structure."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array.copy()


def attributes_of(value: Any) -> list[tuple[Kind, dict[str, Any]]] | None:
    """What an object holds that a run can make anew; None for other values."""
    kinds, makes = object_kinds(value), getattr(own_class(value), "__new__", None)
    if kinds not in _ANEW or container_kind(value) is not None or makes is not object.__new__:
        return None
    return [(kind, kind.read(value)) for kind in kinds]
