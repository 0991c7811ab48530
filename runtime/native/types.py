"""Dtypes as LLVM knows them: the type of a value in a register, and that of an element in memory.

>>> in_register(runtime.bool), in_memory(runtime.bool)
('i1', 'i8')
"""

from __future__ import annotations

import functools
import platform
import sys
from typing import Final

import numpy as np

from runtime.dtypes import DType, bool_, complex64, complex128, float16, float32, float64

__all__ = ["HALF_TEXT", "access", "in_memory", "in_register", "is_supported", "literal", "part_of", "words"]

_FLOATS: Final = {
    float16: "half", float32: "float", float64: "double", complex64: "<2 x float>", complex128: "<2 x double>",
}  # fmt: skip


def is_supported(dtype: DType) -> bool:
    """Whether machine code computes with values of the dtype."""
    if dtype is float16:
        return _converts_halves()
    if dtype is complex64 and sys.platform == "win32":
        return False  # C functions give pairs in another way there
    return dtype is bool_ or dtype.is_integer or dtype in _FLOATS


@functools.cache
def _converts_halves() -> bool:
    """Whether the processor converts between float16 and float32; without it functions of a C library would."""
    import llvmlite.binding as llvm

    return platform.machine().lower() in ("arm64", "aarch64") or bool(llvm.get_host_cpu_features().get("f16c"))


def part_of(dtype: DType) -> DType:
    """The dtype of the real part of a complex number."""
    return float32 if dtype is complex64 else float64


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
    if dtype.is_complex:
        both, part = complex(value), part_of(dtype)  # type: ignore[call-overload]
        return f"<{', '.join(f'{in_register(part)} {literal(x, part)}' for x in (both.real, both.imag))}>"
    if dtype.is_integer:
        return str(int(value))  # type: ignore[call-overload]
    with np.errstate(invalid="ignore", over="ignore"):
        if dtype is float16:
            return f"0xH{int(np.float16(value).view(np.uint16)):04X}"  # type: ignore[arg-type]
        return f"0x{int(np.float64(value).view(np.uint64)):016X}"  # type: ignore[arg-type]


def words(kind: str) -> int:
    """How many words of 8 bytes a value takes that is handed over."""
    return 2 if kind == _FLOATS[complex128] else 1


_TAGS: Final = {
    "i8": 12, "i16": 13, "i32": 14, "i64": 15, "float": 16, "double": 17, _FLOATS[complex128]: 18,
    _FLOATS[complex64]: 24, "half": 25,
}  # fmt: skip
"""By the type of its elements the tag in the module's text (see `prelude`) that says which memory cannot overlap."""


_ALIGNED: Final = {_FLOATS[complex64]: ", align 4", _FLOATS[complex128]: ", align 8"}


def access(kind: str) -> str:
    """What a read or write of an element says of memory. Numpy's pairs lie as one of the pair does."""
    return f"{_ALIGNED.get(kind, '')}, !tbaa !{_TAGS[kind]}"


HALF_TEXT: Final = """
define internal half @half_of(double %x) alwaysinline {
  %bits = bitcast double %x to i64
  %cut = and i64 %bits, -536870912
  %rest = and i64 %bits, 536870911
  %some = icmp ne i64 %rest, 0
  %sticky = select i1 %some, i64 536870912, i64 0
  %odd = or i64 %cut, %sticky
  %y = bitcast i64 %odd to double
  %f = fptrunc double %y to float
  %h = fptrunc float %f to half
  ret half %h
}
"""
"""`half_of` rounds float64 to float16 at once, by a float32 whose last bit says that something is left: processors have
no instruction for it."""
