"""CRC-32C (Castagnoli), the checksum of TFRecord files: polynomial 0x1EDC6F41, reflected; RFC 3720, appendix B.4.

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'

Long data is cut into lanes that numpy works on at the same time, byte by byte with the table of the polynomial. A
checksum is linear: that of the whole is put together from those of the lanes by matrices that append zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["crc32c", "crc32c_of_each", "masked"]

POLYNOMIAL: Final = 0x82F63B78
"""Its bits in reverse."""

LANES: Final = 256
SHORT: Final = 2048
"""Bytes below which one lane is faster."""

FEW: Final = 8
"""Strings that are done one by one."""

Words = npt.NDArray[np.uint32]


@cache
def _table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        value = byte
        for _ in range(8):
            value = value >> 1 ^ (POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return tuple(table)


@cache
def _table_array() -> Words:
    return np.array(_table(), np.uint32)


def crc32c(data: bytes | memoryview) -> int:
    """The checksum of some bytes."""
    if len(data) < SHORT:
        return _plain(data, 0xFFFFFFFF) ^ 0xFFFFFFFF
    length = len(data) // LANES
    lanes = np.frombuffer(data, np.uint8, LANES * length).reshape(LANES, length)
    table = _table_array()
    values = np.zeros(LANES, np.uint32)
    values[0] = 0xFFFFFFFF
    for column in np.ascontiguousarray(lanes.T):
        values = table[(values ^ column) & 0xFF] ^ values >> 8
    whole = _folded(values, length)
    return _plain(data[LANES * length :], whole) ^ 0xFFFFFFFF


def crc32c_of_each(items: Sequence[bytes]) -> list[int]:
    """The checksums of several byte strings. Short ones are lanes, which end together: each begins when it must."""
    short = [i for i, item in enumerate(items) if len(item) < SHORT]
    if len(short) < FEW:
        return list(map(crc32c, items))
    found = [0] * len(items)
    short.sort(key=lambda i: -len(items[i]))
    longest = len(items[short[0]])
    joined = b"".join(items[i].rjust(longest, b"\0") for i in short)
    columns = np.frombuffer(joined, np.uint8).reshape(len(short), longest).T.copy()
    begun = np.searchsorted([longest - len(items[i]) for i in short], range(longest), "right").tolist()
    table, values = _table_array(), np.full(len(short), 0xFFFFFFFF, np.uint32)
    for column, lanes in zip(columns, begun, strict=True):
        part = values[:lanes]
        values[:lanes] = table[(part ^ column[:lanes]) & 0xFF] ^ part >> 8
    for i, value in zip(short, (values ^ 0xFFFFFFFF).tolist(), strict=True):
        found[i] = value
    for i, item in enumerate(items):
        if len(item) >= SHORT:
            found[i] = crc32c(item)
    return found


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


@cache
def _zeros(length: int) -> Words:
    """The matrix that does what `length` bytes of zeros do to a checksum."""
    table = _table_array()
    power = np.uint32(1) << np.arange(32, dtype=np.uint32)
    power = table[power & 0xFF] ^ power >> 8  # one byte
    result = np.uint32(1) << np.arange(32, dtype=np.uint32)
    while length:
        if length & 1:
            result = _applied(power, result)
        power = _applied(power, power)
        length >>= 1
    return result


def masked(value: int) -> int:
    """A checksum as it stands in a file: turned and moved, so that data with checksums in it has good ones, too."""
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF
