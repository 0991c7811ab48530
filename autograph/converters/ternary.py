"""a if c else b.

    a if c else b    --->    ag__.if_exp(c, lambda: a, lambda: b, 'c')

The last argument is the text of the condition, for error messages.
"""

from __future__ import annotations

from typing import Any

from autograph.converters.logic import binds_names
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, unparse

__all__ = ["convert_ternary"]


def convert_ternary(rewriter: Rewriter, node: Any) -> Any:
    if binds_names(node.body, node.orelse):
        return rewriter.parts(node)
    text = unparse(node.test)
    test = rewriter.expression(node.test)
    body, orelse = rewriter.expression(node.body), rewriter.expression(node.orelse)
    at = At(node)
    return at.operator(rewriter.ag, "if_exp", test, At(body).thunk(body), At(orelse).thunk(orelse), at.constant(text))
