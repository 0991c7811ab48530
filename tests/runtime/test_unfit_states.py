"""What is in no state to be worked on, and what no operation can make: FailedPreconditionError, UnimplementedError."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, FailedPreconditionError, InvalidArgumentError, UnimplementedError

WAYS: list[Callable[[Any], Any]] = [lambda f: f, tf.function]


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
def test_a_directory_is_no_file(way: Callable[[Any], Any], tmp_path: Path) -> None:
    for work in (tf.io.read_file, lambda name: tf.io.write_file(name, "text")):
        with pytest.raises(FailedPreconditionError, match=f"_file: {tmp_path}: is a directory"):
            way(work)(tf.constant(str(tmp_path)))
    with pytest.raises(tf.errors.NotFoundError):
        way(tf.io.read_file)(tf.constant(str(tmp_path / "missing")))


@pytest.mark.parametrize("kind", [FailedPreconditionError, InvalidArgumentError, ValueError])
def test_handlers_in_graphs_take_it(kind: type[Exception], tmp_path: Path) -> None:
    @tf.function
    def content(name: Any) -> Any:
        try:
            text = tf.io.read_file(name)
        except tf.errors.NotFoundError:
            text = tf.constant("none")
        except kind:
            text = tf.constant("directory")
        return text

    (tmp_path / "file").write_text("here")
    found = [content(tf.constant(str(tmp_path / name))).numpy() for name in ("file", "", "other")]
    assert found == [b"here", b"directory", b"none"]


@pytest.mark.parametrize("compression", ["", "GZIP", "ZLIB"])
def test_a_writer_that_has_been_closed(compression: str, tmp_path: Path) -> None:
    name = str(tmp_path / "records")
    writer = tf.io.TFRecordWriter(name, compression)
    writer.write(b"one")
    writer.flush()
    writer.close()
    writer.close()
    with pytest.raises(FailedPreconditionError, match="write: the writer of .*records' has been closed"):
        writer.write(b"two")
    with pytest.raises(FailedPreconditionError, match="flush: the writer"):
        writer.flush()
    assert [r.numpy() for r in tf.data.TFRecordDataset(name, compression)] == [b"one"]


@pytest.mark.parametrize("way", WAYS, ids=["eager", "graph"])
@pytest.mark.parametrize("kind", [UnimplementedError, DtypeMismatchError, NotImplementedError, TypeError])
def test_numbers_are_no_text(way: Callable[[Any], Any], kind: type[Exception]) -> None:
    with pytest.raises(kind, match=r"got string. Use runtime.strings.to_number\(x\)"):
        way(lambda x: tf.cast(x, tf.int32))(tf.constant("12"))
    with pytest.raises(kind, match=r"int32 cannot be cast to string. Use runtime.strings.as_string\(x\)"):
        way(lambda x: tf.cast(x, tf.string))(tf.constant(12))


def test_a_dtype_that_others_do_not_take_is_a_mismatch() -> None:
    with pytest.raises(DtypeMismatchError) as caught:
        tf.sin(tf.constant("12"))
    assert not isinstance(caught.value, UnimplementedError)
