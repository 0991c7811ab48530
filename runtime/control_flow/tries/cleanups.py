"""`finally` around staged code: it runs where an exception of the graph arrives, and where none came.

    try:                    %try = try(%x) {body_graph=@try, handlers=(@finally,), ...}
        y = checked(x)      graph finally(...) { print(...) reraise() }
    finally:        --->    %print = print(...)
        tf.print("end")

It is a handler of everything that raises again, and runs once more behind the statement. Where it has a jump of its own
(`break`, `continue`, `return`), the exception is dropped if the jump is taken; then it is a handler like others, and
what runs behind the body is an `else`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from runtime.control_flow.branches.values import Group
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.statement.subgraph import current_graph
from runtime.control_flow.tries.raised import UNREACHABLE, Diverged, end_trace, ends_a_branch, is_refusal
from runtime.control_flow.tries.regions import Region
from runtime.control_flow.tries.stand_in import stand_in
from runtime.control_flow.tries.tried_objects import Ends, Outcome
from runtime.control_flow.tries.tried_places import BODY, Places, changed_before
from runtime.graph.graph import Graph
from runtime.graph.program_parts import Handling
from runtime.ops.flow.exceptions import describe_class
from runtime.restarts import Restart
from runtime.tensor.tensor import Tensor

if TYPE_CHECKING:
    from runtime.control_flow.tries.statement import Guarded

__all__ = ["run_cleanup"]

_WHERE: Final = "a `finally` that an exception reaches"

Thunk = Callable[[], Any]


def run_cleanup(guarded: Guarded, cleanup: Thunk, places: Places) -> None:
    """The whole statement: what stands before `finally`, and the cleanup. Raises Restart, having put all back."""
    state, mark = guarded.state, watched_since()
    region = Region(current_graph(), state, guarded.jumps, places)
    inner = replace(guarded, cleanup=None, outputs=len(state.names))
    assert guarded.round is not None
    with guarded.round.within(sys._getframe()):
        reached = guarded.round.run(region, inner.run, ends_a_branch, partial(_pass_on, guarded, cleanup, region))
    if reached is None:
        return
    if not region.risks:
        region.leave()
        cleanup()
        return
    try:
        outcome = _stage(guarded, cleanup, region, reached, places, mark)
    except Restart:
        state.put(region.initial)
        region.drop()
        raise
    if outcome is not None:
        outcome.put(state)
        cleanup()


def _stage(
    guarded: Guarded, cleanup: Thunk, region: Region, reached: bool, places: Places, mark: int
) -> Outcome | None:
    """Adds the operation. Returns where the cleanup is to run once more, if it is not done with."""
    state = guarded.state
    region.close(state.get())
    end: Any = state.get() if reached else UNREACHABLE
    ends = Ends(places, state, region.initial)
    ends.leave(mark, BODY)
    body, graph = region.extract("try"), Graph.within(region.graph, "finally")
    error = stand_in(graph, region.risks)
    graph.recording.handling = Handling(error, region.risks)
    for around in region.around():
        around.forget(region.risks)  # they come from here now
    result = _trace_cleanup(guarded, cleanup, region, graph, places, ends, reached)
    attributes = {"body_graph": body, "handlers": (graph,), "classes": ((describe_class(BaseException),),)}
    if result is not UNREACHABLE:
        guarded.finish_with_else(cleanup, [body, graph], [end, result], attributes, ends)
        return None
    group = Group(range(2), ["`try`", "`finally`"], state.names, [end, UNREACHABLE])
    (outcome,) = ends.merged([body, graph], [group], attributes)
    return outcome


def _trace_cleanup(
    guarded: Guarded, cleanup: Thunk, region: Region, graph: Graph, places: Places, ends: Ends, reached: bool
) -> Any:
    """What the variables are after a `finally` that an exception has reached."""
    assert graph.recording.handling is not None
    state, error = guarded.state, graph.recording.handling.error
    start = guarded.at_raise(graph, region, region.risks)
    given = places.at_raise(graph, region.memory, changed_before(region.risks), BODY)

    def handler() -> None:
        cleanup()
        _raise_unless_jumped(guarded, error)

    mark = watched_since()
    try:
        result = guarded.run_handler(graph, handler, None, start, given, _WHERE)
    except BaseException:
        ends.back(mark)
        raise
    if reached or given or result is not UNREACHABLE:
        # Where the body ends, the cleanup runs once more behind it, and does to Python's objects then what it did now.
        ends.leave(mark, _WHERE)
    else:
        state.put(region.initial)
        ends.changes.append({})
    return result


def _pass_on(guarded: Guarded, cleanup: Thunk, region: Region, error: BaseException) -> None:
    """What comes while tracing, and is not of the run."""
    if not region.risks and not is_refusal(error):
        cleanup()
        _raise_unless_jumped(guarded, error)
        return
    with suppress(Exception, Diverged):  # no jump of the program, and no other exception, may drop this one
        cleanup()
    rows = zip(guarded.state.names, guarded.state.get(), strict=True)
    guarded.state.put(tuple(False if name.endswith(".jumped") else value for name, value in rows))
    end_trace(error)


def _raise_unless_jumped(guarded: Guarded, error: BaseException) -> None:
    """Ends a cleanup that an exception has reached: the exception goes on, unless a jump has dropped it."""
    values = zip(guarded.state.names, guarded.state.get(), strict=True)
    jumped = next((value for name, value in values if name.endswith(".jumped")), False)
    if isinstance(jumped, Tensor):
        guarded.if_(jumped, lambda: None, lambda: _raise(error), guarded.state, guarded.outputs)
    elif not jumped:
        raise error


def _raise(error: BaseException) -> None:
    raise error
