"""One piece of work that several libraries do, and what ours has to reach.

    Work("squares", {"runtime": ours, "jax": theirs}, (Target(("jax",), 3.0),))

Each entry makes an action when it is called: imports its library, makes the arguments, compiles by a first call. The
library is asked for nowhere else, so that this file can be read without any of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["OURS", "Action", "Target", "Work", "called", "ours", "written"]

OURS = "runtime"

Action = Callable[[], Callable[[], object]]
"""Gives what is measured: the call of what the action gave, once; what precedes it (fresh copies) is not measured."""


@dataclass(frozen=True)
class Target:
    """Ours is to be `times` as fast as the best of these libraries."""

    libraries: tuple[str, ...]
    times: float


@dataclass(frozen=True)
class Work:
    """`by`: makes the action of a library; `group`: for means."""

    name: str
    by: Mapping[str, Callable[[], Action]]
    targets: tuple[Target, ...] = ()
    group: str = ""


def called(function: Callable[..., Any], arguments: Sequence[Any]) -> Action:
    """The call with these arguments, after a first one that compiles."""
    function(*arguments)
    return lambda: lambda: function(*arguments)


def written(function: Callable[..., Any], arguments: Sequence[Any]) -> Action:
    """The call with fresh copies of the arguments each time, for what writes to them."""

    def action() -> Callable[[], object]:
        given = copy.deepcopy(arguments)
        return lambda: function(*given)

    action()()
    return action


def ours(program: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[[], Action]:
    """What makes a call of a program as machine code of ours; its integers are int64."""

    def make() -> Action:
        import runtime

        given = [runtime.constant(a, runtime.int64) if isinstance(a, int) else a for a in arguments]
        return written(runtime.function(program, jit_compile=True), given)

    return make
