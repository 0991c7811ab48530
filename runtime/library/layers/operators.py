"""Python's operators of symbols: each is a step, of a layer that applies it.

    x = Input(shape=(4,))
    (x + 1) * x[:, :1]
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from runtime.library.layers.core import Lambda
from runtime.library.layers.symbols import Symbol

__all__: list[str] = []


def _applied(name: str, function: Callable[..., Any], *operands: Any) -> Any:
    """A function of one operand, or of two of which the other may be a value."""
    if len(operands) == 1:
        return Lambda(function, name=name)(operands[0])
    if all(isinstance(x, Symbol) for x in operands):
        return Lambda(lambda pair: function(*pair), name=name)(list(operands))
    first = isinstance(operands[0], Symbol)
    symbol, other = operands if first else reversed(operands)
    return Lambda(lambda x: function(x, other) if first else function(other, x), name=name)(symbol)


def _binary(name: str, function: Callable[..., Any], swapped: bool) -> Callable[[Any, Any], Any]:
    if swapped:
        return lambda self, other: _applied(name, function, other, self)
    return lambda self, other: _applied(name, function, self, other)


def _install(name: str, method: Callable[..., Any]) -> None:
    setattr(Symbol, f"__{name}__", method)


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"):
    _function = getattr(operator, _name)
    _install(_name, _binary(_name, _function, False))
    _install(f"r{_name}", _binary(_name, _function, True))
_install("neg", lambda self: _applied("negative", operator.neg, self))
_install("abs", lambda self: _applied("absolute", abs, self))
_install("getitem", lambda self, key: _applied("get_item", lambda x: x[key], self))
