"""Functions that are given to `cond`, `while_loop`, `map_fn` and the like: they write to no array from outside.

    runtime.cond(x > 0, lambda: put(a, x), lambda: x)       # refused where `put` writes to `a`: write `if x > 0: ...`

They say by their results what they change, and run once, many times or not at all, as the operation has it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from autograph.contexts import binding
from runtime.ndarrays.buffer import REGION

__all__ = ["apart"]

T = TypeVar("T")


def apart(function: Callable[..., T]) -> Callable[..., T]:
    """The function, which may write to arrays that it makes itself, and to no others of the trace."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> T:
        with binding(REGION, object()):
            return function(*args, **kwargs)

    return called
