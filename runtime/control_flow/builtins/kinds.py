"""The kind that a tensor of rank 0 has for a program: `isinstance(n, int)` and `type(n) is int` as of the number.

    isinstance(runtime.constant(3), int)       # True in converted code, while a function is traced
    isinstance(x, (int, float))                # of a tensor of any integer or float dtype
    isinstance(x, runtime.Tensor)              # True, too

A number of an array is one of NumPy: `isinstance(a[0], np.float64)`; and an array is an ndarray. A tensor of another
rank, or of one that is not known, is no number of Python.
"""

from __future__ import annotations

import numbers
import types
import typing
from typing import Any, Final

import numpy as np

from autograph.errors import StagingTypeError
from runtime.control_flow.optional.bools import is_as
from runtime.graph.location import here
from runtime.tensor.symbolic import SymbolicTensor, text_class

__all__ = ["asked", "asked_of_array", "kind_of"]

_KINDS: Final = {"bool": bool, "int": int, "uint": int, "float": float, "complex": complex, "string": str}

_KNOWN: Final = frozenset({
    *_KINDS.values(), bytes, numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral,
})  # fmt: skip
"""The classes that a program asks a number or a text for."""


def kind_of(value: SymbolicTensor) -> type | None:
    """The class of the value of Python or NumPy that a tensor of rank 0 stands for; None for all others."""
    if value.shape.rank != 0:
        return None
    return value.dtype.numpy.type if value.of_array else text_class(value) or _KINDS.get(value.dtype.family)


def asked(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """`isinstance(x, T)`, `type(x)` and their like."""
    kind = kind_of(args[0])
    if kind is None or (function is type and args[1:]):
        return function(*args, **(kwargs or {}))
    if function is type:
        if args[0].or_bool is not None:
            raise StagingTypeError(
                f"the class of a value is asked for that is bool or {kind.__name__}, as a tensor decides{here()}: ask"
                " `isinstance(v, bool)`, or do it in the branches"
            )
        return kind
    found = function(*args, **(kwargs or {}))
    if function is isinstance and not found:
        wanted = tuple(one for one in _classes(args[1]) if one in _KNOWN or issubclass(one, np.generic))
        if args[0].or_bool is not None:
            return is_as(args[0].or_bool, issubclass(bool, wanted), issubclass(kind, wanted))
        return issubclass(kind, wanted)
    return found


_ARRAY: Final = np.empty(0)


def asked_of_array(function: Any, args: tuple[Any, ...], kwargs: Any = None) -> Any:
    """The same of an array that is traced, which is an ndarray."""
    if function not in (isinstance, type) or kwargs or (function is type and args[1:]):
        return function(*args, **(kwargs or {}))
    return function(args[0], *args[1:]) is True or function(_ARRAY, *args[1:])


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
