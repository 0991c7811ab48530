"""Attributes as text and back, to the bit: `1`, `-0.0`, `nan`, `"a\\n"`, `b"\\u00ff"`, `float32`, `shape[2, ?]`.

    (1, 2.5, None)                          tuples
    array float32[2] [1.0, -0.1]            a float is the shortest text that gives the same bits, else 0x1.8p+1
    array int8[9] @"weights"                one that the text does not hold: whoever reads it must be given it
    array int8[1000] raw"AAEC..."           above 64 elements: base64 of the bytes, little-endian
    nan:7ff8000000000001                    a nan with other bits than the usual one
    class("builtins", "ValueError")         a term: its word and its parts
    array variant[] [list(array int32[] [1], array int32[] [2])]    the handle of a list: its elements

Reading never evaluates anything: strings are JSON's, all else is matched by the tokens of `runtime.graph.parser`.
"""

from __future__ import annotations

import base64
import json
import math
import struct
from typing import Any, Final

import numpy as np

from runtime.dtypes import ALL, DType, from_numpy, resource, variant
from runtime.ops.kernels.list_value import ListValue, boxed, unboxed
from runtime.ops.records.record import Array
from runtime.ops.records.terms import Term
from runtime.shapes import TensorShape

__all__ = [
    "DTYPES",
    "array_from_elements",
    "array_from_raw",
    "float_of",
    "print_array",
    "print_attribute",
    "print_shape",
    "print_type",
]

DTYPES: Final = {t.name: t for t in (*ALL, variant, resource)}

LONGEST_LIST: Final = 64
"""Arrays with more elements are written as bytes."""

_USUAL_NAN: Final = 0x7FF8000000000000


def print_attribute(value: Any) -> str:
    """The text of an attribute. Nested tuples need no recursion; a value without a text form is shown as !"repr"."""
    done: list[str] = []
    stack: list[Any] = [("value", value)]
    while stack:
        kind, item = stack.pop()
        if kind == "text":
            done.append(item)
        elif isinstance(item, Term):
            stack.append(("text", ")"))
            for i, inner in reversed(list(enumerate(item.parts))):
                stack.append(("value", inner))
                stack.append(("text", ", " if i else f"{item.head}("))
            if not item.parts:
                done.append(f"{item.head}(")
        elif isinstance(item, tuple):
            stack.append(("text", ",)" if len(item) == 1 else ")"))
            for i, inner in reversed(list(enumerate(item))):
                stack.append(("value", inner))
                stack.append(("text", ", " if i else "("))
            if not item:
                done.append("(")
        else:
            done.append(_print_plain(item))
    return "".join(done)


def _print_plain(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return repr(value)
    if type(value) is int:
        return hex(value) if abs(value) >= 1 << 128 else str(value)
    if type(value) is float:
        return print_float(value)
    if type(value) is complex:
        return f"complex({print_float(value.real)}, {print_float(value.imag)})"
    if type(value) is str:
        return json.dumps(value)
    if type(value) is bytes:
        return print_bytes(value)
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return f"shape{print_shape(value)}"
    if isinstance(value, np.ndarray) and from_numpy(value.dtype) is not None:
        return print_array(value)
    return f"!{json.dumps(repr(value))}"


def print_bytes(value: bytes) -> str:
    return f"b{json.dumps(value.decode('latin-1'))}"


def print_float(value: float) -> str:
    """The shortest text that reads back as the same bits."""
    if math.isnan(value):
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        return "nan" if bits == _USUAL_NAN else f"nan:{bits:016x}"
    return repr(value)


def float_of(text: str) -> float:
    """What `print_float` wrote. Raises ValueError."""
    if text.startswith("nan:"):
        return float(struct.unpack("<d", struct.pack("<Q", int(text[4:], 16)))[0])
    return float.fromhex(text) if "0x" in text else float(text)


def print_shape(shape: TensorShape) -> str:
    """`[2, ?]`, and `[*]` for unknown rank."""
    if shape.dims is None:
        return "[*]"
    return f"[{', '.join('?' if d is None else str(d) for d in shape.dims)}]"


def print_type(dtype: DType, shape: TensorShape) -> str:
    return f"{dtype.name}{print_shape(shape)}"


# -- arrays -------------------------------------------------------------------------------------------------------


def print_array(array: Array) -> str:
    """`array int32[2] [1, 2]`."""
    dtype = from_numpy(array.dtype)
    assert dtype is not None
    head = f"array {print_type(dtype, TensorShape(array.shape))}"
    if array.size > LONGEST_LIST and dtype.family not in ("string", "variant"):
        return f'{head} raw"{base64.b64encode(_little(array).tobytes()).decode()}"'
    return f"{head} [{', '.join(_print_elements(array, dtype))}]"


def _print_elements(array: Array, dtype: DType) -> list[str]:
    if dtype is variant:
        return [f"list({', '.join(map(print_array, unboxed(array)))})"]  # elements are no variants themselves
    flat = np.ascontiguousarray(array).reshape(-1)
    if dtype.family == "string":
        return [print_bytes(bytes(item)) for item in flat.tolist()]
    if dtype.is_complex:
        flat = flat.view(np.float32 if dtype.size == 8 else np.float64)
    if dtype.is_floating or dtype.is_complex:
        return [_print_narrow(item) for item in flat]
    return [repr(item) for item in flat.tolist()]


def _print_narrow(item: Any) -> str:
    """A float of its width: 0.1 for the float32 next to it, where that reads back to the same bits."""
    if np.isnan(item):
        width = item.dtype.itemsize
        bits = int.from_bytes(item.tobytes(), "little" if np.little_endian else "big")
        usual = np.array(np.nan, item.dtype).tobytes() == item.tobytes()
        return "nan" if usual else f"nan:{bits:0{2 * width}x}"
    text = str(item)
    if text.lstrip("-").isdigit():
        text += ".0"  # which bfloat16 leaves out
    return text if item.dtype.type(float(text)).tobytes() == item.tobytes() else float(item).hex()


def array_from_elements(dtype: DType, shape: tuple[int, ...], elements: list[Any]) -> Array:
    """The array of elements as the parser read them: int, bool, bytes, or the text of a float. Raises ValueError."""
    count = math.prod(shape) * (2 if dtype.is_complex else 1)
    if len(elements) != count:
        raise ValueError(f"{len(elements)} elements do not fill {print_type(dtype, TensorShape(shape))}")
    if dtype is variant:
        return boxed(_expect(elements[0], ListValue))
    if dtype.family == "string":
        result = np.empty(shape, object)
        result.reshape(-1)[:] = [_expect(e, bytes) for e in elements]
        return result
    if dtype.is_floating or dtype.is_complex:
        narrow = dtype.numpy if dtype.is_floating else np.dtype(np.float32 if dtype.size == 8 else np.float64)
        flat = np.empty(count, narrow)
        for i, text in enumerate(elements):
            _put_float(flat, i, str(text))
        return flat.view(dtype.numpy).reshape(shape)
    wanted = bool if dtype.is_bool else int
    try:
        return np.array([_expect(e, wanted) for e in elements], dtype.numpy).reshape(shape)
    except OverflowError as error:
        raise ValueError(f"an element does not fit {dtype.name}: {error}") from None


def array_from_raw(dtype: DType, shape: tuple[int, ...], text: str) -> Array:
    """The array of base64 bytes. Raises ValueError."""
    data = base64.b64decode(text, validate=True)
    if dtype.family in ("string", "variant") or len(data) != math.prod(shape) * dtype.size:
        raise ValueError(f"{len(data)} bytes do not fill {print_type(dtype, TensorShape(shape))}")
    array = np.frombuffer(data, dtype.numpy.newbyteorder("<")).astype(dtype.numpy).reshape(shape)
    if dtype.is_bool:
        return np.frombuffer(data, np.uint8).astype(np.bool_).reshape(shape)
    return array


def _expect(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise ValueError(f"{value!r} is no {kind.__name__}")
    return value


def _put_float(flat: Array, index: int, text: str) -> None:
    if text.startswith("nan:"):
        width = flat.dtype.itemsize
        bits = int(text[4:], 16)
        flat.view(f"u{width}")[index] = bits & ((1 << 8 * width) - 1)
    else:
        with np.errstate(over="ignore"):
            flat[index] = float_of(text)


def _little(array: Array) -> Array:
    return np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
