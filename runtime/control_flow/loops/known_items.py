"""The items of ranges, lists of numbers and rows, also numbered, zipped and reversed, without going through them.

    known_items(range(1000))                       Items(1000, position -> the number there)
    known_items(enumerate([0.5, 1.5], start=1))    Items(2, position -> (1 + position, the number there))

An iterator is asked for what it has still to go over by `__reduce__`, which leaves it where it is.
"""

from __future__ import annotations

from typing import Any, Final

from runtime.control_flow.loops.iteration import Items, as_literal, items_of
from runtime.ndarrays.rows import Rows

__all__ = ["known_items"]

_NUMBERS: Final = frozenset({int, float})
_PLAIN: Final[tuple[Any, ...]] = (iter(range(0)), iter(range(1 << 70)), iter([]), iter(()), reversed([]))
_ITERATORS: Final = frozenset(map(type, _PLAIN))


def known_items(iterated: Any) -> Items | None:
    """None for what is not known, or holds something else than numbers, all ints or all floats."""
    kind = type(iterated)
    if kind is Rows:
        return items_of(iterated.array)
    if kind is range:
        return items_of(iterated)
    if kind is list or kind is tuple:
        kinds = set(map(type, iterated))
        return items_of(iterated) if len(kinds) == 1 and kinds <= _NUMBERS else None
    if kind is enumerate:
        inner, start = iterated.__reduce__()[1]
        found = known_items(inner)
        return found and Items(found.length, lambda position: (as_literal(position + start), found.item(position)))
    if kind is zip:
        state = iterated.__reduce__()
        if len(state) > 2:  # strict
            return None
        parts = [known_items(part) for part in state[1]]
        if not parts or any(part is None for part in parts):
            return None
        known = [part for part in parts if part is not None]
        shortest = min(int(part.length) for part in known)
        return Items(shortest, lambda position: tuple(part.item(position) for part in known))
    return _of_iterator(iterated) if kind in _ITERATORS else None


def _of_iterator(iterator: Any) -> Items | None:
    make, arguments, *rest = iterator.__reduce__()
    place = (rest or [None])[0]
    if make is reversed:
        (sequence,) = arguments
        return known_items(sequence[place::-1]) if type(place) is int else None
    return known_items(arguments[0][place or 0 :]) if make is iter and arguments else None
