"""Effects on Python objects inside the branches of a staged statement: carried as part of the statement, or refused.

    if x > 0:             # x is a tensor: both branches are traced
        self.total += x   # ... each from the same contents of `self`; after the statement `self.total` is an output
        items[0] = x      # ... of the cond, as `items[0]` is
    else:
        count()           # what a function that is called changes counts as well

Each branch runs from the same contents; what it changed is compared with that and put back. A changed place becomes
one more variable of the statement, named as the user reaches it, and its merged value is written into the object. A
list whose length differs becomes one that grows (promotion.py). Refused is what has no static structure.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from autograph.errors import StagingError, StagingValueError
from autograph.operators.variables import variables_in
from runtime.control_flow.branches.possible import Condition
from runtime.control_flow.branches.refused import KEEP_IT, again, refusal
from runtime.control_flow.branches.values import Settled, cond_values, switch_values
from runtime.control_flow.lattice.leaf import MISSING
from runtime.control_flow.lists.kind import TENSOR_LIST
from runtime.control_flow.lists.promotion import Longer, elements_seen, grows, take_in
from runtime.control_flow.objects.chosen_arrays import Bases
from runtime.control_flow.objects.chosen_objects import watch_chosen
from runtime.control_flow.objects.made import Made, parts_to_carry
from runtime.control_flow.objects.watched import Held, Since, check_watched, note_changes, watched_since
from runtime.control_flow.objects.world_values import Reader, joined, unwrapped
from runtime.control_flow.statement.enclosing import inside
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.tries.raised import UNREACHABLE, ends_a_branch
from runtime.control_flow.tries.regions import note_exception
from runtime.graph.location import here
from runtime.heap.holder import Place, part, put
from runtime.heap.store import Contents, Holder, World
from runtime.heap.variables import CELL
from runtime.restarts import Restart, settled
from runtime.state.variable import Variable
from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["Merge", "one_of", "stage_if"]

Thunk = Callable[[], Any]

_PYTHONS: Final = (Exception, KeyboardInterrupt, GeneratorExit, SystemExit)


def stage_if(selector: SymbolicTensor, branches: Sequence[Thunk], state: State, outputs: int) -> None:
    """`if selector: branches[0]() else: branches[1]()`; the first `outputs` variables are read after it.

    selector: of more than two branches the number of the one.
    """
    whole, names = state, list(state.names)
    initial: tuple[Any, ...] = ()

    def begin() -> tuple[Merge, Sequence[str]]:
        nonlocal whole, initial, names
        variables = zip(state.names, variables_in(state.get), strict=True)
        world = World(*branches, objects={name: value for name, value in variables if name.isidentifier()})
        whole, _ = state.without_places(world)
        initial, read = whole.get(), set(state.names[:outputs])
        names = [name for name in whole.names if name in read]
        return Merge(world, [run(code) for code in branches], "a branch of an `if`"), names

    def run(code: Thunk) -> Thunk:
        def branch() -> tuple[Any, ...]:
            whole.put(initial)
            try:
                code()
                return whole.get()[: len(names)]
            except BaseException as error:
                note_exception(current_graph(), error)
                raise
            finally:
                whole.put(initial)

        return branch

    results, merge = _merged(begin, selector, lambda: whole.put(initial))
    whole.put((*results, *initial[len(names) :]))
    watch_chosen(merge.rows, merge.merged, merge.world, merge.copies)


def _merged(
    begin: Callable[[], tuple[Merge, Sequence[str]]], selector: SymbolicTensor, back: Callable[[], None] | None = None
) -> tuple[list[Any], Merge]:
    """The values after a statement, which begins again as often as a list grows in it. back: takes back the rest."""
    merge: Any = None

    def attempt() -> tuple[list[Any], Merge]:
        nonlocal merge
        check_watched()
        merge, names = begin()
        try:
            return merge.values(selector, names), merge
        except BaseException:
            if back is not None:
                back()
            raise

    def learn(found: Restart) -> None:
        if merge is None:
            raise found
        take_in(found, merge, merge.refusal)

    return settled(attempt, learn)


def one_of(selector: SymbolicTensor, parts: Sequence[Thunk], name: str, where: str) -> Any:
    """The value of one of several expressions, which may have effects.

    selector: of two whether it is the first, of more the number of the one. name: the expression, for messages. where:
    what the branches are called in messages.
    """

    def begin() -> tuple[Merge, Sequence[str]]:
        return Merge(World(*parts), [lambda part=part: [part()] for part in parts], where), [name]  # type: ignore[misc]

    values, merge = _merged(begin, selector)
    watch_chosen(merge.rows, merge.merged, merge.world, merge.copies)
    return values[0]


@dataclass
class _Plan:
    """What a holder's contents become: `contents`, with merged values in `places`."""

    holder: Holder
    contents: Contents
    places: Sequence[Place]


class Merge:
    """The branches of one statement: runs each from the same contents, and joins what they changed."""

    def __init__(
        self, world: World, branches: Sequence[Thunk], where: str, labels: Sequence[str] = ("main", "else")
    ) -> None:
        self.world = world
        self.branches = branches
        self.where = where
        self.labels = labels
        self.changes: list[dict[Holder, Contents]] = [{} for _ in branches]
        self.plans: list[_Plan] = []
        self.held = Held()
        """What the branches put into lists that grow."""
        self.held_by: dict[int, Held] = {}
        """The same for each branch by itself."""
        self.rows: list[list[Any]] = []
        """What each branch that comes to an end gives for the variables and changed places."""
        self.copies: set[int] = set()
        """The ids of what among it is a copy of a list that grows, which nobody else knows."""
        self.merged: Sequence[Any] = ()
        self.holding: list[Since | None] = []
        """For each merged value that stands for such an object the line that put it into a list; else None."""

    def values(self, selector: SymbolicTensor, names: Sequence[str]) -> list[Any]:
        """As `cond_values`, `switch_values`; what the branches changed is merged and written. Raises Restart."""
        two = len(self.branches) == 2
        branches = [self.branch(i, (selector, i == 0 if two else i)) for i in range(len(self.branches))]
        if two:
            values = cond_values(selector, branches[0], branches[1], names, self.settle)
        else:
            values = switch_values(selector, branches, names, self.settle, in_range=True)
        self.write(values[len(names) :])
        note_changes()
        after = [unwrapped(value) for value in values]
        self.held.watch(after, self.holding)
        self.merged = after
        return after[: len(names)]

    def branch(self, i: int, *conditions: Condition) -> Callable[[], Sequence[Any]]:
        def run() -> Sequence[Any]:
            mark = watched_since()
            try:
                with inside(self, sys._getframe()):
                    values: Sequence[Any] = self.branches[i]()
            except BaseException as error:
                note_exception(current_graph(), error)
                changed = self.world.changes()
                watched_since(mark)
                self.world.restore(changed)
                if ends_a_branch(error) or not isinstance(error, _PYTHONS):  # which traces the branch again
                    self._check_restored(changed)
                raise
            check_watched()
            self.changes[i] = self.world.changes()
            self.held_by[i] = Held.since(mark, *conditions)
            self.held += self.held_by[i]
            watched_since(mark)
            self.world.restore(self.changes[i])
            self._check_restored(self.changes[i])
            return values

        return run

    def settle(self, results: Sequence[Any], names: Sequence[str]) -> Settled:
        """The values of the variables, with those of the changed places behind them. `results`: one row a branch."""
        reached = [i for i, row in enumerate(results) if row is not UNREACHABLE]
        readers = [self._reader(i) for i in reached]
        bases, own = Bases(reached), [list(results[i])[: len(names)] for i in reached]
        ends = [[*row, *_values_of(self.changes[i])] for i, row in zip(reached, own, strict=True)]
        made = Made(self.world, ends, copies=not self.branches)

        def columns_of(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
            return [joined(values, self.world, readers, made, bases) for values in zip(*rows, strict=True)]

        columns = columns_of(own)
        changed = dict.fromkeys(holder for i in reached for holder in self.changes[i])
        ends_of = {holder: [read(holder) for read in readers] for holder in changed}
        longer = {h: elements_seen(found) for h, found in ends_of.items() if any(grows(h, found[0], c) for c in found)}
        if longer:
            raise Restart(Longer(longer))
        for holder, contents in ends_of.items():
            self.plans.append(self._planned(holder, contents))
        places = [place for plan in self.plans for place in plan.places]
        labels = [*names, *(place.path for place in places)]
        held = [[place.held(read(place.holder)) for place in places] for read in readers]
        columns += columns_of(held)
        growing = [n for n, place in enumerate(places) if place.holder.kind is TENSOR_LIST]
        self.copies = {id(row[n]) for row in held for n in growing}
        self.rows = [[*variables, *row] for variables, row in zip(own, held, strict=True)]
        if self.held.places:
            by_branch = [self.held_by.get(i, self.held) for i in reached]
            for values in zip(*self.rows, strict=True):
                found = (by.place_of(value) for by, value in zip(by_branch, values, strict=True))
                self.holding.append(next(filter(None, found), None))
        for value, branch in made.queue:  # which grows
            for holder in parts_to_carry(value):
                self._carry(holder, branch, readers, made, columns, labels)
        rows = {i: [column[n] for column in columns] for n, i in enumerate(reached)}
        return [rows.get(i, UNREACHABLE) for i in range(len(results))], labels

    def _carry(
        self, holder: Holder, branch: int, readers: Sequence[Reader], made: Made, columns: list[Any], labels: list[str]
    ) -> None:
        """Plans what an object holds that a branch has made; for the others it is not there."""
        places = [Place(holder, key) for key in holder.keys_of(holder.before)]
        for place in places:
            value = place.before
            if made.is_shared_array(value):
                raise self.refusal(holder)
            (own,) = joined([value], self.world, [readers[branch]], made)
            columns.append([own if i == branch else MISSING for i in range(len(readers))])
            labels.append(place.path)
            for i, row in enumerate(self.rows):
                row.append(value if i == branch else MISSING)
        self.plans.append(_Plan(holder, holder.before.copy(), places))

    def write(self, values: Sequence[Any]) -> None:
        """Puts the merged values, in the order in which `settle` gave them, into the objects: parts before wholes."""
        remaining = iter(values)
        for plan in self.plans:
            for place in plan.places:
                put(plan.contents, place.key, unwrapped(next(remaining)))
        for plan in reversed(self.plans):  # a list that grows takes over what its value of the branch holds
            plan.holder.write(plan.contents)

    def _reader(self, i: int) -> Callable[[Holder], Contents]:
        return lambda holder: self.changes[i].get(holder, holder.before)

    def _planned(self, holder: Holder, contents: Sequence[Contents]) -> _Plan:
        first = contents[0]
        if holder.kind.is_whole:
            if all(_equal(c, first) for c in contents):
                return _Plan(holder, first, ())
            raise self.refusal(holder)
        if holder.kind.form == "items":
            if any(len(c) != len(first) for c in contents):
                raise self.refusal(holder)
        else:
            keys = self._common_keys(holder, contents)
            first = {key: next(c[key] for c in contents if key in c) for key in keys}
        places = [Place(holder, key) for key in holder.keys_of(first)]
        places = [place for place in places if any(part(c, place.key) is not place.before for c in contents)]
        if holder.kind is not CELL:
            self._check_variables(holder, [[part(c, place.key) for c in contents] for place in places])
        return _Plan(holder, first.copy(), places)

    def _check_variables(self, holder: Holder, columns: Sequence[Sequence[Any]]) -> None:
        """A place of an object that one of several Variables is left in would hold a tensor of this trace for ever."""
        for values in columns:
            if any(isinstance(v, Variable) for v in values) and any(v is not values[0] for v in values):
                raise self.refusal(holder)

    def _common_keys(self, holder: Holder, contents: Sequence[Contents]) -> Sequence[Any]:
        first = contents[0]
        if all(list(c) == list(first) for c in contents):
            return list(first)
        keys = dict.fromkeys(key for c in contents for key in c)
        lacking = [key for key in keys if any(key not in c for c in contents)]
        if all(map(holder.can_lack, lacking)) and (order := holder.order(contents)) is not None:
            return order
        for c, label in zip(contents, self.labels, strict=False):
            for other in contents:
                lacking = [key for key in other if key not in c]
                if lacking and holder.kind is CELL:
                    raise self.refusal(holder)
                if lacking:
                    name, line = holder.path(lacking[0]), self._line(holder) or here()
                    if lacking[0] in holder.before:
                        raise StagingValueError(f"{name!r} is removed in the {label} branch only{line}. {KEEP_IT}")
                    raise StagingValueError(
                        f"{name!r} must also be initialized in the {label} branch{line}, or before the `if`: whether it"
                        " is there may not depend on a tensor"
                    )
        raise self.refusal(holder)

    def refusal(self, holder: Holder) -> StagingError:
        return refusal(holder, self.where, self._line(holder))

    def _line(self, holder: Holder) -> str:
        """The line that changed a holder first, found by running the branch once more."""
        for branch, changes in zip(self.branches, self.changes, strict=False):
            if holder in changes:
                found = again(branch, holder, self.world)
                if found:
                    return f" (at {found})"
        return ""

    def _check_restored(self, changes: dict[Holder, Contents]) -> None:
        for holder in changes:
            if not holder.is_put_back():
                raise refusal(holder, self.where, self._line(holder))


def _values_of(changes: dict[Holder, Contents]) -> Iterator[Any]:
    """What changed objects hold."""
    for holder, contents in changes.items():
        if holder.kind.form != "whole":
            yield from contents if holder.kind.form == "items" else contents.values()


def _equal(a: Any, b: Any) -> bool:
    try:
        return bool(a == b)
    except Exception:
        return False
