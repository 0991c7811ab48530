"""CRC-32C (Castagnoli), the checksum of TFRecord files: polynomial 0x1EDC6F41, reflected; RFC 3720, appendix B.4.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'

Many checksums are computed side by side, two bytes of each at a time, by a table of what 16 bits do. Long data is cut
into lanes, which are such a side by side. A checksum is linear: that of the whole is put together from those of the
lanes by matrices that append zeros. The library google-crc32c (the extra `records`) computes long data a hundred times
as fast, and is taken for it where it is installed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["crc32c", "crc32c_of_spans", "masked"]

POLYNOMIAL: Final = 0x82F63B78
"""Its bits in reverse."""

SHORT: Final = 2048
"""Bytes below which one lane is faster."""

TINY: Final = 64
"""Bytes below which many lanes at once are faster than a call of the library for each."""

PIECE: Final = 1 << 20
"""Bytes that are cut into lanes together: as many lanes as each has bytes, roughly, and all within a cache."""

FEW: Final = 8
"""Spans that are done one by one."""

Words = np.ndarray[Any, Any]
Bytes = npt.NDArray[np.uint8]
Positions = npt.NDArray[np.int64]


@cache
def _table() -> tuple[int, ...]:
    """What becomes of each byte."""
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return tuple(table)


@cache
def _table_of_pairs() -> Words:
    """What becomes of each two bytes, the first of them in the low bits."""
    one = np.array(_table(), np.uint32)
    pairs = np.arange(1 << 16, dtype=np.uint32)
    first = one[pairs & 0xFF] ^ pairs >> 8
    second: Words = one[first & 0xFF] ^ first >> 8
    return second


@cache
def of_library() -> Callable[[bytes], int] | None:
    """The function of google-crc32c; None where it is not installed."""
    try:
        found: Callable[[bytes], int] = importlib.import_module("google_crc32c").value
    except ImportError:
        return None
    return found


def crc32c(data: bytes | memoryview) -> int:
    """The checksum of some bytes."""
    if (library := of_library()) is not None:
        return library(bytes(data))
    view, value = memoryview(data), 0xFFFFFFFF
    for start in range(0, len(view), PIECE):
        value = _advanced(view[start : start + PIECE], value)
    return value ^ 0xFFFFFFFF


def _advanced(data: memoryview, value: int) -> int:
    """The register after these bytes, if it was `value` before them."""
    if len(data) < SHORT:
        return _plain(data, value)
    count = 1 << (len(data).bit_length() // 2 + 1)
    length = len(data) // (2 * count) * 2
    lanes = np.frombuffer(data, "<u2", count * length // 2).reshape(count, length // 2)
    table = _table_of_pairs()
    values = np.zeros(count, np.uint32)
    values[0] = value
    for column in np.ascontiguousarray(lanes.T):
        values = table.take((values ^ column) & 0xFFFF) ^ values >> 16
    return _plain(data[count * length :], _folded(values, length))


def crc32c_of_spans(data: bytes, starts: Positions, lengths: Positions) -> Words:
    """The checksums of many parts of some bytes. Short ones are lanes that end together: each begins when it must."""
    made = np.empty(len(starts), np.uint32)
    short = np.flatnonzero(lengths < (SHORT if of_library() is None else TINY))
    if len(short) < FEW:
        short = short[:0]
    else:
        made[short] = _side_by_side(data, starts[short], lengths[short])
    for i in np.setdiff1d(np.arange(len(starts)), short, assume_unique=True).tolist():
        made[i] = crc32c(memoryview(data)[starts[i] : starts[i] + lengths[i]])
    return made


def _side_by_side(data: bytes, starts: Positions, lengths: Positions) -> Words:
    order = np.argsort(-lengths, kind="stable")
    ends, sizes = (starts + lengths)[order], lengths[order]
    values = np.full(len(order), 0xFFFFFFFF, np.uint32)
    odd = np.flatnonzero(sizes & 1)
    if len(odd):
        first = np.frombuffer(data, np.uint8)[ends[odd] - sizes[odd]]
        values[odd] = np.array(_table(), np.uint32)[(values[odd] ^ first) & 0xFF] ^ values[odd] >> 8
    pairs: Any = np.ndarray((max(len(data) - 1, 0),), "<u2", data, strides=(1,))  # at each place two bytes
    steps = np.arange(int(sizes[0]) // 2, 0, -1)
    table = _table_of_pairs()
    for step, lanes in zip(steps.tolist(), np.searchsorted(-(sizes // 2), -steps, "right").tolist(), strict=True):
        part = values[:lanes]
        values[:lanes] = table.take((part ^ pairs[ends[:lanes] - 2 * step]) & 0xFFFF) ^ part >> 16
    made = np.empty(len(order), np.uint32)
    made[order] = values ^ np.uint32(0xFFFFFFFF)
    return made


def _plain(data: bytes | memoryview, value: int) -> int:
    table = _table()
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ value >> 8
    return value


def _folded(values: Words, length: int) -> int:
    """The checksum of all lanes, one after the other: pairs are put together until one is left."""
    matrix = _zeros(length)
    while len(values) > 1:
        values = _applied(matrix, values[0::2]) ^ values[1::2]
        matrix = _applied(matrix, matrix)
    return int(values[0])


def _applied(matrix: Words, values: Words) -> Words:
    """A matrix over bits times vectors of 32 bits. matrix: what becomes of each bit."""
    bits = (values[:, None] >> np.arange(32, dtype=np.uint32)) & 1
    found: Words = np.bitwise_xor.reduce(np.where(bits.astype(bool), matrix, np.uint32(0)), axis=1)
    return found


@lru_cache(1024)
def _zeros(length: int) -> Words:
    """The matrix that does what `length` bytes of zeros do to a checksum."""
    table = np.array(_table(), np.uint32)
    power = np.uint32(1) << np.arange(32, dtype=np.uint32)
    power = table[power & 0xFF] ^ power >> 8  # one byte
    result = np.uint32(1) << np.arange(32, dtype=np.uint32)
    while length:
        if length & 1:
            result = _applied(power, result)
        power = _applied(power, power)
        length >>= 1
    return result


def masked(value: Any) -> Any:
    """Checksums as they stand in a file: turned and moved, so that data with checksums in it has good ones, too.

    value: an int, or an array of uint32; the result is one, too.
    """
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF
