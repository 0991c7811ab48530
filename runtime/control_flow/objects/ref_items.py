"""What is read of one of several lists, dicts or sets without a branch for each of them.

    row = [x, 1] if x > 0 else [2, y]
    for v in row: use(v)               # use(<row[0]>); use(<row[1]>), where row[0] is x or 2

    c = c - other          # in a loop that is unrolled, where `c` is one of as many Counters as there were turns:
                           # their handles in a list, of which one is read, and one difference
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from runtime.control_flow.lattice.stacked import number_at
from runtime.control_flow.lists.element_types import RowType, agreed
from runtime.control_flow.lists.keyed import Keyed
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.refs import Choice, Ref, can_be_chosen, known_object, number_of
from runtime.control_flow.statement.subgraph import current_graph
from runtime.ops.lists.lists import list_get, list_new
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["READS", "ItemsInTurn", "is_number", "item_of", "items_in_turn", "numbers_in", "with_contents"]

_LONGEST: Final = 16


class ItemsInTurn:
    """The items of one of several lists of equally many items, each read when its turn comes."""

    __slots__ = ("ref",)

    def __init__(self, ref: Ref) -> None:
        self.ref = ref

    def __iter__(self) -> Iterator[Any]:
        return (self.ref[place] for place in range(len(self)))

    def __len__(self) -> int:
        return len(self.ref._ag_objects[0])

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.ref,)


def items_in_turn(ref: Ref) -> ItemsInTurn | None:
    """None where the lists are long, or have not equally many items, or what it may be are no lists of Python's."""
    objects = ref._ag_objects
    lengths = {len(value) if type(value) is list else _LONGEST + 1 for value in objects}
    return ItemsInTurn(ref) if len(lengths) == 1 and max(lengths) <= _LONGEST else None


def item_of(ref: Ref, place: int) -> Any:
    """`row[place]` without branches, where all of the lists have that item; else NotImplemented."""
    objects = ref._ag_objects
    if known_object(ref) is not ref:
        return NotImplemented
    if not all(type(value) is list and -len(value) <= place < len(value) for value in objects):
        return NotImplemented
    items = [value[place] for value in objects]
    if all(item is items[0] for item in items):
        return items[0]
    if all(map(is_number, items)):
        return number_at(ref._ag_selector, items)
    if any(type(item) is Ref or not can_be_chosen(item) for item in items):
        return NotImplemented
    choice = Choice()
    numbers = [choice.position(item) for item in items]
    two = len(choice.sources) == 2
    return Ref(choice.sources, number_of(ref, [number == 1 for number in numbers] if two else numbers))


def numbers_in(ref: Ref) -> list[Any] | None:
    """The numbers in what is one of several short lists of equally many numbers; None for others."""
    if (in_turn := items_in_turn(ref)) is None:
        return None
    if not all(is_number(item) for value in ref._ag_objects for item in value):
        return None
    found = [item_of(ref, place) for place in range(len(in_turn))]
    return None if any(item is NotImplemented for item in found) else found


def is_number(item: Any) -> bool:
    """Whether it is a number of Python's, no bool, or a scalar of the graph."""
    return type(item) in (int, float) or (isinstance(item, SymbolicTensor) and item.shape.rank == 0)


# -- dicts and sets that grow

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
