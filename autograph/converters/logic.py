"""and, or, not.

    a and b     --->    ag__.and_(lambda: a, lambda: b)
    not a       --->    ag__.not_(a)

Longer chains nest to the right. From nine operands on they are halved instead, which means the same (`and` and `or` are
associative, also in what they evaluate) and keeps the nesting of a long chain small. A walrus in a lambda would keep
its name to itself: a first operand with one is evaluated outside, and those of other operands assign by functions
(converters/binding.py), which come as state with the operands:

    (y := a) and b    --->    (lambda left: ag__.and_(lambda: left, lambda: b))((y := a))
    a and (y := b)    --->    ag__.and_(lambda: a, lambda: set_y(b), get_state, set_state, ('y',))

Where only the truth is asked, as by `if`, Python asks each operand once, and the value of the whole no more:

    if a and b:       --->    ag__.if_stmt(ag__.and_(lambda: a, lambda: b, test=True), ...)
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.binding import bound_by_walrus, can_move, state_arguments
from autograph.converters.rewriter import Rewriter
from autograph.syntax import At, children

__all__ = ["as_test", "binds_names", "convert_bool_op", "convert_unary"]

_RIGHT_NESTED = 8
_OPERATORS = {gast.And: "and_", gast.Or: "or_"}
_GIVES_BOOL = (gast.In, gast.Is, gast.IsNot, gast.NotIn)


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
    first, *others = node.values
    if not can_move(rewriter, *others):
        return rewriter.parts(node)
    at, operator = At(node), _OPERATORS[type(node.op)]
    names = [set() if place == 0 else bound_by_walrus(value) for place, value in enumerate(node.values)]
    test = as_test(at) if node in rewriter.tests and _matters(node.values) else []
    value = rewriter.expression(first)
    with rewriter.moving():
        rest = [rewriter.expression(other) for other in others]
    if not binds_names(value) or rewriter.moves:
        return _combined(rewriter, operator, [value, *rest], names, at, test)
    left = rewriter.namer.fresh("left")
    combined = _combined(rewriter, operator, [at.name(left), *rest], names, at, test)
    return at.call(at.thunk(combined, [left]), [value])


def as_test(at: At) -> list[Any]:
    """The argument of `and_` and `or_` where nobody asks for more than the truth."""
    return [at.keyword("test", at.constant(True))]


def _matters(operands: list[Any]) -> bool:
    """Whether asking an operand for its truth may be more than looking at a bool or a tensor of one."""
    *others, last = operands
    return not (all(map(_is_bool, others)) and (_is_bool(last) or isinstance(last, gast.Compare)))


def _is_bool(node: Any) -> bool:
    """Whether the value of an expression is a bool in Python, as far as it is written."""
    if isinstance(node, gast.BoolOp):
        return all(map(_is_bool, node.values))
    if isinstance(node, gast.Compare):
        return len(node.ops) == 1 and isinstance(node.ops[0], _GIVES_BOOL)
    return (isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)) or (
        isinstance(node, gast.Constant) and isinstance(node.value, bool)
    )


def _combined(
    rewriter: Rewriter, operator: str, values: list[Any], names: list[set[str]], at: At, test: list[Any]
) -> Any:
    if len(values) == 1:
        return values[0]
    middle = 1 if len(values) <= _RIGHT_NESTED else len(values) // 2
    left = _combined(rewriter, operator, values[:middle], names[:middle], at, test)
    right = _combined(rewriter, operator, values[middle:], names[middle:], at, test)
    state = state_arguments(rewriter, set().union(*names[middle:]), at)
    return at.operator(rewriter.ag, operator, At(left).thunk(left), At(right).thunk(right), *state, keywords=test)


def convert_unary(rewriter: Rewriter, node: Any) -> Any:
    if not isinstance(node.op, gast.Not):
        return rewriter.parts(node)
    return At(node).operator(rewriter.ag, "not_", rewriter.expression(node.operand))
