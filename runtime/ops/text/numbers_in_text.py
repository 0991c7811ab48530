"""Numbers that are written as text: `int("12")` and `float("2.5")` of string tensors.

    string_to_number(text, dtype=int32)        # "12" -> 12; " 1_000 " -> 1000, as Python reads numbers
    string_to_number(text, dtype=int32, base=16)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, float32, int32, int64
from runtime.errors import DtypeMismatchError, IntegerRangeError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.records.shape_rules import same_shape

__all__ = ["string_to_number"]

_SAMPLED: Final = (
    ([b"12", b" -3 ", b"1_000"], {"dtype": int32}),
    (b"7", {"dtype": int64}),
    ([[b"ff"], [b"0x10"]], {"dtype": int32, "base": 16}),
    ([b"2.5", b"-1e3", b"inf"], {"dtype": float32}),
    (np.zeros((0, 2), object), {"dtype": float32}),
)


def _samples(dtype: DType) -> Any:
    for value, attributes in _SAMPLED:
        yield Sample((np.array(value, object),), attributes)


def _read(text: Any, dtype: DType, base: int) -> Any:
    written = text.decode("utf-8", "backslashreplace")
    if dtype.is_floating:
        return float(written)
    number = int(written, base)
    info = np.iinfo(dtype.numpy)
    if not info.min <= number <= info.max:
        bounds = f"{info.min} to {info.max}"
        raise IntegerRangeError(f"string_to_number: the number {number} in a text does not fit {dtype.name} ({bounds})")
    return number


def _expected(x: Array, dtype: DType, base: int = 10) -> Any:
    numbers = [float(t) if dtype.is_floating else int(t, base) for t in x.reshape(-1).tolist()]
    return np.array(numbers, dtype.numpy).reshape(x.shape)


def _number_dtype(x: Operand, dtype: DType, base: int) -> DType:
    if not (dtype.is_floating or dtype.is_integer):
        raise DtypeMismatchError(f"string_to_number: text is read as integers or floats, not as {dtype.name}")
    return dtype


@op(
    raises=Raises((IntegerRangeError, ValueError)),
    shape=same_shape, dtypes=STRINGS, result=_number_dtype, samples=_samples, reference=_expected,
    errors=[Failure(("abc",), ValueError, ("invalid literal for int() with base 10: 'abc'",), {"dtype": int32}),
            Failure(("3000000000",), IntegerRangeError, ("3000000000", "int32"), {"dtype": int32}),
            Failure(("a",), ValueError, ("could not convert string to float: 'a'",)),
            Failure(("1",), DtypeMismatchError, ("bool",), {"dtype": "bool"})],
)  # fmt: skip
def string_to_number(x: Array, *, dtype: DType = float32, base: int = 10) -> Any:
    """The numbers that the texts stand for, element by element, read as Python's `int` and `float` do.

    x: string tensor of any shape. base: of integers, 2 to 36, or 0 for the one that a prefix says. Text that is no
    number, and a number that does not fit the dtype, are a ValueError.
    """
    found = elements(x)
    result = np.empty(found.shape, dtype.numpy)
    for place in np.ndindex(found.shape):
        result[place] = _read(found[place], dtype, base)
    return result
