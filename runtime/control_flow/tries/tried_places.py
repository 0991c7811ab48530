"""Places of objects that the body of a `try` changes: `items[0] = x`, `self.count += 1`, a list that grows.

    try:
        items[0] = x             # a place of `items`: what it holds is remembered where an exception may come, ...
        y = check(x)
    except ValueError:
        y = items[0]             # ... and a handler begins with that

They are found by looking at the objects, at each operation that can raise, and carried beside the variables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import numpy as np

from autograph.errors import StagingError
from runtime.control_flow.branches.refused import as_memory
from runtime.control_flow.lists.promotion import Longer, can_grow, grows
from runtime.control_flow.optional.values import MaybeUndefined, is_absent
from runtime.control_flow.statement.state import NO_KEY, State
from runtime.control_flow.tries.regions import Risk
from runtime.control_flow.tries.remembered import Memory
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.heap.arrays import BUFFER
from runtime.heap.holder import Contents, Holder, Place, with_values
from runtime.heap.store import World
from runtime.heap.variables import CELL, GLOBAL
from runtime.restarts import Restart
from runtime.tensor.eager import EagerTensor

__all__ = ["BODY", "Places", "changed_before", "refusal_in_try"]

BODY: Final = "the body of a `try`"


class Places:
    """The places that code changes of the objects in `world`, but for the variables of `state`.

    besides: places that are variables, too.
    """

    def __init__(self, world: World, state: State, besides: Iterable[Place] = ()) -> None:
        self.world = world
        self._besides = frozenset(place for place in besides if place.key is not NO_KEY)
        self.noted: list[dict[str, Any]] = []
        """What was changed where something may raise."""
        self._unkept: set[tuple[str, int]] = set()
        self._names: dict[Place, str] = {}
        self._places: dict[str, Place] = {}
        self._taken = set(state.names)
        self._variables = {
            id(cell)
            for function in world.scopes
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            if name in self._taken
        }
        self._globals = {(id(function.__globals__), name) for function in world.scopes for name in state.names}

    def note(self) -> dict[str, Any]:
        """`changed`, where something may raise."""
        self.noted.append(self.changed())
        return self.noted[-1]

    def changed(self) -> dict[str, Any]:
        """What changed places hold now, by names for them. What has no static structure has a value of no kind."""
        found: dict[str, Any] = {}
        for holder, now in self.world.changes().items():
            if self._is_variable(holder):
                continue
            if grows(holder, holder.before, now) or not holder.can_carry(holder.before, now):
                found[self._name(Place(holder, _WHOLE))] = _WHOLE
                continue
            for place in holder.changed(holder.before, now):
                if place not in self._besides:
                    found[self._name(place)] = _held(place, now)
        return found

    def ends(self) -> dict[Holder, Contents]:
        """What the objects hold that have changed."""
        found = {h: now for h, now in self.world.changes().items() if not self._is_variable(h)}
        return {h: now for h, now in found.items() if not self._is_besides(h, now)}

    def back(self, state: State, initial: Sequence[Any]) -> None:
        """All is what it was before: the objects, for elements among the variables may not be there, and then those."""
        self.world.restore()
        state.put(tuple(initial))

    def at_raise(self, graph: Graph, memory: Memory, names: Sequence[str], where: str) -> dict[Holder, Contents]:
        """What the objects hold where an exception comes that `graph` handles. names: of what may be changed there.

        Raises Restart for a list that has another length there; StagingError for what has no static structure.
        """
        places = {name: self._places[name] for name in names if name in self._places}
        wholes = [place.holder for place in places.values() if place.key is _WHOLE]
        if wholes:
            longer = dict.fromkeys(filter(can_grow, wholes))
            raise Restart(Longer(longer)) if wholes[0] in longer else refusal_in_try(wholes[0], where)
        unkept = {name for name, _ in self._unkept}

        def recalled(name: str, place: Place) -> Any:
            try:
                if name in unkept:
                    raise LookupError(name)
                found = memory.recall(graph, name, _held(place, place.holder.before))
            except LookupError:
                return Uncertain(name, str(refusal_in_try(place.holder, where)))
            if type(found) is MaybeUndefined and not is_absent(found):
                found.placeholder = place.holder.absent(place.key)
            return found

        return with_values((place, recalled(name, place)) for name, place in places.items())

    def set_unkept(self, since: int, names: Iterable[str], changed: Collection[str]) -> None:
        """From number `since` of what was noted on, these places are known, but no memory has what is `changed`."""
        left_out = frozenset(names)
        self._unkept = {(name, i) for name, i in self._unkept if i < since or name not in left_out}
        self._unkept |= {(name, since) for name in left_out if name in changed}

    def holder_of(self, name: str) -> Holder:
        """The object that a name is of."""
        return self._places[name].holder

    def _name(self, place: Place) -> str:
        """A name that no variable has."""
        name = self._names.get(place)
        if name is None:
            name = place.holder.label if place.key is _WHOLE else place.path
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self._names[place], self._places[name] = name, place
        return name

    def _is_besides(self, holder: Holder, now: Contents) -> bool:
        if not self._besides or not holder.can_carry(holder.before, now):
            return False
        return self._besides.issuperset(holder.changed(holder.before, now))

    def _is_variable(self, holder: Holder) -> bool:
        if holder.kind is CELL:
            return id(holder.owner) in self._variables
        return holder.kind is GLOBAL and (id(holder.owner[0]), holder.owner[1]) in self._globals


def _held(place: Place, contents: Contents) -> Any:
    """Its value; a tensor for memory of which Python knows what is in it, for that is no object to be kept."""
    value = place.held(contents)
    return EagerTensor(value) if place.holder.kind is BUFFER and isinstance(value, np.ndarray) else value


def changed_before(risks: Sequence[Risk]) -> list[str]:
    """The variables and places that may have changed before something raises."""
    return list(dict.fromkeys(name for risk in risks for name in sorted(risk.changed)))


def refusal_in_try(holder: Holder, where: str) -> StagingError:
    """For an object that `where`, the body of a `try` or the like, changes so that a graph cannot carry it."""
    as_memory(holder)
    return StagingError(
        f"{holder.described()} is changed in place inside {where} around staged code{here()}: an exception that only"
        " the run knows may come before or after that, and what it holds there has no static structure."
        f" {holder.kind.remedy or _REMEDY}"
    )


_WHOLE = object()
"""The key of a place that stands for all of an object, and its value."""

_REMEDY = (
    "Assign (`items = items + [x]`, `o.count = o.count + 1`), or keep what happened in a variable and change the object"
    " in the `else` of the `try` or after it"
)
