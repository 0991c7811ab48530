"""The user's frames among those of generated code and operators, for functions that ask who called them.

A warning or a log record names the line that made it, found by counting frames (`stacklevel`). In converted code there
are frames of operators in between, and a body of a loop is a frame of its own: these are not the user's. A class that
is made by a call (`namedtuple`, `type`, `Enum`) takes the module of its caller for its own.

Example:
    call_for_user(warnings.warn, ("old",), {})  # names the line of the user that calls warnings.warn
    call_for_user(namedtuple, ("Point", "x y"), {}).__module__  # the user's module
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

__all__ = ["asks_for_caller", "call_for_user"]

_OPERATORS = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CALL = os.path.join(_OPERATORS, "call.py")

_WARN = frozenset({("_warnings", "warn"), ("warnings", "warn"), ("_py_warnings", "warn")})
_LOG_NAMES = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})


_MAKES_CLASSES = frozenset(
    {
        ("collections", "namedtuple"),
        ("dataclasses", "make_dataclass"),
        *[("typing", name) for name in ("NamedTuple", "NewType", "ParamSpec", "TypedDict", "TypeVar", "TypeVarTuple")],
    }
)
_MODULES = frozenset({module for module, _ in _WARN | _MAKES_CLASSES} | {"logging"})


def asks_for_caller(function: Any) -> bool:
    """Whether a function or class looks at the frame that calls it, and can be shown the user's."""
    module = getattr(function, "__module__", None)
    if module in _MODULES:
        name = getattr(function, "__name__", None)
        if (module, name) in _MAKES_CLASSES or _takes_stacklevel(module, name):
            return True
    return isinstance(function, type) and _makes_classes(function)


def _takes_stacklevel(module: Any, name: Any) -> bool:
    return (module, name) in _WARN or (module == "logging" and name in _LOG_NAMES)


def _makes_classes(kind: type) -> bool:
    """Whether it is a metaclass, or an enumeration, which makes another one if it is called with several arguments."""
    return issubclass(kind, type) or (type(kind) is not type and type(kind).__module__ == "enum")


def call_for_user(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function that `asks_for_caller`, so that it finds what it would find in the user's code."""
    if not _takes_stacklevel(function.__module__, function.__name__):
        return _from_module_of_user(function, args, kwargs)
    if (function.__module__, function.__name__) in _WARN and len(args) > 2:
        return function(*args[:2], _real_level(args[2]), *args[3:], **kwargs)
    return function(*args, **kwargs | {"stacklevel": _real_level(kwargs.get("stacklevel", 1))})


def _from_module_of_user(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call from a frame that has the globals of the user's frame."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_OPERATORS):
        frame = frame.f_back
    if frame is None or (len(args) == 1 and isinstance(function, type) and _makes_classes(function)):
        # Color(1) makes nothing.
        return function(*args, **kwargs)
    return FunctionType(_call.__code__, frame.f_globals)(function, args, kwargs)


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


def _real_level(level: Any) -> Any:
    """The level that reaches, from the function that calls this one, the frame that `level` means to the user."""
    if not isinstance(level, int):
        return level  # the function will say what is wrong with it
    frame: FrameType | None = sys._getframe(1)
    real, wanted = 1, max(level, 1)
    below: FrameType | None = None  # the frame that `frame` called
    user: FrameType | None = None  # the last frame of the user
    while frame is not None:
        if not frame.f_code.co_filename.startswith(_OPERATORS):
            if not (user is not None and below is not None and _runs_body_of(frame, below, user)):
                wanted -= 1
            if wanted == 0:
                break
            user = frame
        below, frame, real = frame, frame.f_back, real + 1
    return real


def _runs_body_of(outer: FrameType, below: FrameType, inner: FrameType) -> bool:
    """Whether `inner` is a body generated for the function in `outer`, run by an operator that `outer` called."""
    by_operator = below.f_code.co_filename.startswith(_OPERATORS) and below.f_code.co_filename != _CALL
    return by_operator and outer.f_code.co_qualname == inner.f_code.co_qualname
