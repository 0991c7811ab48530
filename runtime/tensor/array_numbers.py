"""Numbers taken out of ndarrays, and what is computed from them: NumPy's rules hold, not those of tensors.

    x = a[0] * b[1]        float32 and float64: float64, as in NumPy; two tensors would have to agree
    z = x * b              an array, which can be written to; a tensor never changes

A symbolic tensor of rank 0 says so of itself (`of_array`). Beside Python's numbers, numpy's own and others of its kind
it stays one. Beside a tensor that the program was given it is a tensor like others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np

from runtime.dtypes import NUMBERS, DType, from_numpy
from runtime.ops.records.record import REGISTRY, Op
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators

__all__ = ["AS_ARRAY", "are_numbers", "as_arrays", "as_number", "is_number", "marked", "promoted"]

AS_ARRAY: Final[list[Callable[[Any], Any]]] = []
"""Makes arrays of results of rank 1 or more (`runtime.ndarrays.traced`)."""

_PYTHONS: Final = {"int": 0, "uint": 0, "float": 0.0, "complex": 0j}
"""What a weak number counts as, by the kind of its dtype."""


def is_number(value: Any) -> bool:
    """Whether it is one number of an array or of Python's, which the graph knows."""
    return isinstance(value, SymbolicTensor) and (value.of_array or value.weak) and value._shape.rank == 0


def as_number(value: Any) -> Any:
    """A tensor of rank 0 as a number of an array."""
    if isinstance(value, SymbolicTensor) and not value.of_array:
        # What the program was given as a tensor stays one.
        value = REGISTRY["identity"](value) if value.op.type == "placeholder" else value
        value.of_array = True
    return value


def marked(op: Op, result: Any, operands: Sequence[Any]) -> Any:
    """The result of an operation, marked as a number of an array where its operands are such."""
    if not op.elementwise or type(result) is not SymbolicTensor:
        return result
    found = False
    for value in operands:
        if isinstance(value, SymbolicTensor):
            if not (value.of_array or value.weak):
                return result
            found = found or value.of_array
        elif isinstance(value, Operators):
            return result
    if found and result._shape.rank == 0:
        result.of_array = True
    return result


def promoted(values: Sequence[Any]) -> DType | None:
    """The dtype in which numbers of arrays meet, by NumPy's promotion; None where there is none, or a tensor."""
    found = False
    kinds: list[Any] = []
    for value in values:
        if isinstance(value, SymbolicTensor):
            if value.of_array:
                found = True
                kinds.append(value.dtype.numpy)
            elif value.weak:
                kinds.append(_PYTHONS.get(value.dtype.family, value.dtype.numpy))
            else:
                return None
        elif isinstance(value, Operators | list | tuple):
            return None
        else:
            kinds.append(value.dtype if isinstance(value, np.ndarray | np.generic) else value)
    if not found or any(isinstance(kind, np.dtype) and kind.kind not in NUMBERS for kind in kinds):
        return None
    try:
        return from_numpy(np.result_type(*kinds))
    except TypeError:
        return None


def are_numbers(values: Iterable[Any]) -> bool:
    """Whether all that is symbolic among the values is numbers of arrays or of Python's, and there is such a one."""
    symbolic = [value for value in values if isinstance(value, Operators)]
    return bool(symbolic) and all(map(is_number, symbolic))


def as_arrays(result: Any) -> Any:
    """What NumPy gives for numbers of arrays: arrays, and numbers that are marked."""
    return AS_ARRAY[0](result) if AS_ARRAY else result
