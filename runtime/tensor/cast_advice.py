"""What to write where two dtypes do not meet: the cast that loses nothing, or the least.

    cast_advice("x", int32, "y", float32)   # "use runtime.cast(x, 'float32')"
    cast_advice("x", int8, "y", uint8)      # "use runtime.cast(x, 'int16') and runtime.cast(y, 'int16')"
"""

from __future__ import annotations

import numpy as np

from runtime.dtypes import DType, as_dtype, bfloat16, float32, string
from runtime.tensor.literals import KIND_ORDER

__all__ = ["cast_advice"]


def cast_advice(first: str, first_dtype: DType, second: str, second_dtype: DType, *places: str) -> str:
    """The remedy, as the second half of a sentence. first, second: what the program calls the values; places: where
    each of them is to be cast."""
    if string in (first_dtype, second_dtype):
        casts = [f"runtime.strings.as_string({name})" for name in (first, second)]
        changed = [first_dtype is not string, second_dtype is not string]
    else:
        met = _meeting(first_dtype, second_dtype)
        casts = [f"runtime.cast({name}, {met.name!r})" for name in (first, second)]
        changed = [first_dtype is not met, second_dtype is not met]
    texts = [f"{cast} {place}".rstrip() for cast, place in zip(casts, places or ("", ""), strict=True)]
    return "use " + " and ".join(text for text, is_changed in zip(texts, changed, strict=True) if is_changed)


def _meeting(a: DType, b: DType) -> DType:
    """The one of them that holds the values of the other, at least about; a third one where neither does."""
    low, high = sorted((a, b), key=lambda dtype: (KIND_ORDER[dtype.family], dtype.size))
    if KIND_ORDER[low.family] != KIND_ORDER[high.family]:
        return high
    if bfloat16 in (a, b):
        return high if high.size > low.size else float32
    return as_dtype(np.promote_types(a.numpy, b.numpy))
