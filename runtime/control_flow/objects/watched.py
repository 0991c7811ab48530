"""Objects that may not change in place any more, until the trace ends, because a change would be lost for other names.

    row = [x, y]
    rows.append(row)      # `rows` grows in the graph and holds the tensors of the row: watch(row, why)
    row[0] = 0            # check_watched() refuses that: in Python it would change rows[0] too

An object is watched from a certain point of the trace. What a branch or loop body watched ends with it, for the
next branch starts where this one did; what it put into a list is watched anew after the statement (`Held`).
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.context import current_recorder, outwards
from runtime.control_flow.branches.known import assumed
from runtime.control_flow.branches.possible import Condition, can_be
from runtime.control_flow.objects.maybe_contents import MaybeContainer
from runtime.control_flow.objects.refs import Ref, ways_to
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph
from runtime.graph.location import user_location
from runtime.ndarrays.restart import restart
from runtime.ndarrays.traced import TracedArray

__all__ = [
    "CHOSEN", "IN_A_LIST", "Held", "can_change", "check_watched", "contents_of", "differ", "forget",
    "is_copy_of_one", "note_changes", "undo_all", "unwatch", "watch", "watch_element", "watch_parts",
    "watched_elements", "watched_since",
]  # fmt: skip

T = TypeVar("T")

IN_A_LIST: Final = (
    "a list, dict or object is an element of a list that grows in the graph, where its values are kept and not itself"
)

CHOSEN: Final = (
    "a tensor decides which of several lists, dicts or objects this is, and other names or containers refer to them,"
    " so that the graph has a copy"
)
_WRITE_INTO_IT: Final = (
    "Write the element where it is (`grid[i][j] = x`), keep the numbers in a tensor (runtime.stack), or copy the"
    " objects before"
)
_COPY: Final = "Make a copy before the statement, or change it before"

Undo = Sequence[Callable[[], None]]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A watched object. undo: how to take back what made it one."""

    value: Any
    contents: Sequence[Any]
    why: str
    undo: Undo
    place: Any
    conditions: tuple[Condition, ...] = ()
    """Scalars, and what they are in the runs in which it must not change."""
    later: dict[Any, Sequence[Any]] = field(default_factory=dict)
    """By the graph, its contents after a statement there that changed it in other runs."""

    def is_lost(self) -> bool:
        """Whether a change of it was lost in a run."""
        graphs = outwards(current_recorder()) if self.later else ()
        before = next((self.later[graph] for graph in graphs if graph in self.later), self.contents)
        if not differ(contents_of(self.value), before):
            return False
        return not self.conditions or can_be((*self.conditions, *assumed(current_recorder())))


_WATCHED: Final[PerTrace[list[_Entry]]] = PerTrace(list)


def watch(
    value: Any, why: str, undo: Undo = (), place: Any = None, conditions: tuple[Condition, ...] = ()
) -> None:
    """From here to the end of this trace the contents of a list, dict, array or object must not change.

    place: the line that makes it so, if it is not the one that the program is at. conditions: scalars, and what they
    are in the runs for which that holds.
    """
    _WATCHED.here().append(_Entry(value, contents_of(value), why, undo, place or user_location(), conditions))


def watch_element(element: T) -> T:
    """Watches what can change in an element of a list that grows: one that was put into it, or taken from it."""
    if not isinstance(current_recorder(), Graph):
        return element
    watch_parts(element, IN_A_LIST)
    return element


def watch_parts(whole: Any, why: str, place: Any = None, conditions: tuple[Condition, ...] = ()) -> None:
    """Watches what can change in a value."""
    for one, own in ways_to(whole):
        for value in nest.walked([one], _parts):
            if can_change(value):
                watch(value, why, place=place, conditions=(*conditions, *own))


def _parts(value: Any) -> Sequence[Any]:
    if hasattr(type(value), "__ag_view__"):
        return ()
    return value._ag_objects if type(value) is Ref else nest.parts_if_structure(value)


def check_watched() -> None:
    """Raises StagingError if a watched object was changed."""
    for entry in _WATCHED.here():
        if entry.is_lost():
            if entry.why is CHOSEN:
                restart(entry.value)
            remedy = _WRITE_INTO_IT if entry.why is CHOSEN else _COPY
            what = "it or one of them" if entry.why is CHOSEN else "it"
            named = "" if entry.why is CHOSEN else ", under a name of the old object"
            raise StagingError(
                f"{entry.why} (at {entry.place}); {what} was changed in place after that{named}. {remedy}"
            )


def note_changes() -> None:
    """After a statement whose parts have been checked: what has changed did so in other runs than those that matter."""
    for entry in _WATCHED.here():
        if entry.conditions and differ(now := contents_of(entry.value), entry.contents):
            entry.later[current_recorder()] = now


def is_copy_of_one(value: Any) -> bool:
    """Whether it is a copy of one of several objects, to which other names refer."""
    return any(entry.value is value and entry.why is CHOSEN for entry in _WATCHED.here())


def watched_elements() -> list[Any]:
    """What is, or was, an element of a list that grows."""
    return [entry.value for entry in _WATCHED.here() if entry.why is IN_A_LIST]


def forget(element: Any) -> bool:
    """An element of a list that was written to is put back into it. Whether it was watched as one, and has changed."""
    entries = _WATCHED.here()
    own = [entry for entry in entries if entry.value is element and entry.why is IN_A_LIST]
    changed = any(differ(contents_of(element), entry.contents) for entry in own)
    entries[:] = [entry for entry in entries if not any(entry is one for one in own)]
    return changed


def unwatch(value: Any) -> None:
    """An object may change again, and what made it one that may not is not taken back any more."""
    entries = _WATCHED.here()
    entries[:] = [entry for entry in entries if entry.value is not value]


def watched_since(mark: int | None = None) -> int:
    """How many objects are watched. `mark`: forget those beyond the first so many, and undo what made them so."""
    entries = _WATCHED.here()
    if mark is not None:
        for entry in reversed(entries[mark:]):
            undo_all(entry.undo)
        del entries[mark:]
    return len(entries)


class Since(NamedTuple):
    """Why an object is watched, since which line, and in which runs."""

    why: str
    line: Any
    conditions: tuple[Condition, ...]

    @property
    def runs(self) -> tuple[tuple[int, bool | int], ...]:
        """The conditions as a key."""
        return tuple((id(scalar), value) for scalar, value in self.conditions)


@dataclass(frozen=True, slots=True)
class Held:
    """Objects that a branch or loop body put into lists, or chose, each with the reason and the line that did it.

    Each stands there once for a reason, however many statements in the body have watched it anew.
    """

    places: tuple[tuple[Any, Since], ...] = ()

    @staticmethod
    def since(mark: int, *conditions: Condition) -> Held:
        """Those beyond the first so many of the watched objects. conditions: of a branch, its selector and what that is
        there."""
        kept = [entry for entry in _WATCHED.here()[mark:] if entry.why in (IN_A_LIST, CHOSEN)]
        return Held(_once((e.value, Since(e.why, e.place, (*e.conditions, *conditions))) for e in kept))

    def in_any_run(self) -> Held:
        """The same where nothing is known of the runs: tensors of a body are others in each iteration."""
        return Held(_once((value, since._replace(conditions=())) for value, since in self.places))

    def __add__(self, other: Held) -> Held:
        return Held(_once((*self.places, *other.places)))

    def place_of(self, value: Any) -> Since | None:
        """Why and since which line a value, or a part of it, is watched; None if it is not."""
        if not self.places:
            return None
        known: dict[int, list[Since]] = {}
        for held, place in self.places:
            known.setdefault(id(held), []).append(place)
        for one, own in ways_to(value):
            for part in nest.walked([one], _parts):
                for place in known.get(id(part), ()):
                    if can_be((*own, *place.conditions)):
                        return Since(place.why, place.line, (*own, *place.conditions))
        return None

    def watch(self, values: Sequence[Any], places: Sequence[Since | None]) -> None:
        """After the statement: watches them again, and the values of variables that stand for them (with a place)."""
        new = ((value, place) for value, place in zip(values, places, strict=False) if place is not None)
        for value, place in _once((*self.places, *new)):
            watch_parts(value, *place)


def _once(places: Iterable[tuple[Any, Since]]) -> tuple[tuple[Any, Since], ...]:
    """Without those of which a later one says the same of the same object."""
    return tuple({(id(value), place.why, place.runs): (value, place) for value, place in places}.values())


def undo_all(steps: Undo) -> None:
    """Takes steps back, the last one first."""
    for step in reversed(steps):
        step()


def can_change(value: Any) -> bool:
    """Whether it is a list (also one that grows in a graph), dict, array or object that can be changed in place."""
    if hasattr(type(value), "__ag_view__"):  # a list in another one, which sees its changes
        return False
    kind = type(value)
    if isinstance(value, dict | list | np.ndarray | TracedArray | MaybeContainer):
        return True
    if hasattr(kind, "handles_as") or hasattr(kind, "with_rows"):  # a container that grows
        return True
    parameters = getattr(type(value), "__dataclass_params__", None)
    return nest.has_fields(value) and not (parameters is not None and parameters.frozen)


def differ(now: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether contents are others than before."""
    if len(now) != len(before):
        return True
    is_same = lambda a, b: a is b or (type(a) is type(b) is bytes and a == b)
    return not all(map(operator.is_, now, before)) and not all(map(is_same, now, before))


def contents_of(value: Any) -> Sequence[Any]:
    """What an object that can change holds now."""
    if type(value) is list:  # the most, and looked at after each statement
        return value.copy()
    if isinstance(value, MaybeContainer):
        value = value.contents
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, np.ndarray):
        return [value.tobytes()]
    if isinstance(value, TracedArray):
        contents = [buffer.content for buffer in value.buffers]
        return [content.tobytes() if isinstance(content, np.ndarray) else content for content in contents]
    if hasattr(value, "handles"):  # a list that grows
        return value.handles
    if nest.has_fields(value):
        return [*(part for _, part in nest.children(value)), *getattr(value, "__dict__", {}).values()]
    return list(value)
