"""Python's iterators over tensors: `iter`, `enumerate`, `zip`, `map`, `filter`, `reversed`, and `next` of them.

    for i, (x, y) in enumerate(zip(a, b)):     # one staged loop, whose item is (i, (a[i], b[i]))
        ...

As in Python they are lazy and can be gone through once. `StagedIterator` knows how many items there are, and the item
at each position; where it stands is an integer or, after a staged loop, a tensor. `PushedIterator` finds its items only
by going on (`filter`). Python sequences may stand beside tensors: their numbers are looked up in the graph, and where
their items are other things the iterator is one of Python's own, if the tensors beside them have a known length.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final, NoReturn

from autograph.operators.branch import if_exp
from autograph.operators.consumer import Consumer
from autograph.operators.stager import PYTHON, WHILE_TRACING, stager_of
from runtime.control_flow.iteration import Items, as_literal, for_each, hand_over, items_of
from runtime.control_flow.iterators import add_reader, position_reader
from runtime.control_flow.statement_state import State
from runtime.control_flow.subgraph import as_bool_scalar
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.ops.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = [
    "PushedIterator",
    "StagedIterator",
    "enumerate_",
    "filter_",
    "is_staged",
    "iterator",
    "map_",
    "next_",
    "push",
    "reversed_",
    "truth",
    "zip_",
]


class StagedIterator:
    """An iterator whose items the graph computes, each from its position.

    at_end: called with the position where a `for` over it came to its end.
    """

    __slots__ = ("__weakref__", "_at_end", "cell", "items", "kind", "watched")

    __ag_stager__ = WHILE_TRACING

    def __init__(
        self, items: Items, kind: str, watched: tuple[Any, ...] = (), at_end: Callable[[Any], None] | None = None
    ) -> None:
        self.items = items
        self.kind = kind
        self.watched = watched
        self.cell: list[Any] = [0]
        self._at_end = at_end

    def __ag_push__(self, consumer: Consumer) -> None:
        if self.watched:
            consumer = replace(consumer, watched=(*consumer.__ag_watched__(), *self.watched))
        for_each(self.items, self.cell, consumer)
        if self._at_end is None:
            return
        done = True if consumer.extra_test is None else consumer.extra_test()
        stager_of(done).if_stmt(done, self._finish, lambda: None, lambda: (), lambda values: None, (), 0)

    def _finish(self) -> None:
        if self._at_end is not None:
            self._at_end(self.cell[0])

    def __iter__(self) -> StagedIterator:
        return self

    def __next__(self) -> Any:
        """For Python code that is not converted: possible where the length and the position are known."""
        length, position = self.items.length, self.cell[0]
        if isinstance(length, Tensor) or isinstance(position, Tensor):
            raise OperatorNotAllowedInGraphError(
                f"a {self.kind!r} over a tensor whose length is not known while tracing was iterated over by code that"
                " is not converted; use a `for` statement in a converted function"
            )
        if position >= length:
            self._finish()
            raise StopIteration
        self.cell[0] = position + 1
        return self.items.item(position)

    def __repr__(self) -> str:
        return f"<{self.kind} over tensors>"


class PushedIterator:
    """An iterator that is only known as code which hands over its items one by one. `run(consumer)` is that code.

    native: an iterator of Python over the same items, where only what is done with them may be staged.
    """

    __slots__ = ("__weakref__", "kind", "native", "run")

    __ag_stager__ = WHILE_TRACING

    def __init__(self, kind: str, run: Callable[[Consumer], None], native: Iterator[Any] | None = None) -> None:
        self.kind = kind
        self.run = run
        self.native = native

    @property
    def can_be_pulled(self) -> bool:
        """Whether Python can go through it, item by item."""
        return self.native is not None

    def __ag_push__(self, consumer: Consumer) -> None:
        self.run(consumer)

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


def _native_position(value: PushedIterator) -> Any:
    read = None if value.native is None else position_reader(value.native)
    return (0, ()) if read is None else read(value.native)


add_reader(StagedIterator, lambda value: (0, (value.cell[0],)))
add_reader(PushedIterator, _native_position)


def is_staged(value: Any) -> bool:
    """Whether iterating over a value is the graph's business."""
    return stager_of(value) is not PYTHON


def push(iterable: Any, consumer: Consumer) -> None:
    """Hand over the items of anything that can be iterated over."""
    consumer.each(iterable, consumer.body, str(consumer.options.get("iterate_names", "")))


def iterator(iterable: Any) -> Any:
    """`iter(iterable)`."""
    if isinstance(iterable, StagedIterator | PushedIterator) or hasattr(type(iterable), "__ag_push__"):
        return iterable
    if not is_staged(iterable):
        return builtins.iter(iterable)
    return StagedIterator(items_of(iterable), "iterator")


def _known(iterable: Any) -> Items | None:
    """The items by position, from where an iterator stands; None for what only Python can go through."""
    if isinstance(iterable, StagedIterator):
        return _rest(iterable)
    if hasattr(type(iterable), "__ag_push__"):
        if iterable.can_be_pulled:
            return None
        from runtime.control_flow.collecting import collected  # which pushes iterables into a list

        iterable = collected(iterable)
    try:
        return items_of(iterable)
    except (TypeError, ValueError):
        if is_staged(iterable):
            raise
        return None


def _rest(iterated: StagedIterator) -> Items:
    """The items that an iterator has not given yet. It counts as gone through from now on."""
    start, items = iterated.cell[0], iterated.items
    iterated.cell[0] = items.length
    if isinstance(start, int) and start == 0:
        return items
    return Items(items.length - start, lambda position: items.item(start + position))


# -- the builtins --------------------------------------------------------------------------------------------------


def enumerate_(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`; the numbers adapt to the dtype of what is beside them, as Python's do."""
    if hasattr(type(iterable), "__ag_push__") and not isinstance(iterable, StagedIterator):
        return PushedIterator("enumerate", lambda consumer: _push_counted(iterable, start, consumer))
    if not is_staged(iterable):
        items = _known(iterable)
        if items is None or not isinstance(start, Tensor):
            return builtins.enumerate(iterable, start)
    else:
        items = _known(iterable)
    assert items is not None

    def item(position: Any) -> Any:
        return (as_literal(position + start) if isinstance(start, int) else start + position, items.item(position))

    return StagedIterator(Items(items.length, item), "enumerate", _watched(iterable))


def _push_counted(iterable: Any, start: Any, consumer: Consumer) -> None:
    count = [start]
    state = State(lambda: tuple(consumer.get_state()), consumer.set_state, tuple(consumer.names))
    state = state.with_cell(count, "number in enumerate")

    def body(item: Any) -> None:
        number = count[0]
        count[0] = number + 1
        hand_over(consumer, (number, item))

    counted = Consumer(
        body, consumer.extra_test, state.get, state.put, state.names, {}, consumer.__ag_watched__(), consumer.staging
    )
    push(iterable, counted)


def _watched(*iterables: Any) -> tuple[Any, ...]:
    return tuple(code for iterable in iterables for code in getattr(iterable, "watched", ()))


def zip_(*iterables: Any, strict: Any = False) -> Any:
    """`zip(*iterables, strict=strict)`: as long as the shortest; strict: ValueError at the end if one is longer."""
    if not any(builtins.map(is_staged, iterables)):
        return builtins.zip(*iterables, strict=strict)
    sources = [_known(iterable) for iterable in iterables]
    if any(source is None for source in sources):
        return builtins.zip(*[_in_python(i, s) for i, s in zip(iterables, sources, strict=True)], strict=strict)
    found = [source for source in sources if source is not None]
    lengths = [source.length for source in found]
    items = Items(_shortest(lengths), lambda position: tuple(source.item(position) for source in found))
    at_end = (lambda position: _check_lengths(lengths)) if strict else None
    return StagedIterator(items, "zip", _watched(*iterables), at_end)


def _in_python(iterable: Any, items: Items | None) -> Iterator[Any] | Any:
    """An operand beside one that only Python can go through. Raises TypeError if its length is not known."""
    if items is None or not is_staged(iterable):
        return iterable
    length = items.length
    if isinstance(length, Tensor):
        raise TypeError(
            "a tensor whose length is not known while tracing goes together with numbers and tensors of one type only;"
            " beside it there are Python objects, which a graph cannot look up"
        )
    return (items.item(position) for position in range(length))


def _shortest(lengths: list[Any]) -> Any:
    known = [length for length in lengths if isinstance(length, int)]
    shortest: Any = min(known) if known else None
    for length in lengths:
        if not isinstance(length, int):
            shortest = length if shortest is None or shortest is length else REGISTRY["minimum"](length, shortest)
    return shortest


def _check_lengths(lengths: list[Any]) -> None:
    """Python's errors of a strict zip, in the order in which Python finds them."""
    shortest = _shortest(lengths)
    ended = [REGISTRY["equal"](length, shortest) for length in lengths]
    before: Any = True
    for number, end in builtins.enumerate(ended[1:], 2):
        before = REGISTRY["logical_and"](before, REGISTRY["logical_not"](ended[number - 2]))
        _refuse_length(REGISTRY["logical_and"](before, end), number, "shorter")
    before = ended[0]
    for number, end in builtins.enumerate(ended[1:], 2):
        _refuse_length(REGISTRY["logical_and"](before, REGISTRY["logical_not"](end)), number, "longer")
        before = REGISTRY["logical_and"](before, end)


def _refuse_length(wrong: Any, number: int, word: str) -> None:
    others = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
    message = f"zip() argument {number} is {word} than {others}"
    REGISTRY["check"](REGISTRY["logical_not"](wrong), message=message, exception="ValueError")


def map_(function: Callable[..., Any], *iterables: Any) -> Any:
    """`map(function, *iterables)`."""
    watched = (function, *_watched(*iterables))
    if len(iterables) == 1 and hasattr(type(iterables[0]), "__ag_push__"):
        (iterable,) = iterables
        if not isinstance(iterable, StagedIterator):
            return PushedIterator("map", lambda consumer: _push_mapped(function, iterable, consumer, watched))
    if not any(builtins.map(is_staged, iterables)):
        return builtins.map(function, *iterables)
    together = zip_(*iterables)
    if not isinstance(together, StagedIterator):
        return (function(*values) for values in together)
    items = together.items
    return StagedIterator(Items(items.length, lambda position: function(*items.item(position))), "map", watched)


def _push_mapped(function: Callable[..., Any], iterable: Any, consumer: Consumer, watched: tuple[Any, ...]) -> None:
    push(iterable, consumer.mapped(lambda item: hand_over(consumer, function(item)), *watched))


def filter_(function: Callable[[Any], Any] | None, iterable: Any) -> Any:
    """`filter(function, iterable)`; the function gives bools (numbers count as in `bool`)."""
    native = None
    if not is_staged(iterable):
        iterable = builtins.iter(iterable)
        native = builtins.filter(function, iterable)

    def run(consumer: Consumer) -> None:
        def body(item: Any) -> None:
            consumer.when(truth(item if function is None else function(item)), lambda: hand_over(consumer, item))

        push(iterable, consumer.mapped(body, *([] if function is None else [function])))

    return PushedIterator("filter", run, native)


def truth(value: Any) -> Any:
    """`bool(value)` of a number, bool or scalar tensor."""
    if isinstance(value, Tensor):
        return value if value.dtype.is_bool else REGISTRY["not_equal"](value, 0)
    return builtins.bool(value)


def reversed_(sequence: Any) -> Any:
    """`reversed(sequence)` of a tensor or range."""
    if not is_staged(sequence):
        return builtins.reversed(sequence)
    if hasattr(type(sequence), "__ag_push__"):
        raise TypeError(f"{getattr(sequence, 'kind', 'generator')!r} object is not reversible")
    items = items_of(sequence)
    last = items.length - 1
    return StagedIterator(Items(items.length, lambda position: items.item(last - position)), "reversed")


_NO_DEFAULT: Final = object()


def next_(iterated: Any, default: Any = _NO_DEFAULT) -> Any:
    """`next(iterated, default)`; without a default, StopIteration where the graph finds no more items."""
    if not isinstance(iterated, StagedIterator):
        if isinstance(iterated, PushedIterator) and iterated.native is None:
            raise NotImplementedError(f"next() of {iterated!r}: write a `for` statement that breaks after one item")
        if isinstance(iterated, Tensor):
            raise TypeError("a tensor is not an iterator; use next(iter(tensor))")
        return builtins.next(iterated) if default is _NO_DEFAULT else builtins.next(iterated, default)
    length, position = iterated.items.length, iterated.cell[0]
    if not isinstance(length, Tensor) and not isinstance(position, Tensor):
        return builtins.next(iterated) if default is _NO_DEFAULT else builtins.next(iterated, default)
    more = as_bool_scalar(REGISTRY["less"](position, length), "next")
    if default is _NO_DEFAULT:
        REGISTRY["check"](more, message="", exception="StopIteration")
        iterated.cell[0] = position + 1
        return iterated.items.item(position)
    iterated.cell[0] = position + REGISTRY["cast"](more, "int32" if isinstance(position, int) else position.dtype)
    return if_exp(more, lambda: iterated.items.item(position), lambda: default, "there is a next item")
