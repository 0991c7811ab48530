"""Patterns of `match` that ask for a class: `Point(0, y=t)`.

    instance(lambda: Point, (constant(0),), {'y': capture('t')})

The class decides at once, but where a tensor chooses between objects of several classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph.operators.pattern_parts import asked_of_kind, found_all, there, where, where_right
from autograph.operators.pattern_tests import Captures, Pattern, all_of, decided
from autograph.operators.stager import stager_of

__all__ = ["instance"]

_MISSING = object()
_MATCH_SELF = 1 << 22  # Python's own flag of `int`, `str`, ... whose one positional sub-pattern is the value itself


def instance(
    kind: Callable[[], Any], positional: tuple[Pattern, ...] = (), keywords: Mapping[str, Pattern] | None = None
) -> Pattern:
    """`Point(0, y=t)`"""
    names = tuple(keywords) if keywords else ()
    patterns = (*positional, *keywords.values()) if keywords else positional

    def match(subject: Any, captures: Captures) -> Any:
        cls = kind()
        subject = there(subject)
        found = _is_instance(subject, cls)
        if found is False or not patterns:
            return found
        if found is not True:
            return _of_some_objects(found, subject.__ag_narrowed__(cls), cls, patterns, names, captures)
        order = getattr(cls, "__match_args__", ())
        if hasattr(type(subject), "__ag_found_attribute__") and len(order) >= len(positional):
            wanted = (*order[: len(positional)], *names)
            return found_all([subject.__ag_found_attribute__(name) for name in wanted], patterns, captures)
        items = _attributes(subject, cls, len(positional), names)
        return False if items is None else all_of(patterns, items, captures)

    return match


def _is_instance(subject: Any, cls: Any) -> Any:
    match subject:
        case cls():
            return True
    found, _ = decided(asked_of_kind(subject, cls))
    return found


def _of_some_objects(
    right: Any, subject: Any, cls: type, patterns: tuple[Pattern, ...], keywords: tuple[str, ...], captures: Captures
) -> Any:
    """The test of one of several objects, which is an instance in some runs. Its attributes are taken where it is.

    right: whether it is one. subject: one of those that are.
    """
    def read(value: Any, name: str) -> Any:
        return where(stager_of(right), right, partial(getattr, value, name))

    items = _attributes(subject, cls, len(patterns) - len(keywords), keywords, read)
    return False if items is None else where_right(right, all_of(patterns, items, captures))


def _attributes(
    subject: Any, cls: type, positional: int, keywords: tuple[str, ...], read: Callable[[Any, str], Any] = getattr
) -> list[Any] | None:
    items: list[Any] = []
    if not positional:  # no name stands twice: Python's grammar sees to that
        try:
            for name in keywords:
                items.append(read(subject, name))
        except AttributeError:
            return None
        return items
    names: list[str] = []
    arguments = getattr(cls, "__match_args__", _MISSING)
    itself = arguments is _MISSING and bool(cls.__flags__ & _MATCH_SELF)
    arguments = () if arguments is _MISSING else arguments
    if not isinstance(arguments, tuple):
        raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {type(arguments).__name__})")
    allowed = 1 if itself else len(arguments)
    if allowed < positional:
        plural = "" if allowed == 1 else "s"
        raise TypeError(f"{cls.__name__}() accepts {allowed} positional sub-pattern{plural} ({positional} given)")
    if itself:
        items.append(subject)
    else:
        names += arguments[:positional]
    seen = set()
    for place, name in enumerate([*names, *keywords]):
        if place < len(names) and not isinstance(name, str):
            raise TypeError(f"__match_args__ elements must be strings (got {type(name).__name__})")
        if name in seen:
            raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
        seen.add(name)
        try:
            items.append(read(subject, name))
        except AttributeError:
            return None
    return items
