"""What is in the way of a graph that is to leave: every operation of it, with its line and the reason, in one error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from runtime.graph.location import shown_line
from runtime.graph.operation import Operation

__all__ = ["Problem", "listed"]

SHOWN: Final = 40
"""So many reasons are listed by an error."""


@dataclass(frozen=True)
class Problem:
    """An operation that cannot leave, and why."""

    operation: Operation
    reason: str


def listed(heading: str, problems: Sequence[Problem]) -> str:
    """All reasons, a line each, below the heading; the same one of the same line once."""
    lines: dict[str, None] = {}
    for problem in problems:
        operation = problem.operation
        place = f"{operation.location or 'an unknown line'}{shown_line(operation.location)}"
        lines[f"{place}: {operation.type}: {problem.reason}"] = None
    shown = [*lines][:SHOWN]
    if len(lines) > SHOWN:
        shown.append(f"... and {len(lines) - SHOWN} more")
    return heading + "".join(f"\n  {line}" for line in shown)
