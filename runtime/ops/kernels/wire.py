"""The wire format of protocol buffers: how messages are written as bytes, and read one field after the other.

    field(2, b"ab")                                # b"\\x12\\x02ab"
    list(fields(b"\\x12\\x02ab"))                    # [(2, BYTES, 2, 4)]: the field 2 is the bytes 2 to 4
    packed([1, 300])                               # b"\\x01\\xac\\x02"

A field is a number and a wire type, and then its content: an integer of seven bits a byte (VARINT), 4 or 8 bytes, or as
many as a VARINT says. Source: protobuf.dev/programming-guides/encoding. `runtime.ops.kernels.wire_batches` reads many
messages side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "BYTES", "FIXED32", "FIXED64", "VARINT", "Damaged", "field", "fields", "integers", "packed", "read_varint",
    "varint",
]  # fmt: skip

VARINT: Final = 0
FIXED64: Final = 1
BYTES: Final = 2
FIXED32: Final = 5

SIZES: Final = {FIXED64: 8, FIXED32: 4}

KINDS: Final = frozenset({VARINT, FIXED64, BYTES, FIXED32})
"""All wire types but groups, which are out of use."""

LAST_NUMBER: Final = 2**29 - 1
"""Of a field."""

LONGEST: Final = 10
"""Bytes of an integer."""

FEW: Final = 16
"""Integers that are written one by one."""


class Damaged(ValueError):
    """Bytes that are no message. position: where the field begins that is wrong; why: what is wrong with it."""

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"{why}, at byte {position}")
        self.position, self.why = position, why


_SHORT: Final = [bytes([number]) for number in range(128)]


def varint(number: int) -> bytes:
    """An integer in [0, 2**64)."""
    if number < 128:
        return _SHORT[number]
    digits = []
    while True:
        number, digit = number >> 7, number & 0x7F
        digits.append(digit | (0x80 if number else 0))
        if not number:
            return bytes(digits)


def field(number: int, content: bytes) -> bytes:
    """A field of bytes: a text, a message, packed numbers."""
    return varint(number << 3 | BYTES) + varint(len(content)) + content


def packed(numbers: Sequence[int]) -> bytes:
    """Many int64, one after the other; negative ones are those of 64 bits."""
    if len(numbers) < FEW:
        return b"".join(varint(number & 0xFFFFFFFFFFFFFFFF) for number in numbers)
    shifts = np.arange(0, 7 * LONGEST, 7, dtype=np.uint64)
    digits = np.array(numbers, np.int64).view(np.uint64)[:, None] >> shifts
    more = np.zeros(digits.shape, np.bool_)
    more[:, :-1] = digits[:, 1:] != 0
    written = np.ones(digits.shape, np.bool_)
    written[:, 1:] = digits[:, 1:] != 0
    content = (digits & np.uint64(0x7F)).astype(np.uint8) | (more.astype(np.uint8) << 7)
    return content[written].tobytes()


# -- reading -------------------------------------------------------------------------------------------------------


def read_varint(text: bytes, at: int, stop: int) -> tuple[int, int]:
    """The integer at a place, and where it ends. Raises Damaged."""
    found, begun = 0, at
    for shift in range(0, 7 * LONGEST, 7):
        if at >= stop:
            raise Damaged(begun, "the message ends within a number")
        byte = text[at]
        found |= (byte & 0x7F) << shift
        at += 1
        if byte < 0x80:
            return found & 0xFFFFFFFFFFFFFFFF, at
    raise Damaged(begun, f"a number has more than {LONGEST} bytes")


def fields(text: bytes, at: int = 0, stop: int | None = None) -> Iterator[tuple[int, int, int, int]]:
    """The fields of a message: number, wire type, where the content begins and ends. Raises Damaged."""
    stop = len(text) if stop is None else stop
    while at < stop:
        begun = at
        try:
            tag, start = read_varint(text, at, stop)
            number, kind = tag >> 3, tag & 7
            if kind == BYTES:
                size, start = read_varint(text, start, stop)
                at = start + size
            elif kind == VARINT:
                at = read_varint(text, start, stop)[1]
            else:
                at = start + SIZES.get(kind, 0)
        except Damaged as error:
            raise Damaged(begun, error.why) from None  # which is inside of the message, wherever the number ends
        if not 0 < number <= LAST_NUMBER:
            raise Damaged(begun, f"no field has the number {number}")
        if kind not in KINDS:
            raise Damaged(begun, f"the field {number} has the wire type {kind}, which is not read")
        if at > stop:
            raise Damaged(begun, f"the field {number} reaches {at - stop} bytes beyond the end of its message")
        yield number, kind, start, at


def integers(content: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """Packed int64. content: bytes of which the last ends a number. Raises Damaged for a number that is too long."""
    ends = np.flatnonzero(content < 0x80)
    if len(ends) == len(content):
        return content.astype(np.int64)
    starts = np.zeros(len(ends), np.int64)
    starts[1:] = ends[:-1] + 1
    sizes = ends - starts + 1
    if (long := np.flatnonzero(sizes > LONGEST)).size:
        raise Damaged(int(starts[long[0]]), f"a number has more than {LONGEST} bytes")
    found = (content[starts] & 0x7F).astype(np.uint64)
    rest = np.flatnonzero(sizes > 1)
    for digit in range(1, LONGEST):
        if not len(rest):
            break
        found[rest] |= (content[starts[rest] + digit] & 0x7F).astype(np.uint64) << np.uint64(7 * digit)
        rest = rest[sizes[rest] > digit + 1]
    return found.view(np.int64)
