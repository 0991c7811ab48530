"""The user's line at which something was made: the innermost frame outside of this project.

>>> str(Location("model.py", 12, "step"))
'model.py:12 in step'
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

__all__ = ["Location", "definition", "is_own", "user_location", "where_raised"]

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OWN = tuple(os.path.join(_ROOT, package) + os.sep for package in ("runtime", "autograph"))


@dataclass(frozen=True, slots=True)
class Location:
    """File, line and function of user code."""

    filename: str
    lineno: int
    function: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.lineno} in {self.function}"


@lru_cache(maxsize=4096)
def is_own(filename: str) -> bool:
    """Whether a file belongs to this project, or to what its frames go through."""
    return filename.startswith(_OWN) or filename.startswith("<frozen") or "contextlib.py" in filename


def user_location() -> Location | None:
    """Where the user's code is now, or None when no frame outside of the project is found."""
    frame = sys._getframe(1)
    while frame is not None and is_own(frame.f_code.co_filename):
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return Location(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def where_raised(error: BaseException) -> tuple[Location | None, bool]:
    """The innermost line of user code that an exception has passed, and whether it was that line which raised it."""
    found, own = None, True
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        own = is_own(code.co_filename)
        if not own:
            found = Location(code.co_filename, traceback.tb_lineno, code.co_name)
        traceback = traceback.tb_next
    return found, not own


def definition(function: Callable[..., Any]) -> str:
    """Where a function is defined, as `model.py:12`; empty for what is not written in Python."""
    function = inspect.unwrap(function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return "" if code is None else f"{code.co_filename}:{code.co_firstlineno}"
