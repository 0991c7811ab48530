"""Files read and written, tensors as texts: eager and each time that a graph runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf

ARRAYS = [
    np.array(1.5, np.float32), np.arange(6, dtype=np.int64).reshape(2, 3), np.zeros((0, 3), np.uint8), np.array([True]),
    np.array([1 + 2j]), np.arange(300, dtype=np.int32), np.array([2**64 - 1], np.uint64), np.array(["a", "é", ""]),
    np.zeros((2, 0), np.str_), np.array([[-1.0], [np.inf]], np.float16),
]  # fmt: skip


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_tensors_there_and_back(array: Any) -> None:
    tensor = tf.constant(array)

    @tf.function
    def through(x: Any) -> Any:
        return tf.io.parse_tensor(tf.io.serialize_tensor(x), x.dtype)

    for made in (tf.io.parse_tensor(tf.io.serialize_tensor(tensor), tensor.dtype), through(tensor)):
        assert made.dtype is tensor.dtype and made.shape == tensor.shape
        np.testing.assert_array_equal(made.numpy(), tensor.numpy())


def test_the_format_is_that_of_tensor_protos() -> None:
    head, content = b"\x08\x03\x12\x04\x12\x02\x08\x02", b"\x22\x08\x01\x00\x00\x00\x02\x00\x00\x00"
    assert tf.io.serialize_tensor([1, 2]).numpy() == head + content
    assert tf.io.serialize_tensor(["ab"]).numpy() == b"\x08\x07\x12\x04\x12\x02\x08\x01\x42\x02ab"


@pytest.mark.parametrize("cut", range(0, 18, 3))
def test_damaged_texts_are_refused(cut: int) -> None:
    whole = tf.io.serialize_tensor([1, 2]).numpy()
    with pytest.raises((tf.errors.DataLossError, tf.errors.DtypeMismatchError)):
        tf.io.parse_tensor(whole[:cut], tf.int32)
    with pytest.raises((tf.errors.DataLossError, tf.errors.DtypeMismatchError)):
        tf.io.parse_tensor(whole[:cut] + b"\xff" + whole[cut:], tf.int32)


def test_another_dtype_and_shape_are_refused() -> None:
    with pytest.raises(tf.errors.DtypeMismatchError, match=r"int32; out_type is float32"):
        tf.io.parse_tensor(tf.io.serialize_tensor([1]), tf.float32)
    with pytest.raises(tf.errors.ShapeMismatchError, match="scalar"):
        tf.io.parse_tensor([b"a", b"b"], tf.int32)


def test_files_are_written_and_read_in_the_order_of_the_program(tmp_path: Path) -> None:
    name = tmp_path / "new" / "note.txt"

    @tf.function
    def twice(text: Any) -> Any:
        tf.io.write_file(name, text)
        first = tf.io.read_file(name)
        tf.io.write_file(name, first + "!")
        return first, tf.io.read_file(name)

    for text in ("one", "two \x00 é"):
        first, second = twice(tf.constant(text))
        assert first.numpy() == text.encode() and second.numpy() == name.read_bytes() == text.encode() + b"!"
    name.write_bytes(b"\xff")
    assert tf.io.read_file(tf.constant(str(name))).numpy() == b"\xff"


def test_files_that_are_not_there(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.txt")
    with pytest.raises(tf.errors.NotFoundError, match="missing.txt: no such file"):
        tf.io.read_file(missing)
    with pytest.raises(tf.errors.NotFoundError, match="missing.txt"):
        tf.function(tf.io.read_file)(missing)
    with pytest.raises(tf.errors.InvalidArgumentError, match="directory"):
        tf.io.read_file(tmp_path)
    with pytest.raises(tf.errors.ShapeMismatchError):
        tf.io.read_file(["a", "b"])

    @tf.function
    def content_or(default: Any) -> Any:
        try:
            text = tf.io.read_file(missing)
        except tf.errors.NotFoundError:
            text = default
        return text

    assert content_or(tf.constant("none")).numpy() == b"none"
