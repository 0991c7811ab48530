"""Expressions that make no list, set or other container, as far as they are written.

Example: `0.5`, `-x`, `x / n`, `i + 1`; but not `x`, `f()`, `a + b` or `[x] * 3`.
"""

from __future__ import annotations

from typing import Any, Final

import gast

__all__ = ["makes_a_number"]

_OF_NUMBERS: Final = (gast.Div, gast.FloorDiv, gast.Mod, gast.Pow, gast.MatMult, gast.LShift, gast.RShift)


def makes_a_number(node: Any) -> bool:
    """Whether the value of an expression is a number, an array or a text, but surely no container of Python's."""
    while isinstance(node, gast.BinOp) and not _is_number(node):
        is_product = isinstance(node.op, gast.Mult)
        if not is_product and _is_number(node.right):
            return True
        if is_product and not _is_number(node.right):
            return False  # it may repeat a list
        node = node.left
    return _is_number(node)


def _is_number(node: Any) -> bool:
    if isinstance(node, gast.BinOp):
        return isinstance(node.op, _OF_NUMBERS)
    return isinstance(node, gast.Constant | gast.UnaryOp | gast.Compare | gast.JoinedStr)
