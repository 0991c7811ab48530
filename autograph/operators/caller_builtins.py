"""Python's builtins that work on the frame of their caller: `eval`, `exec`, `locals`, `super` and their like.

    LOOKS_AT_CALLER[locals]((), scope)        # the user's local variables

In converted code that frame is generated, with more frames for the bodies of staged statements; so they are given the
user's variables.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from autograph.operators.callers import compile_for_user
from autograph.operators.frame_variables import variables_of
from autograph.operators.scope import FunctionScope
from autograph.operators.variables import Undefined

__all__ = ["LOOKS_AT_CALLER"]


def _user_frames(scope: FunctionScope) -> list[FrameType]:
    """The frames of the converted function that `scope` belongs to: the function itself first, then its open bodies."""
    frames: list[FrameType] = []
    frame: FrameType | None = sys._getframe(1)
    package = __name__.rpartition(".")[0]
    while frame is not None:
        if not str(frame.f_globals.get("__name__", "")).startswith(package):
            frames.append(frame)
            own = frame.f_code.co_varnames + frame.f_code.co_cellvars
            if scope.scope_name in own and variables_of(frame).get(scope.scope_name) is scope:
                break
        frame = frame.f_back
    return frames[::-1]


def _user_locals(scope: FunctionScope) -> dict[str, Any]:
    """The user's local variables, as far as they have values."""
    found: dict[str, Any] = {}
    for frame in _user_frames(scope):
        found.update(variables_of(frame))
    hidden = _generated_names(scope)
    return {name: value for name, value in found.items() if name not in hidden and type(value) is not Undefined}


def _generated_names(scope: FunctionScope) -> frozenset[str]:
    return frozenset(
        {
            scope.scope_name,
            "do_return",
            "retval_",
            "get_state",
            "set_state",
            "if_body",
            "else_body",
            "loop_body",
        }
        | {"loop_test", "extra_test", "vars_", "itr"}
    )


def _eval(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return compile_for_user(eval, _with_spaces(args, scope), {})


def _exec(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return compile_for_user(exec, _with_spaces(args, scope), {})


def _with_spaces(args: tuple[Any, ...], scope: FunctionScope) -> tuple[Any, ...]:
    """The arguments of `eval` or `exec`; a namespace that is missing or None is the caller's."""
    if len(args) > 3 or not args or (len(args) > 1 and args[1] is not None):
        return args
    given = args[2] if len(args) == 3 else None
    return args[0], _user_frames(scope)[0].f_globals, _user_locals(scope) if given is None else given


def _globals(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return _user_frames(scope)[0].f_globals if not args else globals(*args)


def _locals(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return _user_locals(scope) if not args else locals(*args)


def _vars(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return _user_locals(scope) if not args else vars(*args)


def _dir(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    return sorted(_user_locals(scope)) if not args else dir(*args)


def _super(args: tuple[Any, ...], scope: FunctionScope) -> Any:
    if args:
        return super(*args)  # pyright: ignore[reportArgumentType]  # which takes all of `args` for the class
    frame = _user_frames(scope)[0]
    variables = variables_of(frame)
    owner = variables.get("__class__")
    if owner is None or not frame.f_code.co_argcount:
        raise RuntimeError("super(): no arguments" if owner is not None else "super(): __class__ cell not found")
    return super(owner, variables[frame.f_code.co_varnames[0]])


LOOKS_AT_CALLER: Final[dict[Callable[..., Any], Callable[[tuple[Any, ...], FunctionScope], Any]]] = {
    builtins.eval: _eval,
    builtins.exec: _exec,
    builtins.globals: _globals,
    builtins.locals: _locals,
    builtins.vars: _vars,
    builtins.dir: _dir,
    builtins.super: _super,
}
"""By the builtin: what does the same for the user of a scope."""
