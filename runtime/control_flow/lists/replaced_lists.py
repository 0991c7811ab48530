"""Lists that a variable is bound to, of one length on one way and of another on the other: they become `TensorList`s.

    for i in range(n): items = items + [i]       # a new list in each iteration, which is longer
    if x > 0: items = [*items, x]                # one list or another

Unlike a list that is changed in place (promotion.py) only the variable gets a list that grows: the one that it was
bound to before may have other names, and stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.lattice.join import lengths_differ
from runtime.control_flow.lists.element_types import ElementType, agreed
from runtime.control_flow.lists.promotion import elements_seen
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.references import led_to
from runtime.control_flow.objects.refs import objects_of
from runtime.control_flow.objects.watched import can_change, contents_of, differ
from runtime.control_flow.optional.values import inside_of
from runtime.heap.store import World
from runtime.tensor.tensor import Tensor

__all__ = ["check_copies", "copies_of", "grown_lists"]


def grown_lists(rows: Iterable[tuple[str, Sequence[Any]]]) -> dict[str, ElementType | None]:
    """The variables whose lists have become longer or shorter, with what the elements are.

    rows: the name, and the values that it may have.
    """
    longer = [(name, values) for name, values in rows if lengths_differ(*values)]
    return {
        name: agreed(v.elements if isinstance(v, TensorList) else elements_seen([v]) for v in values)
        for name, values in longer
    }


Copy = tuple[str, Any, Any, Sequence[Any]]
"""The name of a variable, an object that it is bound to before a loop, or holds, the copy, and what that holds."""


def copies_of(rows: Iterable[tuple[str, Any, Any]]) -> list[Copy]:
    """What stands in a loop for objects that variables are bound to before it, or hold: wholes before their parts.

    A change of such a copy in place would be lost for others that refer to the object, and one of theirs for the copy.
    rows: the name of a variable, its value before the loop, and that in the loop.
    """
    found: list[Copy] = []
    pending = list(rows)
    for name, before, now in pending:  # which grows
        old, copy = inside_of(before), inside_of(now)
        if old is copy or isinstance(copy, Tensor) or not nest.is_nested(copy):
            continue
        if not any(map(nest.is_nested, objects_of(old))):  # None, or no value yet
            continue
        if can_change(copy) or isinstance(copy, TensorList):
            found.append((name, old, copy, contents_of(copy)))
        parts = [[part for _, part in nest.children(value)] for value in (old, copy) if nest.is_nested(value)]
        if len(parts) == 2 and not isinstance(copy, TensorList):
            pending += [(name, *pair) for pair in zip(*parts, strict=False)]
    return found


def check_copies(copies: Sequence[Copy], changed: Iterable[Any], variables: Mapping[str, Any]) -> None:
    """Raises StagingError if one of them was changed, or one of the objects, and anything else refers to that.

    changed: objects that an iteration did; variables: what those of the loop are bound to now, by their names.
    """
    changed_objects = set(map(id, changed))
    for name, old, copy, before in copies:
        if differ(contents_of(copy), before) or not changed_objects.isdisjoint(map(id, objects_of(old))):
            if not led_to(objects_of(old)):
                continue
            others = World(objects={n: v for n, v in variables.items() if n != name}, of=objects_of(old))
            remedy = "Make a copy before the loop"
            if any(others.keepers.values()):
                remedy = "Bind a copy to the other name (`best = items[:]`)"
            raise StagingError(
                f"{name!r} is changed in place and bound to another object in the body of a loop that depends on a"
                " tensor, and other names refer to the object that it is bound to before the loop, or to one in it:"
                f" which of them see the change depends on the iteration. {remedy}"
            )
