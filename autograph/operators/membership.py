"""`in`, `not in`, `is` and `is not`: comparisons that Python answers with a bool of its own, whatever the operands.

`x in values` asks the stager of `x`, of `values` or, while a graph is recorded, of an element of `values`. `is` asks a
stager where a value may be None or not at run time (its type says `__ag_maybe_none__ = True`), or where both may be
objects or truths of which it has copies.

Example:
    in_(x, [1, 4])     # x == 1 or x == 4, as one staged value
    is_(x, None)       # True or False for every value that is surely there, or surely is not
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from types import FunctionType, NoneType
from typing import Any, Final

from autograph.operators.call import converted_call
from autograph.operators.left import take_from
from autograph.operators.logic import not_
from autograph.operators.raised_class import UnknownClass, check_named, is_same_class
from autograph.operators.stager import PYTHON, Stager, stager_of, stager_of_all, tracing_stager
from autograph.options import STANDARD_OPTIONS

__all__ = ["in_", "is_", "is_not", "not_in"]

_PLAIN_ITEMS: Final = frozenset({NoneType, bool, bytes, float, int, str})
_PLAIN_CONTAINERS: Final = frozenset({bytes, dict, frozenset, range, set, str})
_SEQUENCES: Final = frozenset({list, tuple})
_HOLDERS: Final[tuple[type[Collection[Any]], ...]] = (list, tuple, deque, type({}.values()))
"""Containers whose elements may be staged values; those of sets and the keys of dicts are hashed, so they are not."""

_HASHED: Final[tuple[type[Collection[Any]], ...]] = (dict, frozenset, set)


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    if type(item) in _PLAIN_ITEMS:
        kind = type(container)
        if kind in _PLAIN_CONTAINERS or (kind in _SEQUENCES and tracing_stager.get() is None):
            return item in container
    owner = stager_of_all(item, container)
    if owner is PYTHON and tracing_stager.get() is None:
        return item in container
    take_from(container)
    if type(item) is type and type(container) in _SEQUENCES:
        for other in container:
            if type(other) is type:
                check_named(item, other)
    if stager_of(container) is PYTHON:
        method = getattr(type(container), "__contains__", None)
        if type(method) is FunctionType:
            return _truth(converted_call(method, (container, item), None, options=STANDARD_OPTIONS))
        if owner is PYTHON:
            if type(item) is tuple and isinstance(container, _HASHED):
                owner = stager_of_all(*item)
                return item in container if owner is PYTHON else owner.contains(item, container)
            if not isinstance(container, _HOLDERS):
                return item in container
            owner = stager_of_all(*container)
            if owner is PYTHON and any(type(value) not in _PLAIN_ITEMS for value in (item, *container)):
                owner = tracing_stager.get() or PYTHON
    return owner.contains(item, container)


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    found = in_(item, container)
    return not found if type(found) is bool else not_(found)


def is_(a: Any, b: Any) -> Any:
    """`a is b`."""
    if type(a) is UnknownClass or type(b) is UnknownClass:
        return is_same_class(a, b)
    if type(a) is type and type(b) is type:
        check_named(a, b)
        return a is b
    owner = _owner_of_maybe_none(a, b)
    if owner is None:
        tracing = tracing_stager.get()
        if a is b or tracing is None or not (_may_be_same(a, b) and _may_be_same(b, a)):
            return a is b
        return tracing.is_same(a, b)
    return owner.is_none(b if a is None else a) if a is None or b is None else owner.is_same(a, b)


def _may_be_same(a: Any, b: Any) -> bool:
    """Whether a stager may have to say whether one value is another: `flag is True` where the flag is staged."""
    return type(a) not in _PLAIN_ITEMS or (type(a) is bool and stager_of(b) is not PYTHON)


def is_not(a: Any, b: Any) -> Any:
    """`a is not b`."""
    same = is_(a, b)
    return not same if type(same) is bool else not_(same)


def _owner_of_maybe_none(a: Any, b: Any) -> Stager | None:
    if type(a) in _PLAIN_ITEMS and type(b) in _PLAIN_ITEMS:
        return None
    for value in (a, b):
        if getattr(type(value), "__ag_maybe_none__", False) is True:
            return stager_of(value)
    return None


def _truth(result: Any) -> Any:
    """What `in` makes of the result of a `__contains__`: its truth, or the staged value as it is."""
    return bool(result) if stager_of(result) is PYTHON else result
