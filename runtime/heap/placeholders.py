"""What stands for "no value yet": autograph's placeholders, and those of this project that say that they are some.

    is_undefined(Undefined("y"))      True
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

from autograph.operators.variables import Undefined, UndefinedReturnValue

__all__ = ["PLACEHOLDERS", "is_undefined", "placeholder"]

PLACEHOLDERS: Final[set[type]] = {Undefined, UndefinedReturnValue}

T = TypeVar("T", bound=type)


def placeholder(kind: T) -> T:
    """Declares a class whose instances stand for "no value yet"."""
    PLACEHOLDERS.add(kind)
    return kind


def is_undefined(value: Any) -> bool:
    """Whether the value is such a placeholder."""
    return type(value) in PLACEHOLDERS
