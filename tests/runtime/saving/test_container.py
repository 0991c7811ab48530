"""Containers: what is written comes back bit by bit, by other readers too, and no damage goes unnoticed."""

from __future__ import annotations

import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runtime.checkpoint.container import read_container, write_container
from runtime.dtypes import ALL, string
from runtime.errors import FailedPreconditionError, FileFormatError, InvalidArgumentError, NotFoundError

TEXTS = np.array([[b"one", b""], [b"\x00\xff", "grün".encode()]], object)


def all_arrays() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    found: dict[str, Any] = {"texts": TEXTS, "no texts": np.empty([0, 3], object)}
    for dtype in ALL:
        if dtype is not string:
            numbers = rng.integers(0, 2, [2, 3]) if dtype.is_bool else rng.normal(size=[2, 3]) * 50
            found[dtype.name] = np.abs(numbers).astype(dtype.numpy)
            found[f"{dtype.name}/scalar"] = np.ones([], dtype.numpy)
            found[f"{dtype.name}/empty"] = np.ones([2, 0], dtype.numpy)
    found["strided"] = np.arange(12.0).reshape(3, 4)[::-1, ::2]
    found["big-endian"] = np.arange(3, dtype=">i4")
    return found


def test_every_dtype_comes_back_bit_by_bit(tmp_path: Path) -> None:
    arrays = all_arrays()
    write_container(tmp_path / "file", arrays, {"note": "a \u00e9 / \n"})
    found = read_container(tmp_path / "file")
    assert found.metadata == {"note": "a \u00e9 / \n"}
    assert set(found.entries) == set(arrays)
    for name, array in found.arrays().items():
        assert array.dtype == arrays[name].dtype.newbyteorder("=") and array.shape == arrays[name].shape
        assert array.tolist() == arrays[name].tolist()
        assert (array.flags.owndata and array.flags.writeable) or array.dtype == object


def test_the_layout_is_that_of_safetensors(tmp_path: Path) -> None:
    """Read here with the struct module alone: length, table, buffer; rows by falling size of their elements."""
    arrays = {"b": np.uint8([7, 8]), "a": np.float32([[1.5]]), "c": np.complex64([1 + 2j])}
    write_container(tmp_path / "file", arrays, {})
    data = (tmp_path / "file").read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    table = json.loads(data[8 : 8 + length])
    assert length % 8 == 0
    assert table["c"] == {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}
    assert table["a"] == {"dtype": "F32", "shape": [1, 1], "data_offsets": [8, 12]}
    assert table["b"] == {"dtype": "U8", "shape": [2], "data_offsets": [12, 14]}
    assert data[8 + length :] == struct.pack("<fffBB", 1.0, 2.0, 1.5, 7, 8)


def test_the_same_arrays_give_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    arrays = all_arrays()
    write_container(tmp_path / "one", arrays, {"x": "1", "y": "2"})
    write_container(tmp_path / "two", dict(reversed(arrays.items())), {"y": "2", "x": "1"})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_an_open_container_stays_what_it_is_when_the_file_is_replaced_or_deleted(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"x": np.arange(3)}, {})
    found = read_container(tmp_path / "file")
    write_container(tmp_path / "file", {"x": np.arange(5)}, {})
    os.unlink(tmp_path / "file")
    assert found.array("x").tolist() == [0, 1, 2]


def test_a_file_that_is_cut_off_while_it_is_open_is_told(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"x": np.arange(1000)}, {})
    found = read_container(tmp_path / "file")
    os.truncate(tmp_path / "file", os.path.getsize(tmp_path / "file") - 1)
    for read in (found.array, found.check):
        with pytest.raises(FileFormatError, match=r"file: at byte \d+: the file (ends too early|is cut off)"):
            read("x")


def test_one_other_byte_anywhere_is_told(tmp_path: Path) -> None:
    """Also in texts and numbers: each array has a checksum."""
    arrays = {"texts": TEXTS, "bools": np.array([True, False]), "numbers": np.arange(3.0)}
    write_container(tmp_path / "file", arrays, {})
    data = bytearray((tmp_path / "file").read_bytes())
    rng = random.Random(0)
    length = struct.unpack_from("<Q", data)[0]
    places = [*range(8 + length, len(data)), *rng.sample(range(8 + length), 150)]
    for place in places:
        changed = bytearray(data)
        changed[place] ^= 1 << rng.randrange(8)
        (tmp_path / "changed").write_bytes(changed)
        with pytest.raises(FileFormatError, match="at byte") as told:
            read_container(tmp_path / "changed").arrays()
        assert str(tmp_path / "changed") in str(told.value)


def test_every_shorter_file_is_refused(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"x": np.arange(3)}, {})
    data = (tmp_path / "file").read_bytes()
    for size in range(len(data)):
        (tmp_path / "short").write_bytes(data[:size])
        with pytest.raises(FileFormatError, match=r"short: (the header )?at byte \d+"):
            read_container(tmp_path / "short").arrays()


def forged(tmp_path: Path, change: Any, behind: bytes = b"") -> Path:
    """A file whose header somebody changed."""
    write_container(tmp_path / "file", {"x": np.arange(3), "s": np.array([b"abc"], object)}, {})
    data = (tmp_path / "file").read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    table = json.loads(data[8 : 8 + length])
    table["__metadata__"]["header"] = "0" * 8
    text = change(table)
    text = (json.dumps(table, separators=(",", ":")) if text is None else text).encode()
    text = text.replace(b'"header":"00000000"', b'"header":"%08x"' % zlib.crc32(text))
    (tmp_path / "forged").write_bytes(struct.pack("<Q", len(text)) + text + data[8 + length :] + behind)
    return tmp_path / "forged"


def put(*path: str, value: Any) -> Any:
    def change(table: Any) -> None:
        for step in path[:-1]:
            table = table[step]
        table[path[-1]] = value

    return change


def kinds(value: Any) -> Any:
    return put("__metadata__", "kinds", value=json.dumps(value))


FORGED = {
    "8 TiB": put("x", "shape", value=[2**40]),
    "product of 2**192": put("x", "shape", value=[2**62, 2**62, 2**62, 24]),
    "empty of 2**186": put("x", "shape", value=[0, 2**62, 2**62, 2**62]),
    "rank": put("x", "shape", value=[1] * 70),
    "negative": put("x", "shape", value=[-3]),
    "bool as size": put("x", "shape", value=[True]),
    "float as size": put("x", "shape", value=[3.0]),
    "offsets backwards": put("x", "data_offsets", value=[24, 0]),
    "offsets beyond": put("x", "data_offsets", value=[2**60, 2**60 + 24]),
    "overlap": put("s", "data_offsets", value=[0, 11]),
    "gap": put("s", "data_offsets", value=[25, 36]),
    "dtype": put("x", "dtype", value="F128"),
    "dtype is a list": put("x", "dtype", value=[]),
    "row": put("x", value=[]),
    "more in a row": put("x", "more", value=1),
    "checksum": put("__metadata__", "checksums", value='{"x":"zzzzzzzz","s":"00000000"}'),
    "checksums of others": put("__metadata__", "checksums", value='{"y":"00000000"}'),
    "no checksums": lambda table: table["__metadata__"].pop("checksums") and None,
    "version": put("__metadata__", "autograph-runtime", value="2"),
    "foreign": lambda table: table["__metadata__"].pop("autograph-runtime") and None,
    "metadata": put("__metadata__", value={"a": 1}),
    "text count": kinds({"s": {"dtype": "string", "shape": [2**60]}}),
    "text of none": kinds({"s": {"dtype": "string", "shape": [0]}}),
    "kind": kinds({"s": {"dtype": "complex64", "shape": [1]}}),
    "kind is a number": kinds({"s": 3}),
    "kind of others": kinds({"z": {"dtype": "string", "shape": [1]}}),
    "long number": lambda table: json.dumps(table).replace("[3]", "[" + "9" * 5000 + "]"),
    "two equal keys": lambda table: json.dumps(table)[:-1] + ', "x": 1}',
    "deep": lambda table: "[" * 100_000,
    "deep in order": lambda table: "[" * 100_000 + "]" * 100_000,
    "NaN": lambda table: json.dumps(table)[:-1] + ', "y": NaN}',
    "list": lambda table: "[]",
    "no JSON": lambda table: "{x}",
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_header_is_refused_before_memory_is_taken(tmp_path: Path, kind: str) -> None:
    with pytest.raises(FileFormatError, match=r"forged: .*at byte \d+"):
        read_container(forged(tmp_path, FORGED[kind]))


def test_what_is_not_forged_is_read(tmp_path: Path) -> None:
    assert read_container(forged(tmp_path, lambda table: None)).array("s").tolist() == [b"abc"]
    with pytest.raises(FileFormatError, match="goes on behind its last array"):
        read_container(forged(tmp_path, lambda table: None, b"!"))


def test_the_lengths_of_texts_are_checked(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"s": np.array([b"abc"], object)}, {})
    data = (tmp_path / "file").read_bytes()
    good, bad = data[-11:], struct.pack("<Q", 2**63) + b"abc"
    (length,) = struct.unpack_from("<Q", data)
    text = data[8 : 8 + length].rstrip().replace(b"%08x" % zlib.crc32(good), b"%08x" % zlib.crc32(bad))
    text = re.sub(rb'"header":"\w{8}"', b'"header":"00000000"', text)
    text = text.replace(b'"header":"00000000"', b'"header":"%08x"' % zlib.crc32(text)).ljust(length)
    (tmp_path / "file").write_bytes(data[:8] + text + bad)
    with pytest.raises(FileFormatError, match=r"at byte \d+: the lengths of the texts of 's' are wrong"):
        read_container(tmp_path / "file").array("s")


def test_a_header_may_be_limited(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {f"a long name {i}": np.zeros(1) for i in range(100)}, {})
    with pytest.raises(FileFormatError, match="a header at most 1000"):
        read_container(tmp_path / "file", largest_header=1000)


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nowhere: no such file"):
        read_container(tmp_path / "nowhere")
    with pytest.raises(FailedPreconditionError, match="is no file"):
        read_container(tmp_path)


@pytest.mark.parametrize("array", [np.array(["text"]), np.array([1, "a"], object), np.zeros(1, [("a", "i4")])])
def test_other_arrays_are_refused_and_leave_the_old_file(tmp_path: Path, array: Any) -> None:
    write_container(tmp_path / "file", {"x": np.arange(3)}, {})
    with pytest.raises(TypeError, match="'y' is an array of .* it cannot be written"):
        write_container(tmp_path / "file", {"y": array}, {})
    assert read_container(tmp_path / "file").array("x").tolist() == [0, 1, 2]
    assert os.listdir(tmp_path) == ["file"]


def test_reserved_metadata_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"may not have the keys \['checksums'\]"):
        write_container(tmp_path / "file", {}, {"checksums": "x"})
    with pytest.raises(ValueError, match="an array of a container may not have the name '__metadata__'"):
        write_container(tmp_path / "file", {"__metadata__": np.zeros(1)}, {})


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgumentError, match="cannot be written"):
        write_container(tmp_path / "file" / "inside", {}, {})


CRASH = """
import os, sys
import numpy as np
from runtime.checkpoint import container
count = 0
write = container._write
def write_and_stop(file, data):
    global count
    count += 1
    if count == int(sys.argv[2]):
        file.write(memoryview(data)[: len(data) // 2])
        os._exit(9)
    return write(file, data)
container._write = write_and_stop
container.write_container(sys.argv[1], {"x": np.arange(5), "y": np.zeros(9)}, {})
"""


def test_a_crash_while_writing_leaves_the_old_file_and_the_next_write_sweeps(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"x": np.arange(3)}, {})
    for step in (1, 3, 4):
        done = subprocess.run([sys.executable, "-c", CRASH, str(tmp_path / "file"), str(step)], check=False)
        assert done.returncode == 9
        assert read_container(tmp_path / "file").array("x").tolist() == [0, 1, 2]
        assert len(os.listdir(tmp_path)) == 2
    write_container(tmp_path / "other", {}, {})
    assert sorted(os.listdir(tmp_path)) == ["file", "other"]


def test_the_new_file_has_the_mode_of_the_old_one_and_links_stay(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {}, {})
    assert os.stat(tmp_path / "file").st_mode & 0o777 == 0o666 & ~mask()
    os.chmod(tmp_path / "file", 0o640)
    os.symlink(tmp_path / "file", tmp_path / "link")
    write_container(tmp_path / "link", {"x": np.arange(3)}, {})
    assert os.path.islink(tmp_path / "link")
    assert os.stat(tmp_path / "file").st_mode & 0o777 == 0o640
    assert read_container(tmp_path / "file").array("x").tolist() == [0, 1, 2]


def mask() -> int:
    found = os.umask(0)
    os.umask(found)
    return found


def test_large_arrays_take_no_second_copy(tmp_path: Path) -> None:
    import tracemalloc

    array = np.arange(4_000_000, dtype=np.float64)
    tracemalloc.start()
    write_container(tmp_path / "file", {"x": array}, {})
    found = read_container(tmp_path / "file")
    found.check("x")
    target = np.empty_like(array)
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    found.read_into("x", target)
    found.check("x")
    write_container(tmp_path / "file", {"x": array}, {})
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert (target == array).all()
    assert peak < 8 << 20 < array.nbytes


def test_what_was_checked_is_checked_again_where_the_file_has_changed_since(tmp_path: Path) -> None:
    numbers = np.arange(1000.0)
    write_container(tmp_path / "file", {"x": numbers}, {})
    found = read_container(tmp_path / "file")
    target = np.zeros(1000)
    found.check("x")
    found.read_into("x", target, checked=True)
    assert (target == numbers).all()
    data = bytearray((tmp_path / "file").read_bytes())
    data[-1] ^= 1
    with open(tmp_path / "file", "r+b") as file:  # in place: another file under this name would not be seen
        file.write(data)
    os.utime(tmp_path / "file", ns=(1, 1))
    with pytest.raises(FileFormatError, match="the 8000 bytes of 'x' are not those that were written"):
        found.read_into("x", target, checked=True)


def test_read_into_takes_only_what_fits(tmp_path: Path) -> None:
    write_container(tmp_path / "file", {"x": np.arange(6.0).reshape(2, 3)}, {})
    found = read_container(tmp_path / "file")
    for target in (np.zeros([3, 2]), np.zeros([2, 3], np.float32), np.zeros([3, 2]).T):
        with pytest.raises(ValueError, match="does not go into"):
            found.read_into("x", target)
