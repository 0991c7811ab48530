"""What a program is here: a function with the values that it is called with, one tuple of arguments for each call.

    @program(12, 18, (7, 3))
    def gcd(a, b): ...
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

__all__ = ["Program", "program", "programs_of"]


@dataclass(frozen=True, slots=True)
class Program:
    """calls: the arguments of each call."""

    function: Callable[..., Any]
    calls: tuple[tuple[Any, ...], ...]

    @property
    def name(self) -> str:
        return self.function.__name__


def program(*calls: Any) -> Callable[[Callable[..., Any]], Program]:
    """Decorator: each call is a tuple of arguments, or one argument."""
    return lambda function: Program(function, tuple(c if isinstance(c, tuple) else (c,) for c in calls))


def programs_of(*modules: Any) -> list[Program]:
    """All programs that are defined in the modules."""
    return [value for module in modules for value in vars(module).values() if isinstance(value, Program)]
