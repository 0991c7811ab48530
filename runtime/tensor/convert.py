"""From Python and numpy values to tensors: `constant`, `convert_to_tensor`, and the rules by which literals adapt.

    >>> constant([1, 2.5])
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>

Python int is int32 (int64 where it does not fit), float float32, bool bool, str and bytes string; ndarrays keep their
dtype. Beside a tensor, a literal or ndarray takes the tensor's dtype if no information is lost in kind
(bool -> int -> float -> complex), otherwise it is an error. Values are copied: later changes of the array that was
passed in never reach the tensor.
"""

from __future__ import annotations

import operator
from typing import Any, Final

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, from_numpy
from runtime.errors import DtypeMismatchError
from runtime.ops.flow.core import constant_node
from runtime.ops.records.record import REGISTRY, Array
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.array_classes import check_plain
from runtime.tensor.conversions import converted, has_conversion
from runtime.tensor.eager import EagerTensor
from runtime.tensor.literals import (
    PYTHON_TYPES,
    cast_literal,
    check_range,
    describe,
    fits,
    leaves_of,
    says_nothing,
    to_array,
    with_all_digits,
)
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["adopt", "constant", "convert_to_tensor", "is_tensor"]

_MOST_DIMENSIONS: Final = 64
"""Those of numpy's arrays."""


def is_tensor(value: Any) -> bool:
    """Whether the value is a tensor, eager or symbolic, or a Variable."""
    return isinstance(value, Operators)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor with this value: a Python number, string, nested list of them, or an ndarray.

    `dtype`: the value must fit it in kind (a float never becomes an int: TypeError). `shape`: the value is reshaped,
    a single element is repeated. Raises ValueError for a ragged list or a wrong number of elements.
    While a function is traced the result is symbolic.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    value = as_operand(value)
    if isinstance(value, Tensor):
        return convert_to_tensor(value, wanted)._copied()
    if _holds_tensor(value):
        return _pack(value, wanted)
    array = to_array(value, wanted)
    if wanted is None and array.dtype == np.float32:
        check_range(value, array)
    if shape is not None:
        array = _shaped(array, as_shape(shape))
    return make_constant(array, name=name)


def make_constant(array: Array, weak: bool = False, name: str | None = None) -> Any:
    """The tensor of an array that is handed over: eager, or a constant of the graph that is being traced."""
    recorder = current_recorder()
    if recorder is None:
        return EagerTensor(array)
    result = recorder.record(constant_node, (), {"value": array}, name or "Const")
    result.weak = weak
    return result


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """The value as a tensor; a tensor is returned as it is.

    Raises ValueError when a tensor has another dtype than asked for (nothing is cast silently), TypeError when the
    value cannot be a tensor.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    if has_conversion(value) and (made := converted(value, wanted, name)) is not NotImplemented:
        return made
    value = as_operand(value)
    if isinstance(value, Tensor):
        if wanted is not None and value.dtype is not wanted:
            if isinstance(value, SymbolicTensor) and value.weak:
                return adopt(value, wanted, "convert_to_tensor")
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for one of dtype {value.dtype.name}: {value!r};"
                f" use runtime.cast(x, {wanted.name!r})"
            )
        return value
    if wanted is None and dtype_hint is not None:
        try:
            return constant(value, dtype_hint, name=name)
        except (TypeError, ValueError):
            wanted = None
    return constant(value, wanted, name=name)


def as_operand(value: Any, depth: int = 0) -> Any:
    """What stands for a tensor, as that tensor, also in a list: its type says so by a method `__as_tensor__`."""
    if isinstance(value, Tensor) or type(value) in PYTHON_TYPES:
        return value
    if has_conversion(value) and (made := converted(value)) is not NotImplemented:
        return made
    if isinstance(value, list | tuple):
        if depth > _MOST_DIMENSIONS or PYTHON_TYPES.keys() >= set(map(type, value)):
            return value
        parts = [as_operand(item, depth + 1) for item in value]
        return value if all(map(operator.is_, parts, value)) else parts
    method = getattr(type(value), "__as_tensor__", None)
    return value if method is None else method(value)


def adopt(value: Any, dtype: DType, where: str) -> Any:
    """A literal, ndarray or weak tensor beside a tensor of `dtype`. Raises DtypeMismatchError if the kind is higher."""
    if isinstance(value, Tensor):
        if value.dtype is dtype:
            return value
        if fits(value.dtype, dtype):
            return REGISTRY["cast"](value, dtype, exact=value.dtype.is_integer and dtype.is_integer)
        raise _mismatch(where, f"a Python value of kind {value.dtype.family}", dtype)
    if _holds_tensor(value):
        return _pack(value, dtype)
    check_plain(value, "an operand beside tensors")
    array = to_array(value, beside=dtype)
    found = from_numpy(array.dtype)
    if found is not dtype:
        assert found is not None
        if not fits(found, dtype) and not says_nothing(value):
            raise _mismatch(where, f"{describe(value)} ({found.name})", dtype)
        array = cast_literal(with_all_digits(value, array), dtype)
    return make_constant(array)


def _holds_tensor(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(leaf, Tensor) for leaf in leaves_of(value))


def tensor_within(value: Any) -> Any:
    """The value itself, or the first tensor in it when it is a nested list that holds tensors."""
    if isinstance(value, list | tuple):
        return next((leaf for leaf in leaves_of(value) if isinstance(leaf, Tensor)), value)
    return value


def _pack(value: Any, dtype: DType | None) -> Any:
    """A nested list that has tensors in it, stacked into one tensor; its literals adapt to the tensors' dtype."""
    if dtype is None:
        dtype = next(leaf.dtype for leaf in leaves_of(value) if isinstance(leaf, Tensor))
    parts = [
        _pack(item, dtype) if _holds_tensor(item) else item if isinstance(item, Tensor) else adopt(item, dtype, "stack")
        for item in value
    ]
    return REGISTRY["stack"](parts)


def _shaped(array: Array, shape: TensorShape) -> Array:
    target = shape.as_tuple()
    if array.size == 1:
        return np.full(target, array.reshape(())[()], array.dtype)
    if array.size != shape.num_elements():
        raise ValueError(f"{array.size} elements do not fill the shape {shape}")
    return array.reshape(target)


def _mismatch(where: str, what: str, dtype: DType) -> DtypeMismatchError:
    return DtypeMismatchError(
        f"{where}: {what} does not fit the dtype {dtype.name} of the tensor beside it;"
        f" use runtime.cast on the tensor, or write a value that is {dtype.name}"
    )
