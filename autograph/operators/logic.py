"""Logic: `and`, `or`, `not`, and comparisons where Python would ask what is compared for its truth.

Example:
    and_(lambda: x > 0, lambda: y > 0)  # the second is evaluated only if the first is true
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType, NoneType
from typing import Any, Final

from autograph.operators.branch import choose, if_exp
from autograph.operators.stager import (
    PYTHON,
    GetState,
    Names,
    SetState,
    Stager,
    Thunk,
    stager_of,
    stager_of_all,
    tracing_stager,
)
from autograph.operators.truth import asked

__all__ = ["Truth", "and_", "eq", "ge", "gt", "le", "lt", "not_", "not_eq", "or_"]

_SINGLE: Final = frozenset({NoneType, bool, bytes, complex, float, int, str, type, FunctionType})
"""Types of what holds nothing that could be staged."""


def and_(
    a: Thunk,
    b: Thunk,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    symbol_names: Names = (),
    *,
    test: bool = False,
) -> Any:
    """`a() and b()`, decided by the owner of the first operand; the names that `b` assigns to are its state.

    test: only the truth of the result matters, for which each operand is asked at most once.
    """
    value = a()
    if value is True:
        return b()
    if value is False:
        return False
    owner = stager_of(value)
    if test:
        if owner is PYTHON:
            value = asked(value)
            owner = stager_of(value)
            if owner is PYTHON:
                return b() if value else False
        b = Truth(b)
    elif owner is PYTHON and (truth := asked(value)) is not value:
        return if_exp(truth, b, lambda: value, "the left operand of `and`", get_state, set_state, symbol_names)
    if get_state is None or set_state is None or owner is PYTHON:
        return owner.and_(value, b)
    return choose(owner, value, b, lambda: False, "the value of `and`", get_state, set_state, symbol_names)


def or_(
    a: Thunk,
    b: Thunk,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    symbol_names: Names = (),
    *,
    test: bool = False,
) -> Any:
    """`a() or b()`, decided by the owner of the first operand; the names that `b` assigns to are its state.

    test: only the truth of the result matters, for which each operand is asked at most once.
    """
    value = a()
    if value is True:
        return True
    if value is False:
        return b()
    owner = stager_of(value)
    if test:
        if owner is PYTHON:
            value = asked(value)
            owner = stager_of(value)
            if owner is PYTHON:
                return True if value else b()
        b = Truth(b)
    elif owner is PYTHON and (truth := asked(value)) is not value:
        return if_exp(truth, lambda: value, b, "the left operand of `or`", get_state, set_state, symbol_names)
    if get_state is None or set_state is None or owner is PYTHON:
        return owner.or_(value, b)
    return choose(owner, value, lambda: True, b, "the value of `or`", get_state, set_state, symbol_names)


class Truth:
    """The second operand where only its truth is asked, as by `if`: what Python knows is a bool at once.

    A stager that is given one may give the truth of the whole instead of the operand that decides.
    """

    __slots__ = ("_operand",)

    def __init__(self, operand: Thunk) -> None:
        self._operand = operand

    def __call__(self) -> Any:
        value = self._operand()
        if stager_of(value) is PYTHON:
            value = asked(value)
        return bool(value) if stager_of(value) is PYTHON else value

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._operand,)


def not_(a: Any) -> Any:
    """`not a`."""
    owner = stager_of(a)
    if owner is PYTHON:
        a = asked(a)
        owner = stager_of(a)
    return not a if owner is PYTHON else owner.not_(a)


def eq(a: Any, b: Any) -> Any:
    """`a == b`, decided by whoever owns one of the operands, or of what they hold."""
    return _owner_of_pair(a, b).eq(a, b)


def not_eq(a: Any, b: Any) -> Any:
    """`a != b`, decided by whoever owns one of the operands, or of what they hold."""
    return _owner_of_pair(a, b).not_eq(a, b)


def lt(a: Any, b: Any) -> Any:
    """`a < b`, likewise."""
    return _ordered(operator.lt, a, b)


def le(a: Any, b: Any) -> Any:
    """`a <= b`, likewise."""
    return _ordered(operator.le, a, b)


def gt(a: Any, b: Any) -> Any:
    """`a > b`, likewise."""
    return _ordered(operator.gt, a, b)


def ge(a: Any, b: Any) -> Any:
    """`a >= b`, likewise."""
    return _ordered(operator.ge, a, b)


def _ordered(order: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    if stager_of_all(a, b) is not PYTHON:
        return order(a, b)
    return _owner_of_pair(a, b).ordered(order, a, b)


def _owner_of_pair(a: Any, b: Any) -> Stager:
    owner = stager_of_all(a, b)
    if owner is PYTHON and not (type(a) in _SINGLE and type(b) in _SINGLE):
        return tracing_stager.get() or PYTHON
    return owner
