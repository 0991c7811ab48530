"""Which functions are converted when converted code calls them, and which run as they are.

Converted are the user's own Python functions. The standard library, this distribution, and installed packages other
than the caller's own run as they are: they were not written to be staged. Rules go by the place of the file, for a
user's file may well be called `random.py`.

Example:
    reason_to_run_as_is(json.dumps)  # 'it belongs to the standard library'
    reason_to_run_as_is(my_function)  # None: convert it
"""

from __future__ import annotations
import __future__

import collections.abc
import contextlib
import inspect
import os
import sys
from functools import lru_cache
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from autograph.logs import log_line

__all__ = [
    "BASES",
    "OWN_CODE",
    "conversion_is_strict",
    "future_flags",
    "is_marked",
    "is_own_code",
    "is_user_code",
    "is_users",
    "lives_with",
    "package_root",
    "reason_for_any_kind",
    "reason_to_run_as_is",
    "syntax_kind",
    "users_frame",
]

_STANDARD_LIBRARY = tuple(
    {os.path.dirname(os.__file__) + os.sep, os.path.dirname(os.path.realpath(os.__file__)) + os.sep}
)
_INSTALLED = tuple(f"{os.sep}{folder}{os.sep}" for folder in ("site-packages", "dist-packages"))
_HERE = os.path.dirname(os.path.abspath(__file__))
_OWN = (_HERE + os.sep, os.path.join(os.path.dirname(_HERE), "runtime") + os.sep)

_AROUND_A_CALL: Final = contextlib.ContextDecorator()(lambda: None).__code__
"""The code of what `@manager` makes of a function, `with manager: return function(...)`: it is converted."""

BASES: Final = (
    collections.UserDict, collections.UserList, *(getattr(collections.abc, name) for name in collections.abc.__all__)
)  # fmt: skip
"""Classes of the standard library that are there to be inherited: what they do is done by methods of the user's."""
_OF_BASES: Final = {
    id(method.__code__): method.__code__
    for base in BASES for method in vars(base).values() if isinstance(method, FunctionType)
}  # fmt: skip
"""The code of their methods, by its id: it is converted as the user's is."""

_MADE_BY_ATTRS: Final = "<attrs generated"
"""How the names of the texts begin that the attrs library makes methods of; they may be gone from the line cache."""

OWN_CODE: Final = "it belongs to autograph or its runtime"

_SYNTAX_KINDS = (
    (inspect.CO_ASYNC_GENERATOR, "an async generator function"),
    (inspect.CO_COROUTINE, "an async function"),
    (inspect.CO_ITERABLE_COROUTINE, "a generator-based coroutine"),
    (inspect.CO_GENERATOR, "a generator function"),
)


_FUTURE_FLAGS = 0
for _feature in [getattr(__future__, _name) for _name in __future__.all_feature_names]:
    _mandatory = _feature.getMandatoryRelease()
    if _mandatory is None or _mandatory > sys.version_info:  # the flags of the others have other meanings now
        _FUTURE_FLAGS |= _feature.compiler_flag


def future_flags(code: CodeType) -> int:
    """The compiler flags of the `from __future__` statements that the code was compiled under."""
    return code.co_flags & _FUTURE_FLAGS


def syntax_kind(code: CodeType) -> str | None:
    """The kind of a function whose body is not run by calling it, in words; None for an ordinary function."""
    return next((words for flag, words in _SYNTAX_KINDS if code.co_flags & flag), None)


def conversion_is_strict() -> bool:
    """Whether the environment variable AUTOGRAPH_STRICT_CONVERSION is a number above 0.

    A function that is called by converted code and has no source is then an error, where it would run as plain Python.
    """
    text = os.environ.get("AUTOGRAPH_STRICT_CONVERSION", "").strip()
    try:
        return int(text or 0) > 0
    except ValueError:
        log_line(f"AUTOGRAPH_STRICT_CONVERSION is to be a whole number, found {text!r}; taken as 1")
        return True


def is_marked(thing: Any) -> bool:
    """Whether a callable, or the class of a callable object, is marked to run as it is."""
    return getattr(thing, "__ag_do_not_convert__", False) is True


def reason_to_run_as_is(function: FunctionType, chosen: bool | None = None) -> str | None:
    """Why a function that was met on the way is not converted, or None if it is. Installed packages: `lives_with`.

    chosen: what the user's own rules say of it (`autograph.selection`), if anything.
    """
    kind = syntax_kind(function.__code__)
    return f"it is {kind}" if kind is not None else reason_for_any_kind(function, chosen)


def reason_for_any_kind(function: FunctionType, chosen: bool | None = None) -> str | None:
    """As `reason_to_run_as_is`, but generators and async functions are functions like others."""
    if is_marked(function):
        return "it is marked do_not_convert"
    if chosen is not None:
        return None if chosen else "the conversion rules exclude it"
    if function.__code__.co_filename.startswith(_MADE_BY_ATTRS):
        return "the attrs library made it"
    if function.__code__ is _AROUND_A_CALL or id(function.__code__) in _OF_BASES:
        return None
    filename = _file_of(function)
    if filename.startswith(_OWN):
        return OWN_CODE
    if filename.startswith("<frozen ") or (filename.startswith(_STANDARD_LIBRARY) and not _is_installed(filename)):
        return "it belongs to the standard library"
    return None


@lru_cache(maxsize=4096)
def is_user_code(filename: str) -> bool:
    """Whether a file is the user's own: not of the standard library, an installed package or this distribution."""
    return bool(filename) and not (
        filename.startswith((*_OWN, *_STANDARD_LIBRARY, "<frozen ", _MADE_BY_ATTRS)) or _is_installed(filename)
    )


def is_users(code: CodeType) -> bool:
    """Whether code is the user's own, or that of a method which the user's classes inherit and which is converted."""
    return is_user_code(code.co_filename) or id(code) in _OF_BASES


def is_own_code(filename: str) -> bool:
    """Whether a file is a part of this distribution."""
    return filename.startswith(_OWN)


def users_frame(frame: FrameType) -> FrameType:
    """The frame, or the first one that called it which is not of this distribution; the outermost if all are."""
    while is_own_code(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _is_installed(filename: str) -> bool:
    return any(folder in filename for folder in _INSTALLED)


def _file_of(function: FunctionType) -> str:
    """The file of a function; for code made from a string, the file of the module that made it."""
    filename = function.__code__.co_filename
    if not filename.startswith("<") or filename.startswith("<frozen "):
        return filename
    module = sys.modules.get(function.__globals__.get("__name__", ""))
    if module is None or module.__dict__ is not function.__globals__:
        return filename
    made_by = getattr(module, "__file__", None) or filename
    # In the user's own module the name of the text is what finds the source (a notebook's cell, for instance).
    return made_by if made_by.startswith(_STANDARD_LIBRARY + _OWN) or _is_installed(made_by) else filename


def package_root(namespace: dict[str, Any]) -> str:
    """The top-level package of a module, given its namespace."""
    return str(namespace.get("__name__", "")).partition(".")[0]


def lives_with(function: FunctionType) -> str | None:
    """The installed package that a function belongs to, which alone converts it; None for a function of the user."""
    return package_root(function.__globals__) if _is_installed(_file_of(function)) else None
