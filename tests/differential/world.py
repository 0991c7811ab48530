"""The names that a generated program sees besides its own: a log, a context manager, a box, an exception.

Everything that a program does is written to one log, in order; two runs are equal when their logs are.  These are
ordinary functions and classes, so the converter meets them as callees.  The example is a line of a program:

    with Block(note(a), False):
        log(box.bump(3))
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

__all__ = [
    "EVENTS", "Block", "Box", "Halt", "Held", "Quiet", "Stop", "closing", "exc_info", "log", "note", "nullcontext",
    "show", "span", "vector", "who",
]  # fmt: skip

Value = TypeVar("Value")

EVENTS: list[str] = []  # emptied by the oracle before each run


class Stop(Exception):
    """The exception that generated programs raise and catch; it remembers its first value."""

    def __init__(self, *values: object) -> None:
        super().__init__(*values)
        self.code = values[0] if values else 0


class Halt(Stop):
    """An exception below `Stop`."""


def log(*values: object) -> None:
    """Record values as they are now (their text, because lists and boxes change later)."""
    EVENTS.append(" ".join([repr(value) for value in values]))


def note(value: Value) -> Value:
    """Record a value inside an expression: shows what is evaluated, how often and in which order."""
    EVENTS.append(f"note {value!r}")
    return value


def show(text: str) -> None:
    """Record a text as it is."""
    EVENTS.append(text)


def who() -> tuple[str, str]:
    """The module and the name of the function that calls this one."""
    frame = sys._getframe(1)
    return frame.f_globals["__name__"], frame.f_code.co_name


def vector(*numbers: float) -> list[float]:
    """Numbers in a row; a tensor where the program is staged."""
    return list(numbers)


class Block:
    """A context manager that records its entry and exit, and swallows `Stop` if asked to."""

    def __init__(self, label: object, swallows: bool) -> None:
        self.label = label
        self.swallows = swallows

    def __enter__(self) -> int:
        EVENTS.append(f"enter {self.label!r}")
        return 5

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        EVENTS.append(f"exit {self.label!r} {kind.__name__ if kind else None}")
        return self.swallows and isinstance(error, Stop)


@contextlib.contextmanager
def span(label: Value) -> Iterator[Value]:
    """A manager made of a generator: records the same as `Block`, and swallows nothing."""
    EVENTS.append(f"begin {label!r}")
    try:
        yield label
    finally:
        EVENTS.append(f"end {label!r}")


class Quiet:
    """A manager that only counts, in Python, how often it is entered and not left."""

    def __init__(self) -> None:
        self.depth = 0

    def __enter__(self) -> int:
        self.depth += 1
        return 6

    def __exit__(self, *error: object) -> None:
        self.depth -= 1


class Held:
    """Something that `closing` makes a manager of."""

    def __init__(self, label: object) -> None:
        self.label = label

    def close(self) -> None:
        EVENTS.append(f"close {self.label!r}")


closing = contextlib.closing
exc_info = sys.exc_info
nullcontext = contextlib.nullcontext


class Box:
    """An object with two attributes, and a method that changes one of them."""

    def __init__(self, v: float, w: float) -> None:
        self.v = v
        self.w = w

    def bump(self, amount: float) -> float:
        """Add to `v` (a change that the caller's text does not show) and return the new value."""
        if amount > 50:
            amount = amount - 50
        self.v = (self.v + amount) % 64
        return self.v

    def __repr__(self) -> str:
        return f"Box({vars(self)})"
