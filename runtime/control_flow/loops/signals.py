"""What may turn out while a loop is traced, so that its trace is given up: it has more variables, or two are one place.

    raise TwoNames({2: 0})        # caught by `loop_statement`, which traces again with what is now known

None of these is an Exception: no `except` of the user's is meant to see it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import CodeType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.operators.signals import Signal
from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.world_values import Same

__all__ = ["AROUND", "Again", "TestAssigns", "TwoNames", "Unrolls", "give_up", "is_moved"]


def is_moved(before: Any, after: Any) -> bool:
    """Whether something is another object than the one that `before` holds as `Same`."""
    if type(before) is Same:
        return after is not before.value
    if type(before) is Ref:
        return after is not before
    if not nest.is_nested(before) or type(before) is not type(after):
        return False
    pairs = zip(nest.children(before), nest.children(after), strict=False)
    return any(is_moved(a, b) for (_, a), (_, b) in pairs)


class TestAssigns(Signal):
    """The test of a loop assigned to a variable of the loop; no user's `except` is meant to see this."""

    def refusal(self) -> StagingError:
        return StagingError(
            f"{str(self)!r} gives another value each time it is read, so it cannot be state of a staged loop; read it"
            " into a local variable before the loop, and assign it after"
        )


class Again(Signal):
    """A loop has more variables than it was traced with: `target`, which is the innermost one or one around."""

    def __init__(self, target: Any) -> None:
        super().__init__()
        self.target = target


class Unrolls(Signal):
    """A loop over what Python knows cannot be one loop of the graph: its body is traced for each item instead. The
    text says why."""


AROUND: Final[ContextVar[tuple[CodeType | None, ...]]] = ContextVar("runtime_loops_being_staged", default=())
"""The bodies of the loops of Python, around what is traced now, that are tried as loops of the graph."""


def give_up(why: str) -> None:
    """Gives up the innermost attempt to make a loop of Python one of the graph, if there is any."""
    if AROUND.get():
        raise Unrolls(why)


class TwoNames(Signal):
    """Two of the loop's variables are one place. `twins`: which is which."""

    def __init__(self, twins: Mapping[int, int]) -> None:
        self.twins = twins
