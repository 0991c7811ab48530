"""Iterators over datasets, and the loops over them: in Python, and as operations of a graph.

    for x, y in dataset:            # eager: Python's loop
        ...

In a converted function the same statement is a `while` of the graph over an iterator that the graph makes: its size
does not depend on the data, and a pass begins each time that the statement runs. An Iterator from outside, an argument
or a variable of a closure, goes on where it was left; each call advances it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np

from autograph.operators.branch import if_exp
from autograph.operators.consumer import Consumer
from autograph.operators.stager import PYTHON, WHILE_TRACING, stager_of
from runtime.context import current_recorder
from runtime.control_flow.loops.pulling import pull_each
from runtime.dtypes import variant
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.library.data.blocks import Row
from runtime.library.data.stream import Stream
from runtime.library.data.structure import DatasetSpec, Structure
from runtime.ops.flow.dataset import dataset_iterator, dataset_more, dataset_next
from runtime.ops.records.record import Array
from runtime.tensor.eager import EagerTensor
from runtime.tensor.spec import TensorSpec

__all__ = ["Iterator", "IteratorSpec", "element_of", "iterate", "joined_structure", "refusal"]

T_co = TypeVar("T_co", covariant=True)

_NO_DEFAULT = object()


class IteratorSpec:
    """The type of an iterator: the structure of its elements. `element_spec`: specs in that structure."""

    _nest_stands_for: type
    value_type: type

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".handle", TensorSpec([], variant))]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Any:
        if isinstance(parts[0], TensorSpec):
            return IteratorSpec(self.element_spec)
        return Iterator(parts[0], Structure(self.element_spec))

    def _nest_check(self, other: Any) -> None:
        if not Structure(self.element_spec).accepts(Structure(other.element_spec)):
            raise TypeError(f"an iterator over {self.element_spec!r} was expected; got {other!r}")

    def _nest_static(self) -> Any:
        return "iterator", repr(self.element_spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IteratorSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(repr(self.element_spec))

    def __repr__(self) -> str:
        return f"IteratorSpec({self.element_spec!r}, TensorShape([]))"


class Iterator(Generic[T_co]):
    """What `iter(dataset)` gives. As an argument of a Function it advances with each call of that, in one trace."""

    __slots__ = ("__weakref__", "_structure", "handle")

    __ag_stager__ = WHILE_TRACING
    __ag_do_not_convert__ = True
    kind = "Iterator"

    def __init__(self, handle: Any, structure: Structure) -> None:
        self.handle = handle
        """The tensor of dtype variant that holds where it stands."""
        self._structure = structure

    @property
    def element_spec(self) -> Any:
        """The specs of an element."""
        return self._structure.spec

    def __iter__(self) -> Iterator[T_co]:
        if current_recorder() is not None:
            raise refusal("an iterator over a dataset")
        return self

    def __next__(self) -> T_co:
        if current_recorder() is not None:
            return self.get_next()
        return element_of(self._stream().take(), self._structure)

    def next(self) -> Any:
        """The next element, as the builtin `next` gives it."""
        return self.__next__()

    def get_next(self) -> T_co:
        """The next element. Raises EndOfDataError, a StopIteration, where there is none."""
        if current_recorder() is None and isinstance(self.handle, EagerTensor):
            return self.__next__()
        leaves = self._structure.leaves
        values = dataset_next(
            self.handle, dtypes=tuple(leaf.dtype for leaf in leaves), shapes=tuple(leaf.shape for leaf in leaves)
        )
        return _packed(values, self._structure)

    def has_next(self) -> Any:
        """Whether there is another element, a bool or a symbolic bool tensor. It is made if it is not there yet."""
        if current_recorder() is None and isinstance(self.handle, EagerTensor):
            return self._stream().more()
        return dataset_more(self.handle)

    def _stream(self) -> Stream:
        stream: Stream = self.handle._array.item()[0]
        return stream

    # -- in checkpoints: how many elements it has given (runtime.checkpoint.tree)

    def _saved_position(self) -> Array:
        return np.array(self._stream().place(), np.int64)

    def _reached(self, position: Array) -> Callable[[], None]:
        """What makes it go on from a position; the elements before that have been made by then."""
        stream = self._stream()
        return partial(stream.go_on_as, stream.at(int(position)))

    def __repr__(self) -> str:
        return f"<Iterator element_spec={self.element_spec!r}>"

    # -- in converted code

    def __ag_iter__(self) -> Iterator[Any]:
        return self

    def __ag_next__(self, default: Any = _NO_DEFAULT) -> Any:
        """`next(iterator)`, `next(iterator, default)`."""
        if default is _NO_DEFAULT:
            return self.get_next()
        more = self.has_next()
        if stager_of(more) is PYTHON:
            return self.get_next() if more else default
        return if_exp(more, self.get_next, lambda: default, "there is a next element")

    def __ag_push__(self, consumer: Consumer) -> None:
        pull_each(self.has_next, self.get_next, consumer)

    # -- as a structure with its handle as the one part (runtime.nest)

    def _nest_parts(self) -> list[tuple[str, Any]]:
        return [(".handle", self.handle)]

    def _nest_rebuild(self, parts: Sequence[Any]) -> Iterator[Any]:
        return Iterator(parts[0], self._structure)

    def _nest_check(self, other: Any) -> None:
        if not self._structure.accepts(other._structure):
            raise TypeError(
                f"an iterator over {self.element_spec!r} and one over {other.element_spec!r} differ in type"
            )

    def _nest_static(self) -> Any:
        return "iterator", self._structure.key

    @staticmethod
    def _nest_joined(values: Sequence[Iterator[Any]]) -> Structure | None:
        return joined_structure([value._structure for value in values])

    def _nest_as(self, wanted: Structure | None) -> Iterator[Any]:
        return self if wanted is None else Iterator(self.handle, wanted)


def joined_structure(structures: Sequence[Structure]) -> Structure | None:
    """The structure of elements that may be those of each; None if there is none."""
    found = structures[0]
    try:
        for other in structures[1:]:
            found = found.relaxed(other, "the branches")
    except TypeError:
        return None
    return found


def iterate(handle: Any, structure: Structure) -> Iterator[Any]:
    """A new iterator over the dataset with this handle."""
    if current_recorder() is None and isinstance(handle, EagerTensor):
        from runtime.library.data.handles import boxed

        return Iterator(EagerTensor(boxed(handle._array.item()[0].iterate())), structure)
    return Iterator(dataset_iterator(handle), structure)


def element_of(row: Row, structure: Structure) -> Any:
    """An element with eager tensors."""
    return _packed(list(map(EagerTensor, row)), structure)


def _packed(values: Sequence[Any], structure: Structure) -> Any:
    if DatasetSpec in map(type, structure.leaves):
        from runtime.library.data.dataset import Dataset

        values = [
            Dataset(value, Structure(leaf.element_spec)) if isinstance(leaf, DatasetSpec) else value
            for value, leaf in zip(values, structure.leaves, strict=True)
        ]
    return structure.pack(values)


def refusal(what: str) -> OperatorNotAllowedInGraphError:
    return OperatorNotAllowedInGraphError(
        f"{what} was iterated over while a function is traced, by code that is not converted, or by unpacking or `in`:"
        " how many elements there are is only known when the graph runs; use a `for` statement in a converted function"
    )


IteratorSpec._nest_stands_for = IteratorSpec.value_type = Iterator
