"""Dtypes as LLVM knows them: the type of a value in a register, and that of an element in memory.

>>> in_register(runtime.bool), in_memory(runtime.bool)
('i1', 'i8')
"""

from __future__ import annotations

from typing import Final

import numpy as np

from runtime.dtypes import DType, bool_, complex128, float32, float64

__all__ = ["access", "in_memory", "in_register", "is_supported", "literal", "words"]

_FLOATS: Final = {float32: "float", float64: "double", complex128: "<2 x double>"}


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
    if dtype is complex128:
        both = complex(value)  # type: ignore[call-overload]
        return f"<double {literal(both.real, float64)}, double {literal(both.imag, float64)}>"
    if dtype.is_integer:
        return str(int(value))  # type: ignore[call-overload]
    with np.errstate(invalid="ignore"):
        return f"0x{int(np.float64(value).view(np.uint64)):016X}"  # type: ignore[arg-type]


def words(kind: str) -> int:
    """How many words of 8 bytes a value takes that is handed over."""
    return 2 if kind == _FLOATS[complex128] else 1


_TAGS: Final = {"i8": 12, "i16": 13, "i32": 14, "i64": 15, "float": 16, "double": 17, _FLOATS[complex128]: 18}
"""By the type of its elements the tag in the module's text (see `prelude`) that says which memory cannot overlap."""


def access(kind: str) -> str:
    """What a read or write of an element says of memory. Numpy's pairs lie as one of the pair does."""
    return f"{', align 8' if words(kind) > 1 else ''}, !tbaa !{_TAGS[kind]}"
