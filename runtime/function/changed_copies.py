"""What a traced function changes of the copies that it gets of its arguments' structures.

    @runtime.function
    def add(items, x):
        items.append(x)         # the list is a copy, made for the graph: its tensors are inputs

    add([a, b], c)              # the caller's list stays as it was, unlike in plain Python: a TraceEffectWarning

A structure that the function returns is excused: the caller gets what became of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from runtime import structures as nest
from runtime.heap.store import World

__all__ = ["Copies"]


class Copies:
    """The containers in the arguments of a trace that stand for those of the caller."""

    def __init__(self, given: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """given: the arguments of the call; seen: what the function gets."""
        self._world = World(objects={name: value for name, value in seen.items() if value is not given[name]})

    def changed(self, result: Any, known: Iterable[Any] = ()) -> list[str]:
        """How the caller writes what was changed, without what `result`, the function's value, holds.

        known: what reaches the caller.
        """
        changes = self._world.changes() if self._world.holders else {}
        found = {holder: now for holder, now in changes.items() if nest.is_structure(holder.owner)}
        returned = World(objects={"": result}).by_owner if found else {}
        excused = {*returned, *map(id, known)}
        return [
            holder.path(holder.differing(now)[0]) if holder.kind.has_attributes else holder.label
            for holder, now in found.items()
            if id(holder.owner) not in excused
        ]
