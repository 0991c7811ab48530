"""Whether anything, or anything but one variable, refers to an array, list or other object.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Looked for are the variables of the running functions and what they can reach: references and views of the same memory.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from autograph.operators.frame_variables import variables_of
from runtime.control_flow.statement.enclosing import world_before
from runtime.control_flow.statement.frames import frames_around, objects_in, traced_frames
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.heap.reach import Reach
from runtime.heap.store import World

__all__ = ["is_led_to", "is_led_to_now", "is_shared", "reached_around"]


def is_shared(array: Any) -> bool:
    """Whether two or more variables or objects of the user refer to the array, or it was there before the trace."""
    before = world_before()
    if before is not None and id(array) in before.by_owner:
        return True
    reach = Reach(*objects_in([*traced_frames(), *frames_around()]), of=array)
    return len(reach.keepers) > 1 or any(
        isinstance(holder.owner, np.ndarray) and holder.owner is not array and np.may_share_memory(holder.owner, array)
        for holder in reach.holders
    )


def is_led_to(value: Any) -> bool:
    """Whether a running function leads to an object: by a variable, a container, a default, an iterator, a closure; or
    it was there before the trace, so that whoever called may, too."""
    before = world_before()
    if before is not None and id(value) in before.by_owner:
        return True
    return is_led_to_now(value)


def is_led_to_now(value: Any) -> bool:
    """The same, without those who called."""
    inside = Reach(*(found for frame in traced_frames() for found in variables_of(frame).values()), of=value)
    return bool(inside.keepers or reached_around(value).keepers)


_MET_AROUND: Final[PerTrace[set[int]]] = PerTrace(set)
"""The ids of what the functions around the trace lead to, and of these; empty as long as nobody has asked."""


def reached_around(value: Any) -> World:
    """What the functions around the trace can reach, if a value is among it: it may be much, and stays as it is."""
    around, met = frames_around(), _MET_AROUND.of(current_graph())
    if not met:
        met.update(World(*objects_in(around)).met, map(id, around))
    return World(*(objects_in(around) if id(value) in met else ()), of=value)
