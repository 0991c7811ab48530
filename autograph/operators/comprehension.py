"""Comprehensions and generator expressions: `ag__.list_comp`, `set_comp`, `dict_comp` and `generator_exp`.

Generated code hands over the first iterable and two forms of the rest. `native` is the comprehension as it is written,
and runs wherever nothing can be staged; `staged` says the same by calls on a consumer, to which a stager can give a
meaning.

    [x * 2 for x in xs if x > 0]
    list_comp(xs, lambda items: [x * 2 for x in items if x > 0],
              lambda into, items: into.each(items, lambda x: into.when(x > 0, lambda: into.take(x * 2))), True)

`inner` says whether more than the first iterable may be staged: a condition, an inner iterable, an inner comprehension.
Then, and where there are many items, does a comprehension over plain values take the second form, while a stager is
tracing. `state` is get_state,
set_state and the names, where a walrus in the comprehension binds names of the function around.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import chain
from types import GeneratorType
from typing import Any, Final

from autograph.operators.consumer import Consumer, refusal_in_its_loop
from autograph.operators.left import refusal_to_go_on, take_from
from autograph.operators.pulled import pulled
from autograph.operators.stager import (
    PYTHON,
    WHILE_TRACING,
    Collector,
    Stager,
    stager_of,
    tracing_stager,
)

__all__ = ["GeneratorExpression", "dict_comp", "generator_exp", "list_comp", "set_comp"]

Native = Callable[[Any], Any]
Staged = Callable[[Consumer, Any], None]


def list_comp(iterated: Any, native: Native, staged: Staged, inner: bool = False, *state: Any) -> Any:
    """`[... for ... in iterated ...]`: a list, or what the stager has in its place."""
    iterated = _parts_of(iterated)
    owner = _owner(iterated, inner) or _owner_of_long(iterated)
    if owner is None:
        return native(iterated)
    collector = owner.collector()
    _run(collector, staged, iterated, state)
    return collector.result()


def set_comp(iterated: Any, native: Native, staged: Staged, inner: bool = False, *state: Any) -> Any:
    """`{... for ... in iterated ...}`: a set, or what the stager has in its place."""
    return _made_of_items(set, iterated, native, staged, inner, state)


def dict_comp(iterated: Any, native: Native, staged: Staged, inner: bool = False, *state: Any) -> Any:
    """`{k: v for ... in iterated ...}`: a dict, or what the stager has in its place."""
    return _made_of_items(dict, iterated, native, staged, inner, state)


def _made_of_items(
    kind: Any, iterated: Any, native: Native, staged: Staged, inner: bool, state: tuple[Any, ...]
) -> Any:
    """A set or dict: made of the list of its items, where Python cannot make it by itself."""
    iterated = _parts_of(iterated)
    if type(iterated) in _ONE_BY_ONE and tracing_stager.get() is not None:
        iterated = list(iterated)
    owner = _owner(iterated, inner) or tracing_stager.get()  # which may own what is made of items of Python's
    if owner is None:
        return native(iterated)
    collector = owner.collector()
    _run(collector, staged, _pulled(iterated), state)
    items = collector.result()
    made = owner.builtin(kind, (items,), {})
    return kind(items) if made is NotImplemented else made


_HOLD_ITEMS: Final = frozenset({list, tuple, deque, dict, type({}.keys()), type({}.values()), type({}.items())})
_ONE_BY_ONE: Final = frozenset({enumerate, zip, type(reversed([])), type(iter([])), type(iter(()))})
"""Iterators that call no code of the program for the next item of lists and tuples."""


def generator_exp(iterated: Any, native: Native, staged: Staged, inner: bool = False, *state: Any) -> Any:
    """`(... for ... in iterated ...)`: a generator, or what runs like one in converted code."""
    parts = _parts_of(iterated)
    if stager_of(parts) is PYTHON and tracing_stager.get() is None:
        return native(parts)
    again = parts is not iterated or type(parts) in _HOLD_ITEMS or type(parts) is range
    return GeneratorExpression(parts, native, _with_state(staged, state), again)


def _parts_of(iterated: Any) -> Any:
    """The items of what says by `__ag_parts__` that each of them is a thing of its own; else the same."""
    take_from(iterated)
    parts = getattr(type(iterated), "__ag_parts__", None)
    found = None if parts is None else parts(iterated)
    return iterated if found is None else found


def _pulled(iterated: Any) -> Any:
    """The items of what a stager owns one by one, where Python can go through it; else what is given.

    A generator is given as it is: Python would begin it, and find only then that a stager decides where it goes.
    """
    is_pushed = not getattr(type(iterated), "can_be_pulled", True)
    if is_pushed or stager_of(iterated) is PYTHON or hasattr(type(iterated), "__ag_begin_again__"):
        return iterated
    try:
        items = iter(iterated)
        first = next(items)
    except StopIteration:
        return ()
    except TypeError:  # how many items it has is only known when the graph runs
        return iterated
    return chain((first,), items)


def _owner(iterated: Any, inner: bool) -> Stager | None:
    """Who runs the second form; None: nobody, for nothing in it can be staged."""
    owner = stager_of(iterated)
    if owner is not PYTHON:
        return owner
    tracer = tracing_stager.get()
    return tracer if inner or (tracer is not None and pulled(iterated, tracer) is not None) else None


def _owner_of_long(iterated: Any) -> Stager | None:
    """Who tries to stage a comprehension because Python knows many items, which would be unrolled."""
    tracer = tracing_stager.get()
    return tracer if tracer is not None and tracer.is_long(iterated) else None


def _with_state(staged: Staged, state: tuple[Any, ...]) -> Staged:
    return (lambda into, items: staged(into.with_state(*state), items)) if state else staged


def _run(into: Collector, staged: Staged, iterated: Any, state: tuple[Any, ...]) -> None:
    consumer = Consumer(into.put, None, into.get_state, into.set_state, into.names, {}, (), into.staging)
    _with_state(staged, state)(consumer, iterated)


class GeneratorExpression:
    """A generator expression that may have staged parts.

    Converted code that goes through it runs the staged form, where and when it does so. Other code gets a generator of
    Python, which fails where Python would have to look at a staged value. It can be gone through once.
    """

    __slots__ = (
        "__weakref__", "_again", "_generator", "_is_pushing", "_iterated", "_left", "_native", "_staged", "cell",
    )  # fmt: skip

    __ag_stager__: Final = WHILE_TRACING

    def __init__(self, iterated: Any, native: Native, staged: Staged, again: bool) -> None:
        """again: whether what it goes through may be gone through once more, without a trace in the program."""
        self._iterated = iterated if stager_of(iterated) is not PYTHON else iter(iterated)
        self._again: Any = iterated if again else None
        self._native = native
        self._staged: Staged | None = staged
        self._generator: Iterator[Any] | None = None
        self.cell = [False]  # whether items were taken from it
        self._left = False  # perhaps before its end
        self._is_pushing = False

    __class__ = property(lambda self: GeneratorType)  # pyright: ignore[reportIncompatibleMethodOverride]  # isinstance believes it

    def __ag_push__(self, consumer: Consumer) -> None:
        """Hand over all items. What has been begun as a generator goes on as one."""
        self._take_from()
        self.cell[0] = True
        staged, self._staged = self._staged, None
        self._left = self._generator is None and staged is not None and consumer.extra_test is not None
        if self._generator is not None:
            consumer.each(self._generator, consumer.body, str(consumer.options.get("iterate_names", "")))
        elif staged is not None:
            self._is_pushing = True
            try:
                staged(consumer, self._iterated)
            finally:
                self._is_pushing = False

    @property
    def can_be_pulled(self) -> bool:
        """Whether Python can go through it, item by item, as far as that is known."""
        return stager_of(self._iterated) is PYTHON

    def __ag_begin_again__(self) -> Callable[[], bool]:
        """Asked before an item is taken: what makes this as if it had not been, and says whether that can be."""
        fresh, staged = self._again is not None and self._generator is None, self._staged

        def begin_again() -> bool:
            if fresh:
                self._iterated, self._staged, self._generator = iter(self._again), staged, None
                self.cell[0] = staged is None
            return fresh

        return begin_again

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._native, self._iterated) if self._generator is None else (self._generator,)

    def __ag_pulls__(self) -> Any:
        return self._iterated if self._generator is None else self._generator

    def __iter__(self) -> GeneratorExpression:
        return self

    def __next__(self) -> Any:
        return next(self._as_generator())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._as_generator(), name)

    def _take_from(self) -> None:
        if self._is_pushing:
            raise refusal_in_its_loop("this generator expression")
        if self._left:
            raise refusal_to_go_on("this generator expression")

    def _as_generator(self) -> Iterator[Any]:
        self._take_from()
        self.cell[0] = True
        generator = self._generator
        if generator is None:
            self._generator = generator = self._native(self._iterated) if self._staged is not None else iter(())
        return generator
