"""What only reads one of several dicts or sets that grow: done once, on what the one holds, not once for each of them.

    c = c - other          # in a loop that is unrolled, where `c` is one of as many Counters as there were turns:
                           # their handles in a list, of which one is read, and one difference
"""

from __future__ import annotations

from typing import Any, Final

from runtime.control_flow.lists.element_types import RowType, agreed
from runtime.control_flow.lists.keyed import Keyed
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.refs import Ref, known_object, number_of
from runtime.control_flow.statement.subgraph import current_graph
from runtime.ops.lists.lists import list_get, list_new

__all__ = ["READS", "with_contents"]

READS: Final = frozenset({
    "copy", "difference", "elements", "get", "intersection", "isdisjoint", "issubset", "issuperset", "most_common",
    "symmetric_difference", "total", "union",
})  # fmt: skip
"""The methods that keep no hold of the dict or set, and leave it as it is."""

_HANDLE: Final = RowType(None).attributes


def with_contents(value: Any) -> Any:
    """Another dict or set with what one of several holds, for what only reads it; the value itself where it is none."""
    if type(value) is not Ref or known_object(value) is not value:
        return value
    objects = value._ag_objects
    first = objects[0]
    if not all(isinstance(one, Keyed) and type(one) is type(first) for one in objects):
        return value
    if any(type(one.like) is not type(first.like) for one in objects):
        return value
    kind = agreed(one.rows.elements for one in objects)
    if kind is None or kind.has_rows:
        return value
    place = current_graph().recording.localize(number_of(value, range(len(objects))), "the object")
    columns = zip(*(one.rows.handles_as(kind) for one in objects), strict=True)
    handles = [list_get(list_new(column, **_HANDLE), place, **_HANDLE) for column in columns]
    return first.with_rows(TensorList.like(kind, handles))
