"""`try` around staged code: exceptions that come when the graph runs are caught there.

    try:                              %try = try(%x) {body_graph=@try, handlers=(@except,),
        if x > 0: y = x        --->                   classes=((class("builtins", "ValueError"),),)} : int32[]
        else: raise ValueError
    except ValueError:                graph try(%x) -> (%cond) { ... raise() ... }
        y = -x                        graph except(%x) -> (%negative) { ... }

The body is traced where the statement stands (`regions`). If nothing in it can raise what a handler takes, that was
all: exceptions of the trace itself were handled by Python. Otherwise what was recorded becomes the body of the
operation `try`, and each handler that may run is traced once. Variables are merged over the end of the body and the
ends of the handlers. In a handler they have the values that they had where the exception came (remembered.py).
`finally` is in cleanups.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from autograph.operators.handlers import handle, matches
from autograph.operators.stager import Handlers
from autograph.operators.with_statement import Leaving
from runtime.control_flow.branches.values import Group
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.statement.reaching import Reaching
from runtime.control_flow.statement.state import State
from runtime.control_flow.statement.subgraph import current_graph, trace
from runtime.control_flow.tries.catching import Catch, catches
from runtime.control_flow.tries.cleanups import run_cleanup
from runtime.control_flow.tries.managers import AtException, Passed, check_repeatable, does_nothing, take_back
from runtime.control_flow.tries.raised import (
    UNREACHABLE,
    Diverged,
    end_trace,
    ends_a_branch,
    is_refusal,
    names_refusals,
)
from runtime.control_flow.tries.regions import Region, Risk
from runtime.control_flow.tries.stand_in import check_unchanged, contents, stand_in
from runtime.control_flow.tries.tried_again import Round
from runtime.control_flow.tries.tried_objects import Ends, check_certain, labels_of
from runtime.control_flow.tries.tried_places import BODY, Places, changed_before, refusal_in_try
from runtime.control_flow.tries.uncertain import Uncertain
from runtime.graph.graph import Graph
from runtime.graph.program_parts import Handling
from runtime.heap.store import Contents, Holder, World
from runtime.ops.flow.exceptions import describe_class
from runtime.restarts import Restart, settled

__all__ = ["Guarded"]

Thunk = Callable[[], Any]
IfStatement = Callable[[Any, Thunk, Thunk, State, int], None]


@dataclass(frozen=True)
class Guarded:
    """One try statement.

    outputs: how many of its variables are read after it, or by its `finally`; they come first. if_: from a flag, two
    branches, variables and the number of outputs, stages `if flag: first() else: second()`.
    """

    body: Thunk
    handlers: Handlers
    orelse: Thunk | None
    cleanup: Thunk | None
    state: State
    outputs: int
    jumps: Sequence[str]
    if_: IfStatement
    round: Round | None = None
    """This time that it is traced."""
    ends: list[AtException] = field(default_factory=list)
    """What a manager's `__exit__` did that raises the exception again."""

    def run(self) -> None:
        rounds: list[Round] = []

        def attempt() -> None:
            world = World(*self.functions)
            state, besides = self.state.without_places(world)
            read, outputs = frozenset(self.state.names[: self.outputs]), self.outputs
            if self.is_managed:
                state = self.state.leaving_absent(world)
            else:
                outputs, besides = sum(name in read for name in state.names), []
            reduced = replace(self, state=state, outputs=outputs, ends=[])
            rounds.append(Round(world, watched_since()))
            places = Places(world, reduced.state, besides)
            if self.cleanup is None:
                replace(reduced, round=rounds[-1]).run_handlers(places)
            else:
                run_cleanup(replace(reduced, round=rounds[-1]), self.cleanup, places)

        def learn(found: Restart) -> None:
            if not rounds:
                raise found
            rounds[-1].take_in(found)

        settled(attempt, learn)  # each time one more list grows

    @property
    def is_managed(self) -> bool:
        """Whether it is a `with`, of whose manager `AtException` takes care."""
        return any(isinstance(code, Leaving) for _, code, _ in self.handlers)

    @property
    def functions(self) -> list[Any]:
        """The code of the statement, but for a manager's."""
        if self.is_managed:
            return [self.body]
        handlers = (code for _, code, _ in self.handlers)
        return [code for code in (self.body, *handlers, self.orelse, self.cleanup) if code is not None]

    # -- except and else ------------------------------------------------------------------------------------------

    def run_handlers(self, places: Places) -> None:
        """The statement without its `finally`. Raises Restart, having put all back."""
        mark = watched_since()
        region = Region(current_graph(), self.state, self.jumps, places)
        passed = Passed(region)
        assert self.round is not None
        with self.round.within(sys._getframe()):
            reached = self.round.run(region, self.body, self._is_of_the_run, partial(self._handle, region))
        if reached is None:
            return
        passed.body_ended()
        caught, sure = catches(self.handlers, region.risks)
        passing = self._passing(region, reached, caught)
        if caught and passing is None:
            for around in region.around():
                around.forget(sure)
            try:
                self._stage_handlers(region, reached, caught, places, mark)
            except Restart:
                self.state.put(region.initial)
                region.drop()
                raise
            return
        region.leave()
        if reached and self.orelse is not None:
            self.orelse()
        if passing is not None:
            passing.compare()
            passed.settle(passing.world)
        if not reached:
            raise Diverged

    def _is_of_the_run(self, error: BaseException) -> bool:
        """An error of the trace is, too, that an `except` takes, as it would outside of a graph."""
        if ends_a_branch(error):
            return True
        kinds = [kind for kind, code, _ in self.handlers if not isinstance(code, Leaving)]
        return not is_refusal(error) and any(kind is None or matches(type(error), kind()) for kind in kinds)

    def _handle(self, region: Region, error: BaseException) -> None:
        """What comes while tracing, and is not of the run."""
        if is_refusal(error):
            for kind, code, _ in self.handlers:
                if isinstance(code, Leaving):
                    with suppress(Exception, Diverged):
                        code(error)
                elif kind is not None and names_refusals(wanted := kind()) and matches(type(error), wanted):
                    break
            else:
                raise error
        if region.risks and region.graph.recording.tracing.failure is None:  # which ends the trace by itself
            end_trace(error)  # the trace goes wrong here; what it has recorded would run without its handlers
        handle(error, self.handlers)

    def _passing(self, region: Region, reached: bool, caught: Sequence[Catch]) -> AtException | None:
        """If the handler is a manager's `__exit__` that does nothing for a graph to do: what it did in Python.

        That is found by running it in a graph that is thrown away.
        """
        leaving = self.handlers[0][1] if caught else None
        if not isinstance(leaving, Leaving):
            return None
        check_repeatable(leaving, caught[0].risks)
        world = World(leaving)
        passes, at_exception = True, None
        for catch in caught:
            graph = Graph.within(region.graph, "except")
            graph.recording.guards, graph.recording.handling = (), Handling(stand_in(graph, catch.risks))
            before = self.state.get()
            try:
                end = self.run_handler(graph, leaving, catch.name, before, {})
            finally:
                self.state.put(before)
            passes = passes and end is UNREACHABLE and does_nothing(graph)
            if catch is not caught[-1] or not passes or reached:  # the last is the only end of a body that only raises
                at_exception = take_back(world, bool(region.around()))
        if passes and not reached:
            return AtException(world, {}, False)
        return at_exception if passes else None

    def _stage_handlers(
        self, region: Region, reached: bool, caught: Sequence[Catch], places: Places, mark: int
    ) -> None:
        region.close(self.state.get())
        end: Any = self.state.get() if reached else UNREACHABLE
        ends = Ends(places, self.state, region.initial)
        ends.leave(mark, BODY)
        graphs, results = [region.extract("try")], [end]
        classes = []
        for catch in caught:
            classes.append(tuple(map(describe_class, catch.kinds)))
            graph = Graph.within(region.graph, "except")
            graph.recording.handling = Handling(stand_in(graph, catch.risks), catch.risks)
            results.append(self._trace_handler(graph, region, catch, places, ends))
            graphs.append(graph)
        attributes = {"body_graph": graphs[0], "handlers": tuple(graphs[1:]), "classes": tuple(classes)}
        if self.orelse is None:
            self._finish(graphs, results, attributes, ends)
        else:
            self.finish_with_else(self.orelse, graphs, results, attributes, ends)
        for at_exception in self.ends:
            at_exception.compare()

    def _trace_handler(self, graph: Graph, region: Region, catch: Catch, places: Places, ends: Ends) -> Any:
        """What the variables are after a handler."""
        start = self.at_raise(graph, region, catch.risks)
        given = places.at_raise(graph, region.memory, changed_before(catch.risks), BODY)
        leaving = isinstance(catch.code, Leaving)
        if leaving and (given or ends.changes[0]):
            raise refusal_in_try(next(iter(given or ends.changes[0])), BODY)
        world, mark = World(catch.code) if leaving else None, watched_since()
        try:
            result = self.run_handler(graph, catch.code, catch.name, start, given)
        except BaseException:
            ends.back(mark)
            raise
        if world is not None:
            self.state.put(region.initial)
            self.ends.append(take_back(world, result is not UNREACHABLE or bool(region.around())))
            ends.changes.append({})
        else:
            ends.leave(mark, "a handler of a `try`")
        return result

    def run_handler(
        self,
        graph: Graph,
        code: Callable[..., Any],
        name: str | None,
        start: tuple[Any, ...],
        given: Mapping[Holder, Contents],
        where: str = "a handler of a `try`",
    ) -> Any:
        """What the code of a handler gives. start, given: what variables and objects hold when it begins."""
        assert graph.recording.handling is not None
        error = graph.recording.handling.error
        held = contents(error)

        def run() -> Any:
            self.state.put(start)
            for holder, held_there in given.items():
                holder.write(held_there)
            try:
                raise error
            except BaseException:
                if name is None:
                    code()
                else:
                    code(error)
            return self.state.get()

        try:
            assert self.round is not None
            with self.round.within(sys._getframe()):
                result = trace(graph, run, where)
            check_unchanged(error, held)
            return result
        finally:
            error.__traceback__ = None  # its frames would keep generators of left loops from being closed

    def at_raise(self, graph: Graph, region: Region, risks: Sequence[Risk]) -> tuple[Any, ...]:
        """The variables where an exception comes that the code of `graph` handles."""
        changed = frozenset(changed_before(risks))
        pairs = zip(self.state.names, region.initial, strict=True)
        return tuple(_remembered(graph, region, name, v) if name in changed else v for name, v in pairs)

    def _finish(
        self, graphs: Sequence[Graph], results: Sequence[Any], attributes: dict[str, Any], ends: Ends
    ) -> None:
        names = self.state.names[: self.outputs]
        rows = [row if row is UNREACHABLE else row[: self.outputs] for row in results]
        check_certain(names, rows)
        group = Group(range(len(graphs)), labels_of(graphs), names, rows)
        (outcome,) = ends.merged(graphs, [group], attributes)
        outcome.put(self.state)

    def finish_with_else(
        self, orelse: Thunk, graphs: Sequence[Graph], results: Sequence[Any], attributes: dict[str, Any], ends: Ends
    ) -> None:
        """The `else` part runs where the body came to its end, which is one more result of the operation."""
        labels, names = labels_of(graphs), self.state.names
        rows = [row if row is UNREACHABLE else row[: self.outputs] for row in results[1:]]
        check_certain(names[: self.outputs], rows)
        flags = [row if row is UNREACHABLE else [i == 0] for i, row in enumerate(results)]
        whole = range(len(graphs))
        groups = [
            Group(whole[:1], labels[:1], names, results[:1]),
            Group(whole[1:], labels[1:], names[: self.outputs], rows),
        ]
        flag = Group(whole, labels, ["the end of the `try`"], flags)
        tried, caught, completed = ends.merged(graphs, groups, attributes, flag)
        if tried.values is None or completed is None:
            caught.put(self.state)
            return

        def go_on() -> None:
            tried.put(self.state)
            orelse()

        if caught.values is None:
            go_on()
        else:
            functions = [] if self.is_managed else self.functions
            first, second = Reaching(go_on, functions), Reaching(lambda: caught.put(self.state), functions)
            self.if_(completed, first, second, self.state, self.outputs)


def _remembered(graph: Graph, region: Region, name: str, before: Any) -> Any:
    try:
        return region.memory.recall(graph, name, before)
    except LookupError:
        return Uncertain(
            name,
            f"{name!r} is read in a handler (or in `finally`), and what it holds there depends on which operation"
            " of the `try` raised, which a graph does not know: assign it before the `try`, or after what can raise",
        )
