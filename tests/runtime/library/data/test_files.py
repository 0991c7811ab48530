"""Datasets of files: lines, records, arrays, CSV; and what happens where a file is damaged."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DataLossError, InvalidArgumentError, NotFoundError
from runtime.library.data import Dataset, NpyDataset, TextLineDataset, TFRecordDataset
from runtime.library.data.experimental import CsvDataset, make_csv_dataset
from tests.runtime.library.data.comparing import elements
from tests.runtime.library.data.test_checksums import bit_by_bit


def until_it_breaks(dataset: Dataset) -> tuple[list[Any], Exception]:
    """The elements before the first error, and that."""
    found: list[Any] = []
    iterator = dataset.as_numpy_iterator()
    with pytest.raises(Exception) as error:
        while True:
            found.append(next(iterator))
    return found, error.value


# -- text --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [b"", b"\n", b"a", b"a\n", b"a\n\nb", b"a\r\nb\r\n", b"\xff\xfe\n\0x", b"x" * 700_000])
def test_lines_are_those_of_python(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(text)
    wanted = [line.removesuffix(b"\n").removesuffix(b"\r") for line in io.BytesIO(text)]
    assert elements(TextLineDataset(str(path))) == wanted
    assert elements(TextLineDataset(path).batch(2)) == [wanted[i : i + 2] for i in range(0, len(wanted), 2)]


def test_lines_across_pieces(tmp_path: Path) -> None:
    rng = random.Random(1)
    lines = [bytes(rng.choices(b"abc \xc3\xa4", k=rng.choice([0, 3, 80, 5000]))) for _ in range(2000)]
    path = tmp_path / "a.txt"
    path.write_bytes(b"\n".join(lines) + b"\n")
    assert elements(TextLineDataset(str(path))) == lines


@pytest.mark.parametrize(("kind", "pack"), [("GZIP", gzip.compress), ("ZLIB", zlib.compress)])
def test_packed_files(tmp_path: Path, kind: str, pack: Any) -> None:
    path = tmp_path / "packed"
    path.write_bytes(pack(b"one\ntwo\n" * 50_000))
    assert elements(TextLineDataset(str(path), kind).take(3)) == [b"one", b"two", b"one"]
    assert len(elements(TextLineDataset(str(path), kind))) == 100_000
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataLossError, match=f"{path}, (near|at) byte"):
        elements(TextLineDataset(str(path), kind))
    path.write_bytes(b"no archive")
    with pytest.raises(DataLossError, match=str(path)):
        elements(TextLineDataset(str(path), kind))
    with pytest.raises(InvalidArgumentError, match="'LZMA'"):
        TextLineDataset(str(path), "LZMA")


def test_several_files_in_turn_or_by_turns(tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.txt").write_text("".join(f"{name}{i}\n" for i in range(3)))
    names = [str(tmp_path / f"{name}.txt") for name in "abc"]
    wanted = [f"{name}{i}".encode() for name in "abc" for i in range(3)]
    assert elements(TextLineDataset(names)) == wanted
    assert elements(TextLineDataset(Dataset.from_tensor_slices(names))) == wanted
    assert elements(TextLineDataset(tf.constant(names))) == wanted
    assert elements(TextLineDataset(names, num_parallel_reads=2))[:4] == [b"a0", b"b0", b"a1", b"b1"]
    listed = Dataset.list_files(str(tmp_path / "*.txt"), shuffle=False)
    assert elements(listed) == [name.encode() for name in names]
    assert elements(listed.interleave(TextLineDataset, cycle_length=3))[:3] == [b"a0", b"b0", b"c0"]
    assert sorted(elements(Dataset.list_files(str(tmp_path / "*.txt"), seed=1))) == elements(listed)


def test_files_are_looked_for_when_the_graph_runs(tmp_path: Path) -> None:
    names = tf.function(lambda pattern: list(Dataset.list_files(pattern, shuffle=False)))
    here = tf.function(lambda: list(Dataset.list_files(str(tmp_path / "*.txt"), seed=3)))
    with pytest.raises(tf.errors.NotFoundError, match="no file matches"):
        here()
    for count in (1, 2):
        (tmp_path / f"{count}.txt").write_text("")
        wanted = [str(tmp_path / f"{n + 1}.txt").encode() for n in range(count)]
        assert [x.numpy() for x in names(tf.constant(str(tmp_path / "*.txt")))] == wanted
        assert sorted(x.numpy() for x in here()) == wanted


def test_a_file_that_is_not_there_is_named_when_its_turn_comes(tmp_path: Path) -> None:
    there, missing = tmp_path / "there", tmp_path / "missing"
    there.write_text("x\n")
    found, error = until_it_breaks(TextLineDataset([str(there), str(missing)]))
    assert found == [b"x"]
    assert isinstance(error, NotFoundError) and str(missing) in str(error)
    with pytest.raises(NotFoundError, match="no file matches"):
        Dataset.list_files(str(tmp_path / "*.nothing"))


def test_files_are_read_in_a_graph(tmp_path: Path) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("\n".join(map(str, range(10))))

    @tf.function
    def total(name: Any) -> Any:
        s = tf.constant(0)
        for line in TextLineDataset(name):
            s += tf.strings.to_number(line, tf.int32)
        return s

    assert int(total(tf.constant(str(path)))) == 45


# -- records -----------------------------------------------------------------------------------------------------------


RECORDS = [b"", b"one", b"x" * 5000, bytes(range(256)) * 2000]


def written(path: Path, records: list[bytes], options: Any = None) -> str:
    with tf.io.TFRecordWriter(str(path), options) as writer:
        for record in records:
            writer.write(record)
    return str(path)


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
def test_records_are_read_as_they_were_written(tmp_path: Path, kind: str) -> None:
    path = written(tmp_path / "r", RECORDS, tf.io.TFRecordOptions(kind))
    assert elements(TFRecordDataset(path, kind)) == RECORDS
    with pytest.raises(TypeError, match="a record is bytes"):
        written(tmp_path / "s", [3])  # type: ignore[list-item]


def test_the_file_of_a_record_is_that_of_the_format(tmp_path: Path) -> None:
    """Length, masked checksum, data, masked checksum; the mask turns right by 15 and adds a constant."""

    def masked(data: bytes) -> bytes:
        crc = bit_by_bit(data)
        return struct.pack("<I", ((crc >> 15 | crc << 17 & 0xFFFFFFFF) + 0xA282EAD8) & 0xFFFFFFFF)

    path = written(tmp_path / "r", [b"hello"])
    length = struct.pack("<Q", 5)
    assert Path(path).read_bytes() == length + masked(length) + b"hello" + masked(b"hello")


def test_each_damaged_byte_is_noticed_and_nothing_of_its_record_is_given(tmp_path: Path) -> None:
    records = [b"first", b"second record", b"third"]
    path = Path(written(tmp_path / "r", records))
    whole = path.read_bytes()
    starts = [0, 21, 21 + 29]
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        found, error = until_it_breaks(TFRecordDataset(str(path)))
        number = sum(position >= start for start in starts) - 1
        assert found == records[:number]
        assert isinstance(error, DataLossError) and f"{path}, at byte {starts[number]}" in str(error)


def test_each_place_where_a_file_ends_too_early_is_noticed(tmp_path: Path) -> None:
    records = [b"first", b"second record"]
    path = Path(written(tmp_path / "r", records))
    whole = path.read_bytes()
    for length in range(1, len(whole)):
        path.write_bytes(whole[:length])
        if length == 21:
            assert elements(TFRecordDataset(str(path))) == records[:1]
            continue
        found, error = until_it_breaks(TFRecordDataset(str(path)))
        assert found == records[: length > 21]
        assert isinstance(error, DataLossError) and "ends" in str(error)


def test_the_file_after_a_damaged_one_can_still_be_read(tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", written(tmp_path / "good", [b"fine"])
    bad.write_bytes(b"no record at all")
    iterator = iter(TFRecordDataset([str(bad), good]))
    with pytest.raises(DataLossError):
        next(iterator)
    assert next(iterator).numpy() == b"fine"


# -- arrays ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "<i8", "u1", "?", "<c8"])
def test_rows_of_arrays(tmp_path: Path, dtype: str) -> None:
    array = np.arange(24).reshape(6, 4).astype(dtype)
    np.save(tmp_path / "a.npy", array)
    dataset = NpyDataset(str(tmp_path / "a.npy"))
    assert dataset.element_spec.shape == [4]
    assert elements(dataset) == array.tolist()
    assert np.array_equal(np.array(elements(dataset.batch(4).unbatch())), array)


def test_arrays_with_objects_are_never_unpickled(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "sprung",))

    np.save(tmp_path / "a.npy", np.array([Trap()], object), allow_pickle=True)
    with pytest.raises(InvalidArgumentError, match="could run any code"):
        NpyDataset(str(tmp_path / "a.npy"))
    assert not (tmp_path / "sprung").exists()


def test_damaged_arrays_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.npy"
    np.save(path, np.zeros((100, 3)))
    whole = path.read_bytes()
    dataset = NpyDataset(str(path))
    path.write_bytes(whole[:-1])
    found, error = until_it_breaks(dataset)
    assert found == [] and isinstance(error, DataLossError)
    assert f"{path}, at byte {len(whole) - 1}" in str(error) and f"byte {len(whole)}" in str(error)
    for wrong in (
        b"",
        b"\x93NUM",
        b"PK\x03\x04",
        whole[:40],
        whole[:6] + b"\x09" + whole[7:],
        whole[:12] + b"}" + whole[13:],
    ):
        path.write_bytes(wrong)
        with pytest.raises(DataLossError, match=str(path)):
            NpyDataset(str(path))


def test_arrays_that_cannot_be_read_row_by_row(tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", np.asfortranarray(np.zeros((3, 2))))
    np.save(tmp_path / "scalar.npy", np.zeros(()))
    np.save(tmp_path / "a.npy", np.zeros((3, 2)))
    np.save(tmp_path / "b.npy", np.zeros((3, 4)))
    for name, words in (("f.npy", "column by column"), ("scalar.npy", "no rows")):
        with pytest.raises(InvalidArgumentError, match=words):
            NpyDataset(str(tmp_path / name))
    with pytest.raises(InvalidArgumentError, match="as in the first file"):
        elements(NpyDataset([str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]))


# -- CSV ---------------------------------------------------------------------------------------------------------------

TABLE = 'n,x,word\n1,2.5,hello\n2,,"a, ""b""\nc"\n3,1e3,\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def test_csv_records(table: Path) -> None:
    dataset = CsvDataset(str(table), [tf.int32, 0.5, tf.string], header=True)
    assert [spec.dtype for spec in dataset.element_spec] == [tf.int32, tf.float32, tf.string]
    assert elements(dataset) == [(1, 2.5, b"hello"), (2, 0.5, b'a, "b"\nc'), (3, 1000.0, b"")]
    assert elements(CsvDataset(str(table), [tf.string], header=True, select_cols=[2])) == [
        (b"hello",), (b'a, "b"\nc',), (b"",),
    ]  # fmt: skip
    assert elements(CsvDataset(str(table), [tf.int64], header=True, exclude_cols=[1, 2])) == [(1,), (2,), (3,)]


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("4,x,y", InvalidArgumentError, "line 6, column 2: 'x' is no float32"),
        ("4.5,1,y", InvalidArgumentError, "line 6, column 1: '4.5' is no int32"),
        ("99999999999,1,y", InvalidArgumentError, "line 6, column 1: '99999999999' is no int32"),
        ("1_000,1,y", InvalidArgumentError, "'1_000' is no int32"),
        (",1,y", InvalidArgumentError, "line 6, column 1: the field is empty"),
        ("4,1", DataLossError, "line 6: a record of 2 fields, where 3 were expected"),
        ("4,1,y,z", DataLossError, "line 6: a record of 4 fields, where 3"),
        ('4,1,"y', DataLossError, "line 6"),
        ('4,1,"y"z', DataLossError, "line 6"),
    ],
)
def test_what_is_wrong_with_a_record_is_said_with_its_line(table: Path, line: str, kind: type, words: str) -> None:
    table.write_text(TABLE + line)
    found, error = until_it_breaks(CsvDataset(str(table), [tf.int32, 0.5, tf.string], header=True))
    assert len(found) == 3, "the records before are given"
    assert isinstance(error, kind)
    assert f"{table}, {words}" in str(error) or words in str(error)


def test_batches_of_columns(table: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"num_epochs": 1, "shuffle": False}
    ((row, label),) = make_csv_dataset(str(table), 3, label_name="word", **options)
    assert list(row) == ["n", "x"] and row["n"].dtype == tf.int32 and row["x"].dtype == tf.float32
    assert row["x"].numpy().tolist() == [2.5, 0.0, 1000.0] and label.numpy().tolist() == [b"hello", b'a, "b"\nc', b""]
    (only,) = make_csv_dataset(str(table), 3, select_columns=["x"], column_defaults=[tf.constant(-1.0)], **options)
    assert {k: v.numpy().tolist() for k, v in only.items()} == {"x": [2.5, -1.0, 1000.0]}
    (named,) = make_csv_dataset(str(table), 9, column_names=["a", "b", "c"], header=False, **options)
    assert named["a"].numpy().tolist() == [b"n", b"1", b"2", b"3"]
    with pytest.raises(ValueError, match="'nope' is none of the columns: n, x, word"):
        make_csv_dataset(str(table), 2, label_name="nope")


def test_batches_of_columns_are_shuffled_and_repeated_by_default(table: Path) -> None:
    dataset = make_csv_dataset(str(table), 2, shuffle_seed=1)
    batches = [row["n"].numpy().tolist() for row, _ in zip(dataset, range(6))]
    assert sorted([n for batch in batches[:3] for n in batch]) == [1, 1, 2, 2, 3, 3]
