"""What a branch or loop body does to objects that a graph cannot carry: the refusals, with the line that does it.

    if x > 0: del cache["a"]     # "'cache['a']' is removed in the main branch only (at model.py:12). ..."

For that its code runs again, line by line. Nothing is traced line by line in a program that is accepted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from autograph.errors import StagingError
from autograph.rules import is_user_code
from runtime.context import recording
from runtime.control_flow.objects.watched import watched_since
from runtime.control_flow.statement.subgraph import current_graph
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.heap.kinds import ARRAY
from runtime.heap.store import Contents, Holder, World
from runtime.ndarrays.restart import can_be_memory, restart

__all__ = ["KEEP_IT", "again", "as_memory", "line_of", "refusal", "refusal_of_keys"]

Thunk = Callable[[], Any]


def again(code: Thunk, holder: Holder, world: World) -> str:
    """The line where `code` changes a holder; the code runs once more, in a graph that is thrown away."""
    mark = watched_since()
    with recording(Graph.within(current_graph(), "again")):
        found = line_of(code, holder)
    watched_since(mark)
    world.restore()
    return found


def refusal(holder: Holder, where: str, line: str) -> StagingError:
    """line: ` (at model.py:12)`, or nothing where the line that does it was not found: then that of the statement."""
    as_memory(holder)
    line = line or here()
    return StagingError(
        f"{holder.described()} is changed inside {where}, which depends on a tensor{line}: what it has after that has"
        " no static structure, so a graph would do it once, while it is traced, whichever way it runs."
        f" {holder.kind.remedy or _REMEDY}"
    )


def as_memory(holder: Holder) -> None:
    """Before a refusal: begins the trace again, with memory of the graph for an array of numpy's, where that helps."""
    if holder.kind is ARRAY and can_be_memory(holder.owner):
        restart(holder.owner)


def refusal_of_keys(holder: Holder, before: Contents, now: Contents, line: str) -> StagingError | None:
    """For a key or attribute that the body of a loop makes or removes; None if it does not."""
    line = line or here()
    if made := [key for key in now if key not in before]:
        return StagingError(
            f"{holder.path(made[0])!r} is made in the body of a loop, which depends on a tensor{line}, and is not there"
            " if that never runs. Give it a value before the loop, one that stands for `none yet` (-1, nan, None)"
        )
    if lost := [key for key in before if key not in now]:
        name = holder.path(lost[0])
        return StagingError(f"{name!r} is removed in the body of a loop, which depends on a tensor{line}. {KEEP_IT}")
    return None


KEEP_IT: Final = "Whether it is there may not depend on a tensor: keep it, with a value that stands for `not there`"

_REMEDY: Final = (
    "Assign to a variable of this function instead (it becomes part of the graph), or make the change outside of the"
    " statement."
)


# -- which line it is


def line_of(code: Callable[[], Any], holder: Holder) -> str:
    """Runs `code` until the contents of `holder` are other ones; the empty text if they never are."""
    watcher = _Watcher(holder)
    before = sys.gettrace()
    sys.settrace(watcher.enter)
    try:
        code()
    except BaseException:
        pass  # what it raises, it raised the first time
    finally:
        sys.settrace(before)
    return watcher.found


class _Watcher:
    """A trace function that looks at the holder after each line of the user's."""

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.contents = holder.read()
        self.line = ""
        self.found = ""

    def enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        filename = frame.f_code.co_filename
        return self.step(frame, event, argument) if is_user_code(filename) and filename != "<string>" else None

    def step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self.found:
            return None
        self.look()
        self.line = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        return self.step

    def look(self) -> None:
        if self.line and not self.holder.kind.unchanged(self.contents, self.holder.read()):
            self.found = self.line
