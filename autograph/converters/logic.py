"""and, or, not.

    a and b     --->    ag__.and_(lambda: a, lambda: b)
    not a       --->    ag__.not_(a)

Longer chains nest to the right. From nine operands on they are halved instead, which means the same (`and` and `or` are
associative, also in what they evaluate) and keeps the nesting of a long chain small. A walrus in a lambda would keep
its name to itself, so operands up to the last one with a walrus are evaluated outside, in Python:

    (y := a) and b    --->    (lambda left: ag__.and_(lambda: left, lambda: b))((y := a))
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, children

__all__ = ["binds_names", "convert_bool_op", "convert_unary"]

_RIGHT_NESTED = 8
_OPERATORS = {gast.And: "and_", gast.Or: "or_"}


def binds_names(*expressions: Any) -> bool:
    """Whether a walrus or an await in the expressions keeps them from moving into a lambda."""
    pending = [node for node in expressions if node is not None]
    while pending:
        node = pending.pop()
        if isinstance(node, gast.NamedExpr | gast.Await | gast.Yield | gast.YieldFrom):
            return True
        if not isinstance(node, gast.Lambda):
            pending += children(node)
    return False


def convert_bool_op(rewriter: Rewriter, node: Any) -> Any:
    binding = [place for place, value in enumerate(node.values, 1) if binds_names(value)]
    last = binding[-1] if binding else 0
    if last == len(node.values):
        return rewriter.parts(node)
    at, operator = At(node), _OPERATORS[type(node.op)]
    values = [rewriter.expression(value) for value in node.values]
    if not last:
        return _combined(rewriter.ag, operator, values, at)
    first = values[0] if last == 1 else At(values[0], values[last - 1]).put(gast.BoolOp(node.op, values[:last]))
    left = rewriter.namer.fresh("left")
    combined = _combined(rewriter.ag, operator, [at.name(left), *values[last:]], at)
    return at.call(at.thunk(combined, [left]), [first])


def _combined(ag: str, operator: str, values: list[Any], at: At) -> Any:
    if len(values) == 1:
        return values[0]
    middle = 1 if len(values) <= _RIGHT_NESTED else len(values) // 2
    left = _combined(ag, operator, values[:middle], at)
    right = _combined(ag, operator, values[middle:], at)
    return at.operator(ag, operator, At(left).thunk(left), At(right).thunk(right))


def convert_unary(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.op, gast.Not):
        return rewriter.parts(node)
    return At(node).operator(rewriter.ag, "not_", rewriter.expression(node.operand))
