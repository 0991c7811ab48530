"""What Python's operators mean where an operand is a number of an array, an array, or a bool that counts.

    x = a[0]; x * b           the array's own operator: the result is memory
    (x > 1) + (x > 2)         numpy's bools: True; those of Python are counted: 2
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import int64
from runtime.ops.records.record import REGISTRY
from runtime.tensor.numpy_protocol import OPERATORS

__all__ = ["ARRAYS", "INSTEAD", "REFLECTED", "beside_an_array", "counted", "of_numbers_of_arrays", "of_numpys_bools"]

REFLECTED: Final = {
    "add": "__radd__", "subtract": "__rsub__", "multiply": "__rmul__", "divide": "__rtruediv__",
    "floordiv": "__rfloordiv__", "floormod": "__rmod__", "pow": "__rpow__", "matmul": "__rmatmul__",
    "bitwise_and": "__rand__", "bitwise_or": "__ror__", "bitwise_xor": "__rxor__", "left_shift": "__rlshift__",
    "right_shift": "__rrshift__", "less": "__gt__", "less_equal": "__ge__", "greater": "__lt__",
    "greater_equal": "__le__", "equal": "__eq__", "not_equal": "__ne__",
}  # fmt: skip
"""The method of the right operand that Python asks when the left one does not know what to do."""

_UFUNCS: Final = {method: ufunc for ufunc, method in OPERATORS.items()}
"""numpy's functions by that method."""


INSTEAD: Final = {
    "as_integer_ratio": "; float(x) is a number that tensors have",
    "total_seconds": "; tensors have no dates: take x.total_seconds()",
    "toordinal": "; tensors have no dates: take x.toordinal()",
}
"""By an attribute of numbers and dates of Python's library that tensors do not have: what to take of them."""

ARRAYS: Final[set[type]] = {np.ndarray, list, tuple, *(dtype.type for dtype in map(np.dtype, "?bhilqBHILQefdFD"))}
"""The types of operands for which `beside_an_array` is asked; those of a graph's arrays are added where they are."""


def beside_an_array(name: str, first: Any, second: Any) -> Any:
    """What an operator of a number and an array gives: NotImplemented where the array does it, for it knows how to be
    memory; the result of numpy's function for one of numpy's own; None for other operands."""
    if hasattr(type(second), "__ag_traced_array__"):
        return NotImplemented if not hasattr(type(first), "__ag_traced_array__") and _is_scalar(first) else None
    number, array = (first, second) if hasattr(type(first), "get_shape") else (second, first)
    of_array = getattr(number, "of_array", False)
    is_array = isinstance(array, np.ndarray | np.generic) or (of_array and isinstance(array, list | tuple))
    if not is_array or not (of_array or getattr(number, "weak", False)) or name not in REFLECTED:
        return None
    return _UFUNCS[REFLECTED[name]](first, second)


def _is_scalar(value: Any) -> bool:
    return hasattr(type(value), "get_shape") and value.shape.rank == 0


def counted(operands: tuple[Any, ...]) -> list[Any] | None:
    """The operands with 0 and 1 in the place of bools that only a graph knows, as Python counts; None without such."""
    if not any(map(_is_truth, operands)) or any(isinstance(x, list | tuple) for x in operands):
        return None
    numbers = [REGISTRY["cast"](x, int64) if _is_truth(x) else x for x in operands]
    for number, operand in zip(numbers, operands, strict=True):
        if number is not operand:
            number.weak = True
    return numbers


_OF_BOOLS: Final = {"add": "logical_or", "multiply": "logical_and"}
"""What two bools of numpy's give, where Python's are counted."""


def of_numpys_bools(name: str, operands: tuple[Any, ...]) -> Any:
    """The sum or product of single bools of which one has come from an array; None for anything else."""
    if name not in _OF_BOOLS:
        return None
    of_arrays = [getattr(x, "of_array", False) and x.dtype.is_bool for x in operands]
    others = [x for x, of_array in zip(operands, of_arrays, strict=True) if not of_array]
    if not any(of_arrays) or not all(isinstance(x, bool | np.bool_) or _is_truth(x) for x in others):
        return None
    return REGISTRY[_OF_BOOLS[name]](*operands)


_OF_ONE: Final = {"abs": np.absolute, "invert": np.invert, "negative": np.negative}
"""numpy's functions for the operators of one operand."""

_IN_ORDER: Final = frozenset({"less", "less_equal", "greater", "greater_equal"})


def of_numbers_of_arrays(name: str, operands: tuple[Any, ...]) -> Any:
    """What numpy gives of numbers of arrays where tensors have no operator: `-x` of a uint8, `<` of complex numbers."""
    if not any(getattr(x, "of_array", False) for x in operands):
        return None
    if name in _OF_ONE:
        return _OF_ONE[name](*operands)
    in_order = name in _IN_ORDER and any(getattr(x, "of_array", False) and x.dtype.is_complex for x in operands)
    return _UFUNCS[REFLECTED[name]](*operands) if in_order else None


def _is_truth(value: Any) -> bool:
    """Whether a value is one bool that the program has computed in a graph, and no tensor that it was given."""
    if not hasattr(value, "weak") or not value.dtype.is_bool or value.shape.rank != 0:
        return False
    return value.op.type != "placeholder" or value.op.graph.recording.outer is not None
