"""The header of a container: which arrays there are, of which dtype and shape, and where their bytes are.

    8 bytes    length of the header, little-endian
    header     {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, "__metadata__": {...}}, then spaces
    buffer     the bytes of the arrays, one after the other, without gaps

That is the layout of safetensors (github.com/huggingface/safetensors, "Format"), and other readers of it take the
files. What it lacks is written with what it has, and said in the metadata: complex numbers as pairs of floats; texts
as bytes, their lengths first (8 bytes each). A header is checked whole before memory is taken for anything in it.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from runtime.checkpoint.json_text import parsed, written
from runtime.dtypes import ALL, DType, as_dtype, string
from runtime.errors import FileFormatError

__all__ = ["LARGEST_HEADER", "Entry", "header_of", "read_header"]

VERSION: Final = "1"

LARGEST_HEADER: Final = 16 << 20
"""Bytes of a header above which a file is refused, unless the caller allows more."""

MOST_ENTRIES: Final = 1_000_000

LARGEST_RANK: Final = 64

_CODES: Final = {
    "float16": "F16", "float32": "F32", "float64": "F64", "bfloat16": "BF16", "bool": "BOOL",
    "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "complex64": "F32", "complex128": "F64", "string": "U8",
}  # fmt: skip
"""What the format calls the bytes of each dtype."""

_METADATA: Final = "__metadata__"
_MARK, _SUMS, _KINDS, _OWN_SUM = "autograph-runtime", "checksums", "kinds", "header"
_RESERVED: Final = frozenset({_MARK, _SUMS, _KINDS, _OWN_SUM})
_NO_SUM: Final = "0" * 8


@dataclass(frozen=True, slots=True)
class Entry:
    """One array of a container. start: of its first byte in the file; checksum: CRC-32 of its bytes."""

    dtype: DType
    shape: tuple[int, ...]
    start: int
    length: int
    checksum: int


def header_of(entries: Mapping[str, Entry], metadata: Mapping[str, str], largest: int = LARGEST_HEADER) -> bytes:
    """The length and the header; starts count from the beginning of the buffer. Raises ValueError for what has no place
    in it. It is as long whatever the checksums are."""
    if wrong := sorted(_RESERVED & set(metadata)):
        raise ValueError(f"the metadata of a container may not have the keys {wrong}: it keeps them for itself")
    if _METADATA in entries:
        raise ValueError(f"an array of a container may not have the name {_METADATA!r}")
    table: dict[str, Any] = {}
    kinds: dict[str, Any] = {}
    for name, entry in entries.items():
        shape = list(entry.shape)
        if entry.dtype.is_complex or entry.dtype is string:
            kinds[name] = {"dtype": entry.dtype.name, "shape": shape}
            shape = [entry.length] if entry.dtype is string else [*shape, 2]
        offsets = [entry.start, entry.start + entry.length]
        table[name] = {"dtype": _CODES[entry.dtype.name], "shape": shape, "data_offsets": offsets}
    sums = {name: f"{entry.checksum:08x}" for name, entry in entries.items()}
    own = {_MARK: VERSION, _SUMS: written(sums), _KINDS: written(kinds), _OWN_SUM: _NO_SUM}
    table[_METADATA] = {**metadata, **own}
    text = written(table).encode()
    text = text.replace(_own_sum(_NO_SUM), _own_sum(f"{zlib.crc32(text):08x}"))
    text += b" " * (-len(text) % 8)
    if len(text) > largest:
        raise ValueError(f"there are too many names: the header has {len(text)} bytes, {largest} may be")
    return len(text).to_bytes(8, "little") + text


def _own_sum(digits: str) -> bytes:
    """How the checksum of the header stands in it; it is that of the header with zeros in its place. No value of the
    table has such bytes: quotation marks in texts have a backslash before them."""
    return f'"{_OWN_SUM}":"{digits}"'.encode()


def read_header(text: bytes, path: str, size: int) -> tuple[dict[str, Entry], dict[str, str]]:
    """The arrays of a file and its metadata. text: the header without the length before it; size: that of the file.

    Raises FileFormatError for everything that a writer would not write, with the file and the position.
    """
    where = f"{path}: the header at byte 8"
    table = parsed(text, where)
    metadata = table.pop(_METADATA, None) if isinstance(table, dict) else None
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        _refuse(where, "is no table of arrays with a table of texts as its metadata")
    version = metadata.pop(_MARK, None)
    if version is None:
        _refuse(where, "has no mark of this package: the file was written by another one")
    if version != VERSION:
        _refuse(where, f"says that the file is of version {version!r}; this release reads version {VERSION!r}")
    _check_sum(text, metadata.pop(_OWN_SUM, ""), where)
    if len(table) > MOST_ENTRIES:
        _refuse(where, f"lists {len(table)} arrays; {MOST_ENTRIES} may be")
    kinds = _table(metadata.pop(_KINDS, None), where, "kinds")
    sums = _table(metadata.pop(_SUMS, None), where, "checksums")
    if set(sums) != set(table) or not set(kinds) <= set(table):
        _refuse(where, "has checksums or kinds of other names than those of the arrays")
    buffer = 8 + len(text)
    entries = {name: _entry(name, row, kinds.get(name), sums[name], buffer, where) for name, row in table.items()}
    _check_places(entries, buffer, size, path)
    return entries, metadata


def _refuse(where: str, why: str) -> NoReturn:
    raise FileFormatError(f"{where}: {why}")


def _check_sum(text: bytes, said: str, where: str) -> None:
    found = zlib.crc32(text.rstrip(b" ").replace(_own_sum(said), _own_sum(_NO_SUM)))
    if said != f"{found:08x}":
        _refuse(where, f"is not what was written: its checksum is {found:08x}, it was {said[:30]!r}")


def _table(text: str | None, where: str, what: str) -> dict[str, Any]:
    found = None if text is None else parsed(text, f"{where}: {what}")
    if not isinstance(found, dict):
        _refuse(where, f"has no table of {what}")
    return found


def _entry(name: str, row: Any, kind: Any, checksum: Any, buffer: int, where: str) -> Entry:
    """The entry of one row of the table."""
    if not isinstance(row, dict) or set(row) != {"dtype", "shape", "data_offsets"}:
        _refuse(where, f"the row of {name!r} is not made of dtype, shape and data_offsets")
    shape, offsets = _whole(row["shape"], name, where), _whole(row["data_offsets"], name, where)
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        _refuse(where, f"the offsets of {name!r} are {list(offsets)}")
    length = offsets[1] - offsets[0]
    dtype = _dtype(row["dtype"], kind, name, where)
    if kind is not None:
        stored, shape = shape, _whole(kind.get("shape"), name, where)
        if stored != ((length,) if dtype is string else (*shape, 2)):
            _refuse(where, f"{name!r}: {dtype.name} of the shape {list(shape)} is not kept as {list(stored)}")
    count = math.prod(shape)
    if math.prod(max(size, 1) for size in shape) * 16 >= 2**63:  # numpy counts the bytes without the empty axes
        _refuse(where, f"{name!r} has the shape {list(shape)}, which no array has")
    fits = length >= 8 * count and (count > 0 or not length) if dtype is string else length == count * dtype.size
    if not fits:
        _refuse(where, f"{name!r} has {length} bytes, which {dtype.name} of the shape {list(shape)} does not have")
    if not (isinstance(checksum, str) and len(checksum) == 8 and all(c in "0123456789abcdef" for c in checksum)):
        _refuse(where, f"the checksum of {name!r} is no 8 hexadecimal digits")
    return Entry(dtype, shape, buffer + offsets[0], length, int(checksum, 16))


def _whole(numbers: Any, name: str, where: str) -> tuple[int, ...]:
    if not isinstance(numbers, list) or not all(type(n) is int and n >= 0 for n in numbers):
        _refuse(where, f"the shape or the offsets of {name!r} are no list of integers >= 0")
    if len(numbers) > LARGEST_RANK:
        _refuse(where, f"{name!r} has {len(numbers)} axes; {LARGEST_RANK} may be")
    return tuple(numbers)


_BY_CODE: Final = {_CODES[t.name]: t for t in ALL if t is not string and not t.is_complex and t.name in _CODES}


def _dtype(code: Any, kind: Any, name: str, where: str) -> DType:
    if kind is None:
        if not isinstance(code, str) or code not in _BY_CODE:
            _refuse(where, f"the dtype of {name!r} is {code!r}; known are {', '.join(sorted(_BY_CODE))}")
        return _BY_CODE[code]
    said = kind.get("dtype") if isinstance(kind, dict) else None
    if not (said in ("complex64", "complex128", "string") and _CODES[said] == code):
        _refuse(where, f"the kind of {name!r} is {said!r}, kept as {code!r}")
    return as_dtype(said)


def _check_places(entries: Mapping[str, Entry], buffer: int, size: int, path: str) -> None:
    """The arrays must fill the file: no gap, no overlap, nothing behind them."""
    end = buffer
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].length)):
        if entry.start != end:
            what = "overlaps with the one before" if entry.start < end else "leaves a gap before it"
            raise FileFormatError(f"{path}: at byte {entry.start}: the array {name!r} {what}, which ends at byte {end}")
        end += entry.length
    if end != size:
        what = "is cut off" if size < end else "goes on behind its last array"
        found = f"it has {size} bytes, its header says {end}"
        raise FileFormatError(f"{path}: at byte {min(size, end)}: the file {what}; {found}")
