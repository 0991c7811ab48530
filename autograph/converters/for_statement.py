"""for.

    for i in items:          def loop_body(itr):
        s += i                   nonlocal s
                    --->         i = itr
                                 s += i
                             ag__.for_stmt(items, None, loop_body, get_state, set_state, ('s',), {'iterate_names': 'i'})

A loop that can be left early gets an `extra_test`, which must hold for another round.
"""

from __future__ import annotations

from typing import Any

from autograph.converters.loop_options import options_of
from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.syntax import At, unparse

__all__ = ["convert_for"]


def convert_for(rewriter: Rewriter, node: Any) -> list[Any]:
    at = At(node, node.iter)
    code = StateCode(rewriter, node, at)
    loop_body, iterate = rewriter.namer.passing("loop_body"), rewriter.namer.passing("itr")
    target_at = At(node.target)
    options = options_of(rewriter, node, at, [("iterate_names", target_at.constant(unparse(node.target)))])
    iterated = rewriter.expression(node.iter)
    receive = target_at.assign(node.target, target_at.name(iterate))
    definitions = [*code.accessors(), code.body(loop_body, "body", [receive, *node.body], [iterate])]
    extra_test: Any = at.constant(None)
    if node in rewriter.jumps.extra_tests:
        name = rewriter.namer.passing("extra_test")
        result = at.returns(rewriter.expression(rewriter.jumps.extra_tests[node]))
        definitions.append(at.function(name, [], [result]))
        extra_test = at.name(name)
    call = at.operator(
        rewriter.stager(node), "for_stmt", iterated, extra_test, at.name(loop_body), *code.handed_over(), options
    )
    return [*definitions, at.expression(call)]
