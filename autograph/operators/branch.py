"""Conditionals: `ag__.if_stmt` and `ag__.if_exp`, decided by the owner of the condition.

Example:
    if_stmt(x > 0, if_body, else_body, get_state, set_state, ("y",), 1)
    y = if_exp(x > 0, lambda: 1, lambda: 2, "x > 0")
"""

from __future__ import annotations

from typing import Any

from autograph.operators.stager import PYTHON, GetState, Names, SetState, Stager, Thunk, stager_of
from autograph.operators.truth import asked
from autograph.operators.variables import Undefined

__all__ = ["choose", "if_exp", "if_stmt"]


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
        owner = stager_of(cond)
        if owner is PYTHON:
            cond = asked(cond)
            owner = stager_of(cond)
        if owner is not PYTHON:
            owner.if_stmt(cond, body, orelse, get_state, set_state, symbol_names, nouts)
        elif cond:
            body()
        else:
            orelse()


def if_exp(
    cond: Any,
    if_true: Thunk,
    if_false: Thunk,
    expr_repr: str,
    get_state: GetState | None = None,
    set_state: SetState | None = None,
    symbol_names: Names = (),
) -> Any:
    """`if_true() if cond else if_false()`; `expr_repr` is the text of the condition, for messages.

    get_state, set_state: where a choice assigns to names, as in `(y := 1) if x > 0 else 2`.
    """
    if cond is True:
        return if_true()
    if cond is False:
        return if_false()
    owner = stager_of(cond)
    if owner is PYTHON:
        cond = asked(cond)
        owner = stager_of(cond)
        if owner is PYTHON:
            return if_true() if cond else if_false()
    if get_state is None or set_state is None:
        return owner.if_exp(cond, if_true, if_false, expr_repr)
    return choose(owner, cond, if_true, if_false, expr_repr, get_state, set_state, symbol_names)


def choose(
    owner: Stager,
    cond: Any,
    if_true: Thunk,
    if_false: Thunk,
    what: str,
    get_state: GetState,
    set_state: SetState,
    symbol_names: Names,
) -> Any:
    """An expression whose operands assign to names: an `if` statement that assigns its value too, called `what`."""
    result: Any = Undefined(what)

    def then() -> None:
        nonlocal result
        result = if_true()

    def otherwise() -> None:
        nonlocal result
        result = if_false()

    def set_all(values: tuple[Any, ...]) -> None:
        nonlocal result
        result = values[0]
        set_state(values[1:])

    names = (what, *symbol_names)
    owner.if_stmt(cond, then, otherwise, lambda: (result, *get_state()), set_all, names, len(names))
    return result
