"""What runs leave in the program, as leaves of structures with outputs of the graph in the place of tensors: arrays,
objects, and what is there when a run begins.

    self.u, self.v = self.v, self.u * 2        # the array that a run finds in `self.v`, and a new one
    self.row = self.u[0]                       # a view of the array that a run finds in `self.u`
    self.items.append(Item(x))                 # each run appends an Item with what it has for x

A leaf makes its value of the values of its parts (`made`), once in each run: what is one array or object in several
places is one leaf, so that runs leave one there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, Final, Protocol

import numpy as np

from runtime.heap.kind import Kind
from runtime.heap.kinds import ATTRIBUTES, ATTRIBUTES_OF_LIBRARY, SLOTS, container_kind, object_kinds
from runtime.heap.open_objects import own_class
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.keys import ends_in, keys_in, symbols_in, with_ends
from runtime.ndarrays.steps import Index, Step
from runtime.ndarrays.traced import TracedArray, is_known
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "ANEW", "LEAVES", "ArrayView", "Chosen", "Found", "GivenArray", "NewArray", "NewContainer", "NewObject",
    "attributes_of", "can_be_made",
]  # fmt: skip


class Run(Protocol):
    """A run that has come to its end."""

    known: dict[int, Any]
    """What it has made, by the ids of leaves and structures."""

    def of(self, value: Any) -> Any:
        """What it has for a value."""

    def array(self) -> Any:
        """The next of its outputs."""

    def given(self, number: int) -> Any:
        """The array that it was given for an input of the graph."""


class Found:
    """What is there when a run begins, as a container of the caller. find: gives it."""

    __slots__ = ("find",)

    def __init__(self, find: Callable[[], Any]) -> None:
        self.find = find

    def made(self, run: Run) -> Any:
        return self.find()


class Chosen:
    """One of several objects. selector: an output of the graph, which one it is; found: what gives those that are there
    before the trace, and None for the others, which are in `others`, with outputs."""

    __slots__ = ("found", "others", "selector")

    def __init__(self, selector: Any, found: Sequence[Callable[[], Any] | None], others: Sequence[Any]) -> None:
        self.selector = selector
        self.found = found
        self.others = others

    def made(self, run: Run) -> Any:
        others = [run.of(value) for value in self.others]
        number = int(run.of(self.selector))
        find = self.found[number]
        return others[number] if find is None else find()


class GivenArray:
    """An array that a run is given. number: of the input of the graph."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number

    def made(self, run: Run) -> Any:
        return run.given(self.number)


class NewArray:
    """An array that each run makes anew. content: what it holds when the trace is over, an array of numpy's, or what
    then is an output of the graph; copy_of: see `Buffer`."""

    __slots__ = ("_layout", "content", "copy_of", "is_read_only")

    def __init__(
        self, content: Any, layout: Any = None, is_read_only: bool = False, copy_of: Sequence[Any] | None = None
    ) -> None:
        self.content = content
        self.copy_of = copy_of
        self._layout = None if layout is None or layout.flags.c_contiguous else layout
        self.is_read_only = is_read_only

    @classmethod
    def of(cls, buffer: Buffer) -> NewArray:
        """For memory of the trace."""
        return cls(buffer.tensor(), buffer.layout, bool(buffer.refusal), buffer.copy_of)

    @property
    def is_known(self) -> bool:
        """Whether all runs leave the same in it."""
        return isinstance(self.content, np.ndarray)

    def made(self, run: Run) -> Any:
        content = self.content if self.is_known else run.array()  # which others may have
        is_usual = self._layout is None
        made = np.empty(content.shape, content.dtype) if is_usual else np.empty_like(self._layout, content.dtype)
        made[...] = content
        made.flags.writeable = not self.is_read_only
        return made


class ArrayView:
    """A view of an array that a run leaves or has. base: that, as a leaf; steps: from it to the view."""

    __slots__ = ("base", "steps")

    def __init__(self, base: Any, steps: Sequence[Step]) -> None:
        self.base = base
        self.steps = steps

    def positions(self) -> list[SymbolicTensor]:
        """The parts of its keys that only a run knows."""
        return [*symbols_in(keys_in(self.steps))]

    def made(self, run: Run) -> Any:
        array, positions = run.of(self.base), (int(run.array()) for _ in self.positions())
        filled = lambda end: next(positions) if isinstance(end, SymbolicTensor) else end
        for step in self.steps:
            array = array[with_ends(step.key, filled)] if isinstance(step, Index) else step.known(array)
        return array


def can_be_made(view: TracedArray) -> bool:
    """Whether runs can make a view: all that it depends on is known to them when they are over."""
    ends = [end for key in keys_in(view.steps) for end in ends_in(key)]
    return all(is_known(end) or (type(end) is SymbolicTensor and end.graph.recording.outer is None) for end in ends)


class NewObject:
    """An object of a class of the user's, or a namespace. contents: its attributes by kind. It is made without calling
    its class, which the trace has done."""

    __slots__ = ("contents", "kind")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.contents: list[tuple[Kind, dict[str, Any]]] = []

    def made(self, run: Run) -> Any:
        make: Any = self.kind.__new__
        made = make(self.kind)
        run.known[id(self)] = made  # which its attributes may lead to
        for kind, contents in self.contents:
            assert kind.write is not None
            kind.write(made, {name: run.of(value) for name, value in contents.items()})
        return made


class NewContainer:
    """A deque, set or bytearray that each run makes anew, of the values of these."""

    __slots__ = ("contents", "like")

    def __init__(self, like: Any, contents: Sequence[Any]) -> None:
        self.contents = contents
        self.like = like

    def made(self, run: Run) -> Any:
        return ANEW[type(self.like)](self.like, map(run.of, self.contents))


ANEW: Final[dict[type, Callable[[Any, Iterable[Any]], Any]]] = {
    deque: lambda like, contents: deque(contents, like.maxlen),
    set: lambda like, contents: set(contents),
    frozenset: lambda like, contents: frozenset(contents),
    bytearray: lambda like, contents: bytearray(contents),
}
"""For each class of containers that are no structures, what makes one of contents, as another is."""

LEAVES: Final = (Found, Chosen, GivenArray, NewArray, ArrayView, NewObject, NewContainer)

_ANEW: Final = ([ATTRIBUTES], [SLOTS], [ATTRIBUTES, SLOTS])


def attributes_of(value: Any) -> list[tuple[Kind, dict[str, Any]]] | None:
    """What an object holds that a run can make anew; None for other values."""
    if type(value) is SimpleNamespace:
        return [(ATTRIBUTES_OF_LIBRARY, ATTRIBUTES_OF_LIBRARY.read(value))]
    kinds, makes = object_kinds(value), getattr(own_class(value), "__new__", None)
    if kinds not in _ANEW or container_kind(value) is not None or makes is not object.__new__:
        return None
    return [(kind, kind.read(value)) for kind in kinds]
