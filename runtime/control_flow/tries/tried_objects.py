"""Variables and objects after a `try`: what each part of it leaves is merged, as the ends of branches are.

    first, second = [x], [2]
    try:
        check(x)
        row = first          # an end of the `try` operation has the object itself ...
        row.append(x)        # ... and what it holds there
    except ValueError:
        row = second
    row[0] = 5               # ... and the graph a copy of one of the two, which may not be changed

`Ends` keeps what the parts change; an `Outcome` is what some of them leave together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.branches.if_statement import Merge
from runtime.control_flow.branches.values import Group, add_groups
from runtime.control_flow.lists.promotion import moved_to, watch_replaced
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.chosen_objects import watch_chosen
from runtime.control_flow.objects.maybe_contents import MaybeContainer, write_contents
from runtime.control_flow.objects.watched import Held, check_watched, watched_since
from runtime.control_flow.objects.world_values import unwrapped
from runtime.control_flow.optional.values import inside_of, with_inside
from runtime.control_flow.statement.state import State
from runtime.control_flow.tries.raised import UNREACHABLE, Diverged
from runtime.control_flow.tries.tried_places import Places, refusal_in_try
from runtime.control_flow.tries.uncertain import Uncertain, stands_for
from runtime.graph.graph import Graph
from runtime.heap.holder import put
from runtime.heap.store import Contents, Holder, World
from runtime.ndarrays.traced import TracedArray
from runtime.ops.flow.control import try_node
from runtime.tensor.tensor import Tensor

__all__ = ["Ends", "Outcome", "check_certain", "labels_of"]


class Ends:
    """What the parts of a `try` make of the objects that it reaches: by the number of the part's graph.

    state, initial: the variables of the statement, and what they were before it.
    """

    def __init__(self, places: Places, state: State, initial: Sequence[Any]) -> None:
        self.places = places
        self.changes: list[dict[Holder, Contents]] = []
        self.held = Held()
        self._state = state
        self._initial = initial

    def leave(self, mark: int, where: str) -> None:
        """A part has ended, or raises: notes what it has changed, and takes that back.

        mark: how many objects were watched before. Raises StagingError for what cannot be taken back.
        """
        check_watched()
        changed = self.places.ends()
        self.held += Held.since(mark).in_any_run()
        self.back(mark)
        for holder in changed:
            if not holder.is_put_back():
                raise refusal_in_try(holder, where)
        self.changes.append(changed)

    def back(self, mark: int) -> None:
        """All is what it was."""
        watched_since(mark)
        self.places.back(self._state, self._initial)

    def merged(
        self,
        graphs: Sequence[Graph],
        groups: Sequence[Group],
        attributes: Mapping[str, Any],
        flag: Group | None = None,
    ) -> list[Any]:
        """Adds the operation `try`. Returns for each group what its parts leave together, an Outcome. Raises Restart.

        flag: one more value; its result comes last.
        """
        merges = [self._merge(group) for group in groups]
        settled = [_settled(merge, group) for merge, group in zip(merges, groups, strict=True)]
        rows = add_groups(try_node, graphs, settled if flag is None else [*settled, flag], dict(attributes))
        found: list[Any] = [
            Outcome(len(group.names), merge, None if row is None else _after(merge.rows, row), self._initial)
            for group, merge, row in zip(groups, merges, rows, strict=False)
        ]
        return found if flag is None else [*found, None if rows[-1] is None else rows[-1][0]]

    def _merge(self, group: Group) -> Merge:
        merge = Merge(self.places.world, (), "a part of a `try`", group.labels)
        merge.changes = [self.changes[member] for member in group.members]
        merge.held = self.held
        return merge


@dataclass(frozen=True)
class Outcome:
    """What variables (`names` of them) and changed places are where some parts of a `try` have ended.

    values: None where none of the parts comes to its end.
    """

    names: int
    merge: Merge
    values: Sequence[Any] | None
    initial: Sequence[Any]

    def put(self, state: State) -> None:
        """Goes on from there. Copies of objects that have other names may not change from here on, nor may these."""
        if self.values is None:
            raise Diverged
        world, as_now = self.merge.world, partial(_as_now, world=self.merge.world)
        values, initial = list(map(as_now, self.values)), list(map(as_now, self.initial))
        self._write(values[self.names :])
        self.merge.held.watch(values, self.merge.holding)
        state.put((*values[: self.names], *initial[self.names :]))
        rows = [list(map(as_now, row)) for row in self.merge.rows]
        if len(rows) > 1:
            watch_replaced(zip(initial, values[: self.names], strict=False), world)
        watch_chosen(rows, values, world, self.merge.copies)

    def _write(self, values: Sequence[Any]) -> None:
        """Puts the merged values of changed places into the objects, parts before wholes."""
        remaining = iter(values)
        planned = []
        for plan in self.merge.plans:
            if plan.holder.kind.form == "whole":
                planned.append((plan.holder, plan.contents))
                continue
            contents = plan.contents.copy()
            for key in list(plan.holder.keys_of(contents)):
                contents[key] = _as_now(contents[key], self.merge.world)
            for place in plan.places:
                put(contents, place.key, next(remaining))
            planned.append((plan.holder, contents))
        for holder, contents in reversed(planned):
            grown = moved_to(holder.owner)
            if grown is None:
                holder.write(contents)
            elif isinstance(grown, MaybeContainer):
                write_contents(grown, contents if isinstance(contents, dict) else dict.fromkeys(contents, True))
            else:
                grown.take(TensorList(contents))


def _as_now(value: Any, world: World) -> Any:
    """The value, with lists that grow in the place of those for which they have been put since.

    In the objects of `world` they have been put already.
    """
    inner = inside_of(value)
    grown = moved_to(inner)
    if grown is not None:
        return with_inside(value, grown)
    if id(inner) in world.by_owner or isinstance(inner, Tensor | TracedArray) or not nest.is_nested(inner):
        return value
    return with_inside(value, nest.changed(inner, lambda part: _as_now(part, world)))


def check_certain(names: Sequence[str], rows: Sequence[Any]) -> None:
    """Raises StagingError for a variable that is read after the statement, and of which a handler knows nothing."""
    for row in rows:
        for name, value in zip(names, () if row is UNREACHABLE else row, strict=False):
            if type(value) is not Uncertain:
                continue
            owner, message = stands_for(value)
            if owner != name:
                raise StagingError(message)
            raise StagingError(
                f"{name!r} is read after a `try` whose handler does not assign it: what it holds then depends on"
                " which operation of the `try` raised, which a graph does not know; assign it in the handler"
            )


def labels_of(graphs: Sequence[Graph]) -> list[str]:
    """What the parts of a `try` are called in messages."""
    return [f"`{graph.name}`" for graph in graphs]


def _settled(merge: Merge, group: Group) -> Group:
    """The group with the changed places behind its variables, and stand-ins for the objects from before."""
    if all(row is UNREACHABLE for row in group.results):
        return group
    rows, names = merge.settle(group.results, group.names)
    for row in merge.rows:
        for value in row[len(group.names) :]:
            if type(value) is Uncertain:
                raise StagingError(stands_for(value)[1])
    return Group(group.members, group.labels, names, rows)


def _after(rows: Sequence[Sequence[Any]], values: Sequence[Any]) -> list[Any]:
    """What variables and places hold. What all ends have in two of them is one object in both after it, too."""
    made: dict[tuple[int, ...], Any] = {}
    after = []
    for value, *ends in zip(values, *rows, strict=True):
        whole = unwrapped(value)
        if not isinstance(inside_of(whole), Tensor):
            whole = made.setdefault(tuple(map(id, ends)), whole)
        after.append(whole)
    return after
