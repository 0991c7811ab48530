"""pdb for converted code: it stops in the user's code only, and goes over it statement by statement as in the original.

In converted code the body of an `if` is a function that an operator of this package calls. Python's own pdb stops at
breakpoints in it; but its `next` goes past the body, its `step` leads through the package, `where` shows all of that.
This one takes a function and the bodies made for it as one: `next`, `until` and `return` mean what they say, `step`
goes into the user's functions only, `where`, `up` and `down` show the user's frames. All else is pdb.

Example:
    PYTHONBREAKPOINT=autograph.debugger.set_trace python program.py    # for each breakpoint() in it
    autograph.debugger.Debugger().runcall(fn, x)
"""

from __future__ import annotations

import linecache
import pdb  # noqa: T100  # it is a debugger
import sys
from types import CodeType, FrameType, TracebackType
from typing import Any

from autograph.code_names import inner_codes
from autograph.rules import is_own_code, is_user_code
from autograph.template import is_artifact

__all__ = ["Debugger", "set_trace"]


def set_trace() -> None:
    """Stop here, or where the user's code called what calls this. For `sys.breakpointhook` and PYTHONBREAKPOINT."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not _is_shown(frame):
        frame = frame.f_back
    Debugger().set_trace(frame)


class Debugger(pdb.Pdb):
    """As `pdb.Pdb`, with its arguments."""

    def stop_here(self, frame: FrameType) -> bool:
        """Whether the command that was given last ends in this frame."""
        if not _is_shown(frame):
            return False
        if super().stop_here(frame):
            return True
        least: int = self.stoplineno  # `until`: the line to reach; `next`: 0; `return`: -1, none
        return least >= 0 and frame.f_lineno >= least and self._is_awaited(frame)

    def dispatch_line(self, frame: FrameType) -> Any:
        """What is done at a line; nothing at the `def` line where a scope ends."""
        return self.trace_dispatch if _is_leaving(frame) else super().dispatch_line(frame)

    def break_anywhere(self, frame: FrameType) -> bool:
        """Whether the lines of a frame that was entered just now are to be looked at."""
        return super().break_anywhere(frame) or self._is_awaited(frame)

    def _is_awaited(self, frame: FrameType) -> bool:
        """Whether a frame belongs to the call that `next` or `until` goes on in."""
        return self.stopframe is not None and _is_shown(frame) and _call_of(frame) is self.stopframe

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        if _call_of(frame) is frame:
            super().user_call(frame, argument_list)

    def user_return(self, frame: FrameType, return_value: Any) -> None:
        if _call_of(frame) is frame:
            super().user_return(frame, return_value)

    def set_next(self, frame: FrameType) -> None:
        super().set_next(_call_of(frame))

    def set_until(self, frame: FrameType, lineno: int | None = None) -> None:
        super().set_until(_call_of(frame), frame.f_lineno + 1 if lineno is None else lineno)

    def set_return(self, frame: FrameType) -> None:
        super().set_return(_call_of(frame))

    def get_stack(self, f: FrameType | None, t: TracebackType | None) -> tuple[list[Any], int]:
        """The entries that `where` shows, and which of them is the current one."""
        stack, current = super().get_stack(f, t)
        chosen = stack[current][0] if stack else None
        shown = [(each, line) for each, line in stack if each is chosen or _is_shown(each)]
        return shown, next((i for i, (each, _) in enumerate(shown) if each is chosen), 0)


def _is_shown(frame: FrameType) -> bool:
    """Whether the code is the user's, and there is text to show: not for what a library makes of strings."""
    filename = frame.f_code.co_filename
    if not filename.startswith("<"):
        return is_user_code(filename)
    made_by = frame.f_globals.get("__file__", filename)
    return is_user_code(made_by) and bool(linecache.getlines(filename, frame.f_globals))


def _is_leaving(frame: FrameType) -> bool:
    """Whether converted code is at its `def` line again, where the scope around its body ends: the original is not."""
    code = frame.f_code
    if not is_artifact(code):
        return False
    lines = [(start, line) for start, _, line in code.co_lines() if line is not None]
    begins = next((start for start, line in lines if line > frame.f_lineno), frame.f_lasti)
    again = {line for start, line in lines if start > begins}
    first = code.co_firstlineno  # of a decorator, if there is one: that line does not come again
    head = first if first in again else min(again, default=first)
    return frame.f_lasti > begins and frame.f_lineno == head


def _call_of(frame: FrameType) -> FrameType:
    """The frame of the function that the user called, if this one runs a body that was made for it; else itself."""
    while True:
        outer = frame.f_back
        while outer is not None and is_own_code(outer.f_code.co_filename):
            outer = outer.f_back
        if outer is None or not _holds(outer.f_code, frame.f_code):
            return frame
        frame = outer


def _holds(outer: CodeType, inner: CodeType) -> bool:
    """Whether the inner code was generated for the outer one: it is a part of it and goes by its name."""
    return outer.co_qualname == inner.co_qualname and any(part is inner for part in inner_codes(outer))
