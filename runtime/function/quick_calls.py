"""The short way to a trace: a key for calls with eager tensors, flat structures of them, and literals.

    quick_key([tensor, {"w": weights, "b": bias}, 3])
    # ((None, (dict, "b", "w"), (int, 3)), ((float32, (2,)), (float32, (3,)), (float32, (2, 3)))), and the three arrays

Calls with equal keys have equal keys of `trace_types.encode`, which takes ten times as long; for all other calls there
is only that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import NoneType
from typing import Any, Final

from runtime.function.numbers import Number, array_of_number, is_number
from runtime.ops.record import Array
from runtime.tensor.eager import EagerTensor

__all__ = ["array_of", "quick_key"]

array_of: Final = EagerTensor.__dict__["_array"].__get__
"""The array of an eager tensor; raises TypeError for everything else."""

LITERALS: Final = frozenset({bool, int, str, bytes, NoneType})
"""Types whose values are equal only if they are the same to a trace; floats are not: 0.0 == -0.0."""

ONLY_TEXT: Final = {str}


def quick_key(args: Sequence[Any], open_numbers: bool = False) -> tuple[Any, list[Array]]:
    """The key of positional arguments, and the arrays of their tensors. Raises TypeError where there is none.

    open_numbers: Python's numbers are inputs, too.
    """
    arrays: list[Array] = []
    structure: list[Any] = []
    for value in args:
        kind = type(value)
        if kind is EagerTensor:
            arrays.append(value._array)
            structure.append(None)
        elif kind is dict:
            keys = sorted(value)
            if {*map(type, keys)} != ONLY_TEXT:  # 1 == True, but a function sees which of them it is
                raise TypeError
            arrays += map(array_of, map(value.__getitem__, keys))
            structure.append((dict, *keys))
        elif kind is list or kind is tuple:
            arrays += map(array_of, value)
            structure.append((kind, len(value)))
        elif open_numbers and is_number(value):
            arrays.append(array_of_number(value))
            structure.append((Number, kind))
        elif kind in LITERALS:
            structure.append((kind, value))
        else:
            raise TypeError
    return (tuple(structure), tuple([(a.dtype, a.shape) for a in arrays])), arrays
