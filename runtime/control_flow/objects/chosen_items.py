"""The list, dict, object or array at a position that only the graph knows: the items themselves, and which one it is.

    grid[i][j] = 1        # i is a tensor: each row of the grid that may be meant is written, or is not
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.control_flow.objects.refs import Choice, can_be_chosen, objects_of, selected
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.heap.kind import are_same_items
from runtime.ndarrays.chosen import ChosenArray
from runtime.ndarrays.restart import restart_for
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor

__all__ = ["is_item_at", "item_at"]

Read = Callable[[], Sequence[Any]]

_ORIGINS: Final[PerTrace[dict[int, tuple[Any, Any, Any, Read, Sequence[Any]]]]] = PerTrace(dict)
"""By its id, what was read by a tensor, from where, by which, what gives the items that were counted, and these."""


_MOST_UNEVEN: Final = 8
"""So many arrays of several shapes are told apart: there is a branch for each, within that of the one before."""


def item_at(position: Any, holder: Any, key: Any, read: Read) -> Any:
    """The item at a position of a list, tuple or dict; None where the items cannot be told apart in a graph.

    key: what the program says for the position. read: gives the items that are counted.
    """
    items = read()
    if any(isinstance(item, TracedArray) for item in items):
        restart_for(*items)
    if all(map(can_be_chosen, items)):
        found = _object_at(position, items)
    elif all(isinstance(item, TracedArray) for item in items) and _are_alike(items):
        flags = [REGISTRY["equal"](position, number) for number in range(1, len(items))]
        found = ChosenArray(items, flags)
    else:
        return None
    _ORIGINS.here()[id(found)] = found, holder, key, read, items
    return found


def _object_at(position: Any, items: Sequence[Any]) -> Any:
    choice = Choice()
    table = [choice.position(inner) for item in items for inner in objects_of(item)]
    if len(table) != len(items):  # one of the items is one of several objects
        found = items[0]
        for number, item in enumerate(items[1:], 1):
            found = selected(REGISTRY["equal"](position, number), item, found)
        return found
    if table != list(range(len(table))):
        position = REGISTRY["gather"](convert_to_tensor(table), position)
    return choice.at(position)


def _are_alike(arrays: Sequence[TracedArray]) -> bool:
    first, *others = arrays
    if not first.shape.is_fully_defined() or any(array.dtype is not first.dtype for array in others):
        return False
    if all(array.shape.dims == first.shape.dims for array in others):
        return True
    alike = all(array.shape.is_fully_defined() and array.shape.rank == first.shape.rank for array in others)
    return alike and len(arrays) <= _MOST_UNEVEN


def is_item_at(holder: Any, value: Any, key: Any) -> bool:
    """Whether a value was read from this list, tuple or dict by this very tensor, and the items are what they were."""
    known = _ORIGINS.here().get(id(value))
    if known is None or known[0] is not value or known[1] is not holder or known[2] is not key:
        return False
    return are_same_items(known[3](), known[4])
