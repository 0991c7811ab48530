"""What all patterns have in common: they are functions of a value, and their tests are joined to one.

    test, owner = decided(pattern(subject, captures))     # True, False, or a stager's value and its stager

Generated code writes a pattern where it is used, so the statement makes it anew each time that it runs. What it is made
of is the same each time, but for expressions that it evaluates: `once` remembers the patterns without such parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, Final

from autograph.operators.stager import PYTHON, Stager, stager_of

__all__ = ["Captures", "Pattern", "all_of", "decided", "joined", "once", "wildcard"]

Captures = dict[str, Any]
Pattern = Callable[[Any, Captures], Any]
"""Holds a value against a pattern: gives True, False or a stager's value, and notes what it captures."""


_MOST: Final = 1_000
"""So many patterns of a kind are remembered; then all are forgotten."""


def once(make: Callable[..., Pattern]) -> Callable[..., Pattern]:
    """Decorator for what makes a pattern of names, constants and patterns: equal parts give the same pattern."""
    made: dict[tuple[Any, ...], Pattern] = {}

    def pattern_of(*parts: Any) -> Pattern:
        found = made.get(parts)
        if found is None:
            found = make(*parts)
            if all(type(part) is not FunctionType or part.__dict__.get("fixed") for part in parts):
                if len(made) >= _MOST:
                    made.clear()
                made[parts] = found
                if type(found) is FunctionType:
                    found.__dict__["fixed"] = True
        return found

    pattern_of.__doc__ = make.__doc__
    return pattern_of


def wildcard(subject: Any, captures: Captures) -> bool:
    """`_`"""
    return True


wildcard.__dict__["fixed"] = True


def all_of(patterns: Iterable[Pattern], items: Iterable[Any], captures: Captures) -> Any:
    tests: list[tuple[Any, Stager]] = []
    for pattern, item in zip(patterns, items, strict=False):
        test = pattern(item, captures)
        if test is True:
            continue
        test, owner = decided(test)
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
