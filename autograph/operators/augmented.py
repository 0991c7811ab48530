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

__all__ = ["FUNCTIONS", "update"]

_OPERATORS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
    "//=": operator.ifloordiv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "@=": operator.imatmul,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
}
"""Each augmented operator as Python does it."""

_PLAIN: Final = frozenset({int, str, type(None), bool, float, complex, bytes})
"""Right operands that surely belong to no stager."""


def update(x: Any, sign: str, v: Any) -> Any:
    """What `x` is after `x += v`; `sign` is the operator with its `=`. The owner of v may do it in its own way."""
    if sign == "%=" and isinstance(x, str):
        return mod(x, v)
    in_place = _OPERATORS[sign]
    if hasattr(type(x), "__array__"):  # which knows its right operands
        return in_place(x, v)
    if type(v) not in _PLAIN and (owner := stager_of(v)) is not PYTHON:
        made = owner.builtin(in_place, (x, v), {})
        if made is not NotImplemented:
            return made
    return in_place(x, v)


def _updated_by(sign: str, x: Any, v: Any) -> Any:
    return update(x, sign, v)


FUNCTIONS: Final[dict[Any, Callable[[Any, Any], Any]]] = {
    operator.mod: mod,
    **{in_place: partial(_updated_by, sign) for sign, in_place in _OPERATORS.items()},
}
"""What functions of the module operator do in converted code, of two arguments."""
