"""Comparisons: chains, `in`, `is`, and the others of what is written as a tuple or list, or where a feature asks.

    a < b < c      --->    ag__.and_(lambda: a < b, lambda: b < c)
    a < f() < c    --->    (lambda left, middle: ag__.and_(lambda: left < middle, lambda: middle < c))(a, f())
    a in b         --->    ag__.in_(a, b)      and `not in`: ag__.not_in
    a is b         --->    ag__.is_(a, b)      and `is not`: ag__.is_not
    (a, b) == c    --->    ag__.eq((a, b), c)  for Python compares what is in tuples and lists by their truth
    a == b         --->    ag__.eq(a, b)       (Feature.EQUALITY_OPERATORS)
    a < b          --->    ag__.lt(a, b)       (Feature.ORDER_OPERATORS)

A middle operand is evaluated once: only a name or a constant is written twice. The operands after the first two are
evaluated only if the comparison gets so far.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph.converters.binding import bound_by_walrus, can_move, state_arguments
from autograph.converters.logic import as_test, binds_names
from autograph.converters.rewriter import Rewriter
from autograph.converters.variables import checked
from autograph.options import Feature
from autograph.syntax import At

__all__ = ["convert_comparison"]

_EQUALITY = {gast.Eq: "eq", gast.NotEq: "not_eq"}
_ORDER = {gast.Lt: "lt", gast.LtE: "le", gast.Gt: "gt", gast.GtE: "ge"}
_DISPLAYS = gast.Tuple | gast.List
_MEMBERSHIP = {gast.In: "in_", gast.NotIn: "not_in"}
_IDENTITY = {gast.Is: "is_", gast.IsNot: "is_not"}


def convert_comparison(rewriter: Rewriter, node: Any) -> Any:
    if len(node.ops) == 1:
        right = node.comparators[0]
        name = _operator_name(rewriter, node.ops[0], node.left, right)
        operands = rewriter.expression(node.left), rewriter.expression(right)
        return _compared(rewriter, name, operands[0], node.ops[0], operands[1], At(node))
    if not can_move(rewriter, *node.comparators[1:]):
        return rewriter.parts(node)
    test = as_test(At(node)) if node in rewriter.tests else []
    return _chain(rewriter, node.left, list(zip(node.ops, node.comparators, strict=True)), At(node), test)


def _compared(rewriter: Rewriter, name: str | None, left: Any, operator: Any, right: Any, at: At) -> Any:
    if name is not None:
        return at.operator(rewriter.ag, name, left, right)
    return at.put(gast.Compare(left, [operator], [right]))


def _operator_name(rewriter: Rewriter, operator: Any, left: Any, right: Any) -> str | None:
    kind = type(operator)
    if kind in _MEMBERSHIP:
        return _MEMBERSHIP[kind]
    if kind in _IDENTITY:
        return _IDENTITY[kind]
    feature, names = Feature.EQUALITY_OPERATORS, _EQUALITY
    if kind in _ORDER:
        feature, names = Feature.ORDER_OPERATORS, _ORDER
    is_staged = rewriter.options.uses(feature) or isinstance(left, _DISPLAYS) or isinstance(right, _DISPLAYS)
    return names[kind] if is_staged else None


def _chain(rewriter: Rewriter, left: Any, rest: list[tuple[Any, Any]], at: At, test: list[Any]) -> Any:
    """A chain from its first operand (not converted) on; built from its end so that long chains cost no more."""
    links: list[tuple[Any, Any, Any, tuple[str, str] | None]] = []
    for place, (operator, right) in enumerate(rest):
        simple = place == len(rest) - 1 or (isinstance(right, gast.Name | gast.Constant) and not binds_names(left))
        names = None if simple else (rewriter.namer.fresh("left"), rewriter.namer.fresh("middle"))
        links.append((left, operator, right, names))
        left = right if names is None else At(right).name(names[1])
    result: Any = None
    bound: set[str] = set()
    for place in range(len(links) - 1, -1, -1):
        left, operator, right, names = links[place]
        state = state_arguments(rewriter, bound, at)
        if place:
            bound |= bound_by_walrus(right)
        with rewriter.moving(place > 0):
            values = [_again(rewriter, left), _again(rewriter, right) if names is None else rewriter.expression(right)]
        operands = values if names is None else [at.name(name) for name in names]
        name = _operator_name(rewriter, operator, left, right)
        where = At(left, right) if names is None else at
        compared = _compared(rewriter, name, operands[0], operator, operands[1], where)
        linked = compared
        if result is not None:
            linked = at.operator(rewriter.ag, "and_", at.thunk(compared), at.thunk(result), *state, keywords=test)
        result = linked if names is None else at.call(at.thunk(linked, names), values)
    return result


def _again(rewriter: Rewriter, node: Any) -> Any:
    """The converted operand; a name or constant gets a node of its own each time, for it is used twice."""
    if isinstance(node, gast.Constant):
        return At(node).put(gast.Constant(node.value, node.kind))
    if isinstance(node, gast.Name):
        return checked(rewriter, node, At(node).name(node.id))
    return rewriter.expression(node)
