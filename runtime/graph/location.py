"""The user's line at which something was made: the innermost frame outside of this project, and who called it.

>>> place = Location("model.py", 12, "step", caller=Location("model.py", 30, "train"))
>>> str(place)
'model.py:12 in step'
>>> [str(line) for line in place.lines()]
['model.py:30 in train', 'model.py:12 in step']

The callers are known up to the function that is traced. They cannot go on while what they called still runs, so they
are looked up once for all that one call records.
"""

from __future__ import annotations

import collections.abc
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

__all__ = [
    "Location", "called_at", "definition", "here", "is_own", "locating", "shown_line", "user_location", "where_raised",
]  # fmt: skip

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_OWN = tuple(os.path.join(_ROOT, package) + os.sep for package in ("runtime", "autograph"))
_OF_BASES: Final = collections.abc.Mapping.get.__code__.co_filename
"""Methods that the user's classes inherit are converted as theirs are."""
_CALLS: Final = tuple(os.path.join(_ROOT, "autograph", "operators", name) for name in ("call.py", "callers.py"))


@dataclass(frozen=True, slots=True)
class Location:
    """File, line and function of user code. `caller`: where the function was called, in what was traced with it.
    `first`: the line at which the function begins, if that is known."""

    filename: str
    lineno: int
    function: str
    caller: Location | None = field(default=None, compare=False, repr=False)
    first: int | None = field(default=None, compare=False, repr=False)

    def lines(self) -> list[Location]:
        """The lines of all calls that led here, the outermost first."""
        found: list[Location] = []
        place: Location | None = self
        while place is not None:
            found.append(place)
            place = place.caller
        return found[::-1]

    def __str__(self) -> str:
        return f"{self.filename}:{self.lineno} in {self.function}"


@lru_cache(maxsize=4096)
def is_own(filename: str) -> bool:
    """Whether a file belongs to this project, or to what its frames go through."""
    is_between = filename.startswith("<frozen") and filename != _OF_BASES
    return filename.startswith(_OWN) or is_between or "contextlib.py" in filename


def _file_of_ours(frame: FrameType) -> str:
    """The file of a frame of this project; empty for others.

    The module says it, where it can: to read `f_code` is an event for audit hooks, and takes far longer with one.
    """
    file = frame.f_globals.get("__file__")
    if type(file) is not str or not is_own(file):
        file = frame.f_code.co_filename
    return file if is_own(file) else ""


class _Places:
    """Where the code of one trace is: the frame that was asked for last, its line, and the calls that led to it."""

    __slots__ = ("around", "frame", "here", "outermost")

    def __init__(self, outermost: FrameType | None) -> None:
        self.outermost = outermost
        self.frame: FrameType | None = None
        self.here: Location | None = None
        self.around: dict[FrameType, Location | None] = {}
        """The frames that were asked for and led to that one, the last of them, each with the calls that led to it."""


_places: ContextVar[_Places | None] = ContextVar("runtime.library.places", default=None)


@contextmanager
def locating() -> Iterator[None]:
    """Inside, locations know the calls that led to them, as far as they were made inside."""
    token = _places.set(_Places(sys._getframe(2)))
    try:
        yield
    finally:
        _places.reset(token)


def user_location() -> Location | None:
    """Where the user's code is now, or None when no frame outside of the project is found."""
    places = _places.get()
    outermost = None if places is None else places.outermost
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:  # some twenty frames for each operation: as `_file_of_ours`, without the call
        file = frame.f_globals.get("__file__")
        if (type(file) is not str or not is_own(file)) and not is_own((code := frame.f_code).co_filename):
            break
        if frame is outermost:
            places = None
        frame = frame.f_back
    else:
        return None
    if places is None:
        return Location(code.co_filename, frame.f_lineno, code.co_name, None, code.co_firstlineno)
    if places.frame is not frame:
        _enter(frame, places)
    here, lineno = places.here, frame.f_lineno
    if here is None or here.lineno != lineno:
        here = places.here = Location(code.co_filename, lineno, code.co_name, places.around[frame], code.co_firstlineno)
    return here


Line = tuple[CodeType, int]


def here() -> str:
    """Where the user's code is now, as messages say it; nothing where that is not found."""
    place = user_location()
    return f" (at {place})" if place else ""


def shown_line(place: Location | None) -> str:
    """The text of a line, in brackets; nothing where it is not known."""
    text = "" if place is None else linecache.getline(place.filename, place.lineno).strip()
    return f" (`{text}`)" if text else ""


def _enter(frame: FrameType, places: _Places) -> None:
    """Notes that code of another frame is running; the calls that led to a frame stay known until it is left.

    A generated body stands for the function of the frame further out that runs the same function: that is no call.
    """
    around = places.around
    code, called, lines = frame.f_code, False, list[Line]()
    outer: FrameType | None = frame
    while outer is not None and outer is not places.outermost and outer not in around:
        outer = outer.f_back
        if outer is None or outer is places.outermost:
            break
        if file := _file_of_ours(outer):
            called = called or file in _CALLS
        else:
            here = outer.f_code
            if called or here.co_qualname != code.co_qualname:
                lines.append((here, outer.f_lineno))
            code, called = here, False
    while around and next(reversed(around)) is not outer:
        around.popitem()
    if outer is not frame:
        around[frame] = _linked(lines, around.get(outer) if outer is not None else None)
    places.frame, places.here = frame, None


def _linked(lines: Sequence[Line], caller: Location | None = None) -> Location | None:
    """Lines, the innermost first, as a location with its callers."""
    for code, lineno in reversed(lines):
        caller = Location(code.co_filename, lineno, code.co_name, caller, code.co_firstlineno)
    return caller


def where_raised(error: BaseException) -> tuple[Location | None, bool]:
    """The innermost line of user code that an exception has passed, and whether it was that line which raised it."""
    lines: list[Line] = []
    called, own = True, True
    traceback: TracebackType | None = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        own = is_own(code.co_filename)
        if own:
            called = called or code.co_filename in _CALLS
        else:
            if lines and not called and lines[-1][0].co_qualname == code.co_qualname:
                lines.pop()
            lines.append((code, traceback.tb_lineno))
            called = False
        traceback = traceback.tb_next
    if not lines:
        return None, False
    return _linked(lines[::-1], _around(lines[0][0])), not own


def _around(code: CodeType) -> Location | None:
    """The calls that led to a function which is running just now, or to the generated body of one."""
    places = _places.get()
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _file_of_ours(frame):
        if places is None or frame is places.outermost:
            return None
        frame = frame.f_back
    here = user_location()
    if frame is None or here is None:
        return None
    return here.caller if frame.f_code.co_qualname == code.co_qualname else here


def called_at(place: Location | None, caller: Location | None) -> Location | None:
    """A location in a function that was called at another one."""
    if place is None or caller is None:
        return place or caller
    for line in place.lines():
        caller = Location(line.filename, line.lineno, line.function, caller, line.first)
    return caller


def definition(function: Callable[..., Any]) -> str:
    """Where a function is defined, as `model.py:12`; empty for what is not written in Python."""
    function = inspect.unwrap(function)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return "" if code is None else f"{code.co_filename}:{code.co_firstlineno}"
