"""Calls of code that is not converted, where a tensor decides whether they happen, of objects nobody can look into.

    if x > 0:
        connection.execute("insert ...")     # StagingError: it would happen while tracing, whichever way the graph goes

What such a call does to objects that can be looked into is found afterwards, by comparing them (runtime.heap.store).
What is in C, and says nothing of its state, must not be called there, nor be handed to code that is not converted;
unless the method is known to change nothing, or the object was made inside of the same statement.
"""

from __future__ import annotations

import mmap
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from types import (
    BuiltinFunctionType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)  # fmt: skip
from typing import Any, Final

from autograph.contexts import binding
from autograph.errors import StagingError, StagingTypeError
from autograph.rules import is_own_code, users_frame
from runtime.context import current_recorder
from runtime.control_flow.lists.kind import TENSOR_LIST
from runtime.control_flow.outside.foreign_errors import Given
from runtime.control_flow.outside.moved import check_arguments
from runtime.control_flow.outside.needs_value import given_to, needs_value
from runtime.control_flow.outside.process import changes_process, tell_of_change, watch_process
from runtime.control_flow.statement.enclosing import decided_part, is_reached, known_name, was_there
from runtime.control_flow.statement.trace_memory import PerTrace
from runtime.errors import OperatorNotAllowedInGraphError, TraceEffectWarning
from runtime.graph.graph import Graph
from runtime.graph.location import here
from runtime.heap.code import is_own_class, is_user_class
from runtime.heap.kind import PLAIN
from runtime.heap.kinds import object_kinds
from runtime.heap.library import is_written
from runtime.heap.looks import is_plain
from runtime.heap.opaque import is_harmless, opaque_base, tells
from runtime.heap.store import World

__all__ = ["foreign_call", "knowing_opaque"]

_HARMLESS: Final[frozenset[Any]] = frozenset(
    {
        bool, bytes, callable, classmethod, dict, dir, enumerate, filter, format, frozenset, getattr, hasattr, hash, id,
        int, isinstance, issubclass, iter, len, map, object, property, print, range, repr, reversed, set, slice,
        staticmethod, str, super, tuple, type, vars, zip,
    }
)  # fmt: skip
"""Builtins that change nothing that they are given, but take it from iterators, which say where they are."""

_MADE: Final[PerTrace[dict[int, Any]]] = PerTrace(dict)
"""By id, what calls of a staged statement have made: nobody else knows it yet."""

_FINAL: Final = frozenset({"close", "detach", "release"})
"""Methods that nothing undoes; what was made in the statement they may close."""

_LASTING: Final[Mapping[type, frozenset[str]]] = {
    GeneratorType: frozenset({"throw"}), mmap.mmap: frozenset({"resize"}),
}  # fmt: skip
_WRITING: Final = frozenset({"truncate", "write", "writelines"})
"""Methods that change for good what was there before: those of some classes, and of files."""

_LOGS: Final = frozenset({"critical", "debug", "error", "exception", "info", "log", "warning"})


_THERE: Final[ContextVar[tuple[Mapping[int, tuple[Any, str]], str, set[str]]]] = ContextVar(
    "runtime_opaque_objects", default=({}, "", set())
)


def knowing_opaque(there: Mapping[int, tuple[Any, str]], name: str, warned: set[str]) -> binding[Any]:
    """Around a trace. there: the objects in C that were there before, by their ids, and how the user calls them; name:
    of the function; warned: what has been said already."""
    return binding(_THERE, (there, name, warned))


def foreign_call(
    function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> AbstractContextManager[Callable[[Any], None] | None]:
    """Around a call. Raises StagingError."""
    graph = current_recorder()
    if not isinstance(graph, Graph):
        return _NOTHING
    given_to(function, args, kwargs)
    if _is_own(function):
        return _NOTHING
    part = decided_part()
    if part is not None and (not _is_harmless(function) or isinstance(function, type)):
        check_arguments(function, args, kwargs)
    if part is not None and function is print and "file" in kwargs:
        _Call(function, (), kwargs, part, _MADE.of(graph)).check_files()
    if part is None:
        tell_of_change(function)
        _warn_of_use(function, args)
    if part is None or _is_harmless(function):
        return Given(function, args, kwargs)
    return _Call(function, args, kwargs, part, _MADE.of(graph)).watched()


_NOTHING: Final[AbstractContextManager[None]] = nullcontext()

watch_process()  # what a `with` statement opens is no call of converted code


def _warn_of_use(function: Any, args: tuple[Any, ...]) -> None:
    """Warns, once for each object, of a method of which nobody can see what it changes in C."""
    there, name, warned = _THERE.get()
    for used, method in _used(function, args) if there else ():
        base = opaque_base(type(used)) if id(used) in there else None
        if base is None or is_harmless(base, method) or tells(used):
            continue
        label = there[id(used)][1]
        needs_value(f"{label!r}, which is an object of C, is used by its method {method!r}")
        if label in warned:
            continue
        warned.add(label)
        frame = users_frame(sys._getframe(1))
        text = (
            f"{label!r} is used by its method {method!r} while {name!r} is traced: it is an object of C"
            f" ({base.__module__}.{base.__qualname__}), which does not tell what that changes, and it happens once for"
            f" each trace, not once for each call. Do it outside of the function, or in one that is given to"
            f" runtime.py_function"
        )
        warnings.warn_explicit(text, TraceEffectWarning, frame.f_code.co_filename, frame.f_lineno)


def _is_own(function: Any) -> bool:
    kind = type(function)
    if kind is FunctionType:
        return is_own_code(function.__code__.co_filename)
    if kind is MethodType or kind is partial:
        return True  # what it calls comes here by itself
    if kind is type or isinstance(function, type):
        return is_own_class(function) or is_user_class(function)
    return is_own_class(kind) or is_user_class(kind)


def _is_harmless(function: Any) -> bool:
    return isinstance(function, BuiltinFunctionType | type) and function in _HARMLESS


@dataclass(frozen=True, slots=True)
class _Call:
    """One call. part: the part of the program that it is in; made: what calls in such parts have made."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    part: str
    made: dict[int, Any]

    @contextmanager
    def watched(self) -> Iterator[Callable[[Any], None]]:
        self._check()
        with Given(self.function, self.args, self.kwargs):
            try:
                yield self._note
            except TypeError as error:
                if not isinstance(error, OperatorNotAllowedInGraphError):  # which says itself what to do
                    self._check_lists(error)
                raise

    def _note(self, result: Any) -> None:
        """What a function gives is new; what a method gives may be what its object held, unless that is new, too."""
        kind = type(result)
        if kind in PLAIN or is_plain(kind) or is_user_class(kind) or is_reached(result):
            return
        receiver, _ = _receiver(self.function, self.args)
        makes = receiver is None and isinstance(self.function, type | FunctionType | BuiltinFunctionType)
        if makes or id(receiver) in self.made:
            self.made[id(result)] = result

    def _check(self) -> None:
        function, made = self.function, self.made
        if (name := changes_process(function)) is not None:
            raise StagingError(f"{name} changes something of the whole process {self._where()}. {_REMEDY}")
        receiver, method = _receiver(function, self.args)
        if method in _FINAL and id(receiver) not in made and was_there(receiver):
            raise StagingError(f"{_named(receiver)} is closed by its method {method!r} {self._where()}. {_REMEDY}")
        if id(receiver) not in made and _changes_for_good(receiver, method):
            raise StagingError(
                f"{_named(receiver)} is changed for good by its method {method!r} {self._where()}: it would be changed"
                f" while tracing, whichever way the graph goes. {_REMEDY}"
            )
        self.check_files()
        if receiver is not None:
            base = opaque_base(type(receiver))
            if base is not None and id(receiver) not in made:
                if is_harmless(base, method):
                    return
                raise StagingError(
                    f"{_named(receiver)} is used by its method {method!r} {self._where()}: it is an object of C"
                    f" ({base.__module__}.{base.__qualname__}), which does not tell what that changes. {_REMEDY}"
                )
        self._warn_of_log()
        own = self.args[0] if _is_method(function, self.args) else None
        for value in self._given():
            for part, label in () if id(value) in made else World(objects={"": value}).opaque.values():
                base = opaque_base(type(part))
                if value is own and base is not None and is_harmless(base, function.__name__):
                    continue
                if id(part) not in made:
                    raise StagingError(
                        f"{_named(part, label)} is given to {_name(function)}, which is not converted,"
                        f" {self._where()}: it does not tell what that changes in it. {_REMEDY}"
                    )

    def _given(self) -> Iterator[Any]:
        """The arguments through which something can change."""
        for value in (*self.args, *self.kwargs.values()):
            kind = type(value)
            if kind not in PLAIN and kind is not FunctionType and not isinstance(value, type) and not is_plain(kind):
                yield value

    def check_files(self) -> None:
        """Raises StagingError where a file that was there before is given to what may write to it."""
        for value in self._given():
            if id(value) not in self.made and is_written(value) and not is_user_class(type(value)):
                raise StagingError(
                    f"{_named(value)}, a file that can be written to, is given to {_name(self.function)}"
                    f" {self._where()}: it would be written while tracing, whichever way the graph goes. {_REMEDY}"
                )

    def _check_lists(self, error: TypeError) -> None:
        """Raises StagingTypeError where a function got a list that grows in the graph, and takes others only."""
        for value in self._given():
            if any(holder.kind is TENSOR_LIST for holder in World(objects={"": value}).holders):
                raise StagingTypeError(
                    f"{_name(self.function)}, which is not converted, takes no list that grows in the graph ({error})"
                    f" {self._where()}: the length of such a list depends on a tensor. Write what it does as a loop"
                    " over the list, with `l[i] = v`, `l.append(v)`, `l.insert(i, v)` and `l.pop(i)`"
                ) from error

    def _where(self) -> str:
        return f"inside {self.part}, which depends on a tensor{here()}"

    def _warn_of_log(self) -> None:
        """What is logged is an effect of the trace, as what is printed."""
        name = getattr(self.function, "__name__", None)
        if name in _LOGS and getattr(self.function, "__module__", None) == "logging":
            frame = users_frame(sys._getframe(1))
            text = (
                f"a line is logged {self._where()}: that happens once for each trace, whichever way the graph goes."
                " runtime.print prints when the graph runs."
            )
            warnings.warn_explicit(text, TraceEffectWarning, frame.f_code.co_filename, frame.f_lineno, registry=_TOLD)


_TOLD: Final[dict[Any, Any]] = {}
"""What Python's warnings remember: each line warns once."""


def _receiver(function: Any, args: tuple[Any, ...]) -> tuple[Any, str]:
    """The object whose method in C a function is, and the method's name; None for other functions."""
    if isinstance(function, BuiltinFunctionType | MethodWrapperType):
        owner = function.__self__
        return (None, "") if isinstance(owner, ModuleType | type) else (owner, function.__name__)
    if isinstance(function, MethodDescriptorType | WrapperDescriptorType) and args:
        return args[0], function.__name__
    return None, ""


def _used(function: Any, args: tuple[Any, ...]) -> Iterator[tuple[Any, str]]:
    """The objects that a method of C, or of a library, uses: its own, and what that keeps in attributes."""
    receiver, method = _receiver(function, args)
    if receiver is not None:
        yield receiver, method
    elif _is_method(function, args):
        for kind in object_kinds(args[0]):
            yield from ((held, function.__name__) for held in kind.read(args[0]).values())


def _is_method(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether it is a function of Python that is a method of its first argument."""
    return type(function) is FunctionType and bool(args) and getattr(type(args[0]), function.__name__, 0) is function


def _changes_for_good(receiver: Any, method: str) -> bool:
    return method in _LASTING.get(type(receiver), ()) or (method in _WRITING and is_written(receiver))


def _named(value: Any, label: str = "") -> str:
    found = known_name(value) or label
    return repr(found) if found else f"an object ({type(value).__name__})"


def _name(function: Any) -> str:
    return repr(getattr(function, "__qualname__", None) or type(function).__name__)


_REMEDY: Final = (
    "Do it outside of the statement, or, each time that the graph runs, in a function that is given to"
    " runtime.py_function"
)
