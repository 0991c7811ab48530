"""Calls: `ag__.converted_call`, which converts the user's functions on the way and lets all others run as they are.

What to do with a function is decided once for each code object and remembered; after that a call costs a look-up and a
new function object around the converted code.

Example:
    converted_call(f, (x,), None, fscope)  # f(x), with f converted if it is the user's own
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import partial
from inspect import CO_GENERATOR
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodDescriptorType, MethodType
from typing import Any, Final

from autograph import logs
from autograph.cache import IdentityCache
from autograph.conversion import template_of
from autograph.errors import ConversionError, ConversionWarning, SourceUnavailableError
from autograph.operators.builtins import call_builtin, is_plain_call
from autograph.operators.callers import call_from_user, call_of
from autograph.operators.classes import meet
from autograph.operators.displays import displayed
from autograph.operators.generator import call_generator
from autograph.operators.left import check_not_left
from autograph.operators.library import LIBRARY_CALLS, on_registration, result_seen
from autograph.operators.loop import is_loop_options, misplaced_options
from autograph.operators.observation import is_observed, on_observation, tell_function
from autograph.operators.scope import FunctionScope, conversion_enabled
from autograph.operators.stager import tracing_stager
from autograph.operators.strings import method_of_text, writes_text, written
from autograph.operators.wrappers import Inside, inside_of, keeps_results
from autograph.options import ConversionOptions, Feature
from autograph.rules import (
    OWN_CODE,
    conversion_is_strict,
    is_marked,
    lives_with,
    package_root,
    reason_for_any_kind,
    reason_to_run_as_is,
)
from autograph.selection import on_change, selected
from autograph.template import Template, bind, is_artifact

__all__ = ["converted_call"]


class _RunAsIs:
    """The decision not to convert a function."""

    __slots__ = ()


class _CalledBy:
    """The decision to let another function call it."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]) -> None:
        self.call = call


class _Inside:
    """The decision to call, instead of a wrapper of the standard library, the user's function that it would call."""

    __slots__ = ("find",)

    def __init__(self, find: Inside) -> None:
        self.find = find


class _Neighbour:
    """The decision to convert a function of an installed package only for callers of the same package."""

    __slots__ = ("package", "template")

    def __init__(self, package: str) -> None:
        self.package = package
        self.template: Template | _CalledBy | None = None


_RUN_AS_IS: Final = _RunAsIs()
_ARTIFACT: Final = _RunAsIs()  # as it is, because it is converted already
_GENERATOR: Final = _RunAsIs()  # as it is, or converted where a loop goes through it
_FOR_USER: Final = _CalledBy(call_from_user)  # as it is, and it finds the user's frame as its caller
_WRITES: Final = _CalledBy(written)  # as it is, but staged values in the text that it makes come from the stager
_MISPLACED: Final = _CalledBy(misplaced_options)
Decision = Template | _RunAsIs | _CalledBy | _Neighbour | _Inside


class _Callees:
    """What is known about the functions that are called under certain options."""

    __slots__ = ("decisions", "options", "prints_are_staged")

    def __init__(self, options: ConversionOptions) -> None:
        self.options = options
        self.prints_are_staged = options.uses(Feature.BUILTIN_FUNCTIONS)
        self.decisions: IdentityCache[CodeType, Decision] = IdentityCache()


_callees: dict[ConversionOptions, _Callees] = {}
_callees_of_scope: IdentityCache[ConversionOptions, _Callees] = IdentityCache()
_callees_of_request: IdentityCache[ConversionOptions, _Callees] = IdentityCache()


def _forget_decisions() -> None:
    for callees in list(_callees.values()):
        callees.decisions = IdentityCache()


on_change(_forget_decisions)
on_observation(_forget_decisions)
on_registration(_forget_decisions)


def converted_call(
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    caller_fn_scope: FunctionScope | None = None,
    options: ConversionOptions | None = None,
) -> Any:
    """`f(*args, **kwargs)`, converted if it is a function of the user.

    caller_fn_scope: the scope of the converted function that makes the call; or else `options`, those of `f` itself.
    Raises ConversionError for what cannot be converted; errors of the user's code pass as they are.
    """
    if (type(f) is BuiltinFunctionType or type(f) is type) and not kwargs and is_plain_call(f, args):
        return f(*args)
    if caller_fn_scope is not None:
        known = caller_fn_scope.options
        callees = _callees_of_scope.by_id(id(known)) or _callees_below(known)
    elif options is not None:
        callees = _callees_of_request.by_id(id(options)) or _callees_for(options)
    else:
        raise ValueError("converted_call needs the scope of its caller (caller_fn_scope) or options")
    if type(f) is not FunctionType:
        if type(f) is not MethodType or type(f.__func__) is not FunctionType:
            return _call_object(f, args, kwargs or {}, callees, caller_fn_scope)
        args = (f.__self__, *args)
        f = f.__func__
    decision = callees.decisions.by_id(id(f.__code__))
    if decision is None:
        decision = _decide(f, callees, sys._getframe(1))
    if type(decision) is _Neighbour:
        decision = _decide_for_caller(f, decision, callees, sys._getframe(1))
    if type(decision) is Template or decision is _ARTIFACT:
        if conversion_enabled.get() is not False:
            made = bind(decision, f) if type(decision) is Template else f
            if (tracer := tracing_stager.get()) is not None:
                check_not_left(*args)  # it may stand behind a star there
                return tracer.call(made, f, displayed(args), displayed(kwargs or {}))
            f = made
    elif type(decision) is _Inside and (found := decision.find(f, args)) is not None:
        return converted_call(found[0], found[1], kwargs, caller_fn_scope, options)
    elif type(decision) is _CalledBy:
        return run_foreign(decision.call, f, args, kwargs or {})
    elif decision is _GENERATOR and tracing_stager.get() is not None and conversion_enabled.get() is not False:
        return call_generator(f, args, kwargs or {}, callees.options)
    elif tracing_stager.get() is not None:
        return run_foreign(_call_plainly, f, args, kwargs or {})
    if kwargs:
        return f(*args, **kwargs)
    # A call with its arguments written out needs no C stack, so recursion may go deep.
    return f(args[0]) if len(args) == 1 else f(args[0], args[1]) if len(args) == 2 else f(*args)


def _call_plainly(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return f(*args, **kwargs)


def run_foreign(run: Callable[..., Any], f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *more: Any) -> Any:
    """`run(f, args, kwargs, *more)`: a call of what is not converted, which who is tracing may refuse."""
    tracer = tracing_stager.get()
    if tracer is None:
        return run(f, args, kwargs, *more)
    args, kwargs = displayed(args), displayed(kwargs)
    check_not_left(f, *args, *kwargs.values())
    spread = tracer.spread(f, args, kwargs, lambda args, kwargs: run_foreign(run, f, args, kwargs, *more))
    if spread is not NotImplemented:
        return spread
    with tracer.foreign(f, args, kwargs) as made:
        result = run(f, args, kwargs, *more)
        if made is not None:
            made(result)
    return result_seen(result, f, (*args, *kwargs.values()))


def _callees_with(options: ConversionOptions) -> _Callees:
    return _callees.get(options) or _callees.setdefault(options, _Callees(options))


def _callees_for(options: ConversionOptions) -> _Callees:
    return _callees_of_request.get_or_make(options, lambda: _callees_with(options))


def _callees_below(options: ConversionOptions) -> _Callees:
    return _callees_of_scope.get_or_make(options, lambda: _callees_with(options.call_options()))


def _call_object(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], callees: _Callees, scope: FunctionScope | None
) -> Any:
    """Call what is neither a Python function nor a method of one."""
    if tracing_stager.get() is None:
        return _called_object(f, args, kwargs, callees, scope)
    return run_foreign(_called_object, f, args, kwargs, callees, scope)


def _called_object(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], callees: _Callees, scope: FunctionScope | None
) -> Any:
    kind = type(f)
    if id(f) in LIBRARY_CALLS:
        if is_observed() and type(getattr(f, "__wrapped__", None)) is FunctionType:
            tell_function(f.__wrapped__.__code__, f"a {kind.__name__} object calls it")
        return LIBRARY_CALLS[id(f)][1](f, args, kwargs)
    if isinstance(f, type):
        meet(f)
    elif kind is MethodDescriptorType and f.__objclass__ is str and args:
        return call_builtin(method_of_text(f, args), args[1:], kwargs, scope, callees.prints_are_staged)
    if isinstance(f, BuiltinFunctionType) or kind is type:  # some methods in C are of a class below it
        return call_builtin(f, args, kwargs, scope, callees.prints_are_staged)
    if kind is partial:
        args, kwargs = _with_bound(f, args, kwargs)
        return converted_call(f.func, args, kwargs, scope, callees.options)
    if kind is MethodType:  # bound to a callable that is not a Python function
        return converted_call(f.__func__, (f.__self__, *args), kwargs, scope, callees.options)
    if kind is staticmethod:
        return converted_call(f.__func__, args, kwargs, scope, callees.options)
    if (tracer := tracing_stager.get()) is not None and keeps_results(f):
        made = partial(converted_call, f.__wrapped__, args, kwargs, scope, callees.options)
        return tracer.call_cached(f, made, args, kwargs)
    if not isinstance(f, type) and not is_marked(kind):
        method = next((base.__dict__["__call__"] for base in kind.__mro__ if "__call__" in base.__dict__), None)
        if type(method) is FunctionType:
            return converted_call(method, (f, *args), kwargs, scope, callees.options)
    if is_observed() and type(getattr(f, "__wrapped__", None)) is FunctionType:
        tell_function(f.__wrapped__.__code__, f"a {kind.__name__} object calls it")
    return (call_of(f) or call_from_user)(f, args, kwargs)


def _with_bound(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call of a partial object together with those that it binds."""
    bound = f.args
    placeholder = getattr(sys.modules["functools"], "Placeholder", None)  # Python 3.14
    if placeholder is not None and any(value is placeholder for value in bound):
        missing = sum(value is placeholder for value in bound)
        if len(args) < missing:
            f(*args, **kwargs)  # raises TypeError in Python's own words
        given = iter(args)
        bound = tuple([next(given) if value is placeholder else value for value in bound])
        args = tuple(given)
    return bound + args, {**f.keywords, **kwargs}


def _decide(function: FunctionType, callees: _Callees, caller: FrameType) -> Decision:
    """Decide what to do with calls of `function`, and remember it where it was asked. Errors are not remembered."""
    known = callees.decisions
    decision = _decision(function, callees, caller)
    if not is_observed():
        known.put(function.__code__, decision)
    return decision


def _decision(function: FunctionType, callees: _Callees, caller: FrameType) -> Decision:
    options = callees.options
    code = function.__code__
    chosen = None if options.user_requested else selected(function, options.include, options.exclude)
    if id(function) in LIBRARY_CALLS and not chosen:
        tell_function(code, f"it belongs to the installed package {lives_with(function)!r}")
        return _CalledBy(LIBRARY_CALLS[id(function)][1])
    if is_artifact(code):
        return _ARTIFACT
    if is_loop_options(function):
        return _MISPLACED
    reason = None if options.user_requested else reason_to_run_as_is(function, chosen)
    if reason is None and not options.internal_convert_user_code:
        reason = "the conversion is not recursive"
    inside = inside_of(function)
    if inside is not None and options.internal_convert_user_code and not options.user_requested:
        return _Inside(inside)
    if code.co_flags & CO_GENERATOR and _may_be_pushed(function, options, chosen):
        tell_function(code, reason)
        return _GENERATOR
    if reason is not None:
        logs.log(2, "%s runs as it is: %s", function.__qualname__, reason)
        if reason == OWN_CODE:  # which is no news to the user
            return _WRITES if writes_text(function) else _RUN_AS_IS
        tell_function(code, reason)
        if writes_text(function):
            return _WRITES
        call = call_of(function)
        return _FOR_USER if call is None or call is call_from_user else _CalledBy(call)
    package = None if options.user_requested or chosen else lives_with(function)
    if package is not None:
        return _Neighbour(package)
    made = _convert(function, options, caller)
    tell_function(code, None if type(made) is Template else "its source cannot be found")
    return made


def _may_be_pushed(function: FunctionType, options: ConversionOptions, chosen: bool | None) -> bool:
    """Whether a generator is one of the user's, whose code a loop may run in converted form."""
    if options.user_requested or not options.internal_convert_user_code:
        return False
    return reason_for_any_kind(function, chosen) is None and (bool(chosen) or lives_with(function) is None)


def _decide_for_caller(
    function: FunctionType, neighbour: _Neighbour, callees: _Callees, caller: FrameType
) -> Decision:
    frame = _user_frame(caller)
    if package_root(frame.f_globals) != neighbour.package:
        tell_function(function.__code__, f"it belongs to the installed package {neighbour.package!r}")
        return _FOR_USER
    tell_function(function.__code__, None)
    if neighbour.template is None:
        neighbour.template = _convert(function, callees.options, caller)
    return neighbour.template


def _user_frame(frame: FrameType) -> FrameType:
    """The frame that made the call; calls of partial objects and of callable objects come by way of this file."""
    while frame.f_globals is globals() and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _convert(function: FunctionType, options: ConversionOptions, caller: FrameType) -> Template | _CalledBy:
    """The template of `function`; without source it runs as it is, with a warning, unless the user wants an error."""
    frame = _user_frame(caller)
    try:
        return template_of(function, options)
    except SourceUnavailableError as error:
        if options.user_requested or conversion_is_strict():
            raise
        message = f"{function.__qualname__!r} runs as plain Python, it is not converted: {error}"
        warnings.warn_explicit(message, ConversionWarning, frame.f_code.co_filename, frame.f_lineno)
        return _FOR_USER
    except ConversionError as error:
        if not options.user_requested:
            error.called_from(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_qualname)
        raise
