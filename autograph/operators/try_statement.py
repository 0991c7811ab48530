"""`ag__.try_stmt`: Python's `try`, unless a stager is tracing, whose exceptions may come only when a graph runs.

Example:
    try_stmt(try_body, ((lambda: ValueError, except_body, "e"),), None, finally_body, get_state, set_state, ("y",), 1)
"""

from __future__ import annotations

from typing import Any

from autograph.operators.handlers import run_try
from autograph.operators.stager import GetState, Handlers, Names, SetState, Thunk, tracing_stager

__all__ = ["end_of_try", "start_of_try", "try_stmt"]


def try_stmt(
    body: Thunk,
    handlers: Handlers,
    orelse: Thunk | None,
    cleanup: Thunk | None,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
    nouts: int,
    jumps: Names = (),
) -> None:
    """`try: body() except ...: else: orelse() finally: cleanup()`; see `Stager.try_stmt`."""
    stager = tracing_stager.get()
    if stager is None:
        run_try(body, handlers, orelse, cleanup)
    else:
        stager.try_stmt(body, handlers, orelse, cleanup, get_state, set_state, symbol_names, nouts, jumps)


def start_of_try() -> Any:
    """The present position in what is recorded, at the start of a `try` that stays a statement; see `end_of_try`."""
    tracer = tracing_stager.get()
    return None if tracer is None else tracer.mark()


def end_of_try(start: Any) -> None:
    """The end of the body of such a `try`: what was recorded in it must not raise, for its handlers would not know."""
    tracer = tracing_stager.get()
    if tracer is not None:
        tracer.check_unguarded(start, "a `try` with `except*`")
