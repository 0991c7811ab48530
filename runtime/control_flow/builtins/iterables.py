"""Python's iterators over tensors: `iter`, `enumerate`, `filter`, `reversed`, and `next` of them.

    for i, (x, y) in enumerate(zip(a, b)):     # one staged loop, whose item is (i, (a[i], b[i]))
        ...

As in Python they are lazy and can be gone through once. `StagedIterator` knows how many items there are, and the item
at each position; where it stands is an integer or, after a staged loop, a tensor. `PushedIterator` finds its items only
by going on (`filter`). Iterators over several things at once are in zipping.py.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NoReturn

from autograph.errors import StagingError
from autograph.operators.comprehension import GeneratorExpression
from autograph.operators.consumer import Consumer
from autograph.operators.stager import PYTHON, WHILE_TRACING, stager_of
from runtime.control_flow.loops import arrays
from runtime.control_flow.loops.iteration import Items, as_literal, at_end, hand_over, items_of
from runtime.control_flow.statement.state import State
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.heap.positions import add_reader, position_reader
from runtime.marker import Marker
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = [
    "LENT",
    "PushedIterator",
    "StagedIterator",
    "cells_of",
    "enumerate_",
    "filter_",
    "is_staged",
    "iterator",
    "push",
    "reversed_",
    "truth",
]


class StagedIterator:
    """An iterator whose items the graph computes, each from its position.

    watched: the user's functions that make the items. at_end: called where it came to its end. cell: where it stands;
    an iterator that takes its items from another one stands where that one stands.
    """

    __slots__ = ("__weakref__", "at_end", "cell", "items", "kind", "watched")

    __ag_stager__ = WHILE_TRACING

    def __init__(
        self,
        items: Items,
        kind: str,
        watched: tuple[Any, ...] = (),
        at_end: Callable[[], None] | None = None,
        cell: list[Any] | None = None,
    ) -> None:
        self.items = items
        self.kind = kind
        self.watched = watched
        self.at_end = at_end
        self.cell: list[Any] = [0] if cell is None else cell

    @property
    def position(self) -> Any:
        """The position of the next item. Raises StagingError if its items are those of another iterator now."""
        if self.cell[0] is LENT:
            raise StagingError(
                f"this {self.kind!r} is a part of a 'zip' over tensors, which takes its items; go through one of the"
                " two only"
            )
        return self.cell[0]

    def wrapped(self, kind: str, item: Callable[[Any, Any], Any], *watched: Any) -> StagedIterator:
        """An iterator that takes its items from this one; `item(position, number of the item)` is what it gives."""
        start = self.position
        made = lambda position: item(position, position if type(start) is int and start == 0 else position - start)
        changed = replace(self.items, item=made)
        return StagedIterator(changed, kind, (*self.watched, *watched), self.at_end, self.cell)

    def __ag_push__(self, consumer: Consumer) -> None:
        if self.watched:
            consumer = replace(consumer, watched=(*consumer.__ag_watched__(), *self.watched))
        assert self.position is not None
        arrays.for_each(self.items, self.cell, consumer)
        if self.at_end is not None:
            at_end(consumer, self.at_end)

    def __iter__(self) -> StagedIterator:
        return self

    def __next__(self) -> Any:
        """For Python code that is not converted: possible where the length and the position are known."""
        length, position = self.items.length, self.position
        if isinstance(length, Tensor) or isinstance(position, Tensor):
            raise OperatorNotAllowedInGraphError(
                f"a {self.kind!r} over a tensor whose length is not known while tracing was iterated over by code that"
                " is not converted; use a `for` statement in a converted function"
            )
        if length is not None and position >= length:
            if self.at_end is not None:
                self.at_end()
            raise StopIteration
        self.cell[0] = position + 1
        return self.items.item(position)

    def __repr__(self) -> str:
        return f"<{self.kind} over tensors>"


LENT = Marker("LENT")
"""In the place of the position of an iterator whose items a `zip` takes."""


class PushedIterator:
    """An iterator that is only known as code which hands over its items one by one. `run(consumer)` is that code.

    native: an iterator of Python over the same items, where only what is done with them may be staged. cells: what
    tells how far it has gone.
    """

    __slots__ = ("__weakref__", "cells", "kind", "native", "run")

    __ag_stager__ = WHILE_TRACING

    def __init__(
        self,
        kind: str,
        run: Callable[[Consumer], None],
        native: Iterator[Any] | None = None,
        cells: tuple[list[Any], ...] = (),
    ) -> None:
        self.kind = kind
        self.run = run
        self.native = native
        self.cells = cells

    @property
    def can_be_pulled(self) -> bool:
        """Whether Python can go through it, item by item."""
        return self.native is not None

    def __ag_push__(self, consumer: Consumer) -> None:
        self.run(consumer)

    def __ag_pulls__(self) -> Any:
        return self.native

    def __iter__(self) -> PushedIterator:
        if self.native is None:
            self._refuse()
        return self

    def __next__(self) -> Any:
        return builtins.next(self.native) if self.native is not None else self._refuse()

    def _refuse(self) -> NoReturn:
        raise OperatorNotAllowedInGraphError(
            f"a {self.kind!r} over tensors was iterated over by code that is not converted: how many items it has is"
            " only known when the graph runs; use a `for` statement in a converted function"
        )

    def __repr__(self) -> str:
        return f"<{self.kind} over tensors>"


def _pushed_position(value: PushedIterator) -> Any:
    read = None if value.native is None else position_reader(value.native)
    return (0, tuple(cell[0] for cell in value.cells)) if read is None else read(value.native)


for _kind in (StagedIterator, GeneratorExpression):
    add_reader(_kind, lambda value: (0, (value.cell[0],)))
add_reader(PushedIterator, _pushed_position)


def cells_of(iterated: Any) -> tuple[list[Any], ...]:
    """What tells how far an iterator of this file has gone."""
    if isinstance(iterated, StagedIterator) or type(iterated) is GeneratorExpression:
        return (iterated.cell,)
    return iterated.cells if isinstance(iterated, PushedIterator) else ()


def is_staged(value: Any) -> bool:
    """Whether iterating over a value is the graph's business."""
    return stager_of(value) is not PYTHON


def push(iterable: Any, consumer: Consumer) -> None:
    """Hand over the items of anything that can be iterated over."""
    consumer.each(iterable, consumer.body, str(consumer.options.get("iterate_names", "")))


def iterator(iterable: Any) -> Any:
    """`iter(iterable)`. Datasets say by a method what their iterators are."""
    if hasattr(type(iterable), "__ag_iter__"):
        return iterable.__ag_iter__()
    if isinstance(iterable, StagedIterator | PushedIterator) or hasattr(type(iterable), "__next__"):
        return iterable
    if hasattr(type(iterable), "__ag_push__"):  # a dict or set of which a tensor decides what it has
        return PushedIterator("iterator", _once(iterable))
    if not is_staged(iterable):
        return builtins.iter(iterable)
    return StagedIterator(items_of(iterable), "iterator")


def _once(iterable: Any) -> Callable[[Consumer], None]:
    """Hands over the items of what begins anew each time: an iterator over it goes on where it was left."""
    begun: list[bool] = []

    def run(consumer: Consumer) -> None:
        if begun:
            raise StagingError(
                "items are taken more than once from an iterator over a dict or set of which a tensor decides what it"
                " has: where it goes on only the graph knows. Go through it in one loop, or once more with a new `iter`"
            )
        begun.append(True)
        iterable.__ag_push__(consumer)

    return run


# -- the builtins --------------------------------------------------------------------------------------------------


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`; the numbers adapt to the dtype of what is beside them, as Python's do."""
    if not is_staged(iterable) and not isinstance(start, Tensor):
        return builtins.enumerate(iterable, start)
    if not isinstance(iterable, StagedIterator):
        if hasattr(type(iterable), "__ag_push__"):
            count = [start]
            cells = (count, *cells_of(iterable))
            return PushedIterator("enumerate", lambda consumer: _push_counted(iterable, count, consumer), None, cells)
        iterable = StagedIterator(items_of(iterable), "iterator")
    items = iterable.items

    def item(position: Any, number: Any) -> Any:
        return (as_literal(number + start) if isinstance(start, int) else start + number, items.item(position))

    return iterable.wrapped("enumerate", item)


def _push_counted(iterable: Any, count: list[Any], consumer: Consumer) -> None:
    state = State(consumer.get_state, consumer.set_state, tuple(consumer.names))
    state = state.with_cell(count, "number in enumerate")

    def body(item: Any) -> None:
        number = count[0]
        count[0] = number + 1
        hand_over(consumer, (number, item))

    counted = Consumer(
        body, consumer.extra_test, state.get, state.put, state.names, {}, consumer.__ag_watched__(), consumer.staging
    )
    push(iterable, counted)


def filter_(function: Callable[[Any], Any] | None, iterable: Any) -> Any:
    """`filter(function, iterable)`; the function gives bools (numbers count as in `bool`)."""
    iterable = iterator(iterable)  # which goes on where it was left
    native = None if is_staged(iterable) else builtins.filter(function, iterable)

    def run(consumer: Consumer) -> None:
        def body(item: Any) -> None:
            consumer.when(truth(item if function is None else function(item)), lambda: hand_over(consumer, item), item)

        push(iterable, consumer.mapped(body, *([] if function is None else [function])))

    return PushedIterator("filter", run, native, cells_of(iterable))


def truth(value: Any) -> Any:
    """`bool(value)` of a number, bool or scalar tensor."""
    if isinstance(value, Tensor):
        return value if value.dtype.is_bool else REGISTRY["not_equal"](value, 0)
    return builtins.bool(value)


def reversed_(sequence: Any) -> Any:
    """`reversed(sequence)` of a tensor or range."""
    if not is_staged(sequence):
        return builtins.reversed(sequence)
    if hasattr(type(sequence), "__ag_reversed__"):
        return PushedIterator("reversed", _once(sequence.__ag_reversed__()))
    if hasattr(type(sequence), "__ag_push__"):
        raise TypeError(f"{getattr(sequence, 'kind', 'generator')!r} object is not reversible")
    items = items_of(sequence)
    last = items.length - 1
    return StagedIterator(replace(items, item=lambda position: items.item(last - position)), "reversed")
