"""Logic: `and`, `or`, `not` and, with the feature EQUALITY_OPERATORS, `==` and `!=`.

Example:
    and_(lambda: x > 0, lambda: y > 0)  # the second is evaluated only if the first is true
"""

from __future__ import annotations

from typing import Any

from autograph.operators.stager import Thunk, stager_of, stager_of_all

__all__ = ["and_", "eq", "not_", "not_eq", "or_"]


def and_(a: Thunk, b: Thunk) -> Any:
    """`a() and b()`, decided by the owner of the first operand."""
    value = a()
    if value is True:
        return b()
    if value is False:
        return False
    return stager_of(value).and_(value, b)


def or_(a: Thunk, b: Thunk) -> Any:
    """`a() or b()`, decided by the owner of the first operand."""
    value = a()
    if value is True:
        return True
    if value is False:
        return b()
    return stager_of(value).or_(value, b)


def not_(a: Any) -> Any:
    """`not a`."""
    return stager_of(a).not_(a)


def eq(a: Any, b: Any) -> Any:
    """`a == b`, decided by whoever owns one of the operands."""
    return stager_of_all(a, b).eq(a, b)


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`, decided by whoever owns one of the operands."""
    return stager_of_all(a, b).not_eq(a, b)
