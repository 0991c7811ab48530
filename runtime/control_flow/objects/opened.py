"""Objects that have, in some runs only, an attribute: what a trace leaves of those that the caller has.

    def step(self, x):
        if x > 0: self.cache = x      # TraceEffectWarning: the caller's object has a tensor of the trace there
"""

from __future__ import annotations

import warnings
from typing import Any, Final

from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.errors import TraceEffectWarning
from runtime.graph.graph import Graph
from runtime.graph.location import Location, user_location
from runtime.heap.kinds import object_kinds
from runtime.heap.open_objects import USES, if_there, is_maybe, own_class
from runtime.heap.store import World

__all__ = ["close_all"]

_OPENED: Final[PerTrace[dict[int, tuple[Any, Location | None]]]] = PerTrace(dict)
"""By the id, objects that have been opened, and where."""


def close_all(graph: Graph, before: World | None) -> None:
    """To be called when a trace is over: no object is open any more. before: what was there before the trace, where
    that is to be told.

    What is there in some runs is left, as all else that a trace changes in the caller's objects.
    """
    for owner, place in _OPENED.of(graph).values():
        for kind in object_kinds(owner):
            contents = kind.read(owner)
            uncertain = [key for key, value in contents.items() if is_maybe(value)]
            if not uncertain:
                continue
            assert kind.write is not None
            kind.write(owner, {key: if_there(value) for key, value in contents.items()})
            if before is not None and id(owner) in before.by_owner:
                _warn(owner, uncertain[0], graph.name, place)


def _warn(owner: Any, key: str, name: str, place: Location | None) -> None:
    message = (
        f"whether an object ({own_class(owner).__name__}) has the attribute {key!r} after a call of {name!r} depends on"
        " a tensor, and only the graph knows: the object itself has a tensor of the trace there from now on. Return the"
        " value from the function, or keep it in a runtime.Variable, with another one that says whether it is there"
    )
    if place is None:
        warnings.warn(message, TraceEffectWarning, stacklevel=2)
    else:
        warnings.warn_explicit(message, TraceEffectWarning, place.filename, place.lineno)


USES["note"] = lambda owner: _OPENED.here().setdefault(id(owner), (owner, user_location()))
