"""What a traced function changes of the copies that it gets of its arguments' structures.

    @runtime.function
    def add(items, x):
        items.append(x)         # the list is a copy, made for the graph: its tensors are inputs

A call of the Function itself takes another trace then, which changes the caller's list where that can be (see
`argument_containers`); else the list stays as it was, unlike in plain Python, and a TraceEffectWarning says so. What
the function returns is excused from that: the caller gets what became of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime import structures as nest
from runtime.function.argument_containers import ArgumentContainers
from runtime.heap.store import World

__all__ = ["Copies"]


class Copies:
    """The containers in the arguments of a trace that stand for those of the caller."""

    def __init__(self, given: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """given: the arguments of the call; seen: what the function gets."""
        self._world = World(objects={name: value for name, value in seen.items() if value is not given[name]})
        self._lost: list[tuple[Any, str]] = []

    def end(self, result: Any, containers: ArgumentContainers) -> None:
        """To be called after the function with its value. What that holds is not lost, unless the function could read
        it under another name. Raises StagingError for what is two of the arguments."""
        changes = self._world.changes() if self._world.holders else {}
        known = set(map(id, containers.stand_ins))
        found = {h: now for h, now in changes.items() if nest.is_structure(h.owner) and id(h.owner) not in known}
        containers.note_copies(found)
        returned = World(objects={"": result}).by_owner if found else {}
        self._lost = [
            (holder.owner, holder.path(holder.differing(now)[0]) if holder.kind.has_attributes else holder.label)
            for holder, now in found.items()
            if id(holder.owner) not in returned or containers.has_other_name(holder.owner)
        ]

    def words(self, containers: ArgumentContainers) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """How the caller writes what was changed for good, and what calls of the Function itself would change. Raises
        StagingError for what has arrays that only the graph knows."""
        for owner, _ in self._lost:
            containers.check_chosen(owner)
        for_good = tuple([words for owner, words in self._lost if not containers.is_copied(owner)])
        return for_good, tuple([words for owner, words in self._lost if containers.is_copied(owner)])
