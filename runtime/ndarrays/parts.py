"""Parts of arrays of numpy at places that only the graph knows: tensors, as long as nothing is written to them.

    row = TABLE[i]           # i is a tensor, TABLE an ndarray from outside: a tensor
    row += x                 # in numpy a write to TABLE: the trace begins again, with TABLE as memory of the graph
"""

from __future__ import annotations

from typing import Any

from runtime.context import current_recorder
from runtime.ndarrays.keys import is_basic
from runtime.tensor.convert import convert_to_tensor

__all__ = ["part_of_array"]


def part_of_array(array: Any, k: Any) -> Any:
    """`array[k]` as a tensor, which is remembered as a view of the array where numpy gives one."""
    found = convert_to_tensor(array)[k]
    recorder: Any = current_recorder()
    if recorder is not None and found.shape.rank != 0 and is_basic(k):
        recorder.tracing.writes.parts[id(found)] = found, array
    return found
