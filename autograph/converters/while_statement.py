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

from autograph.converters.binding import bound_by_walrus
from autograph.converters.loop_options import options_of
from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.syntax import At

__all__ = ["convert_while"]


def convert_while(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node, node.test)
    code = StateCode(rewriter, node, at)
    loop_body, loop_test = rewriter.namer.passing("loop_body"), rewriter.namer.passing("loop_test")
    options = options_of(rewriter, node, at)
    bound = [name for name in sorted(bound_by_walrus(node.test)) if name in code.state.nonlocals]
    test_at, names = At(node.test), rewriter.facts.stored.get(node, ())
    with rewriter.storing(names, test_at) as definitions:
        result = test_at.returns(rewriter.test(node.test))
    local = [rewriter.placeholder(test_at, name) for name in names if name not in code.state.nonlocals]
    call = at.operator(
        rewriter.stager(node), "while_stmt", at.name(loop_test), at.name(loop_body), *code.handed_over(), options
    )
    return [
        *code.accessors(),
        code.body(loop_body, "body", node.body),
        at.function(loop_test, [], [*code.declarations(bound), *local, *definitions, result]),
        at.expression(call),
    ]
