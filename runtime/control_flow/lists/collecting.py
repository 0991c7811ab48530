"""What a comprehension over tensors puts its elements into: a Python list, and a growing one once staging begins.

    [x * 2 for x in t if x > 0]      each element is put; the filter and the loop are staged; the result is a TensorList

A list of Python objects stays a Python list as long as nothing is staged around its elements. The elements' dtypes and
structure are learnt from the first one. If a later one shows that the dtype must be wider, what was staged so far is
traced again with the wider one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.consumer import Consumer
from runtime.control_flow.builtins.iterables import push
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.restarts import Restart, settled

__all__ = ["Collector", "collected"]


class Collector:
    """Implements `autograph.operators.stager.Collector`."""

    names: tuple[str, ...] = ("the elements of the list",)

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._grown: TensorList | None = None
        self._depth = 0

    def put(self, item: Any) -> None:
        grown = self._grown
        if grown is None:
            self._items.append(item)
            return
        known = grown.elements
        if self._depth and known is not None:
            wider = known.with_element(item)
            if _dtypes(wider) != _dtypes(known):
                raise Restart(wider, self)
        elif self._depth and len((found := ElementType.of(item)).leaves) != len(grown.handles):
            raise Restart(found, self)
        grown.append(item)

    def get_state(self) -> tuple[Any, ...]:
        return (None if self._grown is None else self._grown.handles,)

    def set_state(self, values: tuple[Any, ...]) -> None:
        (handles,) = values
        if self._grown is not None and handles is not None:
            self._grown.handles = tuple(handles)

    def staging(self, run: Callable[[], Any]) -> None:
        """Run staged code that puts elements."""
        if self._depth:
            run()
            return
        begun = self._grown
        if begun is None:
            self._grown = TensorList(self._items)
        try:
            self._settle(run)
        except BaseException:  # what has been staged may be taken back
            self._grown = begun
            raise

    def _settle(self, run: Callable[[], Any]) -> None:
        """Runs it with the type of the elements that it turns out to put."""
        assert self._grown is not None
        before, known = self._grown.handles, self._grown.elements

        def attempt() -> None:
            self._depth += 1
            try:
                run()
            finally:
                self._depth -= 1

        def learn(found: Restart) -> None:
            if found.target is not self:
                raise found
            self._grown = TensorList.like(known, before)
            self._grown.become(found.learnt)

        settled(attempt, learn)

    def result(self) -> Any:
        """The list: a Python list where nothing was staged, or where nothing can have been put."""
        if self._grown is None or self._grown.elements is None:
            return self._items
        return self._grown


def collected(iterable: Any) -> Any:
    """`list(iterable)`: a Python list, or a TensorList where its length depends on a tensor."""
    into = Collector()
    push(iterable, Consumer(into.put, None, into.get_state, into.set_state, into.names, {}, (), into.staging))
    return into.result()


def _dtypes(elements: ElementType) -> list[Any]:
    return [leaf.dtype for leaf in elements.leaves]
