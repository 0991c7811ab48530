"""Whether anything, or anything but one variable, refers to an array, list or other object.

    out = np.zeros(3)        # may become a tensor when out[i] = x is staged ...
    alias = out              # ... but then the alias would keep the old elements: it is refused

Looked for are the variables of the running functions and what they can reach: references and views of the same memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.operators.frame_variables import variables_of
from runtime.control_flow.statement.enclosing import world_before
from runtime.control_flow.statement.frames import frames_around, objects_in, traced_frames
from runtime.heap.reach import Reach

__all__ = ["is_led_to", "is_shared"]


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
    """Whether a running function leads to an object: by a variable, a container, a default, an iterator, a closure."""
    before = world_before()
    if before is not None and id(value) in before.by_owner:
        return True
    frames = [*traced_frames(), *frames_around()]
    return bool(Reach(*(found for frame in frames for found in variables_of(frame).values()), of=value).keepers)
