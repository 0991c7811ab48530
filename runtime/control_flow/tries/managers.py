"""Managers of the user around staged code: what their `__exit__` does where an exception leaves the body of a `with`.

    with Depth(self):           # __exit__ sets self.depth back, and returns None: nothing of that is for the graph,
        y = checked(x)          # so exceptions pass, and the body is traced as if nothing was around it

What it does to Python's objects, it does once, while tracing, whichever way the graph runs. That is right as long as
nobody in the graph can tell: where an exception that has passed it is caught, it must do the same at both ends. So what
it makes of the objects that it reaches is known in a handler around (`Passed`) if they are, where something raises,
what they are at the end of the body; else the handler may not look at them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.with_statement import Leaving
from runtime.control_flow.branches.refused import refusal
from runtime.control_flow.tries.regions import Region, Risk
from runtime.control_flow.tries.tried_places import Places
from runtime.graph.graph import Graph
from runtime.heap.store import Contents, Holder, World
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import reraise

__all__ = ["AtException", "Passed", "check_repeatable", "does_nothing", "take_back"]

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

_AS_BEFORE = object()


class Passed:
    """The body of a `with`, seen from the statements around, which note what it changes."""

    def __init__(self, region: Region) -> None:
        self._around = [_Around(around) for around in region.around() if isinstance(around.places, Places)]

    def body_ended(self) -> None:
        """The body has come to its end, or raises; the manager is about to be left."""
        for around in self._around:
            around.at_end = around.places.changed()

    def settle(self, world: World) -> None:
        """The manager, which reaches `world`, has been left: what was noted is what arrives, or not known."""
        for around in self._around:
            around.settle(world)


class _Around:
    """One statement around."""

    def __init__(self, region: Region) -> None:
        assert isinstance(region.places, Places)
        self.region = region
        self.places = region.places
        self.at_end: dict[str, Any] = {}
        self._noted, self._kept, self._risks = len(self.places.noted), len(region.memory.kept), len(region.risks)

    def settle(self, world: World) -> None:
        noted, now = self.places.noted[self._noted :], self.places.changed()
        names = dict.fromkeys(name for found in (*noted, now) for name in found)
        reached = [name for name in names if world.at(self.places.holder_of(name).place) is not None]
        settled = [name for name in reached if self._is_as_at_the_end(name, noted)]
        for name in settled:
            for found in noted:
                found.pop(name, None)
                if name in now:
                    found[name] = now[name]
        self.places.set_unkept(self._noted, settled, now.keys())
        self.region.memory.strip(settled, self._kept)
        self.region.memory.forget(name for name in reached if name not in settled)
        changed = frozenset(reached) - {name for name in settled if name not in now}
        self.region.note_risks(self._risks, frozenset(settled), changed)

    def _is_as_at_the_end(self, name: str, noted: list[dict[str, Any]]) -> bool:
        at_end = self.at_end.get(name, _AS_BEFORE)
        return all(found.get(name, _AS_BEFORE) is at_end for found in noted)
