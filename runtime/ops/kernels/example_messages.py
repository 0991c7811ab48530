"""The messages `Example`, `Features` and `Feature`, read one by one.

    found = features_in(text, 1)               # {b"age": [(9, 14)]}: where the value of the key is in the text
    list_in(text, found[b"age"])               # (3, [(11, 14)]): an Int64List, and where its contents are
    values_in(text, 3, [(11, 14)])             # [31]

    Example { 1: Features { 1: map of string to Feature } }
    SequenceExample { 1: Features (the context), 2: FeatureLists { 1: map of string to FeatureList { 1: Feature } } }
    Feature { one of  1: BytesList { 1: bytes },  2: FloatList { 1: float },  3: Int64List { 1: int64 } }

Source: tensorflow/core/example/example.proto and feature.proto. What repeats is merged as protocol buffers say: the
last entry of a key counts, lists of one kind are joined, of several kinds the last counts. Others are skipped.
`runtime.ops.kernels.example_columns` reads many messages side by side.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from runtime.dtypes import float32, int64, string
from runtime.ops.kernels.wire import BYTES, FIXED32, VARINT, Damaged, fields, integers
from runtime.ops.records.record import Array

__all__ = [
    "BYTES_LIST", "FLOAT_LIST", "INT64_LIST", "NUMBERS", "PLAIN", "features_in", "list_in", "messages_in",
    "values_in",
]  # fmt: skip

BYTES_LIST: Final = 1
FLOAT_LIST: Final = 2
INT64_LIST: Final = 3

NUMBERS: Final = {string: BYTES_LIST, float32: FLOAT_LIST, int64: INT64_LIST}
"""Which field of a Feature holds values of a dtype."""

PLAIN: Final = {BYTES_LIST: BYTES, FLOAT_LIST: FIXED32, INT64_LIST: VARINT}
"""The wire type of one value in a list; several numbers may be packed into BYTES."""

Span = tuple[int, int]


def messages_in(text: bytes, spans: Iterable[Span], wanted: int) -> list[Span]:
    """Where the fields of a number are that hold bytes."""
    return [
        (start, stop)
        for at, end in spans
        for number, kind, start, stop in fields(text, at, end)
        if number == wanted and kind == BYTES
    ]


def features_in(text: bytes, field: int, at: int = 0, stop: int | None = None) -> dict[bytes, list[Span]]:
    """The map in a field of a message: for each key where its value is, which may come in parts. Raises Damaged."""
    found: dict[bytes, list[Span]] = {}
    whole = [(at, len(text) if stop is None else stop)]
    for begin, end in messages_in(text, messages_in(text, whole, field), 1):
        key, value = b"", []
        for number, kind, start, last in fields(text, begin, end):
            if kind == BYTES and number == 1:
                key = text[start:last]
            elif kind == BYTES and number == 2:
                value.append((start, last))
        found[key] = value
    return found


def list_in(text: bytes, feature: Iterable[Span]) -> tuple[int, list[Span]]:
    """Of which kind a Feature is (0: of none), and where its lists of that kind are. Raises Damaged."""
    found, lists = 0, list[Span]()
    for at, end in feature:
        for number, kind, start, stop in fields(text, at, end):
            if kind == BYTES and number in PLAIN:
                if number != found:
                    found, lists = number, []
                lists.append((start, stop))
    return found, lists


def values_in(text: bytes, kind: int, lists: Iterable[Span]) -> Array:
    """The values in the lists of a Feature. Raises Damaged."""
    parts = [
        (start, stop)
        for at, end in lists
        for number, wire_type, start, stop in fields(text, at, end)
        if number == 1 and wire_type in (BYTES, PLAIN[kind])
    ]
    if kind == BYTES_LIST:
        made = np.empty(len(parts), object)
        made[:] = [text[start:stop] for start, stop in parts]
        return made
    if kind == FLOAT_LIST:
        for start, stop in parts:
            if (stop - start) % 4:
                raise Damaged(start, f"{stop - start} bytes are no whole floats of 4 bytes")
        return np.frombuffer(b"".join([text[a:b] for a, b in parts]), "<f4").astype(np.float32)
    for start, stop in parts:
        if stop > start and text[stop - 1] > 0x7F:
            raise Damaged(stop - 1, "packed numbers end within a number")
    numbers = [_integers(text, start, stop) for start, stop in parts]
    return numbers[0] if len(numbers) == 1 else np.concatenate(numbers or [np.zeros(0, np.int64)])


def _integers(text: bytes, start: int, stop: int) -> Array:
    try:
        return integers(np.frombuffer(text, np.uint8, stop - start, start))
    except Damaged as error:
        raise Damaged(start + error.position, error.why) from None
