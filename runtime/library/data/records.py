"""TFRecord files: byte strings, each with its length and checksums.

    with runtime.io.TFRecordWriter("numbers.tfrecord") as writer:
        writer.write(b"one")
    list(runtime.data.TFRecordDataset("numbers.tfrecord"))

A record is its length (8 bytes, little endian), a masked CRC-32C of those, the data, and a masked CRC-32C of them.
"""

from __future__ import annotations

import gzip
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import TracebackType
from typing import Any, BinaryIO, Final

import numpy as np

from runtime.errors import DataLossError, FailedPreconditionError
from runtime.library.data.blocks import Block
from runtime.library.data.crc32c import Positions, Words, crc32c, crc32c_of_spans, masked
from runtime.library.data.files import check_compression, pieces
from runtime.library.data.lines import texts

__all__ = ["RecordReader", "RecordWriter", "TFRecordOptions", "read_records"]

HEADER: Final = struct.Struct("<QI")
FOOTER: Final = struct.Struct("<I")
LENGTH: Final = struct.Struct("<Q")


@dataclass(frozen=True)
class TFRecordOptions:
    """How a file is written. compression_type: "", "GZIP" or "ZLIB"."""

    compression_type: str = ""
    compression_level: int | None = None


class RecordWriter:
    """Writes a TFRecord file. options: a `TFRecordOptions`, or the name of a compression. Use it in a `with`."""

    def __init__(self, path: str | os.PathLike[str], options: TFRecordOptions | str | None = None) -> None:
        chosen = options if isinstance(options, TFRecordOptions) else TFRecordOptions(options or "")
        kind = check_compression(chosen.compression_type)
        level = -1 if chosen.compression_level is None else chosen.compression_level
        self._raw: BinaryIO = open(path, "wb")  # noqa: SIM115  # closed by `close`
        self._file: Any = self._raw
        if kind == "GZIP":
            self._file = gzip.GzipFile(fileobj=self._raw, mode="wb", compresslevel=9 if level < 0 else level)
        self._packer = zlib.compressobj(level) if kind == "ZLIB" else None

    def write(self, record: bytes) -> None:
        """Adds a record. record: bytes, or a scalar string tensor. Raises FailedPreconditionError after `close`."""
        self._check_open("write")
        data = bytes(record) if isinstance(record, bytes | bytearray | memoryview) else _bytes_of(record)
        length = LENGTH.pack(len(data))
        whole = b"".join((length, FOOTER.pack(masked(crc32c(length))), data, FOOTER.pack(masked(crc32c(data)))))
        self._file.write(whole if self._packer is None else self._packer.compress(whole))

    def flush(self) -> None:
        """Hands all that was written to the system. Raises FailedPreconditionError after `close`."""
        self._check_open("flush")
        self._file.flush()
        self._raw.flush()

    def close(self) -> None:
        """Ends the file. No record can be written afterwards."""
        if self._raw.closed:
            return
        if self._packer is not None:
            self._raw.write(self._packer.flush())
        elif self._file is not self._raw:
            self._file.close()
        self._raw.close()

    def _check_open(self, call: str) -> None:
        if self._raw.closed:
            raise FailedPreconditionError(f"{call}: the writer of {os.fsdecode(self._raw.name)!r} has been closed")

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _bytes_of(record: Any) -> bytes:
    value = record.numpy() if hasattr(record, "numpy") else record
    if not isinstance(value, bytes):
        raise TypeError(f"a record is bytes; got {record!r}")
    return value


@dataclass(frozen=True)
class RecordReader:
    """Reads the records of a file."""

    compression: str = ""

    def __call__(self, path: str) -> Iterator[Block]:
        for records in _groups(path, self.compression):
            yield Block([texts(records)], len(records))


def read_records(path: str, compression: str = "") -> Iterator[bytes]:
    """The records of a file. Raises DataLossError, which names the file and the position, for what is damaged."""
    for records in _groups(path, compression):
        yield from records


def _groups(path: str, compression: str) -> Iterator[list[bytes]]:
    """The records that end in one piece of the file, together. Before an error come those before it."""
    parts = pieces(path, compression)
    data, position, wanted = b"", 0, HEADER.size
    while data := _filled(data, wanted, parts):
        if len(data) < wanted:
            raise _damaged(path, position, _end(len(data), wanted))
        bounds = _bounds(data)
        good, why = _verified(data, bounds)
        if good:
            yield [data[start + HEADER.size : stop - FOOTER.size] for start, stop in pairwise(bounds[: good + 1])]
        position += bounds[good]
        if why:
            raise _damaged(path, position, why)
        data = data[bounds[good] :]
        wanted = HEADER.size
        if len(data) >= wanted:  # a record that goes on in the next piece
            length, check = HEADER.unpack_from(data)
            if masked(crc32c(data[: LENGTH.size])) != check:
                raise _damaged(path, position, WRONG_LENGTH)
            wanted = HEADER.size + length + FOOTER.size


WRONG_LENGTH: Final = "the checksum of the length of a record does not fit"


def _end(size: int, wanted: int) -> str:
    if wanted == HEADER.size:
        return f"the file ends after {size} of the {HEADER.size} bytes of a header"
    return f"the file ends in a record of {wanted - HEADER.size - FOOTER.size} bytes"


def _damaged(path: str, position: int, why: str) -> DataLossError:
    return DataLossError(f"{path}, at byte {position}: {why}: the file is damaged, or is no TFRecord file")


def _filled(data: bytes, wanted: int, parts: Iterator[bytes]) -> bytes:
    """The data, with so many pieces after it that there is as much as is wanted, if the file has it."""
    found, size = [data], len(data)
    while size < wanted and (piece := next(parts, b"")):
        found.append(piece)
        size += len(piece)
    return b"".join(found)


def _bounds(data: bytes) -> list[int]:
    """Where the records begin that are there as a whole, and where the last of them ends, if the lengths are right."""
    bounds, at, last = [0], 0, len(data) - HEADER.size
    while at <= last:
        at += HEADER.size + LENGTH.unpack_from(data, at)[0] + FOOTER.size
        bounds.append(at)
    if at > len(data):
        bounds.pop()
    return bounds


def _verified(data: bytes, bounds: list[int]) -> tuple[int, str]:
    """How many records are right before the first that is wrong, and what is wrong with that."""
    starts, stops = np.array(bounds[:-1], np.int64), np.array(bounds[1:], np.int64)
    lengths = stops - starts - (HEADER.size + FOOTER.size)
    heads = crc32c_of_spans(data, starts, np.full(len(starts), LENGTH.size))
    wrong_head = masked(heads) != _words(data, starts + LENGTH.size)
    sums = crc32c_of_spans(data, starts + HEADER.size, lengths)
    wrong = np.flatnonzero(wrong_head | (masked(sums) != _words(data, stops - FOOTER.size)))
    if not len(wrong):
        return len(starts), ""
    first = int(wrong[0])
    of_data = f"the checksum of a record of {lengths[first]} bytes does not fit"
    return first, WRONG_LENGTH if wrong_head[first] else of_data


def _words(data: bytes, positions: Positions) -> Words:
    """The 32-bit numbers at these positions."""
    found: Words = np.frombuffer(data, np.uint8)[positions[:, None] + np.arange(4)].view("<u4")[:, 0]
    return found
