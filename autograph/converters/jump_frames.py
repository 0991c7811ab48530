"""What the lowering of jumps knows: about the place of a statement, and about statements that are lowered.

Example: `Lowered([...], frozenset({"break_"}), falls=False)` is the end of a block that always leaves the loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

__all__ = [
    "Frame",
    "Loop",
    "Lowered",
    "LoweredIf",
    "Returns",
    "goes_on",
    "is_endless",
    "leaves",
    "methods_of",
    "sides_of",
]


@dataclass(slots=True)
class Lowered:
    """Statements, the flags that may be set after them, and whether control can come to their end without a jump."""

    body: list[Any]
    flags: frozenset[str] = frozenset()
    falls: bool = True


@dataclass(slots=True)
class Loop:
    """The flags of a loop, once they are needed, and the assignments that stand for its `continue` statements."""

    break_: str | None = None
    continue_: str | None = None
    continues: list[Any] = field(default_factory=list)


@dataclass(slots=True)
class Returns:
    """The names of the flag and the value of `return`, once one is met."""

    names: tuple[str, str] | None = None


@dataclass(slots=True)
class Frame:
    """Where a statement stands: its function, the innermost loop, and what can catch an exception there."""

    function: Any
    returns: Returns = field(default_factory=Returns)
    loop: Loop | None = None
    caught: bool = False  # an exception from here may be caught inside of the function


@dataclass(slots=True)
class LoweredIf(Lowered):
    """A lowered `if`, whose two sides what follows may move into."""

    sides: tuple[Lowered, ...] = ()


def goes_on(node: Any) -> bool:
    """Whether an `if` has an `elif`."""
    return len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If)


def leaves(lowered: Lowered) -> bool:
    return not lowered.falls and bool(lowered.flags)


def sides_of(lowered: Lowered) -> tuple[Lowered, ...]:
    return lowered.sides if isinstance(lowered, LoweredIf) else ()


def is_endless(node: Any) -> bool:
    """Whether a loop is `while True`."""
    return isinstance(node, gast.While) and isinstance(node.test, gast.Constant) and bool(node.test.value)


def methods_of(node: Any) -> Iterator[Any]:
    """The functions in the body of a class, which keeps its own jumps, and of the classes in it."""
    pending = [node]
    while pending:
        holder = pending.pop()
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            for child in getattr(holder, name, ()):
                if isinstance(child, gast.FunctionDef):
                    yield child
                elif not isinstance(child, gast.AsyncFunctionDef):
                    pending.append(child)
