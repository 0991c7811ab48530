"""Python's builtins in converted code: those that a stager may give a meaning, and those that look at their caller.

`len(t)` over a symbolic `t` asks the stager of `t`. `eval`, `locals`, `super` and their like work on the frame that
calls them; in converted code that frame is generated, so they are given the user's variables.

Example:
    call_builtin(len, (t,), {}, scope, True)
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections import deque
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, FunctionType, GeneratorType, MethodDescriptorType, MethodType
from typing import Any, Final

from autograph.operators.as_it_is import call_as_it_is
from autograph.operators.augmented import FUNCTIONS
from autograph.operators.caller_builtins import LOOKS_AT_CALLER
from autograph.operators.library import LIBRARY_CALLS, LIBRARY_METHODS
from autograph.operators.raised_class import exc_info
from autograph.operators.scope import FunctionScope
from autograph.operators.stager import PLAIN_TYPES, PYTHON, stager_of, stager_of_all, tracing_stager
from autograph.operators.strings import WRITERS, is_text_call, refuse_staged_text, text_call
from autograph.operators.truth import asked, length_of
from autograph.options import STANDARD_OPTIONS
from autograph.template import is_artifact

__all__ = ["OVERLOADED", "call_builtin", "is_plain_call"]

OVERLOADED = frozenset(
    {
        abs, all, any, bin, bool, chr, complex, divmod, enumerate, filter, float, hex, int, iter, len, list, map, max,
        min, next, oct, ord, pow, print, range, reversed, round, sorted, sum, tuple, zip, itertools.count,
        itertools.cycle, itertools.repeat,
    }
)  # fmt: skip
"""The builtins whose calls ask the stager of their arguments first; `print` only with the feature BUILTIN_FUNCTIONS."""

ASKS_FOR_KIND = frozenset({callable, getattr, hasattr, isinstance, type})
"""The builtins that answer for a value that may be None by what it is at run time."""

NESTED = frozenset({all, any, filter, max, min, next, sorted, itertools.count, itertools.cycle, itertools.repeat})
"""The builtins that look at the truth or the order of items, or at whether there are any: they ask the stager that is
tracing."""

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
                if type(value) not in PLAIN_TYPES or type(value) is GeneratorType:  # which a loop may have left
                    return False
        except TypeError:  # a class that cannot be hashed
            return False
        return bool(args)
    return (
        type(function) is BuiltinFunctionType
        and type(function.__self__) in _CONTAINERS
        and function.__name__ not in _OF_LISTS
        and all(type(value) in PLAIN_TYPES and type(value) not in (list, tuple) for value in args)
    )


def _call_of_no_builtin(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None
) -> Any:
    """A call of a method of an object, or of a function of a library, that is written in C."""
    owner_type: Any = type(function.__self__) if isinstance(function, BuiltinFunctionType) else None
    methods = _OF_SEQUENCES.get(owner_type, {})
    if methods and function.__name__ in methods:
        return methods[function.__name__](function, args, kwargs, scope)
    if owner_type in LIBRARY_METHODS:
        result = LIBRARY_METHODS[owner_type](function, args, kwargs)
        if result is not NotImplemented:
            return result
    return call_as_it_is(function, args, kwargs)


def call_builtin(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None,
    prints_are_staged: bool,
) -> Any:  # fmt: skip
    """Call a builtin function or class from converted code."""
    of_text = type(function) is BuiltinFunctionType and isinstance(function.__self__, str)
    if not of_text and function not in _SPECIAL:
        return _call_of_no_builtin(function, args, kwargs, scope)
    if function in _CALLS_ARGUMENT:
        return function(*_with_function(args, kwargs, scope, *_CALLS_ARGUMENT[function]), **kwargs)
    if function in OVERLOADED:
        if function is print and not prints_are_staged:
            if (tracer := tracing_stager.get()) is not None:
                tracer.prints()
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
    elif of_text:
        return _of_text(function, args, kwargs)
    elif scope is not None and function in LOOKS_AT_CALLER and not kwargs:
        return LOOKS_AT_CALLER[function](args, scope)
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


def _of_text(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A method of a text: who owns an argument may give it a meaning."""
    owner = stager_of_all(*args, *kwargs.values())
    if owner is not PYTHON and (function := getattr(str, method.__name__, None)) is not None:
        result = owner.builtin(function, (method.__self__, *args), kwargs)
        if result is not NotImplemented:
            return result
    return call_as_it_is(method, args, kwargs)


def _get(method: Any, args: tuple[Any, ...], kwargs: dict[str, Any], scope: FunctionScope | None) -> Any:
    """`items.get(key, default)`: who owns the key may look it up."""
    owner = stager_of(args[0]) if args and not kwargs else PYTHON
    result = NotImplemented if owner is PYTHON else owner.builtin(dict.get, (method.__self__, *args), {})
    return method(*args, **kwargs) if result is NotImplemented else result


_OVERLOADED: Final[dict[str, Any]] = {
    name: getattr(list, name)
    for name in ("append", "clear", "count", "extend", "index", "insert", "pop", "remove", "reverse")
}
_OF_LISTS: Final[dict[str, Callable[..., Any]]] = {**dict.fromkeys(_OVERLOADED, _of_list), "sort": _sort}
_OF_SEQUENCES: Final[dict[type, dict[str, Callable[..., Any]]]] = {
    dict: {"get": _get}, list: _OF_LISTS, tuple: {"count": _of_list, "index": _of_list}
}  # fmt: skip
"""Methods of lists that call a function, compare, or change the list."""


def _is_convertible(function: Any) -> bool:
    """Whether a function means more where converted code calls it: it is a builtin, or not converted yet."""
    kind = type(function)
    if kind is BuiltinFunctionType or kind is type:
        known = function in OVERLOADED or id(function) in LIBRARY_CALLS or is_text_call(function)
        return known and tracing_stager.get() is not None
    if kind is MethodDescriptorType:
        return function.__objclass__ is str and tracing_stager.get() is not None
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


_SPECIAL: Final[frozenset[Any]] = OVERLOADED | ASKS_FOR_KIND | frozenset(
    {*WRITERS, *FUNCTIONS, sys.exc_info, *LOOKS_AT_CALLER, *_CALLS_ARGUMENT}
)
"""All functions that `call_builtin` looks at, but for the methods of text."""
