"""What all random functions do with their arguments: the algorithm, limits of uniform numbers, means of normal ones.

    low, high = limits_of(0, None, float32)           # 0.0 and 1.0
    scaled(numbers, mean=3.0, stddev=1.0)             # numbers + 3.0
"""

from __future__ import annotations

from typing import Any, Final

from runtime.dtypes import DType
from runtime.errors import InvalidArgumentError
from runtime.tensor.convert import convert_to_tensor

__all__ = ["AUTO", "check_algorithm", "limits_of", "scaled"]

AUTO: Final = "auto_select"
"""The name that leaves the choice of the algorithm to the package."""

_PHILOX: Final = ("philox", 1, AUTO, 3, None)
"""The one algorithm, by its names in TensorFlow."""


def check_algorithm(alg: Any) -> None:
    """Raises InvalidArgumentError for another algorithm than Philox."""
    if (alg.lower() if isinstance(alg, str) else alg) not in _PHILOX:
        raise InvalidArgumentError(f"runtime.random: the algorithm is 'philox'; got {alg!r}")


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
