"""Regions of a trace: the operations that code records while it runs, which may become a graph of their own afterwards.

    with Region(graph, state, ()) as region:
        body()                                  # recorded into `graph`, as if nothing was around it
    if region.risks:                            # something in it can raise when the graph runs:
        inner = region.extract("try")           # the operations move into a graph inside of `graph`

So code whose exceptions are all those of the trace (of Python values) just runs. A region also notes, at each place
that can raise, which variables hold something else there than before the region: what a handler may not know.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from types import TracebackType
from typing import Any, Protocol

from runtime.context import current_recorder, outwards
from runtime.control_flow.branches.known import is_known
from runtime.control_flow.optional.values import Unread, notice_read, view
from runtime.control_flow.statement.state import State
from runtime.control_flow.tries.raised import Diverged, ends_a_branch, is_handled, record_raise, record_reraise
from runtime.control_flow.tries.remembered import Memory
from runtime.graph.graph import Graph
from runtime.graph.operation import Operation
from runtime.graph.risks import exceptions_of
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import raise_, reraise

__all__ = ["Region", "Risk", "note_exception"]

Thunk = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Risk:
    """An operation that can raise, the classes of what it raises, and the variables that were changed before it.

    origin: the operation that raises it first, where `operation` only raises it again.
    """

    operation: Operation
    kinds: tuple[type[BaseException], ...]
    changed: frozenset[str]
    origin: Operation

    @property
    def is_exact(self) -> bool:
        """Whether the class of what comes is one of `kinds`, none below them."""
        return self.kinds != (BaseException,)


class Changing(Protocol):
    """Objects that code may change."""

    def note(self) -> dict[str, Any]:
        """What is something else now than before the code, by name."""
        ...


class Region:
    """See the module's docstring. `jumps`: variables that an exception leaves as they were before the region.

    places: what else may change, with names that no variable has.
    """

    def __init__(self, graph: Graph, state: State, jumps: Collection[str], places: Changing | None = None) -> None:
        self.graph = graph
        self.state = state
        self.places = places
        self.jumps = jumps
        self.initial = state.get()
        self.memory = Memory(graph)
        self.moved: Graph | None = None
        """The graph that the operations have moved into."""
        self.start = len(graph.operations)
        self.risks: list[Risk] = []
        self._is_left = False
        self._unsure: set[str] = set()
        self._around = graph.recording.guards
        self._noted: tuple[BaseException, dict[str, Any]] | None = None

    def __enter__(self) -> Region:
        self.graph.recording.guards = (*self._around, self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.graph.recording.guards = self._around

    def run(
        self, code: Thunk, is_of_the_run: Callable[[BaseException], bool], otherwise: Callable[[BaseException], None]
    ) -> bool | None:
        """Runs the code of the region. The result is whether it comes to its end; None: it has left the region.

        is_of_the_run: whether an exception is one that the graph raises, if it may raise before. Where it is not, or
        nothing else may raise, the region is left, and the exception handled by `otherwise`, which may raise it again.
        """
        try:
            with self:
                code()
            return True
        except Diverged:
            return False
        except BaseException as error:
            if self.risks and is_of_the_run(error):
                self.record(error)
                return False
            self.leave()
            otherwise(error)
            return None

    def __call__(self, operation: Operation) -> None:
        """An operation is being recorded: `runtime.graph.recording.Guard`."""
        kinds = exceptions_of(operation)
        if not kinds:
            return
        if operation.op in (raise_, reraise) and self._noted is not None:
            changed = frozenset(self._noted[1])  # the variables have been put back since
            self._noted = None
        else:
            now = self._changed()
            self.memory.keep(operation.graph, now)
            changed = frozenset(now)
        again = _arriving(operation)
        if again is None:
            self.risks.append(Risk(operation, kinds, changed, operation))
        else:
            self.risks += [replace(risk, operation=operation, changed=changed) for risk in again]

    def note(self, error: BaseException) -> None:
        """An exception of the program leaves code that has changed variables, which are about to be put back."""
        if self._noted is None or self._noted[0] is not error:
            self._noted = error, self._changed()
            graph = current_recorder()
            assert isinstance(graph, Graph)
            self.memory.keep(graph, self._noted[1])

    def record(self, error: BaseException) -> None:
        """The code of the region ends with an exception: the graph raises it here."""
        with self:
            self.note(error)
            (record_reraise if is_handled(self.graph, error) else record_raise)(self.graph, error)

    def forget(self, risks: Sequence[Risk]) -> None:
        """Exceptions that something inside of the region has taken care of."""
        handled = {(risk.operation, risk.origin, risk.kinds) for risk in risks}
        self.risks = [r for r in self.risks if (r.operation, r.origin, r.kinds) not in handled]

    def note_risks(self, since: int, unchanged: frozenset[str], changed: frozenset[str]) -> None:
        """What is to be known of the risks from number `since` on: what has not changed before them, and what has."""
        self.risks[since:] = [replace(r, changed=(r.changed - unchanged) | changed) for r in self.risks[since:]]

    def around(self) -> list[Region]:
        """The regions that this one is in."""
        return [guard for guard in self._around if isinstance(guard, Region)]

    def _changed(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, now, before in zip(self.state.names, self.state.get(), self.initial, strict=True):
            if now is before or name in self.jumps or (type(before) is bool and is_known(now, before)):
                continue
            notice_read(now)  # a loop that gives it a value later is traced again, with what it has then
            if view(now).defined is not False:
                found[name] = now
            elif not isinstance(now, Unread):
                self._unsure.add(name)
        return found if self.places is None else found | self.places.note()

    def close(self, ends: Sequence[Any]) -> None:
        """The code has come to its end, where the variables are `ends`.

        A variable that gets its first value in a loop may not be seen to be changed by what raises earlier in the loop,
        but is when that runs in a later iteration.
        """
        late = frozenset(
            name
            for name, now, before in zip(self.state.names, ends, self.initial, strict=True)
            if name in self._unsure and view(before).defined is False and view(now).defined is not False
        )
        if late and any(self._is_in_a_loop(risk.operation) for risk in self.risks):
            self.memory.forget(late)
            self.risks = [replace(r, changed=r.changed | late) for r in self.risks]

    def _is_in_a_loop(self, operation: Operation) -> bool:
        inside = takewhile(lambda around: around is not self.graph, outwards(operation.graph))
        return any(graph.name.startswith("while") for graph in inside)

    def drop(self) -> None:
        """The code is to be traced again: what was recorded of it does not count."""
        if self.moved is None:
            self.extract("dropped")
        if self.memory.used:
            self.graph.operations.remove(self.memory.made)
            self.memory.used = False
        for around in self.around():
            around.memory.forget_last()

    def leave(self) -> None:
        """The region is done with: nothing is left of a memory that was not needed."""
        if not self.memory.used and not self._is_left:
            self.start -= 1
            del self.graph.operations[self.start]
        self._is_left = True

    # -- the graph ------------------------------------------------------------------------------------------------

    def extract(self, name: str) -> Graph:
        """Moves the operations of the region into a graph of their own, which captures what they read."""
        outer = self.graph
        operations = outer.operations[self.start :]
        moved = [o for o in operations if o.op is not placeholder]
        outer.operations[self.start :] = [o for o in operations if o.op is placeholder]
        inner = Graph.within(outer, name)
        inner._names = dict(outer._names)
        inside = {id(t) for o in moved for t in o.outputs}
        for operation in moved:
            operation.inputs = tuple(t if id(t) in inside else inner.recording.capture(t) for t in operation.inputs)
        for operation in moved:
            operation.graph = inner
            for graph in operation.subgraphs:
                graph.recording.outer = inner
                graph.recording.captures = [
                    (t if id(t) in inside else inner.recording.capture(t), own) for t, own in graph.recording.captures
                ]
        inner.operations += moved
        self.leave()
        _move_constants(outer, inner, inside)
        self.moved = inner
        return inner


def _arriving(operation: Operation) -> Sequence[Risk] | None:
    """What an operation raises again: what arrives in the handler that it stands in."""
    handled = (graph.recording.handling for graph in outwards(operation.graph if operation.op is reraise else None))
    return next((handling.arriving for handling in handled if handling and handling.arriving is not None), None)


def _move_constants(outer: Graph, inner: Graph, inside: set[int]) -> None:
    for key, (value, tensor) in list(outer.recording.constants.items()):
        if id(tensor) in inside:
            del outer.recording.constants[key]
            inner.recording.constants[key] = (value, tensor)


def note_exception(graph: Any, error: BaseException) -> None:
    """Tells the regions around that an exception leaves a branch whose variables are about to be put back."""
    if isinstance(graph, Graph) and graph.recording.guards and not isinstance(error, Diverged) and ends_a_branch(error):
        for guard in graph.recording.guards:
            if isinstance(guard, Region):
                guard.note(error)
