"""Enumerations whose members are numbers or texts, too, for the tests of what a tensor chooses."""

from __future__ import annotations

import enum
from typing import Any


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2
    HUGE = 7

    @property
    def double(self) -> int:
        return self * 2

    def other(self) -> Size:
        return Size.LARGE if self is Size.SMALL else Size.SMALL


class Mode(enum.Enum):
    IDLE = (1, 2)
    RUN = (2, 3)


class Color(str, enum.Enum):
    RED = "red"
    BLUE = "bl"

    @property
    def short(self) -> str:
        return self.value[0]


class Rights(enum.IntFlag):
    READ = 1
    WRITE = 2
    RUN = 4


class Heat(float, enum.Enum):
    LOW = 0.5
    HIGH = 2.5


class Card(enum.IntEnum):
    """Its order is its own."""

    ACE = 1
    TWO = 2

    def __lt__(self, other: Any) -> bool:
        return int(self) % 2 < int(other) % 2


def size_of(n: Any) -> Any:
    return Size.LARGE if n > 2 else Size.SMALL


def color_of(n: Any) -> Any:
    return Color.RED if n > 2 else Color.BLUE


def values_of(result: Any) -> Any:
    """What Python's function returns, with the numbers and texts that members are: those of a Function are tensors."""
    if isinstance(result, dict):
        return {key: values_of(item) for key, item in result.items()}
    if isinstance(result, list | tuple):
        return type(result)(map(values_of, result))
    return result.value if isinstance(result, enum.Enum) else result
