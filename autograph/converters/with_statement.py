"""with.

    with timer(n) as t:              def with_body(entered):
        y = f(t)                         nonlocal y
                          --->           t = entered
                                         y = ag__.converted_call(f, (t,), None, fscope)
                                     ag__.with_stmt(timer(n), with_body, get_state, set_state, ('y',), 1,
                                                   fscope)

What the manager does on the way out is a part of the program's control flow: it is told of exceptions, and may swallow
them. The call that makes the manager is left as it was written (its arguments are converted). Around managers that are
known to let exceptions pass, and around a `yield` of the function, the statement stays (native_statements.py).
"""

from __future__ import annotations

from typing import Any

from autograph.analysis.reader import is_made_as_written
from autograph.converters.native_statements import keep_with
from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.converters.try_statement import jump_names
from autograph.syntax import At

__all__ = ["convert_with"]


def convert_with(rewriter: Rewriter, node: Any) -> list[Any]:
    if node not in rewriter.facts.states:
        return keep_with(rewriter, node)
    at = At.start_of(node)
    code = StateCode(rewriter, node, at)
    (item,) = node.items
    made = item.context_expr
    manager = rewriter.parts(made) if is_made_as_written(made) else rewriter.expression(made)
    name, entered = rewriter.namer.passing("with_body"), rewriter.namer.passing("entered")
    body = node.body
    if item.optional_vars is not None:
        target = At(item.optional_vars)
        body = [target.assign(item.optional_vars, target.name(entered)), *body]
    definitions = [*code.accessors(), code.body(name, "body", body, [entered])]
    arguments = [manager, at.name(name), *code.handed_over(), at.constant(len(code.state.outputs))]
    arguments.append(at.name(rewriter.place.fscope))
    jumps = jump_names(rewriter, code)
    call = at.operator(rewriter.stager(node), "with_stmt", *arguments, *([at.tuple(jumps)] if jumps else []))
    return [*definitions, at.expression(call)]
