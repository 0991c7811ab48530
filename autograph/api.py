"""What users call: converted functions, their generated code, and the marks that steer the conversion.

Example:
    @autograph.convert(recursive=True)
    def f(x): ...

    print(autograph.to_code(f))
    g = autograph.to_graph(f)  # converted now, not at the first call
"""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from types import CodeType, FunctionType, MethodType
from typing import Any, Final, TypeVar, overload
from weakref import WeakValueDictionary

from autograph.cache import IdentityCache
from autograph.conversion import converted_text, template_of
from autograph.errors import ConversionError, SourceUnavailableError
from autograph.operators.call import converted_call
from autograph.operators.observation import is_observed, tell_function
from autograph.operators.scope import conversion_enabled, under_conversion, without_conversion
from autograph.options import ConversionOptions, Feature, feature_tuple
from autograph.rules import is_marked, reason_to_run_as_is
from autograph.template import Template, is_artifact, rebuild

__all__ = ["convert", "converted", "do_not_convert", "is_converted", "to_code", "to_graph", "trace"]

AnyCallable = TypeVar("AnyCallable", bound=Callable[..., Any])
Again = Callable[[FunctionType], Any]
Features = Feature | Iterable[Feature] | None

# The code of the functions that `convert` and `do_not_convert` return. A mark on the function itself would be copied to
# every wrapper around it by functools.wraps.
_converting_wrappers: Final[IdentityCache[CodeType, bool]] = IdentityCache()
_marked_wrappers: Final[IdentityCache[CodeType, bool]] = IdentityCache()


def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Features = None) -> str:
    """The generated code of a function, method, lambda or callable object, as text for reading.

    recursive: also convert what it calls. experimental_optional_features: one Feature or several.
    Raises ConversionError if it cannot be converted.
    """
    return converted_text(*asked_for(entity, recursive, experimental_optional_features)) + "\n"


def asked_for(entity: Any, recursive: bool, features: Features) -> tuple[FunctionType, ConversionOptions]:
    """The Python function inside a callable, and how it is converted when a user asks. Raises ConversionError."""
    return _function_of(entity)[0], _options(True, recursive, features)


def to_graph(
    entity: AnyCallable, recursive: bool = True, experimental_optional_features: Features = None
) -> AnyCallable:
    """The converted form of a function, method, lambda or callable object, converted now.

    It has the name, signature, defaults, closure cells and attributes of the original, which is its `__wrapped__`.
    Raises ConversionError if it cannot be converted.
    """
    function, again = _function_of(entity)
    made: AnyCallable = again(_made(function, _options(True, recursive, experimental_optional_features)))
    return made


def converted(
    fn: AnyCallable, *, user_requested: bool = True, recursive: bool = True, optional_features: Features = ()
) -> AnyCallable:
    """The converted form of any callable, for a runtime that traces it; what is to run as it is comes back unchanged.

    As `to_graph`; but a function that is marked `do_not_convert` or is already converted is returned as it is, and with
    user_requested=False so is library code.
    """
    if _runs_as_is(fn):
        return fn
    function, again = _function_of(fn)
    if not user_requested and reason_to_run_as_is(function) is not None:
        return fn
    options = _options(user_requested, recursive, optional_features)
    include, exclude = getattr(getattr(fn, "__func__", fn), "__ag_rules__", ((), ()))  # of `convert`
    if include or exclude:
        options = dataclasses.replace(options, include=include, exclude=exclude)
    made: AnyCallable = again(_made(function, options))
    return made


def _options(user_requested: bool, recursive: bool, features: Features) -> ConversionOptions:
    return ConversionOptions(
        recursive=bool(recursive), user_requested=bool(user_requested), optional_features=feature_tuple(features)
    )


_alive: WeakValueDictionary[tuple[int, ConversionOptions], FunctionType] = WeakValueDictionary()
"""Converted functions that are still in use. Each holds its original (`__wrapped__`), so the id stays valid."""

_making: Final = threading.RLock()


def _made(function: FunctionType, options: ConversionOptions) -> FunctionType:
    key = (id(function), options)
    template = template_of(function, options)
    with _making:
        known = _alive.get(key)
        if known is None or known.__dict__.get("__wrapped__") is not function or not _is_of(known, template, function):
            known = _alive[key] = rebuild(template, function)
    return known


def _is_of(known: FunctionType, template: Template, function: FunctionType) -> bool:
    """Whether the function has still the code and the defaults that this was made of; editors give it others."""
    if known.__code__ is not template.code or known.__defaults__ is not function.__defaults__:
        return False
    return known.__kwdefaults__ is function.__kwdefaults__


def _runs_as_is(fn: Any) -> bool:
    """Whether a callable is generated code already, or is marked to run as plain Python."""
    if isinstance(fn, MethodType):
        return _runs_as_is(fn.__func__)
    if isinstance(fn, functools.partial):
        return _runs_as_is(fn.func)
    if isinstance(fn, FunctionType):
        return is_artifact(fn.__code__) or _marked_wrappers.get(fn.__code__) is not None
    return is_marked(type(fn)) or is_marked(fn)


def is_converted(fn: Any) -> bool:
    """Whether a function is generated code."""
    return isinstance(fn, FunctionType) and is_artifact(fn.__code__)


def _same(made: FunctionType) -> FunctionType:
    return made


def _function_of(entity: Any) -> tuple[FunctionType, Again]:
    """The Python function inside a callable, and how to make the same kind of callable around another function."""
    if type(entity) is FunctionType:
        if _marked_wrappers.get(entity.__code__):
            raise ConversionError(f"{entity.__qualname__!r} is marked do_not_convert; take the mark off to convert it")
        if _converting_wrappers.get(entity.__code__) or is_artifact(entity.__code__):
            return _function_of(_original(entity))
        return entity, _same
    if isinstance(entity, MethodType):
        function, again = _function_of(entity.__func__)
        return function, lambda made: MethodType(again(made), entity.__self__)
    if isinstance(entity, (classmethod, staticmethod)):
        function, again = _function_of(entity.__func__)
        return function, lambda made: type(entity)(again(made))
    if isinstance(entity, functools.partial):
        function, again = _function_of(entity.func)
        return function, lambda made: type(entity)(again(made), *entity.args, **entity.keywords)
    _refuse_by_kind(entity)
    if hasattr(type(entity), "python_function") or "python_function" in getattr(entity, "__dict__", {}):
        return _function_of(entity.python_function)
    method = next((base.__dict__["__call__"] for base in type(entity).__mro__ if "__call__" in base.__dict__), None)
    if isinstance(method, FunctionType):
        return _function_of(MethodType(method, entity))
    raise SourceUnavailableError(
        f"{entity!r} has no Python source (it is a {type(entity).__qualname__}, written in C), so it cannot be "
        "converted; convert the Python function that calls it"
    )


def _original(entity: FunctionType) -> Any:
    original = entity.__dict__.get("__wrapped__")
    if original is None:
        raise ConversionError(f"{entity.__qualname__!r} is generated code; convert the function that it was made from")
    return original


def _refuse_by_kind(entity: Any) -> None:
    if isinstance(entity, type):
        raise ConversionError(f"{entity.__qualname__!r} is a class; convert its methods, for instance with @convert()")
    if isinstance(entity, functools._lru_cache_wrapper):
        raise ConversionError(
            f"{entity!r} caches results, so its body does not always run; convert the function inside and cache that: "
            "functools.lru_cache(to_graph(fn.__wrapped__))"
        )
    if not callable(entity):
        raise ConversionError(
            f"{entity!r} cannot be called, so there is nothing to convert; it is of type {type(entity).__qualname__}"
        )


def convert(
    recursive: bool = False,
    optional_features: Features = None,
    user_requested: bool = True,
    conversion_ctx: AbstractContextManager[Any] | None = None,
    *,
    include: Any = (),
    exclude: Any = (),
) -> Callable[[AnyCallable], AnyCallable]:
    """A decorator: the function is converted at its first call.

    recursive: also convert what it calls; include, exclude: rules for that, before those of `set_conversion_rules`.
    conversion_ctx: a context that is entered around each call.
    A call raises ConversionError if the function cannot be converted.
    """
    if callable(recursive):
        name = getattr(recursive, "__qualname__", repr(recursive))
        raise TypeError(f"convert makes a decorator: write @autograph.convert() above {name!r}, with the parentheses")
    options = ConversionOptions(
        recursive=recursive,
        user_requested=user_requested,
        optional_features=feature_tuple(optional_features),
        include=include,
        exclude=exclude,
    )

    def decorator(f: Any) -> Any:
        if isinstance(f, (classmethod, staticmethod)):
            return type(f)(decorator(f.__func__))
        _function_of(f)  # refuses what can never be converted

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            is_inside = conversion_enabled.get() is not None
            if conversion_ctx is None and is_inside:
                return converted_call(f, args, kwargs, options=options)
            with conversion_ctx or nullcontext(), nullcontext() if is_inside else under_conversion():
                return converted_call(f, args, kwargs, options=options)

        _converting_wrappers.put(wrapper.__code__, True)
        functools.update_wrapper(wrapper, f)
        wrapper.__ag_rules__ = options.include, options.exclude  # type: ignore[attr-defined]
        return wrapper

    return decorator


@overload
def do_not_convert(func: AnyCallable) -> AnyCallable: ...
@overload
def do_not_convert(func: None = None) -> Callable[[AnyCallable], AnyCallable]: ...
def do_not_convert(func: Any = None) -> Any:
    """A decorator: the function, and all that it calls, runs as plain Python.

    A class that is so marked has objects whose `__call__` runs as it is.
    """
    if func is None:
        return do_not_convert
    if isinstance(func, type):
        func.__ag_do_not_convert__ = True  # type: ignore[attr-defined]
        return func
    if isinstance(func, (classmethod, staticmethod)):
        return type(func)(do_not_convert(func.__func__))

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if is_observed() and hasattr(func, "__code__"):
            tell_function(func.__code__, "it is marked do_not_convert")
        with without_conversion():
            return func(*args, **kwargs)

    _marked_wrappers.put(wrapper.__code__, True)
    return functools.update_wrapper(wrapper, func)


def trace(*args: Any) -> None:
    """Print `args` when the function is traced, and never when its graph runs."""
    print(*args)
