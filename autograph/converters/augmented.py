"""Assignments with an operator: `y += x`.

    y += 1            --->    y = ag__.ld(y)                      only where a placeholder may be in y
                              y += 1
    items += grown    --->    items = ag__.update(items, '+=', grown)
    self.s |= t       --->    self.s = ag__.update(self.s, '|=', t)
    text %= x         --->    text = ag__.update(text, '%=', x)

The call is there for what changes the left operand in place, and for text, neither of which can ask a right operand
what it wants. The statement stays as it is where both are numbers as far as it is written: `total += x` after
`total = 0`, or `i += 1`. Elements are in autograph/converters/subscripts.py.
"""

from __future__ import annotations

from typing import Any, Final

import gast

from autograph.analysis.numbers import makes_a_number
from autograph.analysis.uses import writes_element
from autograph.converters.rewriter import Rewriter
from autograph.converters.strings import may_be_text
from autograph.converters.subscripts import SIGNS, again, is_fixed, item_updated
from autograph.converters.variables import checked
from autograph.syntax import At

__all__ = ["convert_augmented"]

_OF_CONTAINERS: Final = (gast.Add, gast.Sub, gast.BitOr, gast.BitAnd, gast.BitXor)
"""The operators by which containers take in others."""


def convert_augmented(rewriter: Rewriter, node: Any) -> list[Any]:
    target = node.target
    if writes_element(target):
        return [item_updated(rewriter, node)]
    result = []
    if target in rewriter.facts.checked:
        at = At(target)
        result.append(at.assign(target.id, checked(rewriter, target, at.name(target.id))))
    if _asks(rewriter, node):
        return [*result, *_updated(rewriter, node)]
    return [*result, rewriter.parts(node)]


def _asks(rewriter: Rewriter, node: Any) -> bool:
    """Whether the right operand may belong to a stager that changes the left one in its own way."""
    if isinstance(node.op, gast.Mod):
        return may_be_text(node.target, node.value)
    if not isinstance(node.op, _OF_CONTAINERS) or makes_a_number(node.value) or _is_display(node.value):
        return False
    unit = rewriter.place.unit
    return unit is None or not isinstance(node.target, gast.Name) or node.target.id not in unit.scope.numbers


def _is_display(node: Any) -> bool:
    """Whether an expression makes a list, tuple or set of Python's own: `[x]` and `{1}`, but not `[*grown, x]`."""
    if isinstance(node, gast.Set):
        return all(isinstance(part, gast.Constant) for part in node.elts)
    shows = isinstance(node, gast.List | gast.Tuple)
    return shows and not any(isinstance(part, gast.Starred) for part in node.elts)


def _updated(rewriter: Rewriter, node: Any) -> list[Any]:
    """The statements for `target += value` by a call."""
    target, at = node.target, At(node)
    if isinstance(target, gast.Name):
        return [at.assign(target.id, _update(rewriter, node, at.name(target.id)))]
    result = []
    if not is_fixed(rewriter, target.value):
        holder = rewriter.namer.fresh("holder")
        result.append(at.assign(holder, rewriter.expression(target.value)))
        target.value = at.name(holder)
    kind, where = type(target), At(target)
    step = target.attr if isinstance(target, gast.Attribute) else again(target.slice)
    old = where.put(kind(again(target.value), step, gast.Load()))
    return [*result, at.assign(target, _update(rewriter, node, old))]


def _update(rewriter: Rewriter, node: Any, old: Any) -> Any:
    at = At(node)
    sign = at.constant(SIGNS[type(node.op)])
    return at.operator(rewriter.ag, "update", old, sign, rewriter.expression(node.value))
