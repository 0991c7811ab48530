"""if, elif, else.

    if x > 0:                 def if_body():
        y = 1                     nonlocal y
    else:             --->        y = 1
        y = 2                 def else_body(): ...
                              ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',), 1)

An `elif` is an `if` in the else body.
"""

from __future__ import annotations

from typing import Any

from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.syntax import At

__all__ = ["convert_if"]


def convert_if(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node, node.test)
    code = StateCode(rewriter, node, at)
    if_body, else_body = rewriter.namer.passing("if_body"), rewriter.namer.passing("else_body")
    test = rewriter.test(node.test)
    call = at.operator(
        rewriter.stager(node),
        "if_stmt",
        test,
        at.name(if_body),
        at.name(else_body),
        *code.handed_over(),
        at.constant(len(code.state.outputs)),
    )
    return [
        *code.accessors(),
        code.body(if_body, "body", node.body),
        code.body(else_body, "orelse", node.orelse),
        at.expression(call),
    ]
