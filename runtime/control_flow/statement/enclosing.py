"""The staged statements within each other that are being traced, so that the outermost one learns at once.

    for i in range(n):
        for j in range(n):
            self.count()        # the inner loop finds that `self.calls` changes: the outer one must carry it, too

Each of them would find that out by itself, after it traced all that is inside of it: nested loops would be traced as
often as there are subsets of them. What an inner one finds is told to the outermost one that knows the object instead,
and that one is traced again; what a loop has found is remembered until it is traced the next time, as long as a
statement around it, or the trace, keeps the object: objects are known by their addresses, which others get afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextvars import ContextVar
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from autograph.contexts import binding
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.heap.holder import Holder, Place
from runtime.heap.store import World

__all__ = [
    "Statement", "decided_part", "holder_around", "innermost_frame", "inside", "is_reached", "is_repeated",
    "known_name", "places_around", "places_of", "remember_places", "tries_around", "was_there", "with_world_before",
    "world_before",
]  # fmt: skip


class Statement(Protocol):
    """A staged statement that is being traced."""

    @property
    def world(self) -> World:
        """What its code can reach."""
        ...


class Entry(NamedTuple):
    """A statement whose code is traced, which a frame calls. graph: of the trace; tried: whether it is a `try`, which
    may be traced again, but only by its own choice."""

    statement: Statement
    graph: Graph
    frame: FrameType
    tried: bool


_AROUND: Final[ContextVar[tuple[Entry, ...]]] = ContextVar("runtime.statements_around", default=())


def inside(statement: Statement, frame: FrameType, tried: bool = False) -> binding[Any]:
    """While code of a statement is traced, which is called from a frame."""
    return binding(_AROUND, (*_AROUND.get(), Entry(statement, current_graph().recording.root, frame, tried)))


def _around(tried: bool = False) -> list[Statement]:
    """The statements of this trace around, outermost first: the `try`s, or the others."""
    root = current_graph().recording.root
    return [entry.statement for entry in _AROUND.get() if entry.tried is tried and entry.graph is root]


def tries_around(holder: Holder) -> list[tuple[Statement, Holder]]:
    """The `try`s around that can reach an object, outermost first, each with its own holder of it."""
    known = [(tried, tried.world.at(holder.place)) for tried in _around(tried=True)]
    return [(tried, found) for tried, found in known if found is not None]


def places_around(places: Collection[tuple[Holder, Any]]) -> list[tuple[Statement, Place]]:
    """The statements around that can reach the objects of some places, outermost first, each with its own holders."""
    known = [(statement, statement.world.at(holder.place), key) for statement in _around() for holder, key in places]
    return [(statement, Place(holder, key)) for statement, holder, key in known if holder is not None]


def decided_part() -> str | None:
    """What the code that is being traced is a part of, in words, where a tensor decides whether, or how often, it runs.

    None outside of such parts.
    """
    entries = _AROUND.get()
    if not entries:
        return None
    graph = current_graph()
    if graph.recording.handling is not None:
        return "a handler of a `try`"
    if any(getattr(region, "risks", ()) for region in graph.recording.guards):
        return "the body of a `try`, after what may raise"
    found = _around()
    return getattr(found[-1], "where", "the body of a loop") if found else None


def known_name(value: Any) -> str | None:
    """How the user calls an object; None if no statement around reaches it."""
    return next((holder.label for world in _worlds() if (holder := world.find(value)) is not None), None)


def _worlds() -> Iterator[World]:
    for tried in (False, True):
        yield from (entry.statement.world for entry in _AROUND.get() if entry.tried is tried)


def holder_around(value: Any) -> Holder | None:
    """An object as the innermost statement around has it that can reach it, of those that a tensor decides about."""
    return next((holder for s in reversed(_around()) if (holder := s.world.find(value)) is not None), None)


def is_reached(value: Any) -> bool:
    """Whether a statement around, of this trace or one around it, can reach an object that can change."""
    return any(id(value) in entry.statement.world.by_owner for entry in _AROUND.get() if not entry.tried)


def is_repeated(value: Any) -> bool:
    """Whether each iteration of a loop that is being traced has the same object."""
    return any(loop.world.knows(value) for loop in _around() if not hasattr(loop, "where"))


def was_there(value: Any) -> bool:
    """Whether the innermost statement that is being traced could reach an object that can change when it began."""
    entry = _innermost()
    return entry is None or id(value) in entry.statement.world.by_owner


def _innermost() -> Entry | None:
    entries = _AROUND.get()
    return entries[-1] if entries and entries[-1].graph is current_graph().recording.root else None


def innermost_frame() -> FrameType | None:
    """The frame that called the code of the innermost statement; None outside of statements."""
    entry = _innermost()
    return None if entry is None else entry.frame


_BEFORE: Final[ContextVar[World | None]] = ContextVar("runtime.world_before_the_trace", default=None)


def world_before() -> World | None:
    """What the function that is being traced could reach before."""
    return _BEFORE.get()


def with_world_before(world: World) -> binding[Any]:
    """While a function is traced that can reach this."""
    return binding(_BEFORE, world)


_REMEMBERED: Final[WeakKeyDictionary[World, dict[Any, dict[tuple[Any, Any], None]]]] = WeakKeyDictionary()
"""For each loop (by its code): the places that it changes of the objects that a world holds."""


def remember_places(world: World, places: Iterable[Place]) -> None:
    """For the next time that a loop with this code is met where the objects are the same."""
    keepers = _keepers()
    for holder, key in places:
        keeper = next((keeper for keeper in keepers if keeper.at(holder.place) is not None), None)
        if keeper is not None:
            _REMEMBERED.setdefault(keeper, {}).setdefault(_code(world), {})[holder.place, key] = None


def places_of(world: World) -> list[Place]:
    """The places that a loop with this code changed before, of objects that are known to be there still."""
    code = _code(world)
    known = dict.fromkeys(place for keeper in _keepers() for place in _REMEMBERED.get(keeper, {}).get(code, ()))
    found = [(world.at(place), key) for place, key in known]
    return [Place(holder, key) for holder, key in found if holder is not None]


def _keepers() -> list[World]:
    """The worlds that keep objects alive where code is traced now: that before the trace, those of statements."""
    before, around = _BEFORE.get(), [statement.world for statement in _around()]
    return around if before is None else [before, *around]


def _code(world: World) -> tuple[CodeType, ...]:
    return tuple(function.__code__ for function in world.functions if isinstance(function, FunctionType))
