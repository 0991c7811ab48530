"""What the lowering of jumps knows: about the place of a statement, and about statements that are lowered.

Example: `Lowered([...], frozenset({"break_"}), falls=False)` is the end of a block that always leaves the loop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import gast

__all__ = ["Frame", "Loop", "Lowered", "LoweredIf", "Returns", "goes_on", "leaves"]


@dataclass(slots=True)
class Lowered:
    """Statements, the flags that may be set after them, and whether control can come to their end without a jump."""

    body: list[Any]
    flags: frozenset[str] = frozenset()
    falls: bool = True


@dataclass(slots=True)
class Loop:
    break_: str | None = None
    continue_: str | None = None


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
