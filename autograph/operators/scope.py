"""The frame of a converted function: its options, the functions that it may call converted, and its result.

Example:
    with FunctionScope("f", "fscope", STD) as fscope:
        ...
        return fscope.ret(retval_, do_return)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, Token
from functools import lru_cache
from types import TracebackType
from typing import Any

from autograph.contexts import binding
from autograph.depth import raise_limit, restore_limit
from autograph.operators.stager import PYTHON, stager_of, tracing_stager
from autograph.operators.tracebacks import without_generated_frames
from autograph.operators.variables import UndefinedReturnValue
from autograph.options import ConversionOptions, Feature

__all__ = [
    "FunctionScope", "conversion_enabled", "make_options", "under_conversion", "with_function_scope",
    "without_conversion",
]  # fmt: skip

_FRAMES_PER_FRAME = 5  # of converted code, for one of the original

conversion_enabled: ContextVar[bool | None] = ContextVar("autograph.conversion_enabled", default=None)
"""True in a converted function, False under one marked `do_not_convert`, in all that they call; else None."""

make_options = lru_cache(maxsize=256)(ConversionOptions)
"""Generated code spells its options out at each call; equal options are one object, made once."""


@contextmanager
def under_conversion() -> Iterator[None]:
    """What is called inside is called by converted code, and has room for as deep a recursion as without wrappers."""
    token, room = conversion_enabled.set(True), raise_limit(times=_FRAMES_PER_FRAME)
    try:
        yield
    finally:
        restore_limit(room)
        conversion_enabled.reset(token)


def without_conversion() -> binding[Any]:
    """What is called inside is called by a function that runs as it is."""
    return binding(conversion_enabled, False)


class FunctionScope:
    """Entered once for each call of a converted function.

    function_name: the user's name of the function, for messages. scope_name: the variable that holds the scope.
    A function that the user asked for by name is converted all the way even where conversion is switched off, and has
    room for as deep a recursion as the original.
    """

    __slots__ = ("_names", "_room", "_token", "function_name", "options", "scope_name", "shown_locals")

    def __init__(self, function_name: str, scope_name: str, options: ConversionOptions) -> None:
        self.function_name = function_name
        self.scope_name = scope_name
        self.options = options
        self._token: Token[bool | None] | None = None
        self._names: AbstractContextManager[Any] | None = None
        self._room = 0
        self.shown_locals: dict[str, Any] | None = None

    def __enter__(self) -> FunctionScope:
        if self.options.user_requested:
            self._room = raise_limit(times=_FRAMES_PER_FRAME)
            if conversion_enabled.get() is not True:
                self._token = conversion_enabled.set(True)
        if self.options.optional_features and self.options.uses(Feature.NAME_SCOPES):
            tracer = tracing_stager.get()
            if tracer is not None:
                self._names = tracer.name_scope(self.function_name)
                self._names.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._room:
            restore_limit(self._room)
        if self._token is not None:
            conversion_enabled.reset(self._token)
        if self._names is not None:
            self._names.__exit__(kind, error, traceback)
        if error is not None:
            error.__traceback__ = without_generated_frames(error.__traceback__)

    def ret(self, value: Any, did_return: Any) -> Any:
        """The result of the function: `value`, or None if no `return` was reached."""
        if type(value) is UndefinedReturnValue and type(did_return) is bool:
            return None
        owner = stager_of(value)
        if owner is PYTHON:
            if type(did_return) is bool:
                return value
            owner = stager_of(did_return)
        return owner.ret(value, did_return, self.function_name)


def with_function_scope(thunk: Callable[[FunctionScope], Any], scope_name: str, options: ConversionOptions) -> Any:
    """The body of a converted lambda: `thunk(scope)` inside its own scope."""
    with FunctionScope("lambda", scope_name, options) as scope:
        return thunk(scope)
