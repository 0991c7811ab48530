"""`try` as Python runs it, over functions: same choice of the handler, same exception being handled, same chaining.

    run_try(body, ((lambda: ValueError, handler, "e"), (None, other, None)), orelse, cleanup)

A handler runs inside of an `except` clause, so that a bare `raise`, `sys.exc_info()` and the context of new exceptions
are Python's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograph.operators.tracebacks import without_generated_frames

if TYPE_CHECKING:
    from autograph.operators.stager import Handlers, Thunk

__all__ = ["handle", "matches", "run_try"]


def run_try(body: Thunk, handlers: Handlers, orelse: Thunk | None, cleanup: Thunk | None) -> None:
    """`try: body() except ...: else: orelse() finally: cleanup()`; see `Stager.try_stmt` for the handlers."""
    if cleanup is None:
        _run_handlers(body, handlers, orelse)
        return
    try:
        _run_handlers(body, handlers, orelse)
    finally:
        cleanup()


def _run_handlers(body: Thunk, handlers: Handlers, orelse: Thunk | None) -> None:
    if not handlers:
        body()
        if orelse is not None:
            orelse()
        return
    try:
        body()
    except BaseException as error:
        handle(error, handlers)
    else:
        if orelse is not None:
            orelse()


def handle(error: BaseException, handlers: Handlers) -> None:
    """What `except` clauses do with the exception that is being handled: one of them takes it, or it goes on."""
    handler, name = _chosen(error, handlers)
    if handler is None:
        raise
    if error.__traceback__ is not None:
        error.__traceback__ = without_generated_frames(error.__traceback__.tb_next)
    if name is None:
        handler()
    else:
        handler(error)


def _chosen(error: BaseException, handlers: Handlers) -> tuple[Callable[..., Any] | None, str | None]:
    """The first handler that takes the exception; the classes of those before it are evaluated in their order."""
    for kind, handler, name in handlers:
        if kind is None or matches(type(error), kind()):
            return handler, name
    return None, None


def matches(raised: type[BaseException], wanted: Any) -> bool:
    """Whether `except wanted` takes an exception of a class. Raises TypeError for what is no class of exceptions."""
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            raise TypeError("catching classes that do not inherit from BaseException is not allowed")
    # Python asks no metaclass either. An error of a runtime may say as which classes a program's own errors count.
    ancestors = vars(raised).get("__ag_caught_as__", raised.__mro__)
    return any(kind in ancestors for kind in kinds)
