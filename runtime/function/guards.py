"""Guards: what a trace took from Python besides its arguments, and whether that is still so.

    RATE = 0.5

    @runtime.function
    def step(x):
        return x * RATE          # a number of the trace; guarded: when RATE is another one, step is traced anew

Guarded are the globals and the closure variables that the traced functions name, and the attributes that they name, of
the objects, classes and modules of the user that can be reached from there and from the arguments. They are looked at
after the trace, so what the function itself changes while it is traced does not make the trace stale. Objects are
compared by identity, numbers and the like by value, containers by what they hold. So is what it was told of the place
where it is called: the strategy of `runtime.distribute`, for instance.

A check is generated code, a few hundredths of a microsecond for each name; only when it fails are the values compared
one by one. It keeps no object of the user's alive, but for arguments that cannot be held weakly.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from types import FunctionType, MappingProxyType
from typing import Any, Final, cast

from autograph.operators.observation import tell_guard
from runtime.engine.made_code import code_of
from runtime.engine.short_calls import Test
from runtime.function.code_names import Lines
from runtime.function.guarded_places import CLOSURE, FAILED, GETATTR, IN_DICT, MISSING, NAMESPACE, Place, Source, Walk
from runtime.function.snapshots import Method, Plain, Reference, Snapshot
from runtime.heap.holder import Location

__all__ = ["Guards"]

MOST_TESTS: Final = 100
FOUND: Final = (Reference, Method)
"""What knows an object, and finds it."""
TESTED: Final = {NAMESPACE: "names", IN_DICT: "attributes", GETATTR: "code", CLOSURE: "cells"}
"""The kinds of `runtime.engine.short_calls.Test`, by the ways to read places."""


class Guards:
    """The guards of one trace."""

    def __init__(
        self,
        functions: Sequence[FunctionType],
        roots: Mapping[str, Any],
        asked: Mapping[str, tuple[Callable[[], Any], Any]] = MappingProxyType({}),
        places: Iterable[tuple[str, Callable[[], Any], Snapshot]] = (),
    ) -> None:
        """functions: those of the user that ran in the trace. roots: objects among its arguments, by name. asked: what
        it was told of the place where it is called (`runtime.graph.trace_state`). places: what else it has found, in
        words, how that is read, and what it was."""
        self._functions = [weakref.ref(function) for function in functions]
        walk = Walk(functions)
        for name, (ask, answer) in asked.items():
            walk.answer(name, ask, answer)
        for label, value in roots.items():
            walk.enter(value, label)
        for words, read, snapshot in places:
            walk.place(words, read, snapshot)
        walk.finish()
        self._doubt: str | None = None
        self.hold_for_first_call = False
        self.hold: Callable[[], bool] = _always
        """Whether nothing has changed, as far as identity tells; if not, `changed` has the last word."""
        self._set(walk.sources)

    def distrust(self, words: str, from_the_next_call: bool = False) -> None:
        """From now on they do not hold: nobody knows what the trace has read there. from_the_next_call: the call that
        the trace was made for has found what it has read."""
        self._doubt = words
        self.hold_for_first_call = from_the_next_call
        self.hold = _never

    def leave_out(self, changed: Set[Location]) -> None:
        """Guards no longer what a trace of the same Function has changed itself; its objects must be alive."""
        alive = [source for source in self._state[0] if not source.is_gone]
        self._set([replace(s, places=[p for p in s.places if changed.isdisjoint(s.locations(p))]) for s in alive])

    def locations(self) -> dict[Location, Place]:
        """What concerns them, as things are now, each with its place."""
        places = [(source, place) for source in self._state[0] if not source.is_gone for place in source.places]
        return {found: place for source, place in places for found in source.locations(place)}

    def _set(self, sources: Sequence[Source]) -> None:
        sources = [source for source in sources if source.places and not source.is_gone]
        plain: list[Any] = []
        self._state = sources, plain
        """The places, and the numbers and such as they were last seen: another object of the same value is put in its
        place. Both are exchanged together, for other threads may be looking."""
        hold = _compiled(sources, plain) if sources else _always
        self.hold = hold if self._doubt is None else _never

    def tests(self) -> list[Test] | None:
        """What `hold` asks, or more than that, for who asks it in another way, as long as `hold` is the same function;
        None for what is not of the kinds of `Test`, or too much."""
        found: list[Test] = []
        sources, plain = self._state
        values = iter(list(plain))
        for source in sources:
            for place in source.places:
                snapshot = place.snapshot
                if source.way not in TESTED or type(snapshot) not in (Plain, *FOUND) or len(found) == MOST_TESTS:
                    return None
                if source.way is GETATTR and place.key != "__code__":
                    return None
                wanted = None if type(snapshot) is Plain else cast("Reference | Method", snapshot).find
                value = next(values, None) if wanted is None else None
                found.append(Test(TESTED[source.way], source.handle, place.key, value, wanted))
        return None if self._doubt is not None else found

    def changed(self) -> str | None:
        """What is not as the trace has seen it, in words; None if all is."""
        if self._doubt is not None:
            return self._doubt
        sources, known = self._state
        plain = []
        for source in sources:
            for place in () if source.is_gone else source.places:
                now = source.read(place.key)
                if now is MISSING or not place.snapshot.same(now):
                    return place.words
                if type(place.snapshot) is Plain:
                    plain.append(now)
        if any(source.is_gone for source in sources):
            self._set(sources)
        else:
            known[:] = plain
        return None

    def changed_locations(self) -> set[Location]:
        """What concerns the places that are not as the trace has seen them."""
        alive = [source for source in self._state[0] if not source.is_gone]
        places = [(source, place, source.read(place.key)) for source in alive for place in source.places]
        changed = [(s, p) for s, p, now in places if now is not MISSING and not p.snapshot.same(now)]
        return {found for source, place in changed for found in source.locations(place)}

    def tell(self) -> None:
        """Tells `autograph.explain` of each guard, by the line that looks it up."""
        lines = Lines(function for find in self._functions if (function := find()) is not None)
        for words in self:
            tell_guard(words, lines.using(words.split("'")[1].rpartition(".")[2]))

    def __iter__(self) -> Iterator[str]:
        """What is guarded, in words; that all functions keep their code goes without saying."""
        return (place.words for source in self._state[0] for place in source.places if place.key != "__code__")


def _compiled(sources: Sequence[Source], plain: list[Any]) -> Callable[[], bool]:
    """The quick check; `plain` gets the numbers and such."""
    lines = ["def hold():", "    try:"]
    names: dict[str, Any] = {"plain": plain, "FAILED": FAILED}
    for i, source in enumerate(sources):
        names[f"h{i}"] = source.handle
        lines.append(f"        d = {source.way.found.replace('h', f'h{i}', 1)}")
        tests = []
        for j, place in enumerate(source.places):
            value, snapshot = source.way.part(place.key), place.snapshot
            if type(snapshot) is Plain:
                tests.append(f"{value} is not plain[{len(plain)}]")
                plain.append(snapshot.value)
            elif type(snapshot) is Reference:
                names[f"s{i}_{j}"] = snapshot.find
                tests.append(f"(v := {value}) is None or v is not s{i}_{j}()")  # None: what a dead reference gives
            elif type(snapshot) is Method:
                names[f"s{i}_{j}"], names[f"t{i}_{j}"] = snapshot.find, snapshot.same
                tests.append(f"(v := {value}) is not s{i}_{j}() and not t{i}_{j}(v)")
            else:
                names[f"s{i}_{j}"] = snapshot.same
                tests.append(f"not s{i}_{j}({value})")
        lines += [f"        if {' or '.join(part)}: return False" for part in _chunks(tests)]
    lines += ["    except FAILED:", "        return False", "    return True"]
    lines[0] = f"def hold({', '.join(f'{name}={name}' for name in names)}):"
    exec(code_of("\n".join(lines), "<guards>"), names)
    return names["hold"]


def _always() -> bool:
    return True


def _never() -> bool:
    return False


def _chunks(tests: list[str]) -> list[list[str]]:
    """A condition of thousands of operands would nest too deep for the compiler."""
    return [tests[i : i + 50] for i in range(0, len(tests), 50)]
