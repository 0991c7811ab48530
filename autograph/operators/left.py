"""Iterators of Python that a loop of a trace has left where only the run knows: they cannot be gone on with.

    items = iter([1, 2, 3, 4])
    for v in items:
        if v > n:              # a tensor: Python itself goes through all that is left, one iteration after the other
            break
    rest = list(items)         # StagingError: which item comes next depends on `n`

An iterator that takes its items from others (`enumerate`, `zip`, a generator) is left together with these.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from types import MethodWrapperType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.pulled import TAKING

__all__ = ["LEFT", "check_not_left", "left_by", "refusal_to_go_on"]

LEFT: Final[ContextVar[dict[int, Any] | None]] = ContextVar("autograph.left_iterators", default=None)
"""Those of the present trace, by their addresses: what ends with its last reference, as a generator, weakly; None
outside of traces."""

_BETWEEN: Final = frozenset({list, tuple})
"""What may stand between an iterator and those that it takes its items from."""

_PLAIN: Final = frozenset({int, float, complex, bool, str, bytes, type(None)})


def left_by(items: Any, may_go_on: bool) -> None:
    """A loop over this has ended. may_go_on: whether there may be items left in a run, as a staged value decides.

    Raises StagingError where a loop inside of it has left the same items.
    """
    check_not_left(items)
    left = LEFT.get()
    if may_go_on and left is not None:
        left.update((id(part), _kept(part)) for part in _taken_from(items))


def check_not_left(*values: Any) -> None:
    """Raises StagingError where one of these takes items from an iterator that a loop has left."""
    left = LEFT.get()
    if not left:
        return
    for value in values:
        if type(value) is MethodWrapperType:  # `items.__next__`
            value = value.__self__
        for part in _taken_from(value):
            kept = left.get(id(part))
            if kept is part or (type(kept) is weakref.ref and kept() is part):
                raise refusal_to_go_on(f"the iterator ({type(part).__name__}) that a loop has left")


def _kept(part: Any) -> Any:
    try:
        return weakref.ref(part)
    except TypeError:
        return part


def _taken_from(items: Any) -> Iterator[Any]:
    """The iterators whose items are taken where those of `items` are, itself first."""
    pending, seen = [items], set()
    while pending:
        part = pending.pop()
        kind = type(part)
        if kind in _PLAIN or id(part) in seen or not hasattr(kind, "__next__"):
            continue
        seen.add(id(part))
        yield part
        if hasattr(kind, "__ag_pulls__"):
            pending.append(part.__ag_pulls__())
        elif kind in TAKING:
            pending += _within(gc.get_referents(part))


def _within(parts: Iterable[Any]) -> Iterator[Any]:
    for part in parts:
        if type(part) in _BETWEEN:
            yield from part
        else:
            yield part


def refusal_to_go_on(what: str) -> StagingError:
    """The error for going on with what a staged loop has left, perhaps before its end."""
    return StagingError(
        f"{what} cannot be gone on with: a loop or function that was staged has taken items from it, and may have left"
        " it before its end. Make a list of the items first, or use them all in one loop"
    )
