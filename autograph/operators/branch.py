"""Conditionals: `ag__.if_stmt` and `ag__.if_exp`, decided by the owner of the condition.

Example:
    if_stmt(x > 0, if_body, else_body, get_state, set_state, ("y",), 1)
    y = if_exp(x > 0, lambda: 1, lambda: 2, "x > 0")
"""

from __future__ import annotations

from typing import Any

from autograph.operators.stager import GetState, Names, SetState, Thunk, stager_of

__all__ = ["if_exp", "if_stmt"]


def if_stmt(
    cond: Any,
    body: Thunk,
    orelse: Thunk,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
    nouts: int,
) -> None:
    """`if cond: body() else: orelse()`."""
    if cond is True:  # the two common values need no look-up
        body()
    elif cond is False:
        orelse()
    else:
        stager_of(cond).if_stmt(cond, body, orelse, get_state, set_state, symbol_names, nouts)


def if_exp(cond: Any, if_true: Thunk, if_false: Thunk, expr_repr: str) -> Any:
    """`if_true() if cond else if_false()`; `expr_repr` is the text of the condition, for messages."""
    if cond is True:
        return if_true()
    if cond is False:
        return if_false()
    return stager_of(cond).if_exp(cond, if_true, if_false, expr_repr)
