"""The stack as the user's code would have it: without the frames of operators, one frame for each call of a function.

In converted code a call goes by way of operators, and the body of an `if` or a loop is a function of its own, whose
frame is that of the line which runs. Here are the functions of the standard library that hand out frames, and the
attributes by which one frame leads to others.

Example:
    ag__.converted_call(sys._getframe, (1,), None, fscope)   # the frame of the user's function that called this one
    ag__.outer_frame(frame)                                  # frame.f_back
    ag__.frame_locals(frame)                                 # frame.f_locals
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from autograph.operators.frame_variables import variables_of
from autograph.operators.scope import FunctionScope
from autograph.operators.variables import Undefined, UndefinedReturnValue
from autograph.rules import is_own_code, users_frame
from autograph.template import is_artifact, is_body_of, users_variables

__all__ = ["call_reader", "calls_from", "frame_locals", "outer_frame", "reads_stack", "users_stack"]

_OPERATORS: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep
_CALLS: Final = frozenset(os.path.join(_OPERATORS, name) for name in ("call.py", "callers.py"))


def users_stack(frame: FrameType | None) -> Iterator[FrameType]:
    """The frames of the user's code from `frame` outwards; of each call of a converted function the innermost."""
    for user, _ in calls_from(frame):
        yield user


def calls_from(frame: FrameType | None) -> Iterator[tuple[FrameType, int]]:
    """As `users_stack`, and how many frames each of them is away from `frame`."""
    below: FrameType | None = None  # the frame that `frame` called
    user: FrameType | None = None  # the last frame of the user
    distance = 0
    while frame is not None:
        if not is_own_code(frame.f_code.co_filename):
            if user is None or below is None or not _runs_body_of(frame, below, user):
                yield frame, distance
            user = frame
        below, frame, distance = frame, frame.f_back, distance + 1


def _runs_body_of(outer: FrameType, below: FrameType, inner: FrameType) -> bool:
    """Whether `inner` is a body generated for the function in `outer`, run by an operator that `outer` called."""
    called = below.f_code.co_filename
    return called.startswith(_OPERATORS) and called not in _CALLS and is_body_of(outer.f_code, inner.f_code)


def outer_frame(value: Any) -> Any:
    """`value.f_back`; of a frame that of the user's function that called it."""
    if type(value) is not FrameType:
        return value.f_back
    stack = users_stack(value)
    first = next(stack, None)
    return next(stack, None) if first is value else first


def frame_locals(value: Any) -> Any:
    """`value.f_locals`; of a frame of converted code what the user's function has there."""
    if type(value) is not FrameType or is_own_code(value.f_code.co_filename):
        return value.f_locals
    frames, frame, below = [value], value.f_back, value
    while frame is not None and (is_own_code(frame.f_code.co_filename) or _runs_body_of(frame, below, frames[-1])):
        if not is_own_code(frame.f_code.co_filename):
            frames.append(frame)
        below, frame = frame, frame.f_back
    if len(frames) == 1 and not is_artifact(value.f_code):
        return value.f_locals
    outermost = frames[-1].f_code
    found = {name: item for frame in reversed(frames) for name, item in variables_of(frame).items()}
    users = users_variables(outermost)
    if users:
        return {n: item for n, item in found.items() if n in users and not isinstance(item, _PLACEHOLDERS)}
    return {name: item for name, item in found.items() if not _is_generated(name, item, outermost)}


_PLACEHOLDERS: Final = (Undefined, UndefinedReturnValue)
_FLAGS: Final = frozenset({"do_return", "retval_", "vars_", "itr"})
"""Variables of generated code in modules that were printed, of whose originals nothing is known."""


def _is_generated(name: str, value: Any, function: CodeType) -> bool:
    if isinstance(value, FunctionType) and value.__code__ is not function:
        return is_body_of(function, value.__code__)
    kinds = (*_PLACEHOLDERS, FunctionScope)
    return name in _FLAGS or isinstance(value, kinds)


# -- functions that hand out frames -------------------------------------------------------------------------------


def _getframe(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    if kwargs or len(args) > 1 or not all(hasattr(type(depth), "__index__") for depth in args):
        return function(*args, **kwargs)  # raises TypeError
    depth = max(0, operator.index(args[0])) if args else 0
    frame = next(islice(users_stack(here), depth, None), None)
    if frame is None:
        raise ValueError("call stack is not deep enough")
    return frame


def _module_name(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    depth = args[0] if args else kwargs.get("depth", 0)
    frame = next(islice(users_stack(here), max(0, depth), None), None)
    return None if frame is None else frame.f_globals.get("__name__")


def _currentframe(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    return here if not args and not kwargs else function(*args, **kwargs)


def _stack(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    """inspect.stack and inspect.getouterframes: what Python tells of the frames, of those that the user knows."""
    if function.__name__ == "getouterframes":
        here, args = args[0], args[1:]
    known = {id(frame) for frame in users_stack(here)}
    found = sys.modules["inspect"].getouterframes(here, *args, **kwargs)
    return [each for each in found if id(each.frame) in known]


def _traceback(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    """traceback.extract_stack, format_stack, print_stack."""
    traceback = sys.modules["traceback"]
    given = dict(zip(("f", "limit", "file"), args, strict=False)) | kwargs
    frames = users_stack(given.get("f") or here)
    stack = traceback.StackSummary.extract(((f, f.f_lineno) for f in frames), limit=given.get("limit"))
    stack.reverse()
    if function.__name__ == "print_stack":
        return traceback.print_list(stack, file=given.get("file"))
    return stack if function.__name__ == "extract_stack" else stack.format()


def _walk(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], here: FrameType) -> Any:
    start = args[0] if args else kwargs.get("f")
    return ((frame, frame.f_lineno) for frame in users_stack(start or here))


Reader = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any], FrameType], Any]

_READERS: Final[dict[tuple[str, str], Reader]] = {
    ("inspect", "currentframe"): _currentframe,
    ("inspect", "getouterframes"): _stack,
    ("inspect", "stack"): _stack,
    ("sys", "_getframe"): _getframe,
    ("sys", "_getframemodulename"): _module_name,
    ("traceback", "extract_stack"): _traceback,
    ("traceback", "format_stack"): _traceback,
    ("traceback", "print_stack"): _traceback,
    ("traceback", "walk_stack"): _walk,
}


def _name_of(function: Any) -> tuple[Any, Any]:
    return getattr(function, "__module__", None), getattr(function, "__name__", None)


def reads_stack(function: Any) -> bool:
    """Whether a function of the standard library hands out frames."""
    return _name_of(function) in _READERS


def call_reader(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function that `reads_stack`."""
    return _READERS[_name_of(function)](function, args, kwargs, users_frame(sys._getframe(1)))
