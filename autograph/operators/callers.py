"""Calls of what runs as it is, made so that it finds the user as its caller.

A class that is made by a call (`namedtuple`, `type`, `Enum`) takes the module of its caller for its own, `exec` takes
over the caller's `from __future__` statements, a warning or a log record names the line that made it, found by counting
frames (`stacklevel`). In converted code an operator makes the call; so it is made in a frame with the globals of the
user's function, and levels are counted in the user's frames.

Example:
    call_of(warnings.warn)(warnings.warn, ("old",), {})  # names the line of the user that calls warnings.warn
    call_of(namedtuple)(namedtuple, ("Point", "x y"), {}).__module__  # the user's module
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any, Final

from autograph.operators.stack import call_reader, calls_from, reads_stack
from autograph.rules import future_flags, users_frame

__all__ = ["CALLS", "call_from_user", "call_of", "compile_for_user"]

_WARN: Final = frozenset({("_warnings", "warn"), ("warnings", "warn"), ("_py_warnings", "warn")})
_LOG_NAMES: Final = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
_COMPILERS: Final = frozenset({("builtins", "compile"), ("builtins", "eval"), ("builtins", "exec")})
_HEAP_TYPE: Final = 1 << 9
"""The flag of classes that were not written out in C, as most of the builtin ones are."""


Call = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


def call_of(function: Any) -> Call | None:
    """How to call what runs as it is and may look at the frame that calls it; None for what never does."""
    if isinstance(function, type):
        return call_from_user if function.__flags__ & _HEAP_TYPE or issubclass(function, type) else None
    name = (getattr(function, "__module__", None), getattr(function, "__name__", None))
    if name in _WARN or (name[0] == "logging" and name[1] in _LOG_NAMES):
        return _call_with_level
    if reads_stack(function):
        return call_reader
    if name in _COMPILERS:
        return compile_for_user
    return None if isinstance(function, BuiltinFunctionType) else call_from_user


def call_from_user(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call from a frame with the globals of the user's function."""
    return FunctionType(_CALL, users_frame(sys._getframe(2)).f_globals)(function, args, kwargs)


def compile_for_user(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call from a frame that also has the `from __future__` statements of the user's module."""
    frame = users_frame(sys._getframe(1))
    flags = future_flags(frame.f_code)
    code = _calls.get(flags)
    if code is None:
        code = _calls[flags] = _CALL.replace(co_flags=_CALL.co_flags & ~future_flags(_CALL) | flags)
    return FunctionType(code, frame.f_globals)(function, args, kwargs)


_calls: Final[dict[int, CodeType]] = {}


def _call_with_level(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function that takes the number of frames to go back (`stacklevel`)."""
    if len(args) > 2 and function.__module__ != "logging":
        return function(*args[:2], _real_level(args[2]), *args[3:], **kwargs)
    return function(*args, **kwargs | {"stacklevel": _real_level(kwargs.get("stacklevel", 1))})


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kwargs:
        return function(*args, **kwargs)
    # A call with its arguments written out needs no C stack, so recursion may go deep.
    return function(args[0]) if len(args) == 1 else function(args[0], args[1]) if len(args) == 2 else function(*args)


_CALL: Final = _call.__code__
CALLS: Final = (_CALL, _call_with_level.__code__)
"""The code that makes calls for the user."""


def _real_level(level: Any) -> Any:
    """The level that reaches, from the function that calls this one, the frame that `level` means to the user."""
    if not isinstance(level, int):
        return level  # the function will say what is wrong with it
    real = 0
    for place, (_, distance) in enumerate(calls_from(sys._getframe(1)), 1):
        real = distance + 1
        if place >= level:
            return real
    return real + max(1, level)  # further than the stack reaches
