"""What the traces of a Function change in Python: that happens once a trace, not once a call, which is worth a warning.

    calls = []

    @runtime.function
    def f(x):
        calls.append(x)        # TraceEffectWarning: 'calls' is changed while 'f' is traced ...
        return x

What is found is not guarded, by this trace and by those that there are: else each trace would make the others stale.
"""

from __future__ import annotations

import warnings
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from runtime import structures as nest
from runtime.errors import TraceEffectWarning
from runtime.function.code_names import Lines, names_in
from runtime.function.leaves import is_input
from runtime.function.trace_protocol import TraceType, Typed

if TYPE_CHECKING:  # what traces is imported by the first trace
    from runtime.function.guards import Guards
    from runtime.heap.holder import Location
    from runtime.heap.store import World

__all__ = ["OwnEffects", "fixed_tensors"]

KEEP: Final = (
    "Keep it in a runtime.Variable, use runtime.print or runtime.py_function, or do it outside of the function."
)

COPY: Final = (
    "but that is a copy, because its tensors are inputs of the graph, and the caller's object stays as it was. Return"
    " it from the function, and use what is returned."
)


MOST_OF_OTHERS: Final = 8
"""What nothing seems to change while a function is traced so many times is changed by the function, out of sight."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has changed while a function was traced. own: by the function; foreign: one of those by another thread;
    set_up: a number or text that the function gave to a place where nothing was, which it reads before."""

    own: Set[Location]
    foreign: str
    set_up: str


class OwnEffects:
    """The effects of the traces of one Function."""

    def __init__(self, warned: set[str] | None = None) -> None:
        """warned: of what has been said already; shared by the Functions that a decorated method makes."""
        self.warned: set[str] = set() if warned is None else warned
        self._guards: list[weakref.ref[Guards]] = []
        self._of_others: Counter[str] = Counter()

    def begin(self, function: Any, arguments: Mapping[str, Any]) -> World:
        """To be called before a trace; for `end` after it."""
        from runtime.heap.store import World

        return World(function, objects=arguments)

    def end(
        self, world: World, name: str, called: Collection[FunctionType], known: Callable[[Any], bool]
    ) -> Changes:
        """What has changed since. Warns of it, once for each thing. called: the functions that ran; known: whether each
        run changes an object as the trace has."""
        from runtime.function.changed_places import foreign_keys, places_of, set_up

        changed: set[Location] = set()
        foreign, first, lines = "", "", Lines(called)
        for holder, now in world.changes().items():
            if known(holder.owner):
                continue
            others = [holder.path(key) for key in foreign_keys(holder, now, called)]
            if others and self._of_others[others[0]] < MOST_OF_OTHERS:
                self._of_others[others[0]] += 1
                foreign = others[0]
                continue
            changed.update(holder.locations(now))
            first = first or next(set_up(holder, now, called), "")
            places = [place for place in places_of(holder, now) if place not in self.warned]
            self.warned.update(places)
            for place in places:
                remedy = holder.kind.remedy or KEEP
                once = f"{holder.kind.happens} once for each trace, not once for each call"
                _warn(f"{place!r} is changed while {name!r} is traced: {once}. {remedy}", place, lines)
        return Changes(changed, foreign, first)

    def add(self, guards: Guards, changes: Changes) -> None:
        """The guards of a trace that has changed this, which none of the traces guards from now on. The world that it
        was found in must be alive."""
        changed = changes.own
        if changes.foreign:
            guards.distrust(f"{changes.foreign!r}, which another thread changed while it was traced,")
        if changes.set_up:
            guards.distrust(f"{changes.set_up!r}, which the first call set,", from_the_next_call=True)
        known = [(find, other) for find in self._guards if (other := find()) is not None]
        if changed:
            for other in (guards, *(other for _, other in known if not other.hold())):
                other.leave_out(changed)
        self._guards = [*(find for find, _ in known), weakref.ref(guards)]

    def warn_of_copies(self, places: Iterable[str], name: str, called: Iterable[FunctionType]) -> None:
        """Warns, once for each, of the caller's structures that the function would change in plain Python."""
        lines = Lines(called)
        for place in places:
            if place not in self.warned:
                self.warned.add(place)
                _warn(f"{place!r} is changed while {name!r} is traced: {COPY}", place, lines)

    def warn_of_fixed(self, places: Iterable[tuple[str, Any]], name: str, called: Iterable[FunctionType]) -> None:
        """Warns, once for each, of tensors that a trace keeps for all objects of a TraceType."""
        lines = Lines(called)
        for place, trace_type in places:
            if place not in self.warned:
                self.warned.add(place)
                where = lines.using(place.rpartition(".")[2])
                text = (
                    f"{place!r} is a tensor that the trace of {name!r} keeps, for all objects of the TraceType"
                    f" {trace_type!r}: that type alone chooses the trace. Pass the tensor as an argument of its own, or"
                    " let the TraceType hold and compare it."
                )
                warnings.warn_explicit(text, TraceEffectWarning, where.filename, where.lineno)


def _warn(message: str, place: str, lines: Lines) -> None:
    where = lines.changing(place.rpartition(".")[2].partition("[")[0])
    warnings.warn_explicit(message, TraceEffectWarning, where.filename, where.lineno)


# -- tensors of objects with a TraceType of their own


def fixed_tensors(arguments: Mapping[str, Any], called: Iterable[FunctionType]) -> list[tuple[str, Typed]]:
    """The tensors that a trace keeps because they came in an object with a TraceType of its own, how they are reached,
    and the object: those that the functions `called` by the trace name.

    A TraceType that holds the object or the tensor compares it, so that nothing is lost; so does one that says what
    stands for the object (`placeholder_value`).
    """
    found = [
        (name + path, typed)
        for name, value in arguments.items()
        for path, typed in nest.flatten_with_paths(value)
        if type(typed) is Typed and typed.has_value and _stands_for_itself(typed.type)
    ]
    if not found:
        return []
    named = frozenset().union(*(names_in(function.__code__).attributes for function in called))
    return [(f"{path}.{name}", typed) for path, typed in found for name in _tensors_of(typed) if name in named]


def _stands_for_itself(trace_type: TraceType) -> bool:
    return getattr(type(trace_type), "placeholder_value", None) is TraceType.placeholder_value


def _tensors_of(typed: Typed) -> list[str]:
    """The attributes of an object that are tensors, arrays or Variables which its TraceType does not hold."""
    compared = {id(value) for value in getattr(typed.type, "__dict__", {}).values()}
    if id(typed.value) in compared:
        return []
    own = getattr(typed.value, "__dict__", {})
    return [name for name, value in own.items() if is_input(value) and id(value) not in compared]
