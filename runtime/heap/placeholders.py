"""What stands for "no value yet": autograph's placeholders, and those of this project that say that they are some.

    is_undefined(Undefined("y"))      True
    Absent(KeyError("a"))             the value of `d["a"]`, where there is no such key
"""

from __future__ import annotations

from typing import Any, Final, NoReturn, TypeVar

from autograph.operators.variables import Undefined, UndefinedReturnValue

__all__ = ["PLACEHOLDERS", "Absent", "is_undefined", "placeholder"]

PLACEHOLDERS: Final[set[type]] = {Undefined, UndefinedReturnValue}

T = TypeVar("T", bound=type)


def placeholder(kind: T) -> T:
    """Declares a class whose instances stand for "no value yet"."""
    PLACEHOLDERS.add(kind)
    return kind


@placeholder
class Absent:
    """Stands for the value of a key or attribute that does not exist. error: what Python raises where it is read."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        self.error = error

    def read(self, free: bool = False) -> NoReturn:
        raise type(self.error)(*self.error.args)


def is_undefined(value: Any) -> bool:
    """Whether the value is such a placeholder."""
    return type(value) in PLACEHOLDERS
