"""The traces of one Function: found by the key of a call, exactly or as the most specific of the more general ones.

traces for [1, None] and [None, None]:   a tensor of shape [1, 2] uses the first, [2, 2] the second
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar

from runtime.engine.short_calls import Short, missed
from runtime.function.trace_lock import TraceLock
from runtime.function.trace_types import Key, Specs, is_alike, is_dead, is_subtype

__all__ = ["TraceCache"]

T = TypeVar("T")
Structure = tuple[Any, ...]

MOST_REPLACED: Final = 7
"""So many traces for one key are kept beside the one that is used."""

REMEMBERED: Final = 1024
"""So many keys that a more general trace serves are remembered. A Function may meet a new length in every call."""


class TraceCache(Generic[T]):
    """Traces by key. Looking up takes no lock; `get_or_make` makes a trace once, also if many threads ask for it.

    While a trace is made only `_making` is held, which other threads that make one wait for (see `trace_lock`).
    """

    def __init__(self) -> None:
        self.made = 0
        """How many traces there have been."""
        self.retraced = 0
        """How many of them took the place of others."""
        self.by_identity = False
        """Whether it counts which Variables and objects a trace was made for, because some trace depends on that."""
        self.quick: dict[Any, T] = {}
        """Traces by whatever the caller can look up fastest; emptied when a new trace may be a better answer."""
        self.short: Short = missed
        """The shortest way to the trace of the calls that come most often; gone when `quick` is emptied."""
        self._exact: dict[Key, T] = {}
        self._served: dict[Key, T] = {}
        self._similar: dict[Structure, tuple[Structure, list[Specs]]] = {}
        """By structure: the very object that the keys of `_exact` hold (it must be found when it equals nothing any
        more, itself excepted), and the tensors of its traces."""
        self._replaced: dict[Key, list[T]] = {}
        """Traces that were exchanged for others, the latest last: what they took from Python may be so again."""
        self._making = TraceLock()
        self._lock = threading.RLock()
        self._deaths: list[Any] = []
        self._is_changing = False
        """Whether the thread that has the lock is in the midst of a change."""

    def died(self, reference: Any) -> None:
        """To be called when an object that a key holds weakly is gone, in any thread and at any moment.

        The traces for it are dropped, at once unless some are being added: what they hold, Variables for instance, is
        not kept longer than the object.
        """
        self._deaths.append(reference)
        if self._lock.acquire(blocking=False):
            try:
                if not self._is_changing:  # else this very thread is interrupted here, and does it afterwards
                    self._forget_dead()
            finally:
                self._lock.release()

    def find(self, key: Key) -> T | None:
        """The trace for calls with this key, or None."""
        trace = self._exact.get(key)
        if trace is None:
            trace = self._served.get(key)
        return trace

    def exactly(self, key: Key) -> T | None:
        """The trace that was made for just this key, or None."""
        return self._exact.get(key)

    def served(self, key: Key) -> T | None:
        """The trace for calls with this key, or the most specific one for more general types, or None."""
        trace = self.find(key)
        if trace is None:
            with self._lock:
                trace = self._most_specific(key)
                if trace is not None:
                    _remember(self._served, key, trace)
        return trace

    def get_or_make(self, key: Key, make: Callable[[], tuple[Key, T]], exact: bool) -> T:
        """The trace for a key; if there is none, `make()`, which says what key it made the trace for.

        exact: a more general trace is no answer. What `make` raises passes, and nothing is kept.
        """
        with self._making.turn():
            with self._lock, self._changing():
                self._forget_dead()
                trace = self._exact.get(key)
                if trace is None and not exact:
                    trace = self._most_specific(key)
                    if trace is not None:
                        _remember(self._served, key, trace)
            if trace is not None:
                return trace
            made_for, trace = make()
            with self._lock, self._changing():
                trace = self._add(made_for, trace)
                if key not in self._exact:
                    _remember(self._served, key, trace)
                self._forget_dead()
        return trace

    def exchange(self, key: Key, stale: T, is_valid: Callable[[T], bool], make: Callable[[], T]) -> T:
        """A valid trace in the place of `stale`, which was made for this key; if none is left from before, `make()`.

        What `make` raises passes, and nothing changes.
        """
        with self._making.turn():
            current = self._exact.get(key)
            if current is not None and current is not stale and is_valid(current):
                return current  # another thread was quicker
            known = next((other for other in list(self._replaced.get(key, ())) if is_valid(other)), None)
            trace = make() if known is None else known
            with self._lock, self._changing():
                others = self._replaced.setdefault(key, [])
                if known is None:
                    self.made += 1
                    self.retraced += 1
                others[:] = [other for other in others if other is not trace]
                current = self._exact.get(key)
                if current is not None and current is not trace:
                    others.append(current)
                    del others[:-MOST_REPLACED]
                self._put(key, trace)
        return trace

    def clear(self) -> None:
        """Drops all traces, without waiting; what is being traced just now is kept when it is done."""
        with self._lock:
            with self._changing():
                dropped = self._exact, self._served, self._similar, self._replaced
                self._exact, self._served, self._similar, self._replaced = {}, {}, {}, {}
                self._forget_ways()
            del dropped  # their objects may die now, and with them other traces

    def kept(self) -> int:
        """How many traces there are, with those that were exchanged and may be of use again."""
        return len(self._exact) + sum(map(len, list(self._replaced.values())))

    def remember(self, quick: Any, trace: T) -> None:
        """Keeps `quick` as a short way to a trace, unless that has been dropped since it was found."""
        with self._keeping(trace) as is_kept:
            if is_kept:
                _remember(self.quick, quick, trace)

    def shorten(self, short: Short, trace: T) -> None:
        """Has the shortest way to a trace be this one, unless that has been dropped since it was found."""
        with self._keeping(trace) as is_kept:
            if is_kept:
                self.short = short

    def similar(self, key: Key) -> list[Specs]:
        """The tensors and TraceTypes of the traces that differ from `key` in what a more general trace leaves open."""
        structure, specs = key
        return [known for known in self._specs(structure) if is_alike(known, specs)]

    @contextmanager
    def _keeping(self, trace: T) -> Iterator[bool]:
        """Whether a trace is one that calls use, which no thread changes meanwhile."""
        with self._lock:
            with self._changing():
                yield any(known is trace for known in self._exact.values())
            if self._deaths and not self._is_changing:
                self._forget_dead()

    @contextmanager
    def _changing(self) -> Iterator[None]:
        before, self._is_changing = self._is_changing, True
        try:
            yield
        finally:
            self._is_changing = before

    def _specs(self, structure: Structure) -> list[Specs]:
        group = self._similar.get(structure)
        return [] if group is None else group[1]

    def _add(self, key: Key, trace: T) -> T:
        known = self._exact.get(key)
        if known is not None:
            return known  # the function called itself while it was traced, and made this trace then
        self.made += 1
        self._put(key, trace)
        return trace

    def _put(self, key: Key, trace: T) -> None:
        structure, specs = key
        structure, alike = self._similar.setdefault(structure, (structure, []))
        if (structure, specs) not in self._exact:
            alike.append(specs)
        self._exact[structure, specs] = trace
        self._served.clear()  # the new trace may be more specific than those that are remembered there
        self._forget_ways()

    def _forget_ways(self) -> None:
        self.quick.clear()
        self.short = missed

    def _most_specific(self, key: Key) -> T | None:
        """Of the traces for more general types, the one that is a subtype of the others."""
        structure, specs = key
        best: Specs | None = None
        for general in self._specs(structure):
            if is_subtype(specs, general) and (best is None or is_subtype(general, best)):
                best = general
        return None if best is None else self._exact[structure, best]

    def _forget_dead(self) -> None:
        """Drops the traces that were made for objects that are gone; with them others may go."""
        dropped: list[Any] = []
        with self._changing():
            while self._deaths:
                self._deaths.clear()
                for structure in [s for s in self._similar if is_dead(s)]:
                    for specs in self._similar.pop(structure)[1]:
                        dropped.append(self._exact.pop((structure, specs)))
                        dropped.append(self._replaced.pop((structure, specs), None))
                self._served.clear()
                dropped.clear()

    def __len__(self) -> int:
        return len(self._exact)

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._exact.values()))


def _remember(table: dict[Any, T], key: Any, trace: T) -> None:
    if len(table) >= REMEMBERED:
        table.clear()
    table[key] = trace
