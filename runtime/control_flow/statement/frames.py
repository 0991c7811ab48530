"""The variables of the functions that are running: who refers to an object, and giving them another one.

    def put(items, x):
        if x > 0:             # `items` becomes a list that grows in the graph, here ...
            items.append(x)

    put(numbers, x)           # ... and in the frame of the caller, under its name there

Frames are told apart by the trace: those of functions that are being traced may be given the new object; those around
the trace are plain Python, where it must not get.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterator
from types import FrameType, FunctionType
from typing import Any, Final

from autograph.operators.frame_variables import variables_of
from autograph.rules import is_own_code, is_user_code
from autograph.template import is_artifact
from runtime.control_flow.optional.values import inside_of

__all__ = ["frames_around", "name_in_frames", "named_in_frames", "objects_in", "replace_in_frames", "traced_frames"]

_BOUNDARY: Final = ("runtime.function.tracing", "trace_function")
"""The function whose frame parts those that are being traced from those around."""

Undo = Callable[[], None]


def traced_frames(outside_of: FrameType | None = None) -> list[FrameType]:
    """The frames of the user's and of converted code that are being traced, innermost first; `outside_of`: only those
    that led to a frame."""
    frames = _split()[0]
    if outside_of is None:
        return frames
    callers = set()
    while outside_of is not None:
        callers.add(outside_of)
        outside_of = outside_of.f_back
    return [frame for frame in frames if frame in callers]


def frames_around() -> list[FrameType]:
    """The user's frames around the trace."""
    return _split()[1]


def _split() -> tuple[list[FrameType], list[FrameType]]:
    inside: list[FrameType] = []
    found: list[FrameType] = []
    frame: FrameType | None = sys._getframe(1)
    is_outside = False
    while frame is not None:
        names = frame.f_globals
        if is_own_code(str(names.get("__file__"))):  # to read `f_code` is an event for audit hooks, which takes longer
            is_boundary = not is_outside and names["__name__"] == _BOUNDARY[0] and frame.f_code.co_name == _BOUNDARY[1]
            if is_boundary:
                inside, found, is_outside = found, [], True
        elif is_user_code((code := frame.f_code).co_filename) or is_artifact(code):
            found.append(frame)
        frame = frame.f_back
    return inside, found


def objects_in(frames: list[FrameType]) -> list[Any]:
    """What the variables of functions refer to, but for functions: their globals are not the frame's."""
    return [value for frame in frames for value in variables_of(frame).values() if not isinstance(value, FunctionType)]


def name_in_frames(value: Any, frames: list[FrameType] | None = None) -> str:
    """The variable of a running function of the user's that refers to a value, in words; else the empty text."""
    around = [*traced_frames(), *frames_around()] if frames is None else frames
    named = ((frame, name) for frame, name, found in _variables(around) if found is value)
    return next((f"the variable {name!r} of {frame.f_code.co_name!r}" for frame, name in named), "")


def named_in_frames() -> set[int]:
    """The ids of what the variables of running functions of the user's refer to."""
    return {id(found) for _, _, found in _variables([*traced_frames(), *frames_around()])}


def _variables(frames: list[FrameType]) -> Iterator[tuple[FrameType, str, Any]]:
    """What each variable refers to, directly or in a tuple."""
    for frame in frames:
        for name, found in variables_of(frame).items():
            found = inside_of(found)
            yield frame, name, found
            if type(found) is tuple:
                yield from ((frame, name, inside_of(part)) for part in found)


def replace_in_frames(frames: list[FrameType], replaced: Callable[[Any], Any]) -> Iterator[Undo]:
    """Gives each variable the value `replaced(value)`; yields what gives the old one back."""
    for frame in frames:
        changes = {}
        for name, value in variables_of(frame).items():
            new = replaced(value)
            if new is not value:
                changes[name] = (value, new)
        for name, (value, new) in changes.items():
            assign(frame, name, new)
            yield lambda frame=frame, name=name, value=value: assign(frame, name, value)  # type: ignore[misc]


def assign(frame: FrameType, name: str, value: Any) -> None:
    """Gives a variable of a running function a value."""
    variables = frame.f_locals
    variables[name] = value
    if sys.version_info < (3, 13):  # where `f_locals` is a copy, which CPython writes back on demand
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
        del variables
        variables_of(frame)  # which leaves nothing there
