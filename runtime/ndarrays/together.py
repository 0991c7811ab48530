"""Arguments that share memory, in a trace: views of one buffer, which is made of the inputs of the graph.

    def shift(a, b): a[:] = b * 2            # called as shift(v[1:], v[:-1])

Graphs take what they always take, and give back what each of the arrays holds at the end.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.keys import keys_in
from runtime.ndarrays.layout import laid_out
from runtime.ndarrays.overlaps import Pattern, share
from runtime.ndarrays.steps import put_through, steps_to
from runtime.ndarrays.traced import TracedArray, is_known
from runtime.tensor.numpy_calls.operands import call

__all__ = ["may_meet", "traced_together"]


def traced_together(pattern: Pattern, inputs: Mapping[int, Any], labels: Mapping[int, str]) -> dict[int, TracedArray]:
    """What stands for each input of a pattern: views of a buffer for each group. Adds to the graph that is recorded."""
    made: dict[int, TracedArray] = {}
    shapes = {place: tensor.shape.as_tuple() for place, tensor in inputs.items()}
    for group in pattern:
        size = 1 + max(_last(first, shapes[place], strides) for place, first, strides in group)
        ways = {place: steps_to(first, shapes[place], strides, size) for place, first, strides in group}
        content = call("zeros", [size], inputs[group[0][0]].dtype)
        all_of_it = [place for place in ways if math.prod(shapes[place]) == size]
        for place in all_of_it[:1] or ways:
            content = put_through(ways[place], content, inputs[place])
        buffer = Buffer(content, labels[group[0][0]])
        for place, _, strides in group:
            made[place] = TracedArray(buffer, ways[place], laid_out(shapes[place], strides))
    return made


def _last(first: int, shape: Sequence[int], strides: Sequence[int]) -> int:
    steps = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
    return first + sum(step for step in steps if step > 0)


def may_meet(a: Any, b: Any) -> bool:
    """Whether two arrays of a trace may have an element in common."""
    if not (isinstance(a, TracedArray) and isinstance(b, TracedArray)):
        return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and share(a, b)
    if {*map(id, a.buffers)}.isdisjoint(map(id, b.buffers)):
        return False
    shape = a.buffer.tensor().shape
    if a.buffer is not b.buffer or len(a.buffers) > 1 or not shape.is_fully_defined():
        return True
    memory = np.empty(shape.as_tuple(), a.buffer.tensor().dtype.numpy)
    first, second = _place_in(memory, a), _place_in(memory, b)
    return first is None or second is None or share(first, second)


def _place_in(memory: Any, array: TracedArray) -> Any:
    """What the array would be in this memory; None where nobody knows."""
    if not is_known(keys_in(array.steps)):
        return None
    part = array.at(memory)
    return part if part.size == 0 or share(part, memory) else None
