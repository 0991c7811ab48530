"""What may raise when a graph runs inside of a `try` that Python alone runs: it is refused, for nobody would catch it.

    try:
        if x > 0:                    # x is a tensor: the graph raises, long after this `try` has ended
            raise ValueError("large")
    except* ValueError:              # StagingError, with the line of the `raise`
        ...
"""

from __future__ import annotations

from autograph.errors import StagingError
from runtime.graph.graph import Graph
from runtime.graph.nesting import operations_within
from runtime.graph.risks import may_raise

__all__ = ["check_unguarded"]


def check_unguarded(graph: Graph, start: int, what: str) -> None:
    """Raises StagingError if an operation from `start` on may raise. what: the statement around them, in words."""
    risk = next((operation for operation in operations_within(graph.operations[start:]) if may_raise(operation)), None)
    if risk is not None:
        raise StagingError(
            f"{what} around staged code cannot be staged: the operation {risk.type!r} (at {risk.location}) may raise"
            " when the graph runs, and its handlers would not see that. Write `except` in the place of `except*`"
        )
