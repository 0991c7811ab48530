"""What is known where a graph is a part of a statement: the condition of a branch, the exception of a handler.

    Graph.within(outer, "then").recording.assumption = Assumption(condition, True)
    Graph.within(outer, "except").recording.handling = Handling(error, risks)

It holds in everything nested in the graph as well: whoever asks walks outwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Assumption", "Handling"]


@dataclass(slots=True)
class Assumption:
    """Of a branch: the condition, a tensor of the graph around it, and what it is here; of more than two a number."""

    condition: SymbolicTensor
    holds: bool | int
    facts: int | None = None
    """What follows, as bits; see `runtime.control_flow.branches.known`, which fills it."""


@dataclass(frozen=True, slots=True)
class Handling:
    """Of a handler: what the program sees of the exception that is being handled."""

    error: BaseException
    arriving: Sequence[Any] | None = None
    """What may arrive there and be raised again (see `Risk` in control_flow/tries/regions.py), where that is staged."""
