"""a if c else b.

    a if c else b    --->    ag__.if_exp(c, lambda: a, lambda: b, 'c')

The text of the condition is for error messages. What the choices bind by a walrus comes last (converters/binding.py).
"""

from __future__ import annotations

from typing import Any

from autograph.converters.binding import bound_by_walrus, can_move, state_arguments
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, unparse

__all__ = ["convert_ternary"]


def convert_ternary(rewriter: Rewriter, node: Any) -> Any:
    if not can_move(rewriter, node.body, node.orelse):
        return rewriter.parts(node)
    text = unparse(node.test)
    names = bound_by_walrus(node.body, node.orelse)
    test = rewriter.test(node.test)
    with rewriter.moving():
        body, orelse = rewriter.expression(node.body), rewriter.expression(node.orelse)
    at = At(node)
    choices = At(body).thunk(body), At(orelse).thunk(orelse)
    state = state_arguments(rewriter, names, at)
    return at.operator(rewriter.ag, "if_exp", test, *choices, at.constant(text), *state)
