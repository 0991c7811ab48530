"""Texts as bytes: `decode_raw` reads them as numbers, `encode_base64` and `decode_base64` write them in 64 letters.

    decode_raw(b"AB", out_type=uint8)           # [65, 66]
    encode_base64("hello")                      # b"aGVsbG8"
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, bool_, float64, int16, uint8
from runtime.errors import DtypeMismatchError, InvalidArgumentError
from runtime.ops.kernels.values import elements
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.records.shape_rules import same_shape
from runtime.ops.text.elements import each_text, texts_of
from runtime.shapes import TensorShape

__all__ = ["decode_base64", "decode_raw", "encode_base64"]


def _raw_shape(x: Operand, *, out_type: DType, little_endian: bool, fixed_length: int | None) -> TensorShape:
    size = out_type.size
    if fixed_length is not None and (fixed_length <= 0 or fixed_length % size):
        raise ValueError(f"fixed_length is a positive multiple of {size} for {out_type.name}; got {fixed_length}")
    return x.shape.concatenate([None if fixed_length is None else fixed_length // size])


def _raw_dtype(x: Operand, *, out_type: DType, **attributes: Any) -> DType:
    if not (out_type.is_numeric or out_type.is_bool):
        raise DtypeMismatchError(f"decode_raw: out_type is a dtype of numbers or bool; got {out_type.name}")
    return out_type


def _raw_samples(dtype: DType) -> Any:
    pairs = ((texts_of("ABCD", "EFGH"), int16), (texts_of("AB"), uint8), (texts_of([["12345678"]]), float64))
    for x, out_type in pairs:
        for little in (True, False):
            yield Sample((x,), {"out_type": out_type, "little_endian": little})
    yield Sample((texts_of("AB", "EFGHI"),), {"out_type": int16, "fixed_length": 4})
    yield Sample((texts_of("\x01\x00"),), {"out_type": bool_})
    yield Sample((np.zeros(0, object),), {"out_type": uint8})


def _raw_reference(x: Array, out_type: DType, little_endian: bool = True, fixed_length: int | None = None) -> Any:
    size = out_type.size
    rows = []
    for text in x.reshape(-1):
        padded = text if fixed_length is None else text[:fixed_length].ljust(fixed_length, b"\x00")
        chunks = [padded[i : i + size] for i in range(0, len(padded), size)]
        rows.append([np.frombuffer(c if little_endian else c[::-1], out_type.numpy)[0] for c in chunks])
    return np.array(rows, out_type.numpy).reshape(*x.shape, -1 if x.size else 0)


@op(
    raises=VALUES,
    shape=_raw_shape, dtypes=STRINGS, result=_raw_dtype, samples=_raw_samples, reference=_raw_reference,
    errors=[Failure((["ABC"],), InvalidArgumentError, ("3 bytes", "2 each", "(0,)"), {"out_type": int16}),
            Failure((["AB", "ABCD"],), InvalidArgumentError, ("4 bytes", "2", "(1,)"), {"out_type": uint8}),
            Failure((["AB"],), InvalidArgumentError, ("fixed_length", "3"), {"out_type": int16, "fixed_length": 3}),
            Failure((["AB"],), DtypeMismatchError, ("string",), {"out_type": "string"})],
)  # fmt: skip
def decode_raw(
    x: Any, *, out_type: DType, little_endian: bool = True, fixed_length: int | None = None
) -> Array:
    """The bytes of each text as numbers, on a new last axis. x: string tensor whose texts have one length.

    out_type: dtype of the numbers. little_endian: False for numbers of several bytes that are big-endian. fixed_length:
    bytes of each text that are read, a multiple of the size of a number; shorter texts are filled up with zeros.
    """
    array, size = elements(x), out_type.size
    texts: list[bytes] = array.reshape(-1).tolist()
    if fixed_length is not None:
        texts = [text[:fixed_length].ljust(fixed_length, b"\0") for text in texts]
    length = len(texts[0]) if texts else fixed_length or 0
    for i, text in enumerate(texts):
        if len(text) != length or length % size:
            place = np.unravel_index(i, array.shape)
            wanted = f"others have {length}" if len(text) != length else f"{out_type.name} takes {size} each"
            at = f" at index {tuple(map(int, place))}" if place else ""
            raise InvalidArgumentError(f"decode_raw: the text{at} has {len(text)} bytes, {wanted}")
    order = out_type.numpy.newbyteorder("<" if little_endian else ">")
    if out_type is bool_:
        return np.frombuffer(b"".join(texts), np.uint8).astype(np.bool_).reshape(*array.shape, length)
    numbers = np.frombuffer(b"".join(texts), order).astype(out_type.numpy)
    return numbers.reshape(*array.shape, length // size)


# -- base64 --------------------------------------------------------------------------------------------------------

_LETTERS: Final = re.compile(rb"[A-Za-z0-9_-]*={0,2}")


def _base64_samples(dtype: DType) -> Any:
    for x in (texts_of("hello", "h", "", "\xff\xfe?>"), texts_of([["ab"]]), texts_of("abc"), np.zeros((0,), object)):
        for padded in (False, True):
            yield Sample((x,), {"padded": padded})


def _base64_reference(x: Array, padded: bool) -> Any:
    """Six bits a letter."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    def one(text: bytes) -> bytes:
        bits = "".join(f"{byte:08b}" for byte in text)
        bits += "0" * (-len(bits) % 6)
        made = "".join(letters[int(bits[i : i + 6], 2)] for i in range(0, len(bits), 6))
        return (made + "=" * (-len(made) % 4 if padded else 0)).encode()

    return np.frompyfunc(one, 1, 1)(x)


@op(shape=same_shape, dtypes=STRINGS, samples=_base64_samples, reference=_base64_reference)
def encode_base64(x: Any, *, padded: bool = False) -> Any:
    """Each text in base64 with the letters that may stand in URLs. x: string tensor. padded: with `=` at the end."""
    encode = base64.urlsafe_b64encode
    return each_text("encode_base64", encode if padded else lambda text: encode(text).rstrip(b"="), x)


def _decode_samples(dtype: DType) -> Any:
    yield Sample((texts_of("aGVsbG8", "aGVsbG8=", ""),))
    yield Sample((texts_of([["_-8"], ["aA=="]]),))
    yield Sample((texts_of("aA"),))
    yield Sample((np.zeros((0, 2), object),))


_DECODED: Final = {
    b"aGVsbG8": b"hello", b"aGVsbG8=": b"hello", b"": b"", b"_-8": b"\xff\xef", b"aA==": b"h", b"aA": b"h",
}  # fmt: skip


@op(
    raises=VALUES,
    shape=same_shape, dtypes=STRINGS, samples=_decode_samples,
    reference=lambda x: np.frompyfunc(_DECODED.__getitem__, 1, 1)(x),
    errors=[Failure((["aa", "a!"],), InvalidArgumentError, ("b'a!'", "(1,)")),
            Failure(("a",), InvalidArgumentError, ("b'a'",))],
)  # fmt: skip
def decode_base64(x: Any) -> Any:
    """The texts that `encode_base64` wrote, with or without `=` at the end. x: string tensor."""

    def decode(text: bytes) -> bytes:
        try:
            if _LETTERS.fullmatch(text) is not None:
                return base64.urlsafe_b64decode(text.rstrip(b"=") + b"=" * (-len(text.rstrip(b"=")) % 4))
        except binascii.Error:
            pass
        raise ValueError(f"{text!r} is no base64 with the letters of URLs (A-Z, a-z, 0-9, - and _)")

    return each_text("decode_base64", decode, x)
