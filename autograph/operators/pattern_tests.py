"""What all patterns have in common: they are functions of a value, and their tests are joined to one.

    test, owner = decided(pattern(subject, captures))     # True, False, or a stager's value and its stager
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from autograph.operators.stager import PYTHON, Stager, stager_of

__all__ = ["Captures", "Pattern", "all_of", "decided", "joined", "wildcard"]

Captures = dict[str, Any]
Pattern = Callable[[Any, Captures], Any]
"""Holds a value against a pattern: gives True, False or a stager's value, and notes what it captures."""


def wildcard(subject: Any, captures: Captures) -> bool:
    """`_`"""
    return True


def all_of(patterns: Iterable[Pattern], items: Iterable[Any], captures: Captures) -> Any:
    tests: list[tuple[Any, Stager]] = []
    for pattern, item in zip(patterns, items, strict=False):
        test, owner = decided(pattern(item, captures))
        if test is False:
            return False
        if test is not True:
            tests.append((test, owner))
    return joined(tests, "and_") if tests else True


def decided(test: Any) -> tuple[Any, Stager]:
    """A plain value's truth, asked for once; a stager's value as it is."""
    if test is True or test is False:
        return test, PYTHON
    owner = stager_of(test)
    return (bool(test) if owner is PYTHON else test), owner


def joined(tests: list[tuple[Any, Stager]], operator: str) -> Any:
    result, owner = tests[-1]
    for test, owner in reversed(tests[:-1]):
        result = getattr(owner, operator)(test, _giving(result))
    return result


def _giving(value: Any) -> Callable[[], Any]:
    return lambda: value
