"""Arrays and objects that a trace leaves in the program, as leaves of what its runs leave: given ones, new ones, views.

    self.u, self.v = self.v, self.u * 2        # the array that a run finds in `self.v`, and a new one
    self.row = self.u[0]                       # a view of the array that a run finds in `self.u`
    self.items.append(Item(x))                 # each run appends an Item with what it has for x

What is one array in several places is one leaf, so that runs leave one array there. An object is made without calling
its class, which the trace has done: it gets the attributes that it had then.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.heap.kind import Kind
from runtime.heap.kinds import ATTRIBUTES, SLOTS, container_kind, object_kinds
from runtime.heap.open_objects import own_class
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.traced import TracedArray

__all__ = ["ArrayView", "GivenArray", "NewArray", "NewMemory", "NewObject", "attributes_of"]


class GivenArray:
    """An array that a run is given. number: of the input of the graph."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


class NewMemory:
    """Memory that each run makes anew. content: what it holds at the end of the trace, then an output of the graph."""

    __slots__ = ("content", "is_read_only", "layout")

    def __init__(self, buffer: Buffer) -> None:
        self.content = buffer.tensor()
        self.layout = None if buffer.layout is None or buffer.layout.flags.c_contiguous else buffer.layout
        self.is_read_only = bool(buffer.refusal)

    def filled(self, content: Any) -> Any:
        """The array of a run, in memory of its own. content: what a run has made, which others may have."""
        is_usual = self.layout is None
        made = np.empty(content.shape, content.dtype) if is_usual else np.empty_like(self.layout, content.dtype)
        made[...] = content
        made.flags.writeable = not self.is_read_only
        return made


class ArrayView:
    """A view of an array that a run leaves or has. base: that, as a leaf; view: a view of it, in the trace."""

    __slots__ = ("base", "view")

    def __init__(self, base: Any, view: TracedArray) -> None:
        self.base = base
        self.view = view

    def of(self, array: Any) -> Any:
        """The view of a run."""
        for step in self.view.steps:
            array = step.known(array)
        return array


class NewArray:
    """An array of numpy's that a trace has made, as it is when the trace is over: a leaf of a structure."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array.copy()


class NewObject:
    """An object of a trace: a leaf of a structure. contents: its attributes by kind, with outputs of the graph."""

    __slots__ = ("contents", "kind")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.contents: list[tuple[Kind, dict[str, Any]]] = []


_ANEW: Final = ([ATTRIBUTES], [SLOTS], [ATTRIBUTES, SLOTS])


def attributes_of(value: Any) -> list[tuple[Kind, dict[str, Any]]] | None:
    """What an object holds that a run can make anew; None for other values."""
    kinds, makes = object_kinds(value), getattr(own_class(value), "__new__", None)
    if kinds not in _ANEW or container_kind(value) is not None or makes is not object.__new__:
        return None
    return [(kind, kind.read(value)) for kind in kinds]
