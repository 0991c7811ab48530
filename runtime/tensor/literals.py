"""From Python and numpy values to arrays: the dtype that a literal has, and the dtypes that it may take.

    >>> to_array([1, 2.5])
    array([1. , 2.5], dtype=float32)

Python int is int32 (int64 where it does not fit), float float32, bool bool, str and bytes text; ndarrays keep their
dtype. A literal adapts to a dtype if no information is lost in kind (bool -> int -> float -> complex).
"""

from __future__ import annotations

import array
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any, Final

import numpy as np

from runtime.dtypes import DType, bool_, complex128, float32, float64, from_numpy, int32, int64, string, uint64
from runtime.errors import InaccessibleTensorError, of_the_trace
from runtime.ops.kernels.floating_errors import restore, silence
from runtime.ops.records.record import Array
from runtime.shapes import TensorShape
from runtime.tensor.operator_rules import INSTEAD
from runtime.tensor.symbolic import SymbolicTensor

__all__ = [
    "KIND_ORDER", "PYTHON_TYPES", "NumberTooWideError", "any_leaf", "cast_literal", "check_range", "describe", "fits",
    "is_valued_member", "leaves_of", "literal_dtype", "plain_type", "plain_value", "says_nothing", "to_array",
    "weak_dtype", "with_all_digits",
]  # fmt: skip

_BUFFERS: Final = (array.array, bytearray, memoryview)

KIND_ORDER: Final = {"bool": 0, "uint": 1, "int": 1, "float": 2, "complex": 3}
"""A literal adapts only to a dtype whose kind is at or above its own."""

PYTHON_TYPES: Final = {bool: bool_, int: int32, float: float32, complex: complex128, str: string, bytes: string}

_WIDE: Final = {int: int64, float: float64}


def literal_dtype(value: Any) -> DType:
    """The dtype that a Python value or ndarray has on its own. Raises TypeError if it cannot be a tensor."""
    found = PYTHON_TYPES.get(type(value)) if type(value) is not int else _int_dtype(value)
    if found is None:
        found = from_numpy(to_array(value).dtype)
        assert found is not None
    return found


def weak_dtype(value: Any) -> DType:
    """The dtype in which a graph computes with a Python value as long as no tensor beside it gives it another: as wide
    as Python's numbers, as far as a dtype is. Raises TypeError if it cannot be a tensor."""
    return _WIDE.get(plain_type(value)) or literal_dtype(value)


def to_array(value: Any, dtype: DType | None = None, beside: DType | None = None) -> Array:
    """A fresh array of the value. Raises TypeError (not convertible, or not to this dtype), ValueError (ragged).

    beside: a dtype that the array is to be cast to, so that integers may be as large as that allows.
    """
    array = _natural_array(value, most=dtype or beside or int64)
    found = from_numpy(array.dtype)
    if found is None:
        raise TypeError(f"Cannot convert {describe(value)} to a tensor: {_why_not(value, array)}")
    if dtype is None or found is dtype:
        return array
    if says_nothing(value):
        return array.astype(dtype.numpy)
    same_kind_only = found.family == "bool" or dtype.family == "bool"
    if not fits(found, dtype) or (same_kind_only and found is not dtype and array.size):
        raise TypeError(f"Cannot convert {describe(value)} ({found.name}) to a tensor of dtype {dtype.name}")
    return cast_literal(with_all_digits(value, array), dtype)


def with_all_digits(value: Any, array: Array) -> Array:
    """The array of a value before it is cast: Python floats that became float32 come back as the float64 they are."""
    return _natural_array(value, np.float64) if array.dtype == np.float32 else array


def _natural_array(value: Any, floats: type[np.floating[Any]] = np.float32, most: DType = int64) -> Array:
    """The array of a value as it is; `floats`: what Python floats become; `most`: what holds the largest integers."""
    kind = plain_type(value)
    if kind in PYTHON_TYPES:
        return _from_leaves(value, {kind}, floats, most)
    if isinstance(value, np.ndarray | np.generic):
        array = np.array(value, copy=True)
        return _encode(array) if array.dtype.kind in "SUO" else _native(array)
    if isinstance(value, TensorShape):
        return np.array(value.as_tuple(), np.int32)
    if isinstance(value, list | tuple | range):
        return _from_leaves(value, {plain_type(leaf) for leaf in leaves_of(value)}, floats, most)
    if isinstance(value, SymbolicTensor):
        raise InaccessibleTensorError(f"{value} is symbolic: it has no value here")
    if hasattr(kind, "_nest_parts"):
        raise TypeError(
            f"Cannot convert a {kind.__name__} to a tensor: it is made of several; use its parts, or what makes one"
            " dense tensor of it (RaggedTensor.to_tensor, runtime.sparse.to_dense, TensorArray.stack)"
        )
    if hasattr(value, "__array__") or hasattr(value, "__array_interface__"):
        return _natural_array(np.array(value))
    if hasattr(value, "__dlpack__"):
        return np.array(np.from_dlpack(value))
    if isinstance(value, _BUFFERS):
        return _natural_array(np.array(value))
    instead = next((what for name, what in INSTEAD.items() if hasattr(kind, name)), "")
    raise TypeError(
        f"Cannot convert {describe(value)} to a tensor: no conversion is known for {kind.__name__}{instead}"
    )


def plain_type(value: Any) -> type:
    """The type of a value; for a member of an enum of numbers and its like, the type of the number that it is."""
    kind = type(value)
    if kind in PYTHON_TYPES or isinstance(value, np.generic):
        return kind
    return next((base for base in _PLAIN if isinstance(value, base)), kind)


def plain_value(value: Any) -> Any:
    """The number or text that a member of an enum of numbers or texts is, and no member any more."""
    return _PLAIN[plain_type(value)](value)


_PLAIN: Final[dict[type, Callable[[Any], Any]]] = {
    int: int.__pos__, float: float.__pos__, complex: complex.__pos__, str: str.__str__, bytes: b"".__add__,
}  # fmt: skip


def is_valued_member(value: Any) -> bool:
    """Whether it is a member of an enumeration that is a number or text, too: of IntEnum, IntFlag, StrEnum."""
    return isinstance(value, Enum) and isinstance(value, int | float | complex | str | bytes)


def _from_leaves(value: Any, kinds: set[type], floats: type[np.floating[Any]], most: DType) -> Array:
    if kinds & {str, bytes}:
        if not kinds <= {str, bytes}:
            raise TypeError(f"Cannot convert {describe(value)} to a tensor: it mixes strings and other values")
        return _encode(np.array(value, dtype=object))
    if bool in kinds and kinds & {int, float, complex}:
        raise TypeError(f"Cannot convert {describe(value)} to a tensor: it mixes bool and numbers")
    try:
        array = np.array(value)
    except ValueError:
        raise ValueError(
            f"Cannot convert {describe(value)} to a tensor: its rows have different lengths (it is not rectangular)"
        ) from None
    if not array.size and not kinds:
        return array.astype(np.float32)
    if kinds == {int}:
        if array.dtype.kind not in "iu" or array.dtype == np.uint64:
            return _of_large_integers(value, most)
        fits = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
        return array.astype(np.int32) if fits else array.astype(np.int64)
    if kinds <= {int, float}:
        return _cast(array, floats)
    if array.dtype == object:
        raise TypeError(f"Cannot convert {describe(value)} to a tensor: {_why_not(value, array)}")
    return array


class NumberTooWideError(ValueError, OverflowError):
    """A number of Python's does not fit a dtype, which NumPy says as OverflowError."""


def _of_large_integers(value: Any, most: DType) -> Array:
    """Integers of which one does not fit int64. Raises ValueError where `most` is no wider."""
    if most.is_floating or most.is_complex:
        return np.array(value, dtype=np.float64)
    exact = np.array(value, dtype=object)
    if most is uint64 and exact.min() >= 0 and exact.max() < 2**64:
        return exact.astype(np.uint64)
    name = most.name if most is uint64 else "int64"
    why = f"an integer does not fit {name}"
    raise of_the_trace(NumberTooWideError(f"Cannot convert {describe(value)} to a tensor: {why}"))


def _encode(array: Array) -> Array:
    """Text as UTF-8 bytes in an object array. Raises TypeError for objects that are no strings."""
    result = np.empty(array.shape, object)
    for index, item in np.ndenumerate(array):
        if not isinstance(item, str | bytes):
            raise TypeError(f"Cannot convert an array of objects to a tensor: {describe(item)} is no string")
        result[index] = item.encode() if isinstance(item, str) else bytes(item)
    return result


def _native(array: Array) -> Array:
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def leaves_of(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list | tuple | range):
            stack.extend(item)
        else:
            yield item


def any_leaf(values: Any) -> bool:
    """Whether nested lists hold anything at all."""
    return next(leaves_of(values), leaves_of) is not leaves_of


def says_nothing(value: Any) -> bool:
    """An empty list has no elements that could have a dtype: it takes any."""
    return isinstance(value, list | tuple) and not any_leaf(value)


def fits(found: DType, wanted: DType) -> bool:
    if found is wanted:
        return True
    low, high = KIND_ORDER.get(found.family), KIND_ORDER.get(wanted.family)
    return low is not None and high is not None and low <= high


def cast_literal(array: Array, dtype: DType) -> Array:
    if dtype.is_integer and array.size:
        info = np.iinfo(dtype.numpy)
        if int(array.min()) < info.min or int(array.max()) > info.max:
            raise of_the_trace(NumberTooWideError(
                f"{describe(array.tolist())} does not fit {dtype.name} ({info.min} to {info.max});"
                " take a wider dtype, for a tensor beside it with runtime.cast"
            ))
    return _cast(array, dtype.numpy)


def _cast(array: Array, dtype: Any) -> Array:
    """The array in another dtype; a float that is too large for it is inf, without a warning."""
    token = silence()
    try:
        return array.astype(dtype)
    finally:
        restore(token)


def check_range(value: Any, array: Array) -> None:
    """Raises ValueError where a Python float became infinite as float32, which nobody asked for."""
    if isinstance(value, np.ndarray | np.generic) or not np.isinf(array).any():
        return
    if (np.isinf(array) != np.isinf(with_all_digits(value, array))).any():
        raise ValueError(
            f"Cannot convert {describe(value)} to a tensor: it is too large for float32, which Python's floats become;"
            " ask for dtype=runtime.float64"
        )


def _int_dtype(value: int) -> DType:
    return int32 if -(2**31) <= value < 2**31 else int64


def _why_not(value: Any, array: Array) -> str:
    if array.dtype == object and any(leaf is None for leaf in leaves_of(value)):
        return "None values are not supported"
    if array.dtype.kind in "mM":
        return f"tensors have no dates ({array.dtype}); x.astype('int64') is the number of units, which it can take"
    if array.dtype.names:
        return f"its elements are structures; x[{array.dtype.names[0]!r}] is one of their fields, which it can take"
    return f"its elements have type {array.dtype}"


def describe(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
