"""Iterators of Python that a part of the program would move, of which a tensor decides whether, or how often, it runs.

    it = iter([1, 2, 3])
    if x > 0:
        a = next(it)        # StagingError, and `it` is where it was: nothing would take that step back

What is made in that part may be gone through there.
"""

from __future__ import annotations

from itertools import chain
from operator import length_hint
from typing import Any, Final

from autograph.operators.left import taken_from
from runtime.control_flow.branches.refused import refusal
from runtime.control_flow.statement.enclosing import decided_part, holder_around
from runtime.heap.positions import position_reader

__all__ = ["check_arguments", "check_moved"]

_TAKES_NONE: Final = frozenset({bool, classmethod, object, property, slice, staticmethod, str, super, type})
"""Classes that take no items of what they are made of; nor do iterators, when they are made."""


def check_moved(iterator: Any) -> None:
    """Raises StagingError where code is about to take an item of an iterator that was there before such a part."""
    if position_reader(iterator) is None or hasattr(type(iterator), "__ag_stager__"):
        return
    holder, part = holder_around(iterator), decided_part()
    if holder is not None and part is not None and length_hint(iterator, 1):
        raise refusal(holder, part, "")


def check_arguments(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """The same for a call of code that is not converted, which may take items of its arguments."""
    if isinstance(function, type) and (function in _TAKES_NONE or hasattr(function, "__next__")):
        return
    for value in chain((function,), args, kwargs.values()):
        for iterator in taken_from(value):
            check_moved(iterator)
