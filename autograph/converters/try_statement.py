"""try, except, else, finally.

    try:                         def try_body():
        y = f(x)                     nonlocal y
    except ValueError as e:          y = ag__.converted_call(f, (x,), None, fscope)
        y = g(e)          --->   def except_body(e):
    finally:                         nonlocal y
        h()                          try: y = ag__.converted_call(g, (e,), None, fscope)
                                     finally: e = None
                                 def finally_body(): ...
                                 ag__.try_stmt(try_body, ((lambda: ValueError, except_body, 'e'),), None, finally_body,
                                               get_state, set_state, ('y',), 1)

The class of a handler is evaluated when an exception is held against it, so it is handed over as a lambda. Python ends
the life of `e` with the handler, so that the exception and its traceback do not keep each other alive; so does the
`finally` here. Where the flags and the value of `return` are carried, a last argument names them: whoever leaves by an
exception has not returned.

`except*`, and a `try` with a `yield` of the function around, stay statements (native_statements.py).
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.native_statements import keep_try
from autograph.converters.rewriter import Rewriter
from autograph.converters.state import StateCode
from autograph.syntax import At

__all__ = ["convert_try", "jump_names"]


def convert_try(rewriter: Rewriter, node: Any) -> list[Any]:
    if node not in rewriter.facts.states:
        return keep_try(rewriter, node)
    at = At.start_of(node)
    code = StateCode(rewriter, node, at)
    functions: list[Any] = []

    def function(root: str, field: str, statements: list[Any]) -> Any:
        """The name of a new function of these statements, or None where there are none."""
        if not statements:
            return at.constant(None)
        name = rewriter.namer.passing(root)
        functions.append(code.body(name, field, statements))
        return at.name(name)

    body = function("try_body", "body", node.body)
    handlers = at.tuple([_handler(rewriter, code, handler, functions) for handler in node.handlers])
    orelse = function("else_body", "orelse", node.orelse)
    cleanup = function("finally_body", "finalbody", node.finalbody)
    jumps = jump_names(rewriter, code)
    call = at.operator(
        rewriter.stager(node),
        "try_stmt",
        body,
        handlers,
        orelse,
        cleanup,
        *code.handed_over(),
        at.constant(len(code.state.outputs)),
        *([at.tuple(jumps)] if jumps else []),
    )
    return [*code.accessors(), *functions, at.expression(call)]


def jump_names(rewriter: Rewriter, code: StateCode) -> list[Any]:
    """The flag and the value of `return`, as far as the statement carries them."""
    assert rewriter.place.unit is not None
    returned = rewriter.jumps.returns.get(rewriter.place.unit.node, ())
    return [code.at.constant(name) for name in code.names if name in returned]


def _handler(rewriter: Rewriter, code: StateCode, handler: Any, functions: list[Any]) -> Any:
    """The entry of a handler: (lambda: class, function, name of the exception)."""
    at = code.at
    kind = at.constant(None)
    if handler.type is not None:
        kind = at.thunk(rewriter.expression(handler.type))
    name = rewriter.namer.passing("except_body")
    if handler.name is None:
        function = code.body(name, "body", handler.body, owner=handler)
        if handler.type is None:  # no class is evaluated in the line of `except:`, which a debugger sees all the same
            function.body.insert(_declarations(function.body), At.start_of(handler).put(gast.Pass()))
        functions.append(function)
        return at.tuple([kind, at.name(name), at.constant(None)])
    shared = handler.name.id
    is_renamed = handler in rewriter.facts.renamed
    own = rewriter.namer.fresh(shared) if is_renamed else shared
    function = code.body(name, "body", handler.body, [own], owner=handler)
    here = At.start_of(handler)
    head = _declarations(function.body)
    statements = function.body[head:]
    if is_renamed:
        statements.insert(0, here.assign(shared, here.name(own)))
        end = [*rewriter.forgotten(here, shared, handler), here.assign(own, here.constant(None))]
    else:
        end = [here.assign(own, here.constant(None))]
    function.body[head:] = [here.put(gast.Try(statements, [], [], end))]
    functions.append(function)
    return at.tuple([kind, at.name(name), at.constant(shared)])


def _declarations(statements: list[Any]) -> int:
    """How many of the first statements are declarations, which stand before all others."""
    kinds = (gast.Global, gast.Nonlocal)
    return next((i for i, s in enumerate(statements) if not isinstance(s, kinds)), len(statements))
