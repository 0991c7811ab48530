"""The kind that a tensor of rank 0 has for a program: `isinstance(n, int)` and `type(n) is int` as of the number.

    isinstance(runtime.constant(3), int)       # True in converted code, while a function is traced
    isinstance(x, (int, float))                # of a tensor of any integer or float dtype
    isinstance(x, runtime.Tensor)              # True, too

A tensor of another rank, or of one that is not known, is no number of Python.
"""

from __future__ import annotations

import numbers
import types
import typing
from typing import Any, Final

from runtime.tensor.symbolic import SymbolicTensor

__all__ = ["asked", "kind_of"]

_KINDS: Final = {"bool": bool, "int": int, "uint": int, "float": float, "complex": complex, "string": str}

_KNOWN: Final = frozenset({
    *_KINDS.values(), numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral,
})  # fmt: skip
"""The classes that a program asks a number or a text for."""


def kind_of(value: SymbolicTensor) -> type | None:
    """The class of Python's value that a tensor of rank 0 stands for; None for all others."""
    return _KINDS.get(value.dtype.family) if value.shape.rank == 0 else None


def asked(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """`isinstance(x, T)`, `type(x)` and their like."""
    kind = kind_of(args[0])
    if kind is None or (function is type and len(args) != 1):
        return function(*args, **(kwargs or {}))
    if function is type:
        return kind
    found = function(*args, **(kwargs or {}))
    if function is isinstance and not found:
        return any(issubclass(kind, wanted) for wanted in _classes(args[1]) if wanted in _KNOWN)
    return found


def _classes(wanted: Any) -> list[Any]:
    """The classes in nested tuples and unions, as `isinstance` takes them."""
    found: list[Any] = []
    pending = [wanted]
    while pending:
        part = pending.pop()
        if isinstance(part, tuple):
            pending += part
        elif isinstance(part, types.UnionType) or typing.get_origin(part) is typing.Union:
            pending += typing.get_args(part)
        else:
            found.append(part)
    return found
