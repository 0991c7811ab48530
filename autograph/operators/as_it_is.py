"""Calls of what runs as it is, and whether an exception was raised by what such a call called.

Example:
    call_as_it_is(sorted, ([2, 1],), {})    # [1, 2]
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType
from typing import Any, Final

from autograph.operators.callers import CALLS, call_of

__all__ = ["call_as_it_is", "hands_on"]


def call_as_it_is(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call what runs as it is."""
    call = call_of(function)
    return function(*args, **kwargs) if call is None else call(function, args, kwargs)


_HAND_ON: Final = frozenset(map(id, (*CALLS, call_as_it_is.__code__)))


def hands_on(code: CodeType) -> bool:
    """Whether code does nothing but call what runs as it is: what seems to be raised there comes from that."""
    return id(code) in _HAND_ON
