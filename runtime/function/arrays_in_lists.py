"""Arrays, lists and objects that a trace puts into lists of the program which grow in the graph: each run leaves copies
of its own there.

    if loss < self.best: self.kept.append(self.weights.copy())      # which nobody else has
    if loss < self.best: self.kept.append(self.weights)             # refused: a write to `self.weights` would be seen
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.errors import StagingError
from runtime.control_flow.lists.element_types import ElementType
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.watched import watched_elements
from runtime.function.left import Made
from runtime.graph.graph import Graph
from runtime.heap.store import World
from runtime.ndarrays.buffer import Buffer
from runtime.ndarrays.layout import owner_of
from runtime.ndarrays.restart import IsMemory, are_traced
from runtime.ndarrays.traced import TracedArray
from runtime.restarts import Restart

__all__ = ["begin_again_for_elements", "check_elements", "has_arrays"]


def begin_again_for_elements(lists: Iterable[TensorList]) -> None:
    """Raises Restart where arrays may be in such lists, and arrays are tensors in this round."""
    if any(has_arrays(rows.elements) for rows in lists) and not are_traced():
        raise Restart(IsMemory(None))


def check_elements(
    lists: Sequence[tuple[str, TensorList]], graph: Graph, world: World, made: Made, is_left: Callable[[Buffer], bool]
) -> None:
    """Raises StagingError where an array, list or object that is put into one of the lists, or read from one, has
    another name when a run is over. lists: with words for each; made: what runs leave; is_left: whether they leave what
    is in a buffer elsewhere."""
    if not lists:
        return
    writes = graph.recording.tracing.writes
    objects, arrays = writes.objects_in_lists, list[Any]()
    read = [value for value in watched_elements() if not isinstance(value, TracedArray | np.ndarray)]
    has_other_name = made.has_views or any(made.leaves(value) for value in [*read, *objects])
    if any(has_arrays(rows.elements) for _, rows in lists):
        arrays = [*writes.put_in_lists]
        buffers = [buffer for array in arrays if isinstance(array, TracedArray) for buffer in array.buffers]
        has_other_name = has_other_name or any(buffer.is_argument or is_left(buffer) for buffer in buffers)
        has_other_name = has_other_name or bool(buffers and writes.names_in_lists)
        arrays = [*buffers, *[owner_of(array) for array in arrays if isinstance(array, np.ndarray)]]
    put = [*map(id, [*objects, *arrays])]
    if has_other_name or len(set(put)) < len(put) or not world.by_owner.keys().isdisjoint(put):
        words = " or ".join(repr(words) for words, _ in lists)
        raise StagingError(
            f"an array, list or object is an element of {words}, which a tensor decides about, and has another name or"
            " is in another place, too, where the graph has a copy: put a copy into the list"
            " (`rows.append(row.copy())`)"
        )


def has_arrays(elements: ElementType | None) -> bool:
    """Whether there may be arrays among the elements of a list."""
    return elements is not None and any(leaf.shape.rank != 0 for leaf in elements.leaves)
