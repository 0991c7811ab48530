"""What tests of short calls have in common: whether a call took the short way. See also conftest.py."""

from __future__ import annotations

from typing import Any

from runtime.engine.short_calls import MISSED


def often(function: Any, *args: Any) -> Any:
    """Calls it until it has its short way, and returns the last result."""
    for _ in range(40):
        result = function(*args)
    return result


def is_short(function: Any, maker: str, *args: Any) -> bool:
    """Whether the call takes the short way; it runs if it does."""
    return type(function._traces.short).__name__ == maker and function._traces.short(args) is not MISSED
