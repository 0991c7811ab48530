"""`zip` and `map` over tensors, and over tensors beside Python's own iterables.

    for x, w in zip(t, [1, 20, 300]):        # the numbers are looked up in the graph
    for x, name in zip(t, names):            # Python objects: one of Python's iterators, where the length of t is known

An iterator among what is zipped gives its items to the zip, also if it stands there several times: `zip(it, it)` makes
pairs of its items.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from autograph.errors import StagingError
from runtime.control_flow.builtins.iterables import LENT, PushedIterator, StagedIterator, cells_of, is_staged, push
from runtime.control_flow.lists.collecting import collected
from runtime.control_flow.loops.iteration import Items, as_literal, check_if, hand_over, items_of
from runtime.control_flow.loops.pulling import pull_together
from runtime.control_flow.optional.flags import both, ensure, negated
from runtime.ops.records.record import REGISTRY
from runtime.tensor.tensor import Tensor

__all__ = ["map_", "zip_"]


def zip_(*iterables: Any, strict: Any = False) -> Any:
    """`zip(*iterables, strict=strict)`: as long as the shortest; strict: ValueError at the end if one is longer."""
    if not any(builtins.map(is_staged, iterables)):
        return builtins.zip(*iterables, strict=strict)
    if any(hasattr(type(iterable), "__ag_iter__") for iterable in iterables):
        return _zip_pulled(iterables, strict)
    prepared = [_prepared(iterable) for iterable in iterables]
    sources = _sources(prepared)
    if any(source is None for source in sources):
        return builtins.zip(*[_in_python(i, s) for i, s in zip(prepared, sources, strict=True)], strict=strict)
    found = [source for source in sources if source is not None]
    shared = _lend(prepared)
    if strict and any(source.length is None for source in found):
        raise StagingError("zip(..., strict=True) with an iterator without end raises at its end; leave strict out")
    if strict and shared:
        raise StagingError("zip(..., strict=True) over one iterator in several places is not staged; leave strict out")
    lengths = [source.length for source in found]
    objects = tuple(array for source in found for array in source.objects)
    together = lambda position: tuple(source.item(position) for source in found)
    checks = (lambda: _ask_for_one_more(found)) if any(source.at_end for source in found) else None
    shortest = _shortest(lengths)
    length_now = partial(_shortest_now, found, shortest) if any(source.length_now for source in found) else None
    items = Items(shortest, together, objects, checks, length_now)
    watched = tuple(code for part in prepared for code in getattr(part, "watched", ()))
    return StagedIterator(items, "zip", watched, (lambda: _check_lengths(lengths)) if strict else None)


def _shortest_now(sources: Sequence[Items], before: Any) -> Any:
    """How many items all of them have by now. before: how many it was when none of them had changed."""
    sizes = [source.length if source.length_now is None else source.length_now() for source in sources]
    as_before = all(size is source.length for size, source in zip(sizes, sources, strict=True))
    return before if as_before else _shortest(sizes)


def _zip_pulled(iterables: Sequence[Any], strict: Any) -> PushedIterator:
    """A zip with datasets, or iterators over them, which do not say how many items they have."""
    if strict:
        raise StagingError(
            "zip(..., strict=True) over datasets is not staged: how long they are is not known before; leave"
            " strict out"
        )
    prepared = [i.__ag_iter__() if hasattr(type(i), "__ag_iter__") else _prepared(i) for i in iterables]
    sources = [_source(source) for source in prepared]
    _lend(prepared)
    return PushedIterator("zip", lambda consumer: pull_together(sources, consumer))


def _source(iterable: Any) -> Any:
    if hasattr(type(iterable), "__ag_iter__"):
        return iterable
    return _every(iterable, 1, 0) if isinstance(iterable, StagedIterator) else items_of(iterable)


def _prepared(iterable: Any) -> Any:
    """A list in the place of what the graph can only go through from the start."""
    if isinstance(iterable, StagedIterator) or not hasattr(type(iterable), "__ag_push__") or iterable.can_be_pulled:
        return iterable
    return collected(iterable)


def _sources(iterables: Sequence[Any]) -> list[Items | None]:
    """The items by number of the step; None for what only Python can go through."""
    places: dict[int, int] = {}
    times = {id(i): sum(other is i for other in iterables) for i in iterables if isinstance(i, StagedIterator)}
    sources: list[Items | None] = []
    for iterable in iterables:
        if isinstance(iterable, StagedIterator):
            place = places.get(id(iterable), 0)
            places[id(iterable)] = place + 1
            sources.append(_every(iterable, times[id(iterable)], place))
        else:
            sources.append(_items(iterable))
    return sources


def _items(iterable: Any) -> Items | None:
    if hasattr(type(iterable), "__ag_push__"):
        return None
    try:
        return items_of(iterable)
    except (TypeError, ValueError):
        if is_staged(iterable):
            raise
        return None


def _every(iterated: StagedIterator, step: int, place: int) -> Items:
    """What an iterator gives to one of the `step` places in which it stands."""
    start, items = iterated.position, iterated.items
    begins, length = isinstance(start, int) and start == 0, items.length
    remaining = length if begins or length is None else length - start
    if step == 1:
        size = items.length_now
        now = size if begins or size is None else (lambda: size() - start)
        item = lambda position: items.item(_after(start, position))
        return replace(items, length=remaining, item=item, length_now=now)
    rounds = None if remaining is None else remaining // step
    item = lambda position: items.item(_after(start, position * step + place))
    return replace(items, length=rounds, item=item, length_now=None)


def _after(start: Any, number: Any) -> Any:
    return number if isinstance(start, int) and start == 0 else start + number


def _lend(iterables: Sequence[Any]) -> bool:
    """Note that iterators give their items to another one. Whether one of them stands in several places."""
    staged = [iterable for iterable in iterables if isinstance(iterable, StagedIterator)]
    distinct = list({id(iterable): iterable for iterable in staged}.values())
    cells = [iterable.cell for iterable in distinct]
    if len({id(cell) for cell in cells}) < len(cells):
        raise StagingError(
            "a zip over several iterators that take their items from one another is not staged; go through one of them"
        )
    for iterable in distinct:
        if iterable.at_end is not None:
            raise StagingError("zip(..., strict=True) as a part of another iterator is not staged; zip all at once")
    for cell in cells:
        cell[0] = LENT
    return len(distinct) < len(staged)


def _in_python(iterable: Any, items: Items | None) -> Any:
    """An operand beside one that only Python can go through. Raises TypeError if its length is not known."""
    if items is None or not is_staged(iterable) or isinstance(iterable, StagedIterator):
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
    if 0 in known:  # no item to trace, however many the others have
        return 0
    shortest: Any = min(known) if known else None
    for length in map(as_literal, lengths):
        if length is not None and not isinstance(length, int):
            shortest = length if shortest is None or shortest is length else REGISTRY["minimum"](length, shortest)
    return shortest


def _ask_for_one_more(sources: Sequence[Items]) -> None:
    """The checks of those that are asked for another item after the last: up to the first one that has none."""
    asked: Any
    shortest, asked = _shortest([source.length for source in sources]), True
    for source in sources:
        if source.at_end is not None:
            check_if(asked, source.at_end)
        if source.length is not None:
            asked = both(asked, REGISTRY["greater"](as_literal(source.length), shortest))


def _check_lengths(lengths: list[Any]) -> None:
    """Python's errors of a strict zip, in the order in which Python finds them."""
    shortest = _shortest(lengths)
    ended = [REGISTRY["equal"](as_literal(length), shortest) for length in lengths]
    before: Any = True
    for number, end in builtins.enumerate(ended[1:], 2):
        before = both(before, negated(ended[number - 2]))
        _refuse_length(both(before, end), number, "shorter")
    before = ended[0]
    for number, end in builtins.enumerate(ended[1:], 2):
        _refuse_length(both(before, negated(end)), number, "longer")
        before = both(before, end)


def _refuse_length(wrong: Any, number: int, word: str) -> None:
    others = "argument 1" if number == 2 else f"arguments 1-{number - 1}"
    ensure(negated(wrong), ValueError(f"zip() argument {number} is {word} than {others}"))


def map_(function: Callable[..., Any], *iterables: Any) -> Any:
    """`map(function, *iterables)`."""
    if len(iterables) == 1 and hasattr(type(iterables[0]), "__ag_push__"):
        (iterable,) = iterables
        if not isinstance(iterable, StagedIterator):
            run = lambda into: push(iterable, into.mapped(lambda item: hand_over(into, function(item)), function))
            return PushedIterator("map", run, None, cells_of(iterable))
    if not any(builtins.map(is_staged, iterables)):
        return builtins.map(function, *iterables)
    if len(iterables) == 1 and isinstance(iterables[0], StagedIterator):
        taken = iterables[0].items
        return iterables[0].wrapped("map", lambda position, number: function(taken.item(position)), function)
    together = zip_(*iterables)
    if not isinstance(together, StagedIterator):
        return (function(*values) for values in together)
    items = together.items
    return together.wrapped("map", lambda position, number: function(*items.item(position)), function)
