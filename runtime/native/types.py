"""Dtypes as LLVM knows them: the type of a value in a register, and that of an element in memory.

>>> in_register(runtime.bool), in_memory(runtime.bool)
('i1', 'i8')
"""

from __future__ import annotations

from typing import Final

import numpy as np

from runtime.dtypes import DType, bool_, float32, float64

__all__ = ["in_memory", "in_register", "is_supported", "literal"]

_FLOATS: Final = {float32: "float", float64: "double"}


def is_supported(dtype: DType) -> bool:
    """Whether machine code computes with values of the dtype."""
    return dtype is bool_ or dtype.is_integer or dtype in _FLOATS


def in_register(dtype: DType) -> str:
    """The type of a single value."""
    return "i1" if dtype is bool_ else _FLOATS.get(dtype) or f"i{8 * dtype.size}"


def in_memory(dtype: DType) -> str:
    """The type of an element of an array, and of a value that is handed over."""
    return "i8" if dtype is bool_ else in_register(dtype)


def literal(value: object, dtype: DType) -> str:
    """A constant as LLVM writes it; floats by their bits as float64, which is exact for float32, too."""
    if dtype is bool_:
        return "true" if value else "false"
    if dtype.is_integer:
        return str(int(value))  # type: ignore[call-overload]
    with np.errstate(invalid="ignore"):
        return f"0x{int(np.float64(value).view(np.uint64)):016X}"  # type: ignore[arg-type]
