"""while.

while n > 1:          def loop_body():
    n = n - 1             nonlocal n
              --->        n = n - 1
                      def loop_test():
                          return n > 1
                      ag__.while_stmt(loop_test, loop_body, get_state, set_state, ('n',), {})
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.loop_options import options_of
from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.syntax import At, children

__all__ = ["convert_while"]


def convert_while(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node, node.test)
    code = StateCode(rewriter, node, at)
    loop_body, loop_test = rewriter.namer.passing("loop_body"), rewriter.namer.passing("loop_test")
    options = options_of(rewriter, node, at)
    bound = [name for name in _bound_by_walrus(node.test) if name in code.state.nonlocals]
    result = At(node.test).returns(rewriter.expression(node.test))
    call = at.operator(rewriter.ag, "while_stmt", at.name(loop_test), at.name(loop_body), *code.handed_over(), options)
    return [
        *code.accessors(),
        code.body(loop_body, "body", node.body),
        at.function(loop_test, [], [*code.declarations(bound), result]),
        at.expression(call),
    ]


def _bound_by_walrus(test: Any) -> list[str]:
    pending, names = [test], set()
    while pending:
        node = pending.pop()
        if isinstance(node, gast.NamedExpr):
            names.add(node.target.id)
        if not isinstance(node, gast.Lambda):
            pending += children(node)
    return sorted(names)
