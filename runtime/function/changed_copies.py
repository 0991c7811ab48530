"""What a traced function changes of the copies that it gets of its arguments' structures.

    @runtime.function
    def add(items, x):
        items.append(x)         # the list is a copy, made for the graph: its tensors are inputs

A call of the Function itself takes another trace then, which changes the caller's list where that can be (see
`argument_containers`); else the list stays as it was, unlike in plain Python, and a TraceEffectWarning says so. What
the function returns is excused from that: the caller gets what became of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from runtime import structures as nest
from runtime.heap.holder import Holder
from runtime.heap.store import World

__all__ = ["Copies", "lost"]


class Copies:
    """The containers in the arguments of a trace that stand for those of the caller."""

    def __init__(self, given: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
        """given: the arguments of the call; seen: what the function gets."""
        self._world = World(objects={name: value for name, value in seen.items() if value is not given[name]})

    def changed(self, known: Iterable[Any] = ()) -> dict[Holder, Any]:
        """What was changed, with its contents now. known: what reaches the caller."""
        changes = self._world.changes() if self._world.holders else {}
        excused = set(map(id, known))
        return {
            holder: now
            for holder, now in changes.items()
            if nest.is_structure(holder.owner) and id(holder.owner) not in excused
        }


def lost(
    changes: Mapping[Holder, Any], result: Any, has_other_name: Callable[[Any], bool]
) -> list[tuple[Holder, str]]:
    """Of what was changed, what `result`, the function's value, does not hold, or the function could read under another
    name; with how the caller writes it."""
    returned = World(objects={"": result}).by_owner if changes else {}
    return [
        (holder, holder.path(holder.differing(now)[0]) if holder.kind.has_attributes else holder.label)
        for holder, now in changes.items()
        if id(holder.owner) not in returned or has_other_name(holder.owner)
    ]
