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
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from runtime.context import current_recorder
from runtime.dtypes import DType, as_dtype, bool_, complex128, float32, from_numpy, int32, int64, string
from runtime.errors import DtypeMismatchError, InaccessibleTensorError
from runtime.ops.core import constant_node
from runtime.ops.floating_errors import restore, silence
from runtime.ops.record import REGISTRY, Array
from runtime.shapes import TensorShape, as_shape
from runtime.tensor.conversions import converted, has_conversion
from runtime.tensor.eager import EagerTensor
from runtime.tensor.symbolic import SymbolicTensor
from runtime.tensor.tensor import Operators, Tensor

__all__ = ["adopt", "constant", "convert_to_tensor", "is_tensor", "literal_dtype", "to_array"]

KIND_ORDER: Final = {"bool": 0, "uint": 1, "int": 1, "float": 2, "complex": 3}
"""A literal adapts only to a dtype whose kind is at or above its own."""

_PYTHON_TYPES: Final = {bool: bool_, int: int32, float: float32, complex: complex128, str: string, bytes: string}

_MOST_DIMENSIONS: Final = 64
"""Those of numpy's arrays."""


def is_tensor(value: Any) -> bool:
    """Whether the value is a tensor, eager or symbolic, or a Variable."""
    return isinstance(value, Operators)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Any:
    """A tensor with this value: a Python number, string, nested list of them, or an ndarray.

    `dtype`: the value must fit it in kind (a float never becomes an int: TypeError). `shape`: the value is reshaped,
    a single element is repeated. Raises ValueError for a ragged list or a wrong number of elements.
    While a function is traced the result is symbolic.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    value = as_operand(value)
    if isinstance(value, Tensor):
        return convert_to_tensor(value, wanted)
    if _holds_tensor(value):
        return _pack(value, wanted)
    array = to_array(value, wanted)
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


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Any:
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
    if isinstance(value, Tensor) or type(value) in _PYTHON_TYPES:
        return value
    if has_conversion(value) and (made := converted(value)) is not NotImplemented:
        return made
    if isinstance(value, list | tuple):
        if depth > _MOST_DIMENSIONS or _PYTHON_TYPES.keys() >= set(map(type, value)):
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
        if _fits(value.dtype, dtype):
            return REGISTRY["cast"](value, dtype)
        raise _mismatch(where, f"a Python value of kind {value.dtype.kind}", dtype)
    if _holds_tensor(value):
        return _pack(value, dtype)
    array = to_array(value)
    found = from_numpy(array.dtype)
    if found is not dtype:
        assert found is not None
        if not _fits(found, dtype) and not _says_nothing(value):
            raise _mismatch(where, f"{_describe(value)} ({found.name})", dtype)
        array = _cast_literal(_with_all_digits(value, array), dtype)
    return make_constant(array)


def literal_dtype(value: Any) -> DType:
    """The dtype that a Python value or ndarray has on its own. Raises TypeError if it cannot be a tensor."""
    found = _PYTHON_TYPES.get(type(value)) if type(value) is not int else _int_dtype(value)
    if found is None:
        found = from_numpy(to_array(value).dtype)
        assert found is not None
    return found


def to_array(value: Any, dtype: DType | None = None) -> Array:
    """A fresh array of the value. Raises TypeError (not convertible, or not to this dtype), ValueError (ragged)."""
    array = _natural_array(value)
    found = from_numpy(array.dtype)
    if found is None:
        raise TypeError(f"Cannot convert {_describe(value)} to a tensor: {_why_not(value, array)}")
    if dtype is None or found is dtype:
        return array
    if _says_nothing(value):
        return array.astype(dtype.numpy)
    same_kind_only = found.kind == "bool" or dtype.kind == "bool"
    if not _fits(found, dtype) or (same_kind_only and found is not dtype and array.size):
        raise TypeError(f"Cannot convert {_describe(value)} ({found.name}) to a tensor of dtype {dtype.name}")
    return _cast_literal(_with_all_digits(value, array), dtype)


def _with_all_digits(value: Any, array: Array) -> Array:
    """The array of a value before it is cast: Python floats that became float32 come back as the float64 they are."""
    return _natural_array(value, np.float64) if array.dtype == np.float32 else array


def _natural_array(value: Any, floats: type[np.floating[Any]] = np.float32) -> Array:
    """The array of a value as it is; `floats`: what Python floats become."""
    kind = _plain_type(value)
    if kind in _PYTHON_TYPES:
        return _from_leaves(value, {kind}, floats)
    if isinstance(value, np.ndarray | np.generic):
        array = np.array(value, copy=True)
        return _encode(array) if array.dtype.kind in "SUO" else _native(array)
    if isinstance(value, TensorShape):
        return np.array(value.as_tuple(), np.int32)
    if isinstance(value, list | tuple | range):
        return _from_leaves(value, {_plain_type(leaf) for leaf in _leaves(value)}, floats)
    if isinstance(value, SymbolicTensor):
        raise InaccessibleTensorError(f"{value} is symbolic: it has no value here")
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _natural_array(np.array(value))
    if hasattr(value, "__dlpack__"):
        return np.array(np.from_dlpack(value))
    raise TypeError(f"Cannot convert {_describe(value)} to a tensor: no conversion is known for {kind.__name__}")


def _plain_type(value: Any) -> type:
    """The type of a value; for a member of an enum of numbers and its like, the type of the number that it is."""
    kind = type(value)
    if kind in _PYTHON_TYPES or isinstance(value, np.generic):
        return kind
    return next((base for base in (int, float, complex, str, bytes) if isinstance(value, base)), kind)


def _from_leaves(value: Any, kinds: set[type], floats: type[np.floating[Any]]) -> Array:
    if kinds & {str, bytes}:
        if not kinds <= {str, bytes}:
            raise TypeError(f"Cannot convert {_describe(value)} to a tensor: it mixes strings and other values")
        return _encode(np.array(value, dtype=object))
    if bool in kinds and kinds & {int, float, complex}:
        raise TypeError(f"Cannot convert {_describe(value)} to a tensor: it mixes bool and numbers")
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError(
            f"Cannot convert {_describe(value)} to a tensor: its rows have different lengths (it is not rectangular)"
        ) from None
    if not array.size and not kinds:
        return array.astype(np.float32)
    if kinds == {int}:
        if array.dtype.kind not in "iu" or array.dtype == np.uint64:
            raise ValueError(f"Cannot convert {_describe(value)} to a tensor: an integer does not fit int64")
        fits = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
        return array.astype(np.int32) if fits else array.astype(np.int64)
    if kinds <= {int, float}:
        return _cast(array, floats)
    if array.dtype == object:
        raise TypeError(f"Cannot convert {_describe(value)} to a tensor: {_why_not(value, array)}")
    return array


def _encode(array: Array) -> Array:
    """Text as UTF-8 bytes in an object array. Raises TypeError for objects that are no strings."""
    result = np.empty(array.shape, object)
    for index, item in np.ndenumerate(array):
        if not isinstance(item, str | bytes):
            raise TypeError(f"Cannot convert an array of objects to a tensor: {_describe(item)} is no string")
        result[index] = item.encode() if isinstance(item, str) else bytes(item)
    return result


def _native(array: Array) -> Array:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _leaves(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list | tuple | range):
            stack.extend(item)
        else:
            yield item


def _holds_tensor(value: Any) -> bool:
    return isinstance(value, list | tuple) and any(isinstance(leaf, Tensor) for leaf in _leaves(value))


def any_leaf(values: Any) -> bool:
    """Whether nested lists hold anything at all."""
    return next(_leaves(values), _leaves) is not _leaves


def _says_nothing(value: Any) -> bool:
    """An empty list has no elements that could have a dtype: it takes any."""
    return isinstance(value, list | tuple) and not any_leaf(value)


def tensor_within(value: Any) -> Any:
    """The value itself, or the first tensor in it when it is a nested list that holds tensors."""
    if isinstance(value, list | tuple):
        return next((leaf for leaf in _leaves(value) if isinstance(leaf, Tensor)), value)
    return value


def _pack(value: Any, dtype: DType | None) -> Any:
    """A nested list that has tensors in it, stacked into one tensor; its literals adapt to the tensors' dtype."""
    if dtype is None:
        dtype = next(leaf.dtype for leaf in _leaves(value) if isinstance(leaf, Tensor))
    parts = [
        _pack(item, dtype) if _holds_tensor(item) else item if isinstance(item, Tensor) else adopt(item, dtype, "stack")
        for item in value
    ]
    return REGISTRY["stack"](parts)


def _fits(found: DType, wanted: DType) -> bool:
    if found is wanted:
        return True
    low, high = KIND_ORDER.get(found.kind), KIND_ORDER.get(wanted.kind)
    return low is not None and high is not None and low <= high


def _cast_literal(array: Array, dtype: DType) -> Array:
    if dtype.is_integer and array.size:
        info = np.iinfo(dtype.numpy)
        if int(array.min()) < info.min or int(array.max()) > info.max:
            raise ValueError(
                f"{_describe(array.tolist())} does not fit {dtype.name} ({info.min} to {info.max});"
                " take a wider dtype, for a tensor beside it with runtime.cast"
            )
    return _cast(array, dtype.numpy)


def _cast(array: Array, dtype: Any) -> Array:
    """The array in another dtype; a float that is too large for it is inf, without a warning."""
    token = silence()
    try:
        return array.astype(dtype)
    finally:
        restore(token)


def _shaped(array: Array, shape: TensorShape) -> Array:
    target = shape.as_tuple()
    if array.size == 1:
        return np.full(target, array.reshape(())[()], array.dtype)
    if array.size != shape.num_elements():
        raise ValueError(f"{array.size} elements do not fill the shape {shape}")
    return array.reshape(target)


def _int_dtype(value: int) -> DType:
    return int32 if -(2**31) <= value < 2**31 else int64


def _mismatch(where: str, what: str, dtype: DType) -> DtypeMismatchError:
    return DtypeMismatchError(
        f"{where}: {what} does not fit the dtype {dtype.name} of the tensor beside it;"
        f" use runtime.cast on the tensor, or write a value that is {dtype.name}"
    )


def _why_not(value: Any, array: Array) -> str:
    if array.dtype == object and any(leaf is None for leaf in _leaves(value)):
        return "None values are not supported"
    return f"its elements have type {array.dtype}"


def _describe(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
