"""Which line of the user's changed an object: the code runs again, line by line, when staging it is refused.

    line_of(branch, holder)      ->  'model.py:12'

Nothing is traced line by line in a program that is accepted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from autograph.rules import is_user_code
from runtime.heap.store import Holder

__all__ = ["line_of"]


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
        if self.found:
            return None
        if not is_user_code(frame.f_code.co_filename) or frame.f_code.co_filename == "<string>":
            return None
        self.look()
        self.line = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        return self.step

    def step(self, frame: FrameType, event: str, argument: Any) -> Any:
        if self.found:
            return None
        self.look()
        self.line = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        return self.step

    def look(self) -> None:
        if self.line and not self.holder.kind.unchanged(self.contents, self.holder.read()):
            self.found = self.line
