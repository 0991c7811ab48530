"""Python's builtins in converted code: those that a stager may give a meaning, and those that look at their caller.

`len(t)` over a symbolic `t` asks the stager of `t`. `eval`, `locals`, `super` and their like work on the frame that
calls them; in converted code that frame is generated, so they are given the user's variables.

Example:
    call_builtin(len, (t,), {}, scope, True)
"""

from __future__ import annotations

import builtins
import functools
import itertools
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FrameType, FunctionType, MethodType
from typing import Any, Final

from autograph.operators.as_it_is import call_as_it_is
from autograph.operators.augmented import FUNCTIONS
from autograph.operators.callers import compile_for_user
from autograph.operators.frame_variables import variables_of
from autograph.operators.library import result_seen
from autograph.operators.raised_class import exc_info
from autograph.operators.scope import FunctionScope
from autograph.operators.stager import PLAIN_TYPES, PYTHON, stager_of, stager_of_all, tracing_stager
from autograph.operators.strings import WRITERS, is_text_call, refuse_staged_text, text_call
from autograph.operators.truth import asked, length_of
from autograph.operators.variables import Undefined
from autograph.options import STANDARD_OPTIONS
from autograph.template import is_artifact

__all__ = ["OVERLOADED", "call_builtin", "is_plain_call"]

OVERLOADED = frozenset(
    {
        abs, all, any, bool, divmod, enumerate, filter, float, int, iter, len, list, map, max, min, next, pow, print,
        range, reversed, round, sorted, sum, tuple, zip, itertools.count, itertools.cycle, itertools.repeat,
    }
)  # fmt: skip
"""The builtins whose calls ask the stager of their arguments first; `print` only with the feature BUILTIN_FUNCTIONS."""

ASKS_FOR_KIND = frozenset({callable, getattr, hasattr, isinstance, type})
"""The builtins that answer for a value that may be None by what it is at run time."""

NESTED = frozenset({all, any, filter, max, min, sorted, itertools.count, itertools.cycle, itertools.repeat})
"""The builtins that look at the truth or the order of items, or have no end: they ask the stager that is tracing."""

TAKES_FUNCTION = frozenset({filter, map, max, min, sorted})
"""The builtins that call a function that they are given: the first argument of map and filter, the key of others."""


_BY_ARGUMENTS: Final[frozenset[Any]] = (
    (OVERLOADED | ASKS_FOR_KIND | {hash, id}) - NESTED - TAKES_FUNCTION - {print, type}
)
"""What decides by the types of its arguments alone whether a stager is asked."""

_BY_METHOD: Final[dict[Any, Callable[[Any], Any]]] = {bool: asked, len: length_of}
"""The builtins that ask one method of an object, which may give a staged value."""

_CONTAINERS: Final = frozenset({deque, dict, list, set})
"""The types whose methods ask nobody."""


def is_plain_call(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a call of a builtin is surely Python's own, told quickly; False also where that is not known."""
    if function in _BY_ARGUMENTS:
        try:
            for value in args:
                if type(value) not in PLAIN_TYPES:
                    return False
        except TypeError:  # a class that cannot be hashed
            return False
        return bool(args)
    return (
        type(function) is BuiltinFunctionType
        and type(function.__self__) in _CONTAINERS
        and function.__name__ not in _OF_LISTS
    )


def call_builtin(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    scope: FunctionScope | None,
    prints_are_staged: bool,
) -> Any:
    """Call a builtin function or class from converted code."""
    if function not in _SPECIAL and not (
        type(function) is BuiltinFunctionType and isinstance(function.__self__, str)
    ):
        methods = _OF_SEQUENCES.get(type(function.__self__), {}) if type(function) is BuiltinFunctionType else {}
        if methods and function.__name__ in methods:
            return methods[function.__name__](function, args, kwargs, scope)
        result = call_as_it_is(function, args, kwargs)
        return result if tracing_stager.get() is None else result_seen(result)
    if function in _CALLS_ARGUMENT:
        return function(*_with_function(args, kwargs, scope, *_CALLS_ARGUMENT[function]), **kwargs)
    if function in OVERLOADED:
        if function is print and not prints_are_staged:
            if "file" in kwargs:
                refuse_staged_text(args, kwargs["file"])
            return function(*args, **kwargs)
        if function in TAKES_FUNCTION:
            args, kwargs = _with_converted(function, args, kwargs, scope)
        owner = stager_of_all(*args, *kwargs.values()) if kwargs else stager_of_all(*args)
        if owner is PYTHON and function in NESTED:
            owner = tracing_stager.get() or PYTHON
        elif owner is PYTHON and function in _BY_METHOD and len(args) == 1 and not kwargs and tracing_stager.get():
            return _by_method(function, args[0])
        if owner is not PYTHON:
            result = owner.builtin(function, args, kwargs)
            if result is not NotImplemented:
                return result
    elif function in ASKS_FOR_KIND and args and (ask := _asked(args[0])) is not None:
        return ask(function, args, kwargs)
    elif is_text_call(function):
        result = text_call(function, args, kwargs)
        if result is not NotImplemented:
            return result
    elif scope is not None and function in _LOOKS_AT_CALLER and not kwargs:
        return _LOOKS_AT_CALLER[function](args, scope)
    elif function is type and len(args) == 1 and not kwargs:
        kind = type(args[0])  # with more arguments it makes a class
        return kind.__dict__["__ag_class__"]() if "__ag_class__" in kind.__dict__ else kind
    elif function is sys.exc_info and not args:
        return exc_info()
    elif function in FUNCTIONS and len(args) == 2:
        return FUNCTIONS[function](*args)
    return call_as_it_is(function, args, kwargs)


def _asked(value: Any) -> Callable[..., Any] | None:
    """Who answers for the kind and the attributes of a value that is more than it seems."""
    kind = type(value)
    if getattr(kind, "__ag_maybe_none__", False) is True:
        return stager_of(value).builtin
    return kind.__dict__.get("__ag_asked__")


def _by_method(function: Callable[..., Any], value: Any) -> Any:
    """`bool(value)` or `len(value)` of an object, whose method may give a staged value."""
    result = _BY_METHOD[function](value)
    if result is value:
        return function(value)
    return result if function is len or stager_of(result) is PYTHON else stager_of(result).builtin(bool, (result,), {})


def _with_converted(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with the function among them converted where it is called."""
    if function is map or function is filter:
        if args and _is_convertible(args[0]):
            return (ConvertedWhenCalled(args[0], scope), *args[1:]), kwargs
    elif _is_convertible(kwargs.get("key")):
        return args, {**kwargs, "key": ConvertedWhenCalled(kwargs["key"], scope)}
    return args, kwargs


_CALLS_ARGUMENT: Final[dict[Any, tuple[int, str]]] = {
    functools.reduce: (0, ""),
    itertools.accumulate: (1, "func"),
    itertools.dropwhile: (0, ""),
    itertools.filterfalse: (0, ""),
    itertools.groupby: (1, "key"),
    itertools.starmap: (0, ""),
    itertools.takewhile: (0, ""),
}
"""Functions of the standard library, in C, that call a function they are given: which parameter that is."""


def _with_function(
    args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None, position: int, name: str
) -> tuple[Any, ...]:
    """The arguments, with the function at that position or, in `kwargs`, of that name converted where it is called."""
    if position < len(args) and _is_convertible(args[position]):
        return (*args[:position], ConvertedWhenCalled(args[position], scope), *args[position + 1 :])
    if _is_convertible(kwargs.get(name)):
        kwargs[name] = ConvertedWhenCalled(kwargs[name], scope)
    return args


def _sort(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None) -> None:
    """`items.sort(...)`; while tracing as the stager sorts, for it may be by what only a graph knows."""
    items: list[Any] = method.__self__
    args, kwargs = _with_converted(sorted, args, kwargs, scope)
    tracer = tracing_stager.get()
    if tracer is None or args or not items:
        items.sort(*args, **kwargs)
        return
    result = tracer.builtin(sorted, (items,), kwargs)
    if result is NotImplemented:
        items.sort(**kwargs)
    else:
        items[:] = [result[place] for place in range(len(items))]


def _of_list(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None) -> Any:
    """`items.index(x)`, `items.append(x)` and their like; while tracing as the stager does it, if it has to."""
    tracer = tracing_stager.get()
    if tracer is None or kwargs:
        return method(*args, **kwargs)
    result = tracer.builtin(_OVERLOADED[method.__name__], (method, *args), {})
    return method(*args) if result is NotImplemented else result


_OVERLOADED: Final[dict[str, Any]] = {
    name: getattr(list, name)
    for name in ("append", "clear", "count", "extend", "index", "insert", "pop", "remove", "reverse")
}
_OF_LISTS: Final[dict[str, Callable[..., Any]]] = {**dict.fromkeys(_OVERLOADED, _of_list), "sort": _sort}
_OF_SEQUENCES: Final[dict[type, dict[str, Callable[..., Any]]]] = {
    list: _OF_LISTS, tuple: {"count": _of_list, "index": _of_list}
}  # fmt: skip
"""Methods of lists that call a function, compare, or change the list."""


def _is_convertible(function: Any) -> bool:
    """Whether a function means more where converted code calls it: it is a builtin, or not converted yet."""
    kind = type(function)
    if kind is BuiltinFunctionType or kind is type:
        return tracing_stager.get() is not None and (function in OVERLOADED or is_text_call(function))
    return (kind is FunctionType and not is_artifact(function.__code__)) or kind is MethodType or kind is partial


class ConvertedWhenCalled:
    """A function that a builtin calls: each call is one of converted code."""

    __slots__ = ("_function", "_scope")

    def __init__(self, function: Callable[..., Any], scope: FunctionScope | None) -> None:
        self._function = function
        self._scope = scope

    def __call__(self, *args: Any) -> Any:
        from autograph.operators.call import converted_call  # which calls builtins by this file

        options = STANDARD_OPTIONS if self._scope is None else None
        return converted_call(self._function, args, None, self._scope, options)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self._function,)


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
    if not args or len(args) > 3 or (len(args) > 1 and args[1] is not None):
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
        return super(*args)
    frame = _user_frames(scope)[0]
    variables = variables_of(frame)
    owner = variables.get("__class__")
    if owner is None or not frame.f_code.co_argcount:
        raise RuntimeError("super(): no arguments" if owner is not None else "super(): __class__ cell not found")
    return super(owner, variables[frame.f_code.co_varnames[0]])


_LOOKS_AT_CALLER: dict[Callable[..., Any], Callable[[tuple[Any, ...], FunctionScope], Any]] = {
    builtins.eval: _eval,
    builtins.exec: _exec,
    builtins.globals: _globals,
    builtins.locals: _locals,
    builtins.vars: _vars,
    builtins.dir: _dir,
    builtins.super: _super,
}

_SPECIAL: Final[frozenset[Any]] = OVERLOADED | ASKS_FOR_KIND | frozenset(
    {*WRITERS, *FUNCTIONS, sys.exc_info, *_LOOKS_AT_CALLER, *_CALLS_ARGUMENT}
)
"""All functions that `call_builtin` looks at, but for the methods of text."""
