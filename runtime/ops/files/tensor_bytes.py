"""Tensors as bytes and back: `serialize_tensor` writes dtype, shape and elements, `parse_tensor` reads them.

    parse_tensor(serialize_tensor([1, 2]), out_type=int32)            # [1, 2]

The format is the message TensorProto of TensorFlow (tensorflow/core/framework/tensor.proto) in protocol buffers' wire
format: 1 the dtype, 2 the shape, 4 the elements row by row in little-endian order, 8 each text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from runtime.dtypes import ANY, STRINGS, DType, as_dtype, float32, from_numpy, string
from runtime.errors import DataLossError, DtypeMismatchError, ShapeMismatchError
from runtime.ops.kernels import wire
from runtime.ops.kernels.values import elements
from runtime.ops.kernels.wire import Damaged, field, varint
from runtime.ops.records.raises import SHAPES, Raises
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample, values
from runtime.shapes import TensorShape

__all__ = ["parse_tensor", "serialize_tensor"]

_NUMBERS: Final = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "string": 7, "complex64": 8, "int64": 9,
    "bool": 10, "bfloat16": 14, "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip
"""The number of a dtype in the format (tensorflow/core/framework/types.proto)."""

_NAMES: Final = {number: name for name, number in _NUMBERS.items()}


def _scalar_shape(x: Operand) -> TensorShape:
    return TensorShape([])


def _samples(dtype: DType) -> Any:
    for shape in ((), (3,), (2, 0), (2, 3)):
        yield Sample((values(dtype, shape),))


def _reference(x: Array) -> Array:
    """The same text from the lengths of the parts, without the functions above."""
    dtype = from_numpy(np.asarray(x).dtype) or string
    sizes = b"".join(bytes([0x12, 2, 8, n] if n else [0x12, 0]) for n in np.shape(x))
    head = bytes([8, _NUMBERS[dtype.name], 0x12, len(sizes)]) + sizes
    if dtype is string:
        return np.array(head + b"".join(b"\x42" + bytes([len(t)]) + t for t in np.ravel(x)), object)
    content = np.ascontiguousarray(x).tobytes()
    size = len(content)
    length = bytes([size]) if size < 128 else bytes([size % 128 + 128, size // 128])
    return np.array(head + (b"\x22" + length + content if size else b""), object)


@op(shape=_scalar_shape, dtypes=ANY, result=string, samples=_samples, reference=_reference)
def serialize_tensor(tensor: Any) -> Array:
    """The dtype, shape and elements of a tensor as bytes, a string scalar. tensor: any tensor."""
    array = elements(tensor)
    dtype = from_numpy(array.dtype) or string
    sizes = b"".join(field(2, b"\x08" + varint(n) if n else b"") for n in array.shape)
    text = b"\x08" + varint(_NUMBERS[dtype.name]) + field(2, sizes)
    if dtype is string:
        text += b"".join(field(8, item) for item in array.reshape(-1))
    elif array.size:
        text += field(4, array.astype(array.dtype.newbyteorder("<")).tobytes())
    result = np.empty((), object)
    result[()] = text
    return result


# -- reading -------------------------------------------------------------------------------------------------------


def _damaged(why: str) -> DataLossError:
    return DataLossError(f"parse_tensor: the text is no tensor that serialize_tensor wrote: {why}")


def _fields(text: bytes) -> Iterator[tuple[int, Any]]:
    """The fields of a message: number, and an integer or bytes. Raises Damaged."""
    for number, kind, start, stop in wire.fields(text):
        yield number, wire.read_varint(text, start, stop)[0] if kind == wire.VARINT else text[start:stop]


def _parsed(text: bytes) -> Array:
    dtype, dims, content = string, list[int](), b""
    texts: list[bytes] = []
    for number, value in _fields(text):
        if isinstance(value, int) is not (number == 1):
            raise _damaged(f"the field {number} has another type")
        if number == 1:
            if value not in _NAMES:
                raise _damaged(f"no dtype has the number {value}")
            dtype = as_dtype(_NAMES[value])
        elif number == 2:
            sizes = [dict(_fields(dim)).get(1, 0) for which, dim in _fields(value) if which == 2]
            dims = [n if isinstance(n, int) else -1 for n in sizes]
        elif number == 4:
            content = value
        elif number == 8:
            texts.append(value)
        elif number != 3:
            raise _damaged(f"its elements are in the field {number}, not one after the other in the field 4")
    if any(not 0 <= n < 2**31 for n in dims):
        raise _damaged(f"its shape is {dims}")
    count = math.prod(dims)
    if dtype is string:
        if len(texts) != count:
            raise _damaged(f"it has {len(texts)} texts for the shape {dims}")
        made = np.empty(count, object)
        made[:] = texts
        return made.reshape(dims)
    if len(content) != count * dtype.size:
        raise _damaged(f"it has {len(content)} bytes for the shape {dims} of {dtype.name}")
    return np.frombuffer(content, dtype.numpy.newbyteorder("<")).astype(dtype.numpy).reshape(dims)


def _parsed_shape(serialized: Operand, out_type: DType) -> TensorShape:
    if serialized.shape.rank not in (0, None):
        raise ValueError("the text of one tensor is a scalar")
    return TensorShape(None)


_PARSED: Final[tuple[Array, ...]] = (
    np.array([[1, -2], [3, 4]], np.int32), np.zeros((2, 0), np.float32), np.array(True), np.array(0.5),
)  # fmt: skip


def _parse_samples(dtype: DType) -> Any:
    for array in _PARSED:
        yield Sample((_reference(array),), {"out_type": from_numpy(array.dtype)})
    texts = np.empty(2, object)
    texts[:] = b"", b"ab"
    yield Sample((_reference(texts),), {"out_type": string})


def _parse_reference(serialized: Array, out_type: DType) -> Array:
    """What the samples were made of."""
    found = {_reference(array).item(): array for array in _PARSED}
    return found.get(np.asarray(serialized, object).item(), np.array([b"", b"ab"], object))


@op(
    raises=Raises((DataLossError, DtypeMismatchError, *SHAPES)),
    shape=_parsed_shape, dtypes=STRINGS, result=lambda serialized, out_type: out_type, samples=_parse_samples,
    reference=_parse_reference,
    errors=[Failure(("\x08\x01",), DataLossError, ("0 bytes", "[]"), {"out_type": "float32"}),
            Failure(("abc",), DataLossError, ("no tensor",)),
            Failure(("\x08\x03\x12\x00\"\x04\x01\x00\x00\x00",), DtypeMismatchError, ("int32", "float32")),
            Failure((["a"],), ShapeMismatchError, ("(1,)",))],
)  # fmt: skip
def parse_tensor(serialized: Any, out_type: DType = float32) -> Array:
    """The tensor that `serialize_tensor` wrote. serialized: string scalar; out_type: the dtype of that tensor."""
    if np.ndim(serialized):
        shape = np.shape(serialized)
        raise ShapeMismatchError(f"parse_tensor: the text of one tensor is a scalar; the shape is {shape}")
    try:
        found = _parsed(np.asarray(serialized, object).item())
    except Damaged as error:
        raise _damaged(str(error)) from None
    dtype = from_numpy(found.dtype) or string
    if dtype is not out_type:
        raise DtypeMismatchError(f"parse_tensor: the tensor is {dtype.name}; out_type is {out_type.name}")
    return found
