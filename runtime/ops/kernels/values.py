"""What kernels need to know of their arguments: arrays or the numpy scalars that numpy returns in their place.

>>> elements(b"ab").dtype                      # bytes stay an object: numpy would make it text of a fixed width
dtype('O')

A plan hands each kernel what the last one returned, so a rank-0 value may come as `np.float32(1)` or, for strings, as
`bytes`. ufuncs take both; kernels that use array methods call `elements` first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.errors import DivisionByZeroError, ShapeMismatchError
from runtime.ops.records.record import Array

__all__ = ["elements", "integers", "refuse_zero", "scalar", "show_shape"]


def elements(x: Any) -> Array:
    """The argument as an array. bytes become a rank-0 array of objects, so that no trailing zero byte is lost."""
    if type(x) is np.ndarray:
        return x
    return np.array(x, dtype=object) if isinstance(x, bytes) else np.asarray(x)


def integers(x: Any, operation: str) -> tuple[int, ...]:
    """A rank-1 integer tensor, such as a shape, as Python integers; a scalar counts as one element."""
    array = np.asarray(x)
    if array.ndim > 1:
        raise ShapeMismatchError(f"{operation}: a list of integers is needed; got an array of shape {array.shape}")
    return tuple(array.reshape(-1).tolist())


def scalar(x: Any, operation: str) -> Any:
    """The one number of a rank-0 argument. Raises ShapeMismatchError for arrays: numpy would take the first element."""
    if np.ndim(x):
        raise ShapeMismatchError(f"{operation}: a scalar is needed; the shape is {show_shape(x)}")
    return x.item()


def show_shape(x: Any) -> str:
    """The shape of an argument, for error messages."""
    return str(tuple(np.shape(x))) if not isinstance(x, bytes) else "()"


def refuse_zero(y: Any, operation: str) -> None:
    """Raises DivisionByZeroError if the integer divisor has a zero in it (numpy would return 0 and go on)."""
    if not np.all(y):
        where = f" at index {tuple(np.argwhere(np.asarray(y) == 0)[0].tolist())}" if np.ndim(y) else ""
        raise DivisionByZeroError(f"{operation}: integer division by zero: the divisor is 0{where}")
