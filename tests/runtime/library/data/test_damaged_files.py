"""Files with each of their bytes changed or missing: what comes is the data, or an error that names the file."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DataLossError, InvalidArgumentError
from runtime.library.data import NpyDataset, TextLineDataset, TFRecordDataset
from runtime.library.data.experimental import CsvDataset
from tests.runtime.library.data.comparing import elements


def damaged(whole: bytes) -> Any:
    """Files that end too early, and files in which one bit of a byte is turned."""
    for i in range(len(whole)):
        yield whole[:i]
        yield whole[:i] + bytes([whole[i] ^ 1 << i % 8]) + whole[i + 1 :]


@pytest.mark.parametrize(("kind", "pack"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_packed_records(tmp_path: Path, kind: str, pack: Any) -> None:
    plain, path = tmp_path / "plain", tmp_path / "packed"
    records = [b"", b"one", b"twenty-seven" * 9]
    with tf.io.TFRecordWriter(plain) as writer:
        for record in records:
            writer.write(record)
    whole = pack(plain.read_bytes())
    dataset = TFRecordDataset(str(path), kind)
    for data in damaged(whole):
        path.write_bytes(data)
        try:
            assert elements(dataset) == (records if data else []), "a byte of the header that says nothing"
        except DataLossError as error:
            assert str(path) in str(error)
    path.write_bytes(whole + whole)
    assert elements(dataset) == records + records, "two packed files, one after the other, are one"
    path.write_bytes(whole + b"more")
    with pytest.raises(DataLossError, match=f"{path}, near byte"):
        elements(dataset)


def test_arrays(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.arange(6, dtype=np.float32).reshape(3, 2))
    whole = path.read_bytes()
    for data in damaged(whole[:-24]):
        path.write_bytes(data + whole[-24:] * (len(data) == len(whole) - 24))
        try:
            assert sum(np.size(row) for row in elements(NpyDataset(str(path)))) * 4 <= 24
        except (DataLossError, InvalidArgumentError) as error:
            assert str(path) in str(error)
    for shape in ("(-3, -2)", "(3, -2)", "(9**9, 2)", "(" * 99):
        path.write_bytes(whole.replace(b"(3, 2)", shape.encode().ljust(6)))
        with pytest.raises(DataLossError, match=str(path)):
            elements(NpyDataset(str(path)))


def test_an_array_that_becomes_shorter_while_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.zeros((100_000, 8)))
    iterator = iter(NpyDataset(str(path)))
    next(iterator)
    with path.open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(DataLossError, match=f"{path}, at byte 1000000: the file has become shorter"):
        for _ in iterator:
            pass


def test_arrays_of_other_things_than_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    for array in (np.array(["a", "b"]), np.zeros(2, [("x", "i4")]), np.zeros(2, "M8[s]")):
        np.save(path, array)
        with pytest.raises(InvalidArgumentError, match="are not read: save numbers"):
            NpyDataset(str(path))


def test_long_lines_and_large_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    long = "x" * 200_000
    path.write_text(f"1,2\n1e39,{long}\n")
    assert elements(TextLineDataset(str(path)))[1] == f"1e39,{long}".encode()
    dataset = CsvDataset(str(path), [tf.float32, tf.string])
    with pytest.raises(DataLossError, match=r"line 2: field larger than field limit \(131072\); csv.field_size_limit"):
        elements(dataset)
    path.write_text("1e39,-1e400\n")
    assert elements(CsvDataset(str(path), [tf.float32, tf.float32])) == [(float("inf"), -float("inf"))]
