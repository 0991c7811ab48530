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
from types import TracebackType
from typing import Any, BinaryIO, Final

from runtime.data.blocks import Block
from runtime.data.crc32c import crc32c, crc32c_of_each, masked
from runtime.data.files import check_compression, pieces
from runtime.data.lines import texts
from runtime.errors import DataLossError

__all__ = ["RecordReader", "RecordWriter", "TFRecordOptions", "read_records"]

HEADER: Final = struct.Struct("<QI")
FOOTER: Final = struct.Struct("<I")

TOGETHER: Final = 256
"""Records in a block, at most."""

LARGEST: Final = 1 << 18
"""Bytes in a block above which no record is added."""


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
        """Adds a record. record: bytes, or a scalar string tensor."""
        data = bytes(record) if isinstance(record, bytes | bytearray | memoryview) else _bytes_of(record)
        length = struct.pack("<Q", len(data))
        whole = b"".join((length, FOOTER.pack(masked(crc32c(length))), data, FOOTER.pack(masked(crc32c(data)))))
        self._file.write(whole if self._packer is None else self._packer.compress(whole))

    def flush(self) -> None:
        """Hands all that was written to the system."""
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
        for records in _checked(path, self.compression):
            yield Block([texts(records)], len(records))


def read_records(path: str, compression: str = "") -> Iterator[bytes]:
    """The records of a file. Raises DataLossError, which names the file and the position, for what is damaged."""
    for records in _checked(path, compression):
        yield from records


def _checked(path: str, compression: str) -> Iterator[list[bytes]]:
    """Records in groups, whose checksums are looked at together; before an error those that come before it."""
    group: list[tuple[int, bytes, int]] = []
    size = 0
    try:
        for record in _framed(path, compression):
            group.append(record)
            size += len(record[1])
            if len(group) >= TOGETHER or size > LARGEST:
                whole, group, size = group, [], 0
                yield from _verified(path, whole)
    except DataLossError:
        whole, group = group, []
        yield from _verified(path, whole)
        raise
    yield from _verified(path, group)


def _verified(path: str, group: list[tuple[int, bytes, int]]) -> Iterator[list[bytes]]:
    records = [data for _, data, _ in group]
    sums = [masked(value) for value in crc32c_of_each(records)]
    wrong = [i for i, (_, _, check) in enumerate(group) if sums[i] != check]
    good = records[: wrong[0]] if wrong else records
    if good:
        yield good
    if wrong:
        position, data, _ = group[wrong[0]]
        raise _damaged(path, position, f"the checksum of a record of {len(data)} bytes does not fit")


def _framed(path: str, compression: str) -> Iterator[tuple[int, bytes, int]]:
    """Of each record its position, its data and what their checksum should be."""
    source = _Bytes(pieces(path, compression))
    while head := source.take(HEADER.size):
        start = source.position - len(head)
        if len(head) < HEADER.size:
            raise _damaged(path, start, f"the file ends after {len(head)} of the {HEADER.size} bytes of a header")
        length, check = HEADER.unpack(head)
        if masked(crc32c(head[:8])) != check:
            raise _damaged(path, start, "the checksum of the length of a record does not fit")
        data = source.take(length)
        foot = source.take(FOOTER.size)
        if len(data) + len(foot) < length + FOOTER.size:
            raise _damaged(path, start, f"the file ends in a record of {length} bytes")
        yield start, data, FOOTER.unpack(foot)[0]


def _damaged(path: str, position: int, why: str) -> DataLossError:
    return DataLossError(f"{path}, at byte {position}: {why}: the file is damaged, or is no TFRecord file")


class _Bytes:
    """Takes exact numbers of bytes out of pieces."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._piece = b""
        self._at = 0
        self.position = 0

    def take(self, n: int) -> bytes:
        """n bytes; fewer at the end."""
        end = self._at + n
        if end <= len(self._piece):
            data = self._piece[self._at : end]
            self._at = end
        else:
            found = [self._piece[self._at :]]
            missing = n - len(found[0])
            self._piece, self._at = b"", 0
            while missing and (piece := next(self._parts, b"")):
                found.append(piece[:missing])
                if len(piece) > missing:
                    self._piece, self._at = piece, missing
                missing -= len(found[-1])
            data = b"".join(found)
        self.position += len(data)
        return data
