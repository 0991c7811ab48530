"""Variables of a loop that may be bound to one list, dict or object when an iteration ends: which ones is carried.

    for v in xs:
        cur = [*cur, v] if v > cur[-1] else [v]
        if len(cur) > len(best): best = cur      # `best` is the list of `cur`, or one of its own
        cur.append(0)                            # ... so that this is seen in `best`, or is not

Each variable carries what it holds as its own; one that may be bound to the object of an earlier one, or to one that is
there before the loop under other names, too, carries a number that says whose it has. Where the graph says that two
variables never have one object (`best = cur; cur = []`), there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from runtime import structures as nest
from runtime.control_flow.branches.possible import Condition, can_be
from runtime.control_flow.lists.grown import Grown
from runtime.control_flow.lists.tensor_list import TensorList
from runtime.control_flow.objects.refs import Choice, OneOf, can_be_chosen, objects_of, same_object, ways_to
from runtime.control_flow.optional.flags import all_of, both, negated
from runtime.control_flow.optional.values import inside_of, is_there, with_inside
from runtime.heap.store import World
from runtime.ops.records.record import REGISTRY

__all__ = ["Together", "is_object"]


@dataclass(eq=False)
class _Places:
    """Whose object a variable has, by number: its own (0), that of another variable, or one from before the loop."""

    sources: list[Any] = field(default_factory=list)

    def position(self, source: Any) -> int:
        """The number of a source, which may be new: the name of a variable, or the object itself."""
        for i, known in enumerate(self.sources):
            if known is source or (isinstance(source, str) and known == source):
                return i
        self.sources.append(source)
        return len(self.sources) - 1

    def restored(self, parts: Sequence[Any]) -> _Own:
        return _Own(*parts)


class _Own:
    """What a variable carries: what it holds as its own, and whose object it has."""

    __slots__ = ("held", "number")

    def __init__(self, held: Any, number: Any) -> None:
        self.held = held
        self.number = number


class Together:
    """See the module's docstring."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._places: dict[str, _Places] = {}
        self._stays: dict[int, Any] = {}
        """Objects from before the loop that have other names."""

    @property
    def names(self) -> Collection[str]:
        """The variables, in the order in which they came."""
        return self._places.keys()

    def add(self, names: Iterable[str]) -> bool:
        """From now on these belong to it. Whether some of them are new."""
        new = [name for name in names if name not in self._places]
        self._places |= {name: _Places([name]) for name in new}
        return bool(new)

    def find(self, before: Mapping[str, Any], ends: Mapping[str, Any], led_to: Container[int]) -> bool:
        """Finds whose object each of the variables may have. Whether there is anything new.

        before, ends: what variables are before the loop and when an iteration ends; led_to: the ids of objects from
        before the loop that have other names.
        """
        known = sum(len(places.sources) for places in self._places.values())
        for name in self._places:
            for value in objects_of(inside_of(before[name])):
                if id(value) in led_to:
                    self._stays[id(value)] = value
        for values, is_end in ((before, False), (ends, True)):
            for name, source, _ in self._sources(values, is_end):
                self._places[name].position(source)
        return sum(len(places.sources) for places in self._places.values()) > known

    def exact(self, values: Mapping[str, Iterable[Any]]) -> set[str]:
        """The variables that hold nothing that others may have, too: none of their values is an object in another."""

        def parts(name: str) -> Iterator[Any]:
            for value in values.get(name, ()):
                for one in objects_of(inside_of(value)):
                    yield from () if _grows(one) else map(inside_of, nest.parts_if_nested(one))

        return {name for name in self._places if not any(map(nest.is_nested, parts(name)))}

    # -- what is carried

    def ends(self, names: Sequence[str], values: Sequence[Any], held: list[Any], is_end: bool) -> list[Any]:
        """What is carried of variables when the loop begins, or after an iteration. held: what they hold then."""
        numbers: dict[str, Any] = {name: 0 for name, places in self._places.items() if len(places.sources) > 1}
        for name, source, flags in self._sources(dict(zip(names, values, strict=True)), is_end):
            if name in numbers and (place := self._places[name].position(source)):
                flag = all_of(flag() for flag in flags)
                numbers[name] = place if flag is True else REGISTRY["where"](flag, place, numbers[name])
        return [
            with_inside(part, OneOf(self._places[name], [inside_of(part), numbers[name]]))
            if name in numbers and is_object(inside_of(part))
            else part
            for name, part in zip(names, held, strict=True)
        ]

    def in_place_of(self, names: Sequence[str], values: Sequence[Any], own: Sequence[Any]) -> list[Any]:
        """The values, with what the variables hold as their own for these."""
        rows = zip(names, values, own, strict=True)
        return [part if name in self._places else value for name, value, part in rows]

    def own(self, values: Sequence[Any]) -> list[Any]:
        """What each variable holds as its own, of what is carried."""
        return [with_inside(value, inside_of(value).held) if _is_own(value) else value for value in values]

    def bound(self, names: Sequence[str], values: Sequence[Any]) -> list[Any]:
        """What each variable is bound to, of what is carried."""
        if not self._places:
            return list(values)
        own = self.own(values)
        held = {name: inside_of(value) for name, value in zip(names, own, strict=False) if name in self._places}
        return [
            with_inside(value, self._bound(name, value, held)) if _is_own(value) else value
            for name, value in zip(names, values, strict=False)
        ]

    def _bound(self, name: str, value: Any, held: Mapping[str, Any]) -> Any:
        objects = [held[source] if isinstance(source, str) else source for source in self._places[name].sources]
        objects = [one if is_object(one) else objects[0] for one in objects]  # which has none yet
        return Choice(by_number=True, sources=objects).at(inside_of(value).number)

    # -- whose object it is

    def _sources(self, values: Mapping[str, Any], is_end: bool) -> Iterator[tuple[str, Any, list[Callable[[], Any]]]]:
        """Each variable with whose object it may have, and flags that are all true where it is that one."""
        users: dict[int, list[tuple[str, Sequence[Condition]]]] = {}
        for name in self._places:
            for one, conditions in ways_to(values[name]):
                if not is_object(one):
                    continue
                rest: list[Callable[[], Any]] = [partial(_is, values[name], one)]
                if self._is_known(one, is_end):
                    yield name, one, rest
                    continue
                others = users.setdefault(id(one), [])
                for user in [user for user, own in others if can_be((*conditions, *own))]:
                    yield name, user, [*rest, partial(_is, values[user], one)]
                    rest.append(partial(_is_not, values[user], one))
                yield name, name, rest
                others.append((name, conditions))

    def _is_known(self, value: Any, is_end: bool) -> bool:
        return id(value) in self._stays or (is_end and self.world.knows(value))


def _is_own(value: Any) -> bool:
    return type(inside_of(value)) is _Own


def _is(value: Any, one: Any) -> Any:
    """Whether a variable is bound to an object."""
    return both(is_there(value), same_object(inside_of(value), one))


def _is_not(value: Any, one: Any) -> Any:
    return negated(_is(value, one))


def is_object(value: Any) -> bool:
    """Whether it is a list, dict or object that variables may have together."""
    return _grows(value) or can_be_chosen(value)


def _grows(value: Any) -> bool:
    return isinstance(value, TensorList | Grown)
