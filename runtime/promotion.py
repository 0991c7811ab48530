"""What becomes of operands of two dtypes: a DtypeMismatchError, or, where a program asks for it, a dtype for both.

    runtime.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
    runtime.constant(1) + runtime.constant(1.5)         # float32: the integers become floats

The modes and their names are those of `tf.experimental.numpy.experimental_enable_numpy_behavior`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.config import numpy_behavior, set_numpy_behavior
from runtime.dtypes import (
    DType,
    bfloat16,
    bool_,
    complex64,
    complex128,
    float32,
    float64,
    from_numpy,
    int16,
    int32,
    int64,
)
from runtime.errors import DtypeMismatchError, InvalidArgumentError

__all__ = ["MODES", "beside_literal", "common_dtype", "is_on", "prefers_float32", "set_behavior"]

MODES: Final = ("off", "legacy", "all", "safe")
"""off: two dtypes are an error. legacy: NumPy's promotion. all: the lattice below; safe: those of its steps that lose
nothing and make nothing wider than it was."""


def set_behavior(mode: str, prefer_float32: bool) -> Any:
    """Sets the mode for the whole process; in a `with` statement, until the end of the block."""
    if mode not in MODES:
        raise InvalidArgumentError(f"dtype_conversion_mode is one of {', '.join(map(repr, MODES))}; got {mode!r}")
    if not isinstance(prefer_float32, bool):
        raise TypeError(f"prefer_float32 is True or False; got {prefer_float32!r}")
    return set_numpy_behavior(mode, prefer_float32)


def is_on() -> bool:
    """Whether operands of two dtypes are given a common one."""
    return numpy_behavior()[0] != "off"


def prefers_float32() -> bool:
    """Whether Python's floats are float32 where nothing says otherwise."""
    return numpy_behavior()[1]


def common_dtype(a: DType, b: DType) -> DType | None:
    """The dtype for two operands; None where there is none (text beside numbers). Raises DtypeMismatchError in mode
    `safe`."""
    if a is b or "string" in (a.family, b.family) or "variant" in (a.family, b.family):
        return a if a is b else None
    if numpy_behavior()[0] == "legacy" and bfloat16 not in (a, b):
        return from_numpy(np.result_type(a.numpy, b.numpy))
    found, is_safe = _step(*sorted((a, b), key=lambda dtype: (_ORDER[dtype.family], dtype.size)))
    if numpy_behavior()[0] == "safe" and not is_safe:
        raise DtypeMismatchError(
            f"{a.name} beside {b.name} would become {found.name}, which loses digits or is wider than both: mode 'safe'"
            f" does not do that. Use runtime.cast, or dtype_conversion_mode='all'"
        )
    return found


_ORDER: Final = {"bool": 0, "uint": 1, "int": 2, "float": 3, "complex": 4}
_DIGITS: Final = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53, "complex64": 24, "complex128": 53}
"""How many binary digits a number of a dtype has."""


def _step(low: DType, high: DType) -> tuple[DType, bool]:
    """Where two dtypes meet in the lattice, and whether that is one of them and has all numbers of the other."""
    if low is bool_:
        return high, True
    if low.is_integer and high.is_integer:
        if low.family == high.family or low.size < high.size:
            return high, True
        return (float64, False) if low.size == 8 else (_SIGNED[2 * low.size], False)
    if low.is_integer:
        digits = 8 * low.size - (low.family == "int")
        return high, digits <= _DIGITS[high.name]
    if low.is_floating and high.is_floating:
        return (high, True) if low.size < high.size else (float32, False)  # bfloat16 beside float16
    if low is float64 and high is complex64:
        return complex128, False
    return high, True


_SIGNED: Final = {2: int16, 4: int32, 8: int64}


def beside_literal(dtype: DType, kind: str | None) -> DType:
    """What integers and bools become beside a number of Python's. Raises DtypeMismatchError in mode `safe` for integers
    that would be no integers any more."""
    found = {"int": 0, "float": 1, "complex": 2}.get(kind or "")
    if found is None or found <= _RANKS[dtype.family]:
        return dtype
    if dtype.is_integer and numpy_behavior()[0] == "safe":
        raise DtypeMismatchError(
            f"a Python {kind} beside {dtype.name}: mode 'safe' makes no {kind} of integers. Use runtime.cast, or"
            " dtype_conversion_mode='all'"
        )
    return ((int32, float32) if prefers_float32() else (int64, float64))[found] if found < 2 else complex128


_RANKS: Final = {"bool": -1, "uint": 0, "int": 0, "float": 1, "complex": 2}
