"""Managers of the user around staged code: what their `__exit__` does where an exception leaves the body of a `with`.

    with Depth(self):           # __exit__ sets self.depth back, and returns None: nothing of that is for the graph,
        y = checked(x)          # so exceptions pass, and the body is traced as if nothing was around it

What it does to Python's objects, it does once, while tracing, whichever way the graph runs. That is right as long as
nobody in the graph can tell: where an exception that has passed it is caught, it must do the same at both ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from autograph.errors import StagingError
from autograph.operators.with_statement import Leaving
from runtime.control_flow.branches.refused import refusal
from runtime.control_flow.tries.regions import Risk
from runtime.graph.graph import Graph
from runtime.heap.store import Contents, Holder, World
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import reraise

__all__ = ["AtException", "check_repeatable", "does_nothing", "take_back"]

_WHERE: Final = "the `__exit__` of a manager that an exception leaves"


@dataclass(frozen=True)
class AtException:
    """What `__exit__` did to the objects in `world` for an exception, before that was taken back."""

    world: World
    changed: Mapping[Holder, Contents]
    is_seen: bool
    """Whether the exception may be caught in the graph."""

    def compare(self) -> None:
        """Raises StagingError if the end of the body was something else, and the program can see that."""
        if not self.is_seen:
            return
        now = self.world.changes()
        for holder in {**self.changed, **now}:
            at_exception = self.changed.get(holder, holder.before)
            if not holder.kind.unchanged(at_exception, now.get(holder, holder.before)):
                raise _refusal(holder)


def check_repeatable(leaving: Leaving, risks: Sequence[Risk]) -> None:
    """Raises StagingError if a manager cannot be left twice."""
    if leaving.refusal is not None:
        raise StagingError(f"{leaving.refusal} (what can raise is at {risks[0].operation.location})")


def does_nothing(graph: Graph) -> bool:
    """Whether the graph of a handler does nothing but raise the exception again."""
    return not any(o.stateful and o.op not in (placeholder, reraise) for o in graph.operations)


def take_back(world: World, is_seen: bool) -> AtException:
    """Puts back what `__exit__` changed. Raises StagingError where that cannot be done."""
    changed = world.changes()
    world.restore(changed)
    for holder in changed:
        if holder.kind.write is None:
            raise _refusal(holder)
    return AtException(world, changed, is_seen)


def _refusal(holder: Holder) -> StagingError:
    return refusal(replace(holder, label=holder.label or "the manager"), _WHERE, "")
