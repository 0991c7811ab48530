"""Parts of arrays of numpy at places that only the graph knows: tensors, as long as nothing is written to them.

    row = TABLE[i]           # i is a tensor, TABLE an ndarray from outside: a tensor
    row += x                 # in numpy a write to TABLE: the trace begins again, with TABLE as memory of the graph
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.context import current_recorder
from runtime.ndarrays.keys import is_basic
from runtime.tensor.array_numbers import as_number
from runtime.tensor.convert import convert_to_tensor
from runtime.tensor.tensor import Tensor

__all__ = ["arrays_behind", "note_array", "note_copy", "note_part", "part_of_array"]


def part_of_array(array: Any, k: Any) -> Any:
    """`array[k]` as a tensor, which is remembered as a view of the array where numpy gives one; an element is one of
    its numbers."""
    found = convert_to_tensor(array)[k]
    if found.shape.rank == 0:
        return as_number(found)
    if is_basic(k):
        note_part(found, [array])
    return found


def note_part(found: Any, values: Sequence[Any]) -> None:
    """Takes note that a tensor stands for one of several values, or a view of one, where they are arrays of numpy."""
    recorder: Any = current_recorder()
    every = [value for value in values if isinstance(value, np.ndarray) and value.ndim]
    every += [array for value in values for array in arrays_behind(value)]
    arrays = list({id(array): array for array in every}.values())  # once each, in whatever ways they came here
    if arrays and recorder is not None and isinstance(found, Tensor) and found.shape.rank != 0:
        recorder.recording.tracing.writes.note_part(found, arrays)


def note_copy(found: Any, array: Any) -> None:
    """Takes note that a tensor holds what a traced array does, where numpy would have that: nothing may write to it."""
    recorder: Any = current_recorder()
    if recorder is not None:
        recorder.recording.tracing.writes.note_part(found, [array])


def note_array(found: Any) -> None:
    """Takes note that numpy would have made an array of its own where a tensor was made: a write to it makes it one."""
    recorder: Any = current_recorder()
    if isinstance(found, Tensor) and recorder is not None:
        recorder.recording.tracing.writes.parts[id(found)] = found, [found]


def arrays_behind(found: Any) -> Sequence[Any]:
    """The arrays of numpy, one of which a tensor stands for, or a view of one; none for other values."""
    recorder: Any = current_recorder()
    if not isinstance(found, Tensor) or recorder is None:
        return ()
    behind: Sequence[Any] = recorder.recording.tracing.writes.arrays_behind(found)
    return behind
