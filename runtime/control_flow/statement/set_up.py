"""Objects that are set up where they are first used: a staged statement in which that happens is staged again after it.

    for i in range(n):        # n is a tensor
        y += layer(x)         # the first call makes the layer's weights, and keeps them in its attributes

Setting up is done once, in Python, whichever way the graph goes: it is nothing that the statement would carry. It ends
the trace of the outermost statement, which takes back all that its code did; then what the set-up has changed is put
in place, and the statement is staged anew, as if the object had been set up before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from autograph.contexts import binding
from autograph.errors import StagingError
from runtime.context import current_recorder
from runtime.control_flow.statement.enclosing import is_reached
from runtime.graph.graph import Graph
from runtime.heap.holder import Contents, Holder, part
from runtime.heap.store import World
from runtime.restarts import Restart, settled

__all__ = ["FirstUse", "first_use", "staged"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Change:
    """What a set-up has made of the contents of something."""

    holder: Holder
    after: Contents

    def applied(self, now: Contents) -> Contents:
        """What it makes of contents that may be others than those before it. Raises StagingError."""
        before = self.holder.before
        writable = self.holder.kind.write is not None
        if writable and self.holder.kind.form == "keys":
            kept = {key: value for key, value in now.items() if key in self.after or key not in before}
            return kept | {key: new for key, new in self.after.items() if part(before, key) is not new}
        if writable and self.holder.kind.unchanged(before, now):
            return self.after
        raise StagingError(
            f"{self.holder.described()} is changed where a layer makes its weights, which happens in a branch or loop"
            " that depends on a tensor. Call the layer once before that statement"
        )


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a `Restart` has learnt for the outermost statement: objects were set up in it."""

    owners: Sequence[Any]
    changes: Sequence[_Change]


_DEPTH: Final[ContextVar[int]] = ContextVar("runtime.staged_statements_around", default=0)


def staged(stage: Callable[[], T]) -> T:
    """What `stage` gives, which stages a statement: again, as long as objects are set up in it."""
    depth = _DEPTH.get()
    known: list[Any] = []

    def attempt() -> T:
        with binding(_DEPTH, depth + 1):
            made = stage()
            if isinstance(graph := current_recorder(), Graph):
                graph.recording.tracing.writes.end_statement(graph)
            return made

    def learn(found: Restart) -> None:
        if depth or not isinstance(found.learnt, SetUp):
            raise found
        if any(owner is other for owner in found.learnt.owners for other in known):
            raise found
        _apply(found.learnt.changes)
        known.extend(found.learnt.owners)

    return settled(attempt, learn)


def _apply(changes: Sequence[_Change]) -> None:
    """Makes all changes, one after the other, to what there is at the statement's start; or none of them."""
    results: dict[Any, tuple[Holder, Contents]] = {}
    for change in changes:
        holder = change.holder
        _, now = results.get(holder.place) or (holder, holder.read())
        results[holder.place] = holder, change.applied(now)
    for holder, contents in results.values():
        holder.write(contents)


@dataclass
class FirstUse:
    """A use of an object that is to be set up, and of others within it. depth: of the statements around."""

    depth: int
    owners: list[Any] = field(default_factory=list)
    changes: list[_Change] = field(default_factory=list)

    @contextmanager
    def setting_up(self, owner: Any) -> Iterator[None]:
        """Notes what the code in the `with` changes."""
        if not self.depth:
            yield
            return
        world = World(objects={"self": owner})
        yield
        self.owners.append(owner)
        self.changes += [_Change(holder, now) for holder, now in world.changes().items()]


_USE: Final[ContextVar[FirstUse | None]] = ContextVar("runtime.first_use", default=None)


@contextmanager
def first_use() -> Iterator[FirstUse]:
    """Around the setting up of an object and all of its first use, in which others may be set up: all at once."""
    depth, around = _DEPTH.get(), _USE.get()
    if around is not None and around.depth == depth:
        yield around
        return
    use = FirstUse(depth)
    try:
        with binding(_USE, use):
            yield use
    except Restart as found:  # in a statement within
        if not isinstance(inner := found.learnt, SetUp):
            raise
        raise Restart(SetUp([*use.owners, *inner.owners], [*use.changes, *inner.changes])) from None
    if any(map(is_reached, use.owners)):
        raise Restart(SetUp(use.owners, use.changes))
