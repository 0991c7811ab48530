"""What all random functions do with their arguments: limits of uniform numbers, means and deviations of normal ones.

    low, high = limits_of(0, None, float32)           # 0.0 and 1.0
    scaled(numbers, mean=3.0, stddev=1.0)             # numbers + 3.0
"""

from __future__ import annotations

from typing import Any

from runtime.dtypes import DType
from runtime.tensor.convert import convert_to_tensor

__all__ = ["limits_of", "scaled"]


def limits_of(minval: Any, maxval: Any, dtype: DType) -> list[Any]:
    """The limits as tensors. Raises ValueError where the upper one is missing for integers."""
    if maxval is None:
        if dtype.is_integer:
            raise ValueError(f"random.uniform: maxval is needed for the integer dtype {dtype.name}")
        maxval = 1
    return [convert_to_tensor(v, dtype) for v in (minval, maxval)]


def scaled(numbers: Any, mean: Any, stddev: Any) -> Any:
    """numbers * stddev + mean; nothing is done for the Python numbers 1 and 0."""
    if type(stddev) not in (int, float) or stddev != 1:
        numbers = numbers * convert_to_tensor(stddev, numbers.dtype)
    if type(mean) not in (int, float) or mean != 0:
        numbers = numbers + convert_to_tensor(mean, numbers.dtype)
    return numbers
