"""How the memory of a Variable comes to be."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.context import recording
from runtime.dtypes import as_dtype
from runtime.errors import ShapeMismatchError
from runtime.ops.resource import Resource
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.convert import as_operand, convert_to_tensor

__all__ = ["new_memory"]


def new_memory(initial: Any, dtype: Any, shape: Any, name: str | None, trainable: bool) -> Resource:
    """The memory of a new Variable."""
    if initial is None:
        raise ValueError("a Variable needs an initial_value: a tensor, a value, or a function that returns one")
    with recording(None):
        if callable(initial) and not hasattr(initial, "__as_tensor__"):
            initial = initial()
        tensor = convert_to_tensor(as_operand(initial), None if dtype is None else as_dtype(dtype))
        array = np.array(tensor._array, copy=True, order="C")
    wanted = TensorShape(array.shape) if shape is None else as_shape(shape)
    if not wanted.is_compatible_with(array.shape):
        raise ShapeMismatchError(f"the initial value has the shape {TensorShape(array.shape)}, shape= says {wanted}")
    return Resource(array, tensor.dtype, wanted, f"{name or 'Variable'}:0", trainable)
