"""assert.

    assert x > 0, 'positive'    --->    ag__.assert_stmt(x > 0, lambda: 'positive')

In a live function they are dropped where Python itself drops them (`python -O`); a printed module always has them.
"""

from __future__ import annotations

from typing import Any

from autograph.converters.binding import can_move
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_assert"]


def convert_assert(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node)
    if not rewriter.keeps_asserts:
        return [at.pass_()]
    if not can_move(rewriter, node.msg):
        return [rewriter.parts(node)]
    test = rewriter.test(node.test)
    with rewriter.moving():
        message = at.constant(None) if node.msg is None else At(node.msg).thunk(rewriter.expression(node.msg))
    return [at.expression(at.operator(rewriter.ag, "assert_stmt", test, message))]
