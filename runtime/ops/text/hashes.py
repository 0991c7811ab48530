"""Numbers of texts: buckets, which say the same of a text in each run and on each machine, and in TensorFlow.

    string_bucket(["Hello", "TensorFlow", "2.x"], num_buckets=3)       # [0, 2, 2]

`fingerprint` is FarmHash's of 64 bits (Pike, 2014); `keyed` is SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast
short-input PRF", 2012), for whose buckets nobody can choose texts who does not know the key.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from runtime.dtypes import STRINGS, DType, int64
from runtime.errors import InvalidArgumentError
from runtime.ops.records.raises import VALUES
from runtime.ops.records.record import Array, Operand, op
from runtime.ops.records.samples import Failure, Sample
from runtime.ops.records.shape_rules import same_shape
from runtime.ops.text.elements import each_text, texts_of

__all__ = ["fingerprint", "keyed", "string_bucket"]

_MASK: Final = (1 << 64) - 1
_K0: Final = 0xC3A5C85C97CB3127
_K1: Final = 0xB492B66FBE98F273
_K2: Final = 0x9AE16A3B2F90404F


def _turned(value: int, count: int) -> int:
    """The bits moved to the right by so many places; those that leave come in at the left."""
    return (value >> count | value << (64 - count)) & _MASK


def _mixed(value: int) -> int:
    return value ^ (value >> 47)


def _word(text: bytes, at: int) -> int:
    return int.from_bytes(text[at : at + 8], "little")


def _joined(u: int, v: int, factor: int) -> int:
    a = _mixed(((u ^ v) * factor) & _MASK)
    return _mixed(((v ^ a) * factor) & _MASK) * factor & _MASK


def fingerprint(text: bytes) -> int:
    """FarmHash's fingerprint, 64 bits."""
    size = len(text)
    if size > 64:
        return _of_long(text)
    factor = (_K2 + size * 2) & _MASK
    if size > 32:
        return _of_64(text, factor)
    if size > 16:
        a, b = _word(text, 0) * _K1, _word(text, 8)
        c, d = _word(text, size - 8) * factor & _MASK, _word(text, size - 16) * _K2
        first = _turned((a + b) & _MASK, 43) + _turned(c, 30) + d
        return _joined(first & _MASK, (a + _turned((b + _K2) & _MASK, 18) + c) & _MASK, factor)
    if size >= 8:
        a, b = (_word(text, 0) + _K2) & _MASK, _word(text, size - 8)
        c, d = _turned(b, 37) * factor + a, (_turned(a, 25) + b) * factor
        return _joined(c & _MASK, d & _MASK, factor)
    if size >= 4:
        return _joined(size + (int.from_bytes(text[:4], "little") << 3), int.from_bytes(text[-4:], "little"), factor)
    if size:
        y, z = text[0] + (text[size >> 1] << 8), size + (text[-1] << 2)
        return _mixed((y * _K2 ^ z * _K0) & _MASK) * _K2 & _MASK
    return _K2


def _of_64(text: bytes, factor: int) -> int:
    """Of 33 to 64 bytes."""
    size = len(text)
    a, b = _word(text, 0) * _K2 & _MASK, _word(text, 8)
    c, d = _word(text, size - 8) * factor & _MASK, _word(text, size - 16) * _K2
    y = (_turned((a + b) & _MASK, 43) + _turned(c, 30) + d) & _MASK
    z = _joined(y, (a + _turned((b + _K2) & _MASK, 18) + c) & _MASK, factor)
    e, f = _word(text, 16) * factor & _MASK, _word(text, 24)
    g, h = (y + _word(text, size - 32)) * factor & _MASK, (z + _word(text, size - 24)) * factor
    first = _turned((e + f) & _MASK, 43) + _turned(g, 30) + h
    return _joined(first & _MASK, (e + _turned((f + a) & _MASK, 18) + g) & _MASK, factor)


def _of_long(text: bytes) -> int:
    """Of more than 64 bytes: blocks of 64, and the last 64 once more."""
    size = len(text)
    y, z = (81 * _K1 + 113) & _MASK, _mixed((((81 * _K1 + 113) & _MASK) * _K2 + 113) & _MASK) * _K2 & _MASK
    x, v, w = (81 * _K2 + _word(text, 0)) & _MASK, (0, 0), (0, 0)
    for at in range(0, (size - 1) // 64 * 64, 64):
        x, y, z, v, w = _block(text, at, x, y, z, v, w, _K1, 1)
    factor = (_K1 + ((z & 0xFF) << 1)) & _MASK
    first = (w[0] + ((size - 1) & 63)) & _MASK
    v = ((v[0] + first) & _MASK, v[1])
    w = ((first + v[0]) & _MASK, w[1])
    x, y, z, v, w = _block(text, size - 64, x, y, z, v, w, factor, 9)
    one = _joined(v[0], w[0], factor) + _mixed(y) * _K0 + z
    return _joined(one & _MASK, (_joined(v[1], w[1], factor) + x) & _MASK, factor)


Pair = tuple[int, int]


def _block(
    text: bytes, at: int, x: int, y: int, z: int, v: Pair, w: Pair, factor: int, times: int
) -> tuple[int, int, int, Pair, Pair]:
    x = _turned((x + y + v[0] + _word(text, at + 8)) & _MASK, 37) * factor & _MASK
    y = _turned((y + v[1] + _word(text, at + 48)) & _MASK, 42) * factor & _MASK
    x ^= w[1] * times & _MASK
    y = (y + v[0] * times + _word(text, at + 40)) & _MASK
    z = _turned((z + w[0]) & _MASK, 33) * factor & _MASK
    v = _four(text, at, v[1] * factor & _MASK, (x + w[0]) & _MASK)
    w = _four(text, at + 32, (z + w[1]) & _MASK, (y + _word(text, at + 16)) & _MASK)
    return z, y, x, v, w


def _four(text: bytes, at: int, a: int, b: int) -> Pair:
    """What 32 bytes make of two numbers."""
    a = (a + _word(text, at)) & _MASK
    last = _word(text, at + 24)
    b = _turned((b + a + last) & _MASK, 21)
    whole = (a + _word(text, at + 8) + _word(text, at + 16)) & _MASK
    return (whole + last) & _MASK, (b + _turned(whole, 44) + a) & _MASK


def keyed(text: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 of a text under a key of two numbers, 64 bits."""
    low, high = key[0] & _MASK, key[1] & _MASK
    v = [low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D, low ^ 0x6C7967656E657261, high ^ 0x7465646279746573]
    whole = len(text) - len(text) % 8
    words = [_word(text, at) for at in range(0, whole, 8)]
    for word in (*words, int.from_bytes(text[whole:], "little") | (len(text) & 0xFF) << 56):
        v[3] ^= word
        v = _round(_round(v))
        v[0] ^= word
    v[2] ^= 0xFF
    for _ in range(4):
        v = _round(v)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def _round(v: list[int]) -> list[int]:
    a, b, c, d = v
    a, c = (a + b) & _MASK, (c + d) & _MASK
    b, d = _turned(b, 51) ^ a, _turned(d, 48) ^ c
    a = _turned(a, 32)
    c, a = (c + b) & _MASK, (a + d) & _MASK
    b, d = _turned(b, 47) ^ c, _turned(d, 43) ^ a
    return [a, b, _turned(c, 32), d]


def _shape(input: Operand, *, num_buckets: int, key: tuple[int, int] | None) -> Any:
    _check(num_buckets, key)
    return same_shape(input)


def _check(num_buckets: int, key: tuple[int, int] | None) -> None:
    if num_buckets < 1:
        raise InvalidArgumentError(f"string_bucket: num_buckets is positive; got {num_buckets}")
    if key is not None and len(key) != 2:
        raise InvalidArgumentError(f"string_bucket: a key is two integers; got {key}")


def _samples(dtype: DType) -> Any:
    texts = texts_of([["Hello", "", "x" * 20], ["a" * 40, "b" * 65, "\u00e9"]])
    for key in (None, (1, 2)):
        yield Sample((texts,), {"num_buckets": 1000, "key": key})
        yield Sample((np.zeros((0, 2), object),), {"num_buckets": 3, "key": key})


def _reference(input: Any, num_buckets: int, key: Any) -> Any:
    found = np.zeros(input.shape, np.int64)
    for place in np.ndindex(input.shape):
        text = input[place]
        found[place] = (fingerprint(text) if key is None else keyed(text, key)) % num_buckets
    return found


@op(
    raises=VALUES,
    shape=_shape, result=lambda input, **attributes: int64, dtypes=STRINGS, samples=_samples, reference=_reference,
    errors=[Failure((["a"],), InvalidArgumentError, ("num_buckets", "0"), {"num_buckets": 0}),
            Failure((["a"],), InvalidArgumentError, ("two integers",), {"num_buckets": 3, "key": (1, 2, 3)})],
)  # fmt: skip
def string_bucket(input: Array, *, num_buckets: int, key: tuple[int, int] | None = None) -> Any:
    """A number in [0, num_buckets) for each text, the same in each run. input: string tensor; key: two integers that
    nobody can foretell the numbers without; returns int64."""
    _check(num_buckets, key)
    number = fingerprint if key is None else lambda text: keyed(text, key)
    found = each_text("string_bucket", lambda text: number(text) % num_buckets, input)
    return np.asarray(found, np.int64)
