"""Iterators of Python that a loop of a trace has left where only the run knows: they cannot be gone on with.

    items = iter([1, 2, 3, 4])
    for v in items:
        if v > n:              # a tensor: Python itself goes through all that is left, one iteration after the other
            break
    rest = list(items)         # StagingError: which item comes next depends on `n`

Nor may one be gone on with that was there before, where a staged value decides whether that happens: it would have
moved when that is refused. An iterator that takes its items from others (`enumerate`, `zip`, a generator) is left
together with these.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from types import MethodWrapperType
from typing import TYPE_CHECKING, Any, Final

from autograph.errors import StagingError
from autograph.operators.pulled import TAKING

if TYPE_CHECKING:
    from autograph.operators.stager import Stager

__all__ = ["LEFT", "Left", "check_not_left", "left_by", "refusal_to_go_on", "take_from", "taken_from"]


class Left:
    """Those of one trace, by their addresses: what ends with its last reference, as a generator, weakly."""

    __slots__ = ("known", "tracer")

    def __init__(self, tracer: Stager) -> None:
        self.tracer = tracer
        self.known: dict[int, Any] = {}


LEFT: Final[ContextVar[Left | None]] = ContextVar("autograph.left_iterators", default=None)
"""Those of the present trace; None outside of traces."""

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
        left.known.update((id(part), _kept(part)) for part in taken_from(items))


def check_not_left(*values: Any) -> None:
    """Raises StagingError where one of these takes items from an iterator that a loop has left."""
    left = LEFT.get()
    if left is None or not left.known:
        return
    for value in values:
        for part in taken_from(value):
            kept = left.known.get(id(part))
            if kept is part or (type(kept) is weakref.ref and kept() is part):
                raise refusal_to_go_on(f"the iterator ({type(part).__name__}) that a loop has left")


def take_from(items: Any) -> None:
    """Python is about to take items of this. Raises StagingError where that cannot be taken back."""
    check_not_left(items)
    if (left := LEFT.get()) is not None:
        for part in taken_from(items):
            left.tracer.moves(part)


def _kept(part: Any) -> Any:
    try:
        return weakref.ref(part)
    except TypeError:
        return part


def taken_from(items: Any) -> Iterator[Any]:
    """The iterators whose items are taken where those of `items` are, itself first; of a method, its object's."""
    pending: list[Any] = [items.__self__ if type(items) is MethodWrapperType else items]
    seen: set[int] = set()
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
            within = gc.get_referents(part)
            pending += within  # a tuple of `zip_longest` has holes, which Python must not touch
            pending += gc.get_referents(*(each for each in within if type(each) in _BETWEEN))


def refusal_to_go_on(what: str) -> StagingError:
    """The error for going on with what a staged loop has left, perhaps before its end."""
    return StagingError(
        f"{what} cannot be gone on with: a loop or function that was staged has taken items from it, and may have left"
        " it before its end. Make a list of the items first, or use them all in one loop"
    )
