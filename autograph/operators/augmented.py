"""`x += v` and its like where v may belong to a stager, which may be what changes x in place.

Python asks the right operand of `items + grown` and of `items += grown` by the same method, and a set, a list or a dict
that does not know its right operand leaves the change to it.

Example (generated):
    items = ag__.update(items, '+=', grown)         # items += grown
    text = ag__.update(text, '%=', x)               # text %= x
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from autograph.operators.stager import PYTHON, stager_of
from autograph.operators.strings import mod

__all__ = ["FUNCTIONS", "update", "updated_element"]

_OPERATORS: Final[dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]]] = {
    "+=": (operator.iadd, operator.add),
    "-=": (operator.isub, operator.sub),
    "*=": (operator.imul, operator.mul),
    "/=": (operator.itruediv, operator.truediv),
    "//=": (operator.ifloordiv, operator.floordiv),
    "%=": (operator.imod, operator.mod),
    "**=": (operator.ipow, operator.pow),
    "@=": (operator.imatmul, operator.matmul),
    "&=": (operator.iand, operator.and_),
    "|=": (operator.ior, operator.or_),
    "^=": (operator.ixor, operator.xor),
    "<<=": (operator.ilshift, operator.lshift),
    ">>=": (operator.irshift, operator.rshift),
}
"""Each augmented operator: as Python does it, and so that it leaves its left operand alone."""

_PLAIN: Final = frozenset({int, str, type(None), bool, float, complex, bytes})
"""Right operands that surely belong to no stager."""


def update(x: Any, sign: str, v: Any) -> Any:
    """What `x` is after `x += v`; `sign` is the operator with its `=`. The owner of v may do it in its own way."""
    if sign == "%=" and isinstance(x, str):
        return mod(x, v)
    in_place = _OPERATORS[sign][0]
    if hasattr(type(x), "__array__"):  # which knows its right operands
        return in_place(x, v)
    if type(v) not in _PLAIN and (owner := stager_of(v)) is not PYTHON:
        made = owner.builtin(in_place, (x, v), {})
        if made is not NotImplemented:
            return made
    return in_place(x, v)


def updated_element(item: Any, sign: str, v: Any) -> Any:
    """What takes the place of an element or attribute by `x[k] += v`."""
    if hasattr(type(item), "__array__") and type(v) not in _PLAIN and stager_of(v) is not PYTHON:
        return _OPERATORS[sign][1](item, v)  # a view of an array cannot take in what is not known yet
    return update(item, sign, v)


def _updated_by(sign: str, x: Any, v: Any) -> Any:
    return update(x, sign, v)


FUNCTIONS: Final[dict[Any, Callable[[Any, Any], Any]]] = {
    operator.mod: mod,
    **{in_place: partial(_updated_by, sign) for sign, (in_place, _) in _OPERATORS.items()},
}
"""What functions of the module operator do in converted code, of two arguments."""
