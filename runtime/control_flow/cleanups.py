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

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from autograph.errors import StagingError
from runtime.control_flow.branches import Group
from runtime.control_flow.effects import here, refusal
from runtime.control_flow.raised import UNREACHABLE, Diverged, end_trace, ends_a_branch, is_refusal
from runtime.control_flow.regions import Region
from runtime.control_flow.stand_in import stand_in
from runtime.control_flow.subgraph import current_graph, trace
from runtime.control_flow.tried_objects import watch_ends
from runtime.control_flow.world import World
from runtime.control_flow.world_kinds import CELL, GLOBAL
from runtime.graph.graph import Graph
from runtime.graph.program_parts import Handling
from runtime.ops.exceptions import describe_class
from runtime.tensor.tensor import Tensor

if TYPE_CHECKING:
    from runtime.control_flow.guarded import Guarded

__all__ = ["refuse_changes", "run_cleanup"]

_WHERE: Final = "a `finally` that an exception reaches"

_REMEDY: Final = (
    "Assign (`items = items + [x]`, `o.count = o.count + 1`), or keep what happened in a variable and change the object"
    " in the `else` of the `try` or after it"
)

Thunk = Callable[[], Any]


def run_cleanup(guarded: Guarded, cleanup: Thunk) -> None:
    """The whole statement: what stands before `finally`, and the cleanup."""
    state = guarded.state
    region, world = Region(current_graph(), state, guarded.jumps), World(guarded.body)
    inner = replace(guarded, cleanup=None, outputs=len(state.names))
    reached = region.run(inner.run, ends_a_branch, lambda error: _pass_on(guarded, cleanup, region, error))
    if reached is None:
        return
    if not region.risks:
        region.leave()
        cleanup()
        return
    _stage(guarded, cleanup, region, reached, world)


def _stage(guarded: Guarded, cleanup: Thunk, region: Region, reached: bool, world: World) -> None:
    state = guarded.state
    region.close(state.get())
    ends: Any = state.get() if reached else UNREACHABLE
    state.put(region.initial)
    refuse_changes(world, "the body of a `try`")
    body, graph = region.extract("try"), Graph("finally", region.graph)
    error = stand_in(graph, region.risks)
    graph.handling = Handling(error, region.risks)
    for around in region.around():
        around.forget(region.risks)  # they come from here now
    start = guarded.at_raise(graph, region, region.risks)

    def run() -> Any:
        state.put(start)
        try:
            raise error
        except BaseException:
            cleanup()
        _raise_unless_jumped(guarded, error)
        return state.get()

    before, world = world, World(cleanup)
    try:
        result = trace(graph, run, _WHERE)
    finally:
        error.__traceback__ = None  # its frames would keep generators of left loops from being closed
        state.put(region.initial)
    if reached:  # it runs once more behind the statement, and does to Python's objects then what it did now
        _take_back(world)
    attributes = {"body_graph": body, "handlers": (graph,), "classes": ((describe_class(BaseException),),)}
    if result is not UNREACHABLE:
        guarded.finish_with_else(cleanup, region, [body, graph], [ends, result], attributes, before)
        return
    group = Group(range(2), ["`try`", "`finally`"], state.names, [ends, UNREACHABLE])
    (values,) = guarded.merged([body, graph], [group], attributes, before)
    if values is not None:
        guarded.go_on(region, values)
        watch_ends(group, region.initial, values, before)
    elif not reached:
        raise Diverged
    cleanup()


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
        guarded.if_(jumped, _do_nothing, lambda: _raise(error), guarded.outputs)
    elif not jumped:
        raise error


def _raise(error: BaseException) -> None:
    raise error


def _do_nothing() -> None:
    return None


def refuse_changes(world: World, where: str) -> None:
    """Raises StagingError if anything but the variables of the statement was changed, and puts it back."""
    changed = world.changes()
    if changed:
        world.restore(changed)
        first = next((holder for holder in changed if holder.kind not in (CELL, GLOBAL)), next(iter(changed)))
        raise StagingError(
            f"{first.described()} is changed in place inside {where} around staged code{here()}: an exception that only"
            " the run knows may come before or after that, and only what the function itself assigns to is carried from"
            f" there. {first.kind.remedy or _REMEDY}"
        )


def _take_back(world: World) -> None:
    """Puts back what was changed. Raises StagingError where that cannot be done."""
    changed = world.changes()
    world.restore(changed)
    for holder in changed:
        if holder.kind.write is None:
            raise refusal(holder, _WHERE, "")
