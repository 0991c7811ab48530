"""`ag__.with_stmt`: Python's `with`, unless a stager is tracing, whose exceptions may come only when a graph runs.

    with Recorder() as r:       with_stmt(Recorder(), with_body, get_state, set_state, ("y",), 1, fscope)
        y = f(r)

While a stager is tracing, a manager of the user is a `try` around the body: its `__exit__` is the handler of all
exceptions, which raises them again unless it returns something true, and the `else`. A generator under
`contextlib.contextmanager` runs the body where it yields, with its own `try` around. All other managers, those of the
standard library and of packages, are entered and left while tracing: they know nothing of what is staged.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any, Final

from autograph import logs
from autograph.conversion import manager_template_of
from autograph.errors import ConversionError, StagingError
from autograph.operators.branch import if_stmt
from autograph.operators.call import converted_call
from autograph.operators.consumer import Consumer
from autograph.operators.raised_class import class_of
from autograph.operators.scope import FunctionScope
from autograph.operators.stager import PYTHON, GetState, Names, SetState, Stager, stager_of, tracing_stager
from autograph.operators.try_statement import try_stmt
from autograph.rules import is_user_code, reason_for_any_kind
from autograph.template import bind

__all__ = ["Leaving", "passing", "with_stmt"]

Body = Callable[[Any], Any]


def with_stmt(
    manager: Any,
    body: Body,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
    nouts: int,
    scope: FunctionScope,
    jumps: Names = (),
) -> None:
    """`with manager as entered: body(entered)`; the other arguments as those of `try_stmt`."""
    tracer = tracing_stager.get()
    if tracer is None or not _decides(manager):
        _run(manager if tracer is None or _is_known(manager, tracer) else _Noticed(manager, tracer), body)
        return
    is_generator = type(manager) is contextlib._GeneratorContextManager
    push = _pushing(manager, scope) if is_generator else None
    if push is None:
        refusal = _ONCE if is_generator else _STACK if isinstance(manager, contextlib.ExitStack) else None
        state = get_state, set_state, symbol_names, nouts
        _stage(manager, body, state, scope, jumps, refusal)
        return
    manager.gen.close()  # nothing of it has run
    yielded: list[Any] = []

    def take(value: Any) -> None:
        yielded.append(value)
        body(value)

    consumer = Consumer(take, None, get_state, set_state, symbol_names, {}, (body,), jumps=jumps)
    push(consumer, *manager.args, **manager.kwds)
    if not yielded:
        raise RuntimeError("generator didn't yield")


def passing(manager: Any) -> Any:
    """A manager that by its name lets exceptions pass. Raises StagingError if it is another one, and could matter.

    That is in a staged function, whose exceptions it would not see, and elsewhere when it swallows one: its `with` was
    converted as one that is left by exceptions.
    """
    if not _decides(manager):
        return manager
    if tracing_stager.get() is not None:
        raise StagingError(
            f"this manager ({type(manager).__qualname__}) has the name of one that lets exceptions pass, but is code of"
            " yours: in a staged function give it another name, so that it sees the exceptions of the graph"
        )
    return _Passing(manager)


class _Passing:
    """A manager of the user that has the name of one that lets exceptions pass, and must do so."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        return type(self.manager).__enter__(self.manager)

    def __exit__(self, *given: Any) -> None:
        if type(self.manager).__exit__(self.manager, *given) and given[0] is not None:
            raise StagingError(
                f"this manager ({type(self.manager).__qualname__}) has the name of one that lets exceptions pass, but"
                f" swallows a {given[0].__name__}: give it another name"
            )


def _run(manager: Any, body: Body) -> None:
    with manager as entered:
        body(entered)


def _is_known(manager: Any, tracer: Stager) -> bool:
    """Whether a manager of a library surely records nothing when it is left: it is in C, or the tracer's own."""
    root = type(manager).__module__.partition(".")[0]
    return type(_leave_of(manager)) is not FunctionType or root == type(tracer).__module__.partition(".")[0]


class _Noticed:
    """A manager of a library that is left while tracing. What it records then would be lost after an exception."""

    def __init__(self, manager: Any, tracer: Stager) -> None:
        self.manager, self.tracer = manager, tracer
        self.effect: str | None = None
        name = type(manager).__qualname__
        where = (
            f"in a 'with' over a manager of a library ({name}), which is left while tracing: what it does then would be"
            " lost. Write a class of your own, or 'try' and 'finally'"
        )
        self.guard = tracer.unguarded(where, lambda: self.effect is not None)

    def __enter__(self) -> Any:
        entered = type(self.manager).__enter__(self.manager)
        self.guard.__enter__()
        return entered

    def __exit__(self, *given: Any) -> Any:
        mark = self.tracer.mark()
        try:
            return type(self.manager).__exit__(self.manager, *given)
        finally:
            self.effect = self.tracer.effect_since(mark)
            self.guard.__exit__(*given)


def _decides(manager: Any) -> bool:
    """Whether a manager is code of the user, or known to look at the exception."""
    if isinstance(manager, contextlib._GeneratorContextManager):
        generator: Any = manager.gen
        return is_user_code(generator.gi_code.co_filename)
    if isinstance(manager, contextlib.ExitStack):
        return True
    if not (type(_leave_of(manager)) is FunctionType and hasattr(type(manager), "__enter__")):
        return False
    if isinstance(manager, contextlib.closing):
        return _is_users(getattr(type(vars(manager)["thing"]), "close", None))
    return isinstance(manager, contextlib.suppress) or _is_users(_leave_of(manager))


def _leave_of(manager: Any) -> Any:
    return getattr(type(manager), "__exit__", None)


def _is_users(function: Any) -> bool:
    # another function stands in its place while a trace goes on
    return type(function) is FunctionType and is_user_code(inspect.unwrap(function).__code__.co_filename)


def _pushing(manager: Any, scope: FunctionScope) -> Callable[..., None] | None:
    """The converted form of a generator that is a manager; None if it cannot be converted so."""
    function: Any = manager.func
    options = scope.options.call_options()
    if not isinstance(function, FunctionType) or reason_for_any_kind(function) is not None:
        return None
    try:
        return bind(manager_template_of(function, options), function)
    except ConversionError as error:
        logs.log(1, "%s runs as plain Python in a with statement: %s", function.__qualname__, error)
        return None


@dataclass(frozen=True, eq=False)
class Leaving:
    """`manager.__exit__` as a handler of all exceptions.

    refusal: why it cannot be called for an exception of a graph, and once more for the end of the body, if it cannot.
    """

    manager: Any
    leave: Callable[..., Any]
    state: tuple[GetState, SetState, Names, int]
    scope: FunctionScope
    refusal: str | None

    def __call__(self, error: BaseException) -> None:
        swallowed = self._call(class_of(error), error, error.__traceback__)
        if stager_of(swallowed) is not PYTHON:
            if_stmt(swallowed, _do_nothing, _raise_again, *self.state)
        elif not swallowed:
            raise

    def done(self) -> None:
        """The body has come to its end."""
        self._call(None, None, None)

    def _call(self, *arguments: Any) -> Any:
        return converted_call(self.leave, arguments, None, self.scope)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.leave, self.manager)


def _stage(
    manager: Any,
    body: Body,
    state: tuple[GetState, SetState, Names, int],
    scope: FunctionScope,
    jumps: Names,
    refusal: str | None,
) -> None:
    enter, leave = (_bound(manager, name) for name in ("__enter__", "__exit__"))
    leaving = Leaving(manager, leave, state, scope, refusal)
    entered = converted_call(enter, (), None, scope)
    try_stmt(_Body(body, entered), ((None, leaving, "error"),), leaving.done, None, *state, jumps)


@dataclass(frozen=True, eq=False)
class _Body:
    """The body, with what the manager gave it; a thunk."""

    body: Body
    entered: Any

    def __call__(self) -> None:
        self.body(self.entered)

    def __ag_watched__(self) -> tuple[Any, ...]:
        return (self.body, self.entered)


def _bound(manager: Any, name: str) -> Callable[..., Any]:
    """A special method, as Python finds it: on the class."""
    found = getattr(type(manager), name)
    return MethodType(found, manager) if isinstance(found, FunctionType) else getattr(manager, name)


def _do_nothing() -> None:
    return None


def _raise_again() -> None:
    error = sys.exception()
    assert error is not None
    raise error


_ONCE: Final = (
    "the generator of this context manager runs as plain Python and goes on only once, but an exception that comes when"
    " the graph runs, and the end of the body, each have to go through it; let it 'yield' once, outside of a loop, as a"
    " statement, or write a class with '__enter__' and '__exit__'"
)
_STACK: Final = (
    "an ExitStack calls what it holds only once, but an exception that comes when the graph runs, and the end of the"
    " body, each have to go through it; write one 'with' statement for each manager"
)
