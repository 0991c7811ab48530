"""The patterns of `match` as values: `ag__.pattern`, which `ag__.match_case` holds against a subject.

    case Point(x=0, y=t):     --->    ag__.match_case(subject, ag__.pattern.instance(lambda: Point, (),
                                          {'x': ag__.pattern.constant(0), 'y': ag__.pattern.capture('t')}))

Python's own `match` takes the truth of each comparison at once, which a symbolic value has not got yet. Here a
comparison may give a value of a stager. The structure (classes, lengths, keys) is looked at while tracing and decides
at once; the comparisons are joined to one test, and captures that differ between alternatives are chosen by it.

For plain values everything happens in the order of the language reference, as CPython does it: the same comparisons,
attributes, items and errors, and nothing after the first part that does not match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Final

from autograph.operators.membership import is_
from autograph.operators.pattern_classes import instance
from autograph.operators.pattern_parts import SequencePattern, mapping, rest, sequence
from autograph.operators.pattern_tests import Captures, Pattern, decided, joined, once, wildcard
from autograph.operators.stager import PYTHON, Stager, stager_of

__all__ = [
    "MatchCase",
    "Pattern",
    "SequencePattern",
    "alternatives",
    "capture",
    "constant",
    "instance",
    "is_singleton",
    "mapping",
    "match_case",
    "named",
    "rest",
    "sequence",
    "singleton",
    "value",
    "wildcard",
]

_EXACT: Final = frozenset({bytes, int, str})
"""The types of which equal constants cannot be told apart, as 0.0 and -0.0 can."""


class MatchCase(dict[str, Any]):
    """What came of one case: by name what it captures, and `test`, whether it matches."""

    __slots__ = ("test",)

    test: Any


def match_case(subject: Any, pattern: Pattern) -> MatchCase:
    """Hold `subject` against one pattern of a `match` statement."""
    case = MatchCase()
    case.test = pattern(subject, case)
    return case


@once
def capture(name: str) -> Pattern:
    """`name`"""

    def match(subject: Any, captures: Captures) -> bool:
        captures[name] = subject
        return True

    return match


def constant(expected: Any) -> Pattern:
    """`0`, `'a'`, `-1.5`"""
    return _exactly(expected) if type(expected) in _EXACT else lambda subject, captures: subject == expected


@lru_cache(maxsize=1_000, typed=True)
def _exactly(expected: Any) -> Pattern:
    def match(subject: Any, captures: Captures) -> Any:
        return subject == expected

    match.__dict__["fixed"] = True  # see `once`
    return match


def value(expected: Callable[[], Any]) -> Pattern:
    """`Color.RED`, looked up when it is its turn."""
    return lambda subject, captures: subject == expected()


@once
def singleton(expected: bool | None) -> Pattern:
    """`None`, `True`, `False`"""
    return lambda subject, captures: is_singleton(subject, expected)


def is_singleton(subject: Any, expected: bool | None) -> Any:
    """`subject is expected`; what stands for a bool or for None in a graph is compared there."""
    if subject is expected:
        return True
    if expected is None:
        return is_(subject, None)
    owner = stager_of(subject)
    return False if owner is PYTHON else owner.is_bool(subject, expected)


@once
def named(inner: Pattern, name: str) -> Pattern:
    """`inner as name`"""

    def match(subject: Any, captures: Captures) -> Any:
        test = inner(subject, captures)
        captures[name] = subject
        return test

    return match


@once
def alternatives(*patterns: Pattern) -> Pattern:
    """`a | b | c`"""
    return lambda subject, captures: _first_of(patterns, subject, captures)


def _first_of(patterns: Iterable[Pattern], subject: Any, captures: Captures) -> Any:
    doubtful: list[tuple[Any, Stager, Captures]] = []
    found: Captures | None = None  # what an alternative captures that matches for sure
    for pattern in patterns:
        own: Captures = {}
        test, owner = decided(pattern(subject, own))
        if test is True:
            found = own
            break
        if test is not False:
            doubtful.append((test, owner, own))
    if not doubtful:
        captures.update(found or {})
        return found is not None
    chosen = doubtful[-1][2] if found is None else found
    for test, owner, own in reversed(doubtful):
        chosen = {name: _chosen(owner, test, own[name], other) for name, other in chosen.items()}
    captures.update(chosen)
    if found is not None:
        return True
    return joined([(test, owner) for test, owner, _ in doubtful], "or_")


def _chosen(owner: Stager, test: Any, this: Any, other: Any) -> Any:
    return this if this is other else owner.if_exp(test, lambda: this, lambda: other, "an alternative of `case`")
