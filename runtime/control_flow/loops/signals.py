"""What may turn out while a loop is traced, so that its trace is given up: it has more variables, or two are one place.

    raise Restart(TwoNames({2: 0}))        # `loops.statement` traces again with what is now known
    why = tried(graph, consumer, stage, why)   # a loop of Python as one of the graph: None where it is
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.consumer import Consumer
from autograph.operators.variables import set_variables, variables_in
from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.objects.world_values import Same
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined, inside_of, is_undefined
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.graph.graph import Graph
from runtime.restarts import Restart

__all__ = [
    "AROUND", "MorePlaces", "TestAssigns", "TwoNames", "Unrolls", "failure_of", "give_up", "is_moved", "tried",
]  # fmt: skip


def is_moved(before: Any, after: Any) -> bool:
    """Whether something is another object than the one that `before` holds as `Same`, if there is any."""
    if isinstance(before, MaybeNone | MaybeUndefined):
        inner = inside_of(after)
        return inner is not None and not is_undefined(inner) and is_moved(inside_of(before), inner)
    if type(before) is Same:
        return after is not before.value
    if type(before) is Ref:
        return after is not before
    if not nest.is_nested(before) or type(before) is not type(after):
        return False
    pairs = zip(nest.children(before), nest.children(after), strict=False)
    return any(is_moved(a, b) for (_, a), (_, b) in pairs)


@dataclass(frozen=True)
class TestAssigns:
    """The test of a loop assigns to a variable of the loop, or to a place."""

    name: str

    def refusal(self) -> StagingError:
        return StagingError(
            f"{self.name!r} gives another value each time it is read, so it cannot be state of a staged loop; read it"
            " into a local variable before the loop, and assign it after"
        )


@dataclass(frozen=True)
class MorePlaces:
    """The loop that it is for changes more places than those that it was traced with."""


@dataclass(frozen=True)
class TwoNames:
    """Two of the loop's variables are one place. `twins`: which is which."""

    twins: Mapping[int, int]


@dataclass(frozen=True)
class Unrolls:
    """A loop over what Python knows cannot be one loop of the graph: its body is traced for each item instead."""

    why: str


AROUND: Final[ContextVar[tuple[CodeType | None, ...]]] = ContextVar("runtime_loops_being_staged", default=())
"""The bodies of the loops of Python, around what is traced now, that are tried as loops of the graph."""


def give_up(why: str) -> None:
    """Gives up the innermost attempt to make a loop of Python one of the graph, if there is any."""
    if AROUND.get():
        raise Restart(Unrolls(why))


# -- loops of Python that are tried as ones of the graph: where that fails all is as it was, and they can be unrolled

_FAILED: Final[PerTrace[dict[Any, str]]] = PerTrace(dict)
"""Why loops are unrolled, by their bodies, within the others that are tried."""


def failure_of(graph: Graph, body: Any) -> str | None:
    """Why a loop is unrolled in this trace; None where it has not been tried, or was one of the graph."""
    return _FAILED.of(graph).get(_key_of(body))


def _key_of(body: Any) -> Any:
    return getattr(body, "__code__", body), AROUND.get()


def tried(
    graph: Graph,
    consumer: Consumer,
    stage: Callable[[], None],
    why: Callable[[BaseException], str | None],
    operation: Callable[[], Any] = lambda: None,
) -> str | None:
    """Stages a loop. Returns why that fails, having put back variables and the graph; None where it does not.

    why: says it of what was raised; None of what goes on. operation: gives that of the loop, if it got so far.
    """
    tracing = graph.recording.tracing
    variables, failure = variables_in(consumer.get_state), tracing.failure
    start, watched = len(graph.operations), watched_since()
    try:
        stage()
        return None
    except BaseException as error:
        if (found := why(error)) is None:
            raise
    tracing.failure = failure
    watched_since(watched)
    set_variables(variables, consumer.get_state, consumer.set_state)
    graph.recording.forget(start, operation())
    _FAILED.of(graph)[_key_of(consumer.body)] = found
    return found
