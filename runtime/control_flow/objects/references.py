"""Whether anything, or anything but one variable, refers to an array, list or other object.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Looked for are the variables of the running functions and what they can reach: references and views of the same memory.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import numpy as np

from autograph.operators.frame_variables import variables_of
from runtime.control_flow.statement.enclosing import world_before
from runtime.control_flow.statement.frames import frames_around, objects_in, traced_frames
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.heap.store import World

__all__ = ["is_shared", "led_to", "led_to_now", "reached_around"]


def is_shared(array: Any) -> bool:
    """Whether two or more variables or objects of the user refer to the array, or it was there before the trace."""
    before = world_before()
    if before is not None and id(array) in before.by_owner:
        return True
    reach = World(*objects_in([*traced_frames(), *frames_around()]), of=[array])
    return len(reach.keepers[id(array)]) > 1 or any(
        isinstance(holder.owner, np.ndarray) and holder.owner is not array and np.may_share_memory(holder.owner, array)
        for holder in reach.holders
    )


def led_to(values: Collection[Any]) -> set[int]:
    """The ids of those of some objects that a running function leads to: by a variable, a container, a default, an
    iterator, a closure; or that were there before the trace, so that whoever called may, too."""
    before = world_before()
    known = set() if before is None else {id(value) for value in values if id(value) in before.by_owner}
    return known | led_to_now([value for value in values if id(value) not in known])


def led_to_now(values: Collection[Any]) -> set[int]:
    """The same, without those who called: in one walk for all of them."""
    if not values:
        return set()
    inside = World(*(found for frame in traced_frames() for found in variables_of(frame).values()), of=values)
    both = (inside.keepers, reached_around(values).keepers)
    return {value for keepers in both for value, found in keepers.items() if found}


_MET_AROUND: Final[PerTrace[set[int]]] = PerTrace(set)
"""The ids of what the functions around the trace lead to, and of these; empty as long as nobody has asked."""


def reached_around(values: Collection[Any]) -> World:
    """What the functions around the trace can reach, if one of some values is among it: it may be much, and stays as it
    is."""
    around, met = frames_around(), _MET_AROUND.of(current_graph())
    if not met:
        met.update(World(*objects_in(around)).met, map(id, around))
    return World(*(() if met.isdisjoint(map(id, values)) else objects_in(around)), of=values)
