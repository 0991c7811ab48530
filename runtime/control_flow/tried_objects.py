"""Lists, dicts and objects that variables are bound to after a `try`: those of before it stay what they are.

    first, second = [x], [2]
    try:
        check(x)
        row = first          # an end of the `try` operation has the object itself ...
    except ValueError:
        row = second
    row[0] = 5               # ... and the graph a copy of one of the two, which may not be changed

`objects_kept` gives the operation what it merges, `objects_after` makes of its results what the variables are bound to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.control_flow.branches import Group
from runtime.control_flow.chosen_objects import watch_chosen
from runtime.control_flow.optional import inside_of
from runtime.control_flow.promotion import watch_replaced
from runtime.control_flow.raised import UNREACHABLE
from runtime.control_flow.world import World
from runtime.control_flow.world_values import joined, unwrapped
from runtime.tensor.tensor import Tensor

__all__ = ["objects_after", "objects_kept", "watch_ends"]


def objects_kept(group: Group, world: World) -> Group:
    """The group with stand-ins for the objects from before the statement, which its graphs have not changed."""
    reached = [i for i, row in enumerate(group.results) if row is not UNREACHABLE]
    if not reached:
        return group
    readers = [lambda holder: holder.before for _ in reached]
    columns = [joined(column, world, readers) for column in zip(*(group.results[i] for i in reached), strict=True)]
    rows: list[Any] = [UNREACHABLE] * len(group.results)
    for n, i in enumerate(reached):
        rows[i] = [column[n] for column in columns]
    return Group(group.members, group.labels, group.names, rows)


def objects_after(group: Group, values: Sequence[Any] | None) -> list[Any] | None:
    """What the variables are bound to. What all ends have in two variables is one object in both after it, too."""
    if values is None:
        return None
    rows = [row for row in group.results if row is not UNREACHABLE]
    made: dict[tuple[int, ...], Any] = {}
    after = []
    for value, *ends in zip(values, *rows, strict=True):
        whole = unwrapped(value)
        if not isinstance(inside_of(whole), Tensor):
            whole = made.setdefault(tuple(map(id, ends)), whole)
        after.append(whole)
    return after


def watch_ends(group: Group, before: Sequence[Any], after: Sequence[Any] | None, world: World) -> None:
    """When the variables have their values: copies of objects that have other names may not change, nor may these."""
    rows = [row for row in group.results if row is not UNREACHABLE]
    if after is not None:
        if len(rows) > 1:
            watch_replaced(zip(before, after, strict=False), world)
        watch_chosen(rows, after, world)
