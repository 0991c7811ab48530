"""Generator functions as Functions: they return the list of their items.

    @runtime.function
    def squares(n):
        for i in range(n):
            yield i * i

    squares(constant(4))         # [0, 1, 4, 9], as list(squares(4)) is
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from inspect import isgeneratorfunction
from typing import Any

__all__ = ["items_of"]


def items_of(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives the items of a generator function in a list; any other one as it is."""
    if not isgeneratorfunction(function):
        return function

    def items(*args: Any, **kwargs: Any) -> list[Any]:
        return list(function(*args, **kwargs))

    return functools.update_wrapper(items, function)
