"""The list, dict, object or array at a position that only the graph knows: the items themselves, and which one it is.

    grid[i][j] = 1        # i is a tensor: each row of the grid that may be meant is written, or is not
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from runtime.control_flow.branches.values import switch_values
from runtime.control_flow.objects.refs import Choice, can_be_chosen, objects_of, selected
from runtime.control_flow.optional.values import maybe_none
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.dtypes import int32
from runtime.heap.kind import are_same_items
from runtime.ndarrays.chosen import ChosenArray
from runtime.ndarrays.restart import restart_for
from runtime.ndarrays.traced import TracedArray
from runtime.ops.records.record import REGISTRY
from runtime.tensor.convert import convert_to_tensor

__all__ = ["branched_at", "is_item_at", "item_at"]

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
    elif (found := _object_or_none_at(position, items)) is None:
        return None
    _ORIGINS.here()[id(found)] = found, holder, key, read, items
    return found


def _object_or_none_at(position: Any, items: Sequence[Any]) -> Any:
    """One of objects and None; None for other items."""
    objects = [item for item in items if item is not None]
    if len(objects) in (0, len(items)) or not all(map(can_be_chosen, objects)):
        return None
    flags = REGISTRY["gather"](convert_to_tensor([item is not None for item in items]), position)
    return maybe_none(_object_at(position, [objects[0] if item is None else item for item in items]), flags)


def branched_at(position: Any, items: Sequence[Any]) -> Any:
    """The item at a position that is in range, by a branch for each: of arrays beside others a tensor."""
    arrays = [isinstance(item, TracedArray) for item in items]
    is_mixed = any(arrays) and not all(arrays)
    values = [item.value() if is_mixed and isinstance(item, TracedArray) else item for item in items]
    branches = [lambda value=value: [value] for value in values]
    found = switch_values(REGISTRY["cast"](position, int32), branches, ["the element"])[0]
    if is_mixed:
        found.was_array = True
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
