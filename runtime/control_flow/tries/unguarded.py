"""What Python runs while tracing, and so cannot be under a condition of the graph: a `try`, the closing of a generator.

    try:
        if x > 0:                    # x is a tensor: the graph raises, long after this `try` has ended
            raise ValueError("large")
    except* ValueError:              # StagingError, with the line of the `raise`
        ...

    for item in map(show, [1, 2]):   # StagingError: `show` would run, and print, whether the loop was left or not
        if x > item:
            break
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from autograph.errors import StagingError
from runtime.context import current_recorder
from runtime.control_flow.statement.state import State
from runtime.control_flow.tries.raised import is_refusal
from runtime.control_flow.tries.regions import Region
from runtime.graph.graph import Graph
from runtime.graph.nesting import operations_within
from runtime.graph.risks import exceptions_of, may_raise
from runtime.heap.positions import position_reader
from runtime.heap.store import World
from runtime.ops.flow.core import placeholder
from runtime.ops.flow.raising import raise_

__all__ = ["Mark", "check_unguarded", "effect_since", "forget_effects", "raises_since", "unguarded"]

Mark = tuple[Graph, int, World | None]
"""A place in what is recorded: a graph, how many operations it has, and what code of the user's may change."""


def check_unguarded(graph: Graph, start: int, what: str) -> None:
    """Raises StagingError if an operation from `start` on may raise. what: the statement around them, in words.

    At the start of a handler it also raises that if what is being handled comes from staging.
    """
    risk = next((operation for operation in operations_within(graph.operations[start:]) if may_raise(operation)), None)
    if risk is not None:
        raise StagingError(
            f"{what} around staged code cannot be staged: the operation {risk.type!r} (at {risk.location}) may raise"
            " when the graph runs, and its handlers would not see that. Write `except` in the place of `except*`"
        )
    error = sys.exception()
    if error is not None and is_refusal(error):
        raise StagingError(f"{what} does not handle what staging refuses: do what that error says") from error


@contextmanager
def unguarded(graph: Graph, where: str, matters: Callable[[], bool] | None) -> Iterator[None]:
    """Around code that must record nothing that may raise, unless it handles that itself. Raises StagingError.

    matters: asked when the code has ended; False: it may raise.
    """
    region = Region(graph, State(tuple, lambda values: None, ()), ())
    try:
        with region:
            yield
    except BaseException as error:
        if region.risks and not is_refusal(error) and (matters is None or matters()):
            raise _refusal(region, where) from error
        raise
    finally:
        region.leave()
    if region.risks and (matters is None or matters()):
        raise _refusal(region, where)


def _refusal(region: Region, where: str) -> StagingError:
    risk = region.risks[0].operation
    return StagingError(
        f"an exception may come when the graph runs (from the operation {risk.type!r}, at {risk.location}), {where}"
    )


def effect_since(graph: Graph, start: int, world: World | None) -> str | None:
    """What an operation from `start` on does besides its result, or may raise; or what has changed in the world."""
    for operation in operations_within(graph.operations[start:]):
        if operation.op is not placeholder and (operation.stateful or may_raise(operation)):
            return f"the operation {operation.type!r}, at {operation.location}"
    for holder in () if world is None else world.changes():
        if position_reader(holder.owner) is None:
            what = holder.described() if holder.label else f"an object ({type(holder.owner).__name__}) that it holds"
            return f"{what} is changed"
    return None


def raises_since(graph: Graph, start: int, kind: type[BaseException], perhaps: bool = False) -> bool:
    """Whether an operation from `start` on is there to raise what is of this kind, or takes an element of data or of a
    list, which may be at its end. perhaps: whether one that may raise it for other reasons will do, too."""
    for operation in operations_within(graph.operations[start:]):
        if operation.type == "dataset_next":
            return True
        ends = perhaps or operation.op is raise_ or operation.type == "list_pop"
        if ends and any(issubclass(found, kind) for found in exceptions_of(operation)):
            return True
    return False


def forget_effects(mark: Mark | None) -> None:
    """Removes what has an effect, and what depends on it, from the operations recorded since `mark`.

    A loop's test is called once to learn that it is a tensor; its prints and checks belong to the condition only.
    """
    if mark is None:
        return
    graph, start, world = mark
    if world is not None:
        world.restore()
    if graph is current_recorder():
        graph.recording.forget(start)
