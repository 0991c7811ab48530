"""Files as sources: `of_files(names, read, structure)` gives what `read` finds in each file, one after the other.

    of_files(names, LineReader(), structure)

A file is read in pieces, so memory does not grow with it. What is wrong with one is an error that names the file and
the position; nothing of a damaged record is given.
"""

from __future__ import annotations

import glob
import gzip
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, Final

from runtime.errors import DataLossError, InvalidArgumentError, NotFoundError
from runtime.library.data.blocks import Block
from runtime.library.data.node import UNKNOWN, Node, Puller
from runtime.library.data.structure import Structure

__all__ = ["check_compression", "matching", "of_files", "opened", "pieces"]

PIECE: Final = 1 << 18
"""Bytes that are read at once."""

Read = Callable[[str], Iterator[Block]]


def of_files(names: Node, read: Read, structure: Structure) -> Node:
    """The elements that `read` finds in the files whose names `names` gives."""
    return Node(structure, UNKNOWN, names.steady, lambda: _Reading(names.open(), read), names.repeats)


class _Reading:
    def __init__(self, names: Puller, read: Read) -> None:
        self._names, self._read = names, read
        self._blocks: Iterator[Block] | None = None
        self._rest: Block | None = None

    def pull(self, n: int) -> Block | None:
        while self._rest is None:
            if self._blocks is None:
                names = self._names.pull(1)
                if names is None:
                    return None
                self._blocks = self._read(os.fsdecode(next(names.rows())[0].item()))
            try:
                self._rest = next(self._blocks, None)
            except BaseException:
                self._blocks = None  # a file that is damaged is left; the next one comes next
                raise
            if self._rest is None:
                self._blocks = None
        block, self._rest = self._rest.split(n)
        return block

    def close(self) -> None:
        blocks, self._blocks, self._rest = self._blocks, None, None
        if blocks is not None:
            blocks.close()  # type: ignore[attr-defined]  # readers are generators, with an open file each
        self._names.close()


COMPRESSIONS: Final = ("", "GZIP", "ZLIB")


def check_compression(kind: str | None) -> str:
    """The name of a compression. Raises InvalidArgumentError for others."""
    if (kind or "") not in COMPRESSIONS:
        raise InvalidArgumentError(f"compression_type is one of {', '.join(map(repr, COMPRESSIONS))}; got {kind!r}")
    return kind or ""


def opened(path: str) -> BinaryIO:
    """The file, to be read. Raises NotFoundError if there is none."""
    try:
        return open(path, "rb")
    except FileNotFoundError as error:
        raise NotFoundError(f"{path}: no such file") from error


def matching(patterns: Sequence[str]) -> list[str]:
    """The names of the files that match a pattern, in order. Raises NotFoundError if there are none."""
    found = sorted({name for pattern in patterns for name in glob.glob(pattern)})
    if not found:
        raise NotFoundError(f"no file matches {', '.join(patterns)}")
    return found


def pieces(path: str, compression: str = "", piece: int = PIECE) -> Iterator[bytes]:
    """The bytes of a file, unpacked, in pieces. Raises DataLossError where the packed data are damaged."""
    with opened(path) as file:
        if compression == "ZLIB":
            yield from _inflated(path, file, piece)
            return
        source: BinaryIO = gzip.GzipFile(fileobj=file) if compression == "GZIP" else file  # type: ignore[assignment]
        while True:
            try:
                data = source.read(piece)
            except (OSError, EOFError, zlib.error) as error:
                if compression:
                    raise DataLossError(
                        f"{path}, near byte {file.tell()}: damaged {compression} data: {error}"
                    ) from None
                raise
            if not data:
                return
            yield data


def _inflated(path: str, file: BinaryIO, piece: int) -> Iterator[bytes]:
    """ZLIB data, unpacked: one stream, or several after each other."""
    unpacker = None
    while data := file.read(piece):
        try:
            while data:
                if unpacker is None or unpacker.eof:
                    unpacker = zlib.decompressobj()
                made = unpacker.decompress(data, piece)
                data = unpacker.unused_data or unpacker.unconsumed_tail
                if made:
                    yield made
        except zlib.error as error:
            raise DataLossError(f"{path}, near byte {file.tell()}: damaged ZLIB data: {error}") from None
    if unpacker is None or not unpacker.eof:
        raise DataLossError(f"{path}, at byte {file.tell()}: the ZLIB data end too early")
