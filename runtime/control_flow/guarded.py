"""`try` around staged code: exceptions that come when the graph runs are caught there.

    try:                              %try = try(%x) {body_graph=@try, handlers=(@except,),
        if x > 0: y = x        --->                   classes=((class("builtins", "ValueError"),),)} : int32[]
        else: raise ValueError
    except ValueError:                graph try(%x) -> (%cond) { ... raise() ... }
        y = -x                        graph except(%x) -> (%negative) { ... }

The body is traced where the statement stands (runtime.control_flow.regions). If nothing in it can raise what a handler
takes, that was all: exceptions of the trace itself were handled by Python. Otherwise what was recorded becomes the body
of the operation `try`, and each handler that may run is traced once. Variables are merged over the end of the body and
the ends of the handlers. In a handler they have the values that they had where the exception came (remembered.py).

`finally` is a handler of everything that raises again, and runs once more behind the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.errors import StagingError
from autograph.operators.handlers import handle, matches
from autograph.operators.stager import Handlers
from runtime.context import recording
from runtime.control_flow.branches import Group, add_groups
from runtime.control_flow.effects import refusal
from runtime.control_flow.raised import UNREACHABLE, Diverged, is_of_the_program, record_raise
from runtime.control_flow.regions import Region, Risk
from runtime.control_flow.statement_state import State
from runtime.control_flow.subgraph import current_graph, trace
from runtime.control_flow.uncertain import Uncertain, UncertainRead, stand_in, stands_for
from runtime.control_flow.world import World
from runtime.graph.graph import Graph
from runtime.ops.control import try_node
from runtime.ops.exceptions import describe_class
from runtime.ops.raising import reraise

__all__ = ["Guarded"]

Thunk = Callable[[], Any]
IfStatement = Callable[[Any, Thunk, Thunk], None]


@dataclass(frozen=True)
class Guarded:
    """One try statement. `if_`: stages `if flag: first() else: second()` over the variables of the statement."""

    body: Thunk
    handlers: Handlers
    orelse: Thunk | None
    cleanup: Thunk | None
    state: State
    outputs: int
    jumps: Sequence[str]
    if_: IfStatement

    def run(self) -> None:
        if self.cleanup is None:
            self._run_handlers()
        else:
            self._run_cleanup(self.cleanup)

    # -- except and else ------------------------------------------------------------------------------------------

    def _run_handlers(self) -> None:
        region, world = Region(current_graph(), self.state, self.jumps), World(self.body)
        try:
            with region:
                self.body()
            reached = True
        except Diverged:
            reached = False
        except BaseException as error:
            if not region.risks or not is_of_the_program(error):
                region.leave()
                handle(error, self.handlers)
                return
            with region:
                region.note(error)
                record_raise(region.graph, error)
            reached = False
        caught = self._caught(region)
        if caught:
            self._stage_handlers(region, reached, caught, world)
            return
        region.leave()
        if not reached:
            raise Diverged
        if self.orelse is not None:
            self.orelse()

    def _caught(self, region: Region) -> dict[int, list[Risk]]:
        """By the number of a handler: the risks that it may take. What is surely taken is no risk for those around."""
        found: dict[int, list[Risk]] = {}
        remaining, sure = list(region.risks), []
        for number, (kind, _, _) in enumerate(self.handlers):
            if not remaining:
                break
            wanted = BaseException if kind is None else kind()
            taken = [risk for risk in remaining if any(_may_match(k, wanted) for k in risk.kinds)]
            if taken:
                found[number] = taken
            surely = [risk for risk in taken if all(matches(k, wanted) for k in risk.kinds)]
            sure += surely
            remaining = [risk for risk in remaining if risk not in surely]
        for around in region.around():
            around.forget(sure)
        return found

    def _stage_handlers(
        self, region: Region, reached: bool, caught: dict[int, list[Risk]], world: World
    ) -> None:
        region.close(self.state.get())
        ends: Any = self.state.get() if reached else UNREACHABLE
        self.state.put(region.initial)
        _refuse_changes(world, "the body of a `try`")
        graphs, results = [region.extract("try")], [ends]
        classes = []
        for number, risks in caught.items():
            kind, code, name = self.handlers[number]
            wanted = BaseException if kind is None else kind()
            classes.append(tuple(map(describe_class, wanted if isinstance(wanted, tuple) else (wanted,))))
            graph = Graph("except", region.graph)
            graph.caught = stand_in(risks)
            results.append(self._trace_handler(graph, region, risks, code, name))
            graphs.append(graph)
        attributes = {"body_graph": graphs[0], "handlers": tuple(graphs[1:]), "classes": tuple(classes)}
        if self.orelse is None:
            self._finish(region, graphs, results, attributes)
        else:
            self._finish_with_else(self.orelse, region, graphs, results, attributes)

    def _trace_handler(
        self, graph: Graph, region: Region, risks: Sequence[Risk], code: Callable[..., Any], name: str | None
    ) -> Any:
        """What the variables are after a handler."""
        start = self._at_raise(graph, region, risks)
        error = graph.caught
        assert error is not None

        def run() -> Any:
            self.state.put(start)
            try:
                raise error
            except BaseException:
                if name is None:
                    code()
                else:
                    code(error)
            return self.state.get()

        world = World(code)
        result = self._trace_aside(graph, region, run, "a handler of a `try`")
        _refuse_changes(world, "a handler of a `try`")
        return result

    def _trace_aside(self, graph: Graph, region: Region, run: Thunk, what: str) -> Any:
        try:
            return trace(graph, run, what)
        finally:
            self.state.put(region.initial)

    def _at_raise(self, graph: Graph, region: Region, risks: Sequence[Risk]) -> tuple[Any, ...]:
        """The variables where an exception comes that the code of `graph` handles."""
        changed = frozenset().union(*(risk.changed for risk in risks))
        pairs = zip(self.state.names, region.initial, strict=True)
        return tuple(_remembered(graph, region, name, v) if name in changed else v for name, v in pairs)

    def _finish(
        self, region: Region, graphs: Sequence[Graph], results: Sequence[Any], attributes: dict[str, Any]
    ) -> None:
        names = self.state.names[: self.outputs]
        rows = [row if row is UNREACHABLE else row[: self.outputs] for row in results]
        self._check_certain(names, rows)
        (values,) = add_groups(try_node, graphs, [Group(range(len(graphs)), _labels(graphs), names, rows)], attributes)
        self._go_on(region, values)

    def _go_on(self, region: Region, values: Sequence[Any] | None) -> None:
        if values is None:
            raise Diverged
        self.state.put((*values, *region.initial[len(values) :]))

    def _finish_with_else(
        self,
        orelse: Thunk,
        region: Region,
        graphs: Sequence[Graph],
        results: Sequence[Any],
        attributes: dict[str, Any],
    ) -> None:
        """The `else` part runs where the body came to its end, which is one more result of the operation."""
        labels, names = _labels(graphs), self.state.names
        rows = [row if row is UNREACHABLE else row[: self.outputs] for row in results[1:]]
        self._check_certain(names[: self.outputs], rows)
        flags = [row if row is UNREACHABLE else [i == 0] for i, row in enumerate(results)]
        whole = range(len(graphs))
        groups = [
            Group(whole[:1], labels[:1], names, results[:1]),
            Group(whole[1:], labels[1:], names[: self.outputs], rows),
            Group(whole, labels, ["the end of the `try`"], flags),
        ]
        tried, caught, completed = add_groups(try_node, graphs, groups, attributes)
        if tried is None or completed is None:
            self._go_on(region, caught)
        elif caught is None:
            self.state.put(tuple(tried))
            orelse()
        else:

            def go_on() -> None:
                self.state.put(tuple(tried))
                orelse()

            self.if_(completed[0], go_on, lambda: self._go_on(region, caught))

    def _check_certain(self, names: Sequence[str], rows: Sequence[Any]) -> None:
        for row in rows:
            for name, value in zip(names, () if row is UNREACHABLE else row, strict=False):
                if type(value) is not Uncertain:
                    continue
                owner, message = stands_for(value)
                if owner != name:
                    raise UncertainRead(message)
                raise StagingError(
                    f"{name!r} is read after a `try` whose handler does not assign it: what it holds then depends on"
                    " which operation of the `try` raised, which a graph does not know; assign it in the handler"
                )

    # -- finally --------------------------------------------------------------------------------------------------

    def _run_cleanup(self, cleanup: Thunk) -> None:
        region, world = Region(current_graph(), self.state, self.jumps), World(self.body)
        inner = Guarded(
            self.body, self.handlers, self.orelse, None, self.state, len(self.state.names), self.jumps, self.if_
        )
        try:
            with region:
                inner.run()
            reached = True
        except Diverged:
            reached = False
        except BaseException as error:
            if not region.risks or not is_of_the_program(error):
                region.leave()
                cleanup()
                raise
            with region:
                region.note(error)
                record_raise(region.graph, error)
            reached = False
        if region.risks:
            self._stage_cleanup(cleanup, region, reached, world)
        else:
            region.leave()
        cleanup()

    def _stage_cleanup(self, cleanup: Thunk, region: Region, reached: bool, world: World) -> None:
        region.close(self.state.get())
        ends: Any = self.state.get() if reached else UNREACHABLE
        self.state.put(region.initial)
        _refuse_changes(world, "the body of a `try`")
        body, graph = region.extract("try"), Graph("finally", region.graph)
        start = self._at_raise(graph, region, region.risks)

        def run() -> Any:
            self.state.put(start)
            cleanup()
            self._check_jumps()
            with recording(graph):
                graph.add(reraise, [], {})
            return UNREACHABLE

        world = World(cleanup)
        self._trace_aside(graph, region, run, "a `finally` that an exception reaches")
        if reached:  # it runs once more behind the statement, and does to Python's objects then what it did now
            _take_back(world, "a `finally` that an exception reaches")
        attributes = {"body_graph": body, "handlers": (graph,), "classes": ((describe_class(BaseException),),)}
        group = Group(range(2), _labels([body, graph]), self.state.names, [ends, UNREACHABLE])
        (values,) = add_groups(try_node, [body, graph], [group], attributes)
        self._go_on(region, values)

    def _check_jumps(self) -> None:
        for name, value in zip(self.state.names, self.state.get(), strict=True):
            if name.endswith(".jumped") and value is not False:
                raise StagingError(
                    "break, continue or return in a `finally` drops the exception that is on its way, here one that"
                    " comes when the graph runs; a graph cannot. Take the jump out of the `finally`."
                )


def _refuse_changes(world: World, where: str) -> None:
    """Raises StagingError if anything but the variables of the statement was changed, and puts it back."""
    changed = world.changes()
    if changed:
        world.restore(changed)
        raise refusal(next(iter(changed)), where, "")


def _take_back(world: World, where: str) -> None:
    """Puts back what was changed. Raises StagingError where that cannot be done."""
    changed = world.changes()
    world.restore(changed)
    for holder in changed:
        if holder.kind.write is None:
            raise refusal(holder, where, "")


def _remembered(graph: Graph, region: Region, name: str, before: Any) -> Any:
    try:
        return region.memory.recall(graph, name, before)
    except LookupError:
        return Uncertain(
            name,
            f"{name!r} is read in a handler (or in `finally`), and what it holds there depends on which operation"
            " of the `try` raised, which a graph does not know: assign it before the `try`, or after what can raise",
        )


def _labels(graphs: Sequence[Graph]) -> list[str]:
    return ["`try`" if graph.name == "try" else f"`{graph.name}`" for graph in graphs]


def _may_match(kind: type[BaseException], wanted: Any) -> bool:
    """Whether `except wanted` may take an exception of this class, or of one below it."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    return matches(kind, wanted) or any(issubclass(k, kind) for k in kinds)
