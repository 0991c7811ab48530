"""What may turn out while a loop is traced, so that its trace is given up: it has more variables, or two are one place.

    raise Restart(TwoNames({2: 0}))        # `loops.statement` traces again with what is now known
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

from autograph.errors import StagingError
from runtime import structures as nest
from runtime.control_flow.objects.refs import Ref
from runtime.control_flow.objects.world_values import Same
from runtime.control_flow.optional.values import MaybeNone, MaybeUndefined, inside_of, is_undefined
from runtime.restarts import Restart

__all__ = ["AROUND", "MorePlaces", "TestAssigns", "TwoNames", "Unrolls", "give_up", "is_moved"]


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
