"""Methods that the standard library writes for the user's classes, in the form that a trace calls.

    @dataclass(order=True)
    class Place:
        row: int
        column: int

    a < b        # the tracing stager orders (a.row, a.column) and (b.row, b.column), where Python would ask for truths

The state of a statement is read and set as a whole; where it holds `a.row` and the class is frozen, that one stays.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import sys
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

from autograph.operators.stager import PYTHON, Stager, stager_of, tracing_stager
from autograph.operators.variables import state_access

__all__ = ["is_of_total_ordering", "of_dataclass"]

_COMPARISONS: Final = frozenset({"__eq__", "__lt__", "__le__", "__gt__", "__ge__"})
_CHANGES: Final = frozenset({"__setattr__", "__delattr__"})

_BY_ITEMS: Final = sys.version_info >= (3, 13)
"""Whether `==` of dataclasses compares field by field, and not tuples, of which each item is equal to itself."""


def of_dataclass(kind: Any, name: str, original: FunctionType) -> Callable[..., Any] | None:
    """What takes the place of a method that `dataclass` has written; None for any other method."""
    if name not in _COMPARISONS | _CHANGES or "__dataclass_params__" not in vars(kind):
        return None
    fields = dataclasses.fields(kind)
    parts = [(field.name, object, dataclasses.field(compare=field.compare)) for field in fields]
    twin = dataclasses.make_dataclass(kind.__name__, parts, order=True, frozen=True)
    line = original.__code__.co_firstlineno  # Python 3.13 writes all methods of a class into one text
    if vars(twin)[name].__code__.replace(co_firstlineno=line) != original.__code__:
        return None
    if name in _CHANGES:
        return _but_for_state(original)
    return _comparing(name, original, [field.name for field in fields if field.compare])


def _but_for_state(original: FunctionType) -> Callable[..., None]:
    @functools.wraps(original)
    def method(*args: Any) -> None:
        if tracing_stager.get() is None or not state_access.get():
            original(*args)

    return method


def _comparing(name: str, original: FunctionType, names: Sequence[str]) -> Callable[[Any, Any], Any]:
    order = getattr(operator, name.strip("_"))

    @functools.wraps(original)
    def method(self: Any, other: Any) -> Any:
        tracer = tracing_stager.get()
        if tracer is None or other.__class__ is not self.__class__:
            return original(self, other)
        values = [tuple([getattr(value, name) for name in names]) for value in (self, other)]
        if order is not operator.eq:
            return tracer.ordered(order, *values)
        return _equal_fields(tracer, *values) if _BY_ITEMS else tracer.eq(*values)

    return method


def _equal_fields(tracer: Stager, first: Sequence[Any], second: Sequence[Any]) -> Any:
    same: Any = True
    for place, (a, b) in enumerate(zip(first, second, strict=True), 1):
        same = tracer.eq(a, b)
        if stager_of(same) is not PYTHON:
            rest = first[place:], second[place:]
            return tracer.and_(same, functools.partial(_equal_fields, tracer, *rest)) if rest[0] else same
        if not same:
            break
    return same


def is_of_total_ordering(function: FunctionType) -> bool:
    """Whether `functools.total_ordering` has put it there."""
    return any(function.__code__ is made.__code__ for made in _ORDERINGS)


_ORDERINGS: Final = tuple([made for rows in getattr(functools, "_convert", {}).values() for _, made in rows])
