"""Lists that a variable is bound to, of one length on one way and of another on the other: they become `TensorList`s.

    for i in range(n): items = items + [i]       # a new list in each iteration, which is longer
    if x > 0: items = [*items, x]                # one list or another

Unlike a list that is changed in place (promotion.py) only the variable gets a list that grows: the one that it was
bound to before may have other names, and stays what it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.lattice.join import lengths_differ
from runtime.control_flow.lattice.types import is_returned
from runtime.control_flow.lists.element_types import ElementType, agreed
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.promotion import elements_seen
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.references import led_to
from runtime.control_flow.objects.refs import objects_of
from runtime.control_flow.objects.together import is_object
from runtime.control_flow.objects.watched import can_change, contents_of, differ
from runtime.control_flow.optional.values import inside_of
from runtime.tensor.tensor import Tensor

__all__ = ["Copies", "grown_lists"]


def grown_lists(rows: Iterable[tuple[str, Sequence[Any]]]) -> dict[str, ElementType | Grown | None]:
    """The variables whose lists have become longer or shorter, with what the elements are; those that are a dict, set
    or deque of Python's on one way and one of the graph on another, with that.

    rows: the name, and the values that it may have.
    """
    found: dict[str, ElementType | Grown | None] = {}
    for name, values in rows:
        grown = next((value for value in values if isinstance(value, Grown)), None)
        if lengths_differ(*values):
            found[name] = agreed(v.elements if isinstance(v, TensorList) else elements_seen([v]) for v in values)
        elif grown is not None and {type(grown.like)} == {type(v) for v in values if not isinstance(v, Grown)}:
            found[name] = grown
    return found


Copy = tuple[str, Any, Any, Sequence[Any]]
"""The name of a variable, an object that it is bound to before a loop, or holds, the copy, and what that holds."""


class Copies:
    """What stands in a loop for objects that variables are bound to before it, or hold."""

    def __init__(self, rows: Iterable[tuple[str, Any, Any]]) -> None:
        """rows: the name of a variable, its value before the loop, and that in the loop."""
        self._found = _copies_of(rows)
        self._lost: list[Copy] = []
        self.led_to: set[int] = set()
        """The ids of those of the objects that anything else leads to, as far as it matters."""

    def look(self, changed: Iterable[Any], together: Collection[str]) -> None:
        """Right after an iteration. changed: objects that it changed; together: the variables of which it matters in
        any case what else leads to what they were bound to."""
        changed_objects = set(map(id, changed))
        rows = [
            row for row in self._found
            if differ(contents_of(row[2]), row[3]) or not changed_objects.isdisjoint(map(id, objects_of(row[1])))
        ]
        asked = [*rows, *(row for row in self._found if row[0] in together)]
        self.led_to = led_to([one for row in asked for one in objects_of(row[1])])
        self._lost = [row for row in rows if not self.led_to.isdisjoint(map(id, objects_of(row[1])))]

    def shared(self, before: Mapping[str, Any]) -> list[str]:
        """The variables that would change a copy of an object to which anything else leads, or have one that others
        change. Raises StagingError for what is no object. before: what they are before the loop."""
        for name, *_ in self._lost:
            wholes = objects_of(inside_of(before[name]))
            if is_returned(name) or not all(map(is_object, wholes)):
                raise StagingError(
                    f"{name!r} is changed in place and bound to another object in the body of a loop that depends on a"
                    " tensor, and other names refer to an object in what it is bound to before the loop: which of them"
                    " see the change depends on the iteration. Make a copy before the loop"
                )
            self.led_to |= set(map(id, wholes))
        return [name for name, *_ in self._lost]


def _copies_of(rows: Iterable[tuple[str, Any, Any]]) -> list[Copy]:
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
        if len(parts) == 2 and not isinstance(copy, TensorList | Grown):
            pending += [(name, *pair) for pair in zip(*parts, strict=False)]
    return found
