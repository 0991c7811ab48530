"""Context variables that have another value for a while.

    with binding(CURRENT, graph):      # CURRENT.get() is graph inside, and what it was before behind it
        ...
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import Any, Generic, TypeVar

__all__ = ["binding"]

T = TypeVar("T")


class binding(Generic[T]):
    """Around code for which a context variable has another value."""

    __slots__ = ("_token", "_value", "_variable")

    def __init__(self, variable: ContextVar[T], value: T) -> None:
        self._variable = variable
        self._value = value

    def __enter__(self) -> None:
        self._token: Token[T] = self._variable.set(self._value)

    def __exit__(self, *error: Any) -> None:
        self._variable.reset(self._token)
