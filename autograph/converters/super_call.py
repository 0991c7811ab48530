"""`super()` without arguments finds its class and instance in the frame; generated code hands them over by name.

    super()       --->    super(__class__, self)
                          super(__class__, ag__.first_argument(self))    where the function may have deleted it
    super().m     --->    super(__class__, ag__.ld(self)).m              likewise, from Python 3.12 on

From 3.12 on, Python does not call `super` for an attribute: it reads the argument as any other variable, so the error
for a deleted one is another.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import gast

from autograph.converters.rewriter import Rewriter
from autograph.syntax import At

__all__ = ["convert_super", "convert_super_attribute", "is_super"]

_OF_ATTRIBUTE: Final = "ld" if sys.version_info >= (3, 12) else "first_argument"


def is_super(rewriter: Rewriter, node: Any) -> bool:
    """Whether it is a call of Python's `super`."""
    if not isinstance(node, gast.Call) or "super" in rewriter.bound_names:
        return False
    return isinstance(node.func, gast.Name) and bool(node.func.id == "super")


def convert_super(rewriter: Rewriter, node: Any) -> Any:
    return _named(rewriter, node, "first_argument")


def convert_super_attribute(rewriter: Rewriter, node: Any) -> Any:
    """An attribute that is read of what `super` returns."""
    value = _named(rewriter, node.value, _OF_ATTRIBUTE)
    return At(node).put(gast.Attribute(value, node.attr, gast.Load()))


def _named(rewriter: Rewriter, node: Any, load: str) -> Any:
    first = rewriter.place.first_parameter
    if node.args or node.keywords or first is None:
        return rewriter.parts(node)
    at, unit = At(node), rewriter.place.unit
    itself = at.name(first)
    if unit is not None and unit.body.lost & unit.set_of([first]):
        itself = at.operator(rewriter.ag, load, itself)
    return at.call(node.func, [at.name("__class__"), itself])
