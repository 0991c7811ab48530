"""What can be given where a tensor is asked for: `TensorLike`, for the annotations of programs and of this package.

    def scaled(x: runtime.types.experimental.TensorLike) -> runtime.Tensor:
        return runtime.multiply(x, 2)

Tensors, Variables, arrays and numbers of numpy, numbers and texts of Python, nested lists of all these, and whatever
gives numpy an array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from runtime.shapes import TensorShape
from runtime.tensor.methods import ArrayMethods

__all__ = ["SupportsArray", "TensorLike"]


class SupportsArray(Protocol):
    """What numpy takes for an array: those of other libraries."""

    def __array__(self) -> np.ndarray[Any, Any]: ...


TensorLike: TypeAlias = (
    ArrayMethods | np.ndarray[Any, Any] | np.generic | complex | str | bytes | Sequence[Any] | TensorShape
    | SupportsArray
)  # fmt: skip
"""See the module's docstring. `complex` stands for bool, int and float, too."""
