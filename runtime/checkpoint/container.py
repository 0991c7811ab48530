"""Containers: files of named arrays and texts. Saved models and checkpoints are such files.

    write_container("model.data", {"w": np.ones([2, 3])}, {"made by": "me"})
    found = read_container("model.data")
    found.metadata                     # {"made by": "me"}
    found.array("w")                   # read now, and checked against its checksum

Nothing in a file is run, nothing is compressed, and no memory is taken before it is known that the file has the bytes
for it. A file is written whole or not at all. Arrays go straight from memory to the file and back: neither needs
memory of the size of the file. The layout is described in `runtime.checkpoint.container_layout`.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO, Final

import numpy as np

from runtime.checkpoint.atomic import replacing
from runtime.checkpoint.container_layout import LARGEST_HEADER, Entry, header_of, read_header
from runtime.dtypes import DType, bool_, from_numpy, string
from runtime.errors import FailedPreconditionError, FileFormatError, InvalidArgumentError, NotFoundError
from runtime.ops.records.record import Array

__all__ = ["Container", "read_container", "write_container"]

CHUNK: Final = 4 << 20
"""Bytes that are read or written at once."""


def write_container(path: str | os.PathLike[str], arrays: Mapping[str, Array], metadata: Mapping[str, str]) -> None:
    """Writes a file in the place of the one of that name, if there is one. arrays: by name, of the dtypes that tensors
    have, texts as arrays of bytes objects; the same arrays give the same bytes.

    Raises TypeError for another dtype, ValueError for what the header has no place for, InvalidArgumentError where the
    file cannot be written; nothing is left of it then.
    """
    path = os.fspath(path)
    kinds = {name: _known_dtype(name, array) for name, array in arrays.items()}
    order = sorted(arrays, key=lambda name: (kinds[name] is string, -kinds[name].size, name))  # so that all are aligned
    texts = {name: _text_bytes(name, arrays[name]) for name in order if kinds[name] is string}
    entries: dict[str, Entry] = {}
    start = 0
    for name in order:
        length = len(texts[name]) if name in texts else arrays[name].size * kinds[name].size
        entries[name] = Entry(kinds[name], arrays[name].shape, start, length, 0)
        start += length
    header = header_of(entries, metadata)
    try:
        with replacing(path) as file:
            _write(file, header)
            for name in order:
                checksum = _write(file, texts[name] if name in texts else _bytes_of(arrays[name]))
                entries[name] = replace(entries[name], checksum=checksum)
            file.seek(0)
            _write(file, header_of(entries, metadata))
    except OSError as error:
        raise InvalidArgumentError(f"{path}: cannot be written: {error.strerror or error}") from None


def _known_dtype(name: str, array: Array) -> DType:
    dtype = from_numpy(array.dtype)
    if dtype is None or dtype.name in ("variant", "resource"):
        raise TypeError(f"{name!r} is an array of {array.dtype}, which no tensor has: it cannot be written")
    return dtype


def _bytes_of(array: Array) -> memoryview:
    """The bytes of the elements, row by row, little-endian; of the array itself if it is like that."""
    plain = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return _view(plain)


def _view(array: Array) -> memoryview:
    return memoryview(array.reshape(-1).view(np.uint8))  # type: ignore[arg-type]


def _text_bytes(name: str, array: Array) -> memoryview:
    """The lengths of the texts, then the texts."""
    items = array.reshape(-1).tolist()
    if not all(isinstance(item, bytes) for item in items):
        raise TypeError(f"{name!r} is an array of objects that are no bytes: it cannot be written")
    return memoryview(np.array([len(item) for item in items], "<u8").tobytes() + b"".join(items))


def _write(file: BinaryIO, data: bytes | memoryview) -> int:
    """Writes everything; returns the checksum of it."""
    view, checksum, start = memoryview(data), 0, 0
    while start < len(view):
        part = view[start : start + CHUNK]
        part = part[: file.write(part)]  # a file without a buffer may take less
        checksum = zlib.crc32(part, checksum)
        start += len(part)
    return checksum


class Container:
    """A file of arrays that is open for reading. See the module's docstring. Threads may share it.

    path: for messages; metadata: the texts; entries: dtype, shape and place of each array, by name. It stays what it is
    when the file is replaced or deleted meanwhile; it is closed when nothing refers to it any more, or by `close`.
    """

    def __init__(self, path: str, file: BinaryIO, entries: Mapping[str, Entry], metadata: Mapping[str, str]) -> None:
        self.path = path
        self.entries = entries
        self.metadata = metadata
        self._file = file
        self._opened = self._stamp()
        self.close = weakref.finalize(self, file.close)
        """Closes the file; what has been read stays."""

    def __enter__(self) -> Container:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def array(self, name: str) -> Array:
        """A new array. Raises KeyError for an unknown name, FileFormatError for bytes that are not those written."""
        entry = self.entries[name]
        if entry.dtype is string:
            return self._texts(name, entry)
        self._check_end(name, entry)
        made = np.empty(entry.shape, entry.dtype.numpy)
        self.read_into(name, made)
        return made

    def arrays(self) -> dict[str, Array]:
        """All arrays by name, each as `array` gives it."""
        return {name: self.array(name) for name in self.entries}

    def check(self, name: str) -> None:
        """Reads the bytes of an array and keeps nothing. Raises FileFormatError if they are not those written."""
        entry = self.entries[name]
        if entry.dtype is string:
            self._texts(name, entry)
            return
        buffer = memoryview(bytearray(min(CHUNK, entry.length)))
        parts = (buffer[: min(CHUNK, entry.length - at)] for at in range(0, entry.length, CHUNK))
        self._read(name, entry, parts)

    def read_into(self, name: str, target: Array, checked: bool = False) -> None:
        """Reads an array of numbers into one that is there, of its dtype and shape. Raises as `array`; the target may
        be half written then: `check` comes first where that must not be.

        checked: that has been done, so the checksum is not computed again, unless the file has changed since.
        """
        entry = self.entries[name]
        if target.dtype != entry.dtype.numpy or target.shape != entry.shape or not target.flags.c_contiguous:
            kind = f"{name!r} is {entry.dtype.name} of the shape {entry.shape}"
            raise ValueError(f"{kind}; it does not go into {target.dtype} of the shape {target.shape}")
        if not entry.length:
            return
        view = _view(target)
        parts = (view[at : at + CHUNK] for at in range(0, entry.length, CHUNK))
        self._read(name, entry, parts, checked and self._stamp() == self._opened)
        if checked and self._stamp() != self._opened:
            self._verify(name, entry, zlib.crc32(view))
        if sys.byteorder != "little":
            target.byteswap(inplace=True)

    def _stamp(self) -> tuple[int, int]:
        """Is another one after the content of the file has changed."""
        found = os.fstat(self._file.fileno())
        return found.st_size, found.st_mtime_ns

    def _read(self, name: str, entry: Entry, parts: Iterator[memoryview], checked: bool = False) -> None:
        """Reads the bytes of an entry into buffers that are filled one after the other."""
        at, checksum = entry.start, 0
        for part in parts:
            _fill(self._file, part, self.path, at)
            at += len(part)
            if checked:
                continue
            if entry.dtype is bool_ and (wrong := np.flatnonzero(np.frombuffer(part, np.uint8) > 1)).size:
                place = at - len(part) + wrong[0]
                raise FileFormatError(f"{self.path}: at byte {place}: an element of {name!r} is no bool")
            checksum = zlib.crc32(part, checksum)
        if not checked:
            self._verify(name, entry, checksum)

    def _verify(self, name: str, entry: Entry, checksum: int) -> None:
        if checksum != entry.checksum:
            raise FileFormatError(
                f"{self.path}: at byte {entry.start}: the {entry.length} bytes of {name!r} are not those that were"
                f" written: their checksum is {checksum:08x}, it was {entry.checksum:08x}"
            )

    def _check_end(self, name: str, entry: Entry) -> None:
        """Before memory is taken: the file may have been cut off since it was opened."""
        size = os.fstat(self._file.fileno()).st_size
        if size < entry.start + entry.length:
            raise FileFormatError(f"{self.path}: at byte {size}: the file is cut off in {name!r} or before it")

    def _texts(self, name: str, entry: Entry) -> Array:
        self._check_end(name, entry)
        data = bytearray(entry.length)
        self._read(name, entry, iter([memoryview(data)]))
        count = int(np.prod(entry.shape, dtype=np.int64))
        ends = [8 * count]
        for length in np.frombuffer(data, "<u8", count).tolist():
            ends.append(ends[-1] + length)
        if ends[-1] != entry.length:
            raise FileFormatError(f"{self.path}: at byte {entry.start}: the lengths of the texts of {name!r} are wrong")
        made = np.empty(count, object)
        for i in range(count):
            made[i] = bytes(data[ends[i] : ends[i + 1]])
        return made.reshape(entry.shape)


_SEEKING: Final = threading.Lock()


def _read_at(file: BinaryIO, buffer: memoryview, at: int) -> int:
    """Reads what there is at byte `at`; how many bytes. Where the system can, the place in the file stays, which
    threads and forked processes share."""
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [buffer], at)
    with _SEEKING:
        file.seek(at)
        return file.readinto(buffer) or 0  # type: ignore[attr-defined]


def _fill(file: BinaryIO, buffer: memoryview, path: str, at: int) -> None:
    """Fills the buffer with the bytes from `at` on."""
    done = 0
    while done < len(buffer):
        count = _read_at(file, buffer[done:], at + done)
        if not count:
            raise FileFormatError(f"{path}: at byte {at + done}: the file ends too early")
        done += count


def read_container(path: str | os.PathLike[str], largest_header: int = LARGEST_HEADER) -> Container:
    """Opens a file that `write_container` wrote; the arrays are read when they are asked for.

    largest_header: bytes of a header above which a file is refused. Raises NotFoundError if there is no such file,
    FailedPreconditionError for what is no file, FileFormatError with the position for one that is damaged.
    """
    path = os.fspath(path)
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise FailedPreconditionError(f"{path}: is no file")
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - the container closes it
    except FileNotFoundError:
        raise NotFoundError(f"{path}: no such file or directory") from None
    except OSError as error:
        raise InvalidArgumentError(f"{path}: cannot be read: {error.strerror or error}") from None
    try:
        size = os.fstat(file.fileno()).st_size
        start = bytearray(8)
        _fill(file, memoryview(start), path, 0)
        length = int.from_bytes(start, "little")
        if not 2 <= length <= min(largest_header, size - 8):
            raise FileFormatError(
                f"{path}: at byte 0: a header of {length} bytes cannot be; the file has {size} bytes,"
                f" and a header at most {largest_header}"
            )
        text = bytearray(length)
        _fill(file, memoryview(text), path, 8)
        return Container(path, file, *read_header(bytes(text), path, size))
    except BaseException:
        file.close()
        raise
