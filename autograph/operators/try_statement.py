"""`ag__.try_stmt`: Python's `try`, unless a stager is tracing, whose exceptions may come only when a graph runs.

Example:
    try_stmt(try_body, ((lambda: ValueError, except_body, "e"),), None, finally_body, get_state, set_state, ("y",), 1)
"""

from __future__ import annotations

from autograph.operators.handlers import run_try
from autograph.operators.stager import GetState, Handlers, Names, SetState, Thunk, tracing_stager

__all__ = ["try_stmt"]


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
