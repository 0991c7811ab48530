"""Example messages as tensors: bytes that TensorFlow wrote are read, and damaged ones are refused."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.errors import DtypeMismatchError, InvalidArgumentError, ShapeMismatchError
from tests.runtime.library.io.messages import ANN, BEA, INTEGERS, integers, random_message

PEOPLE: dict[str, Any] = {
    "age": tf.io.FixedLenFeature([], tf.int64),
    "name": tf.io.FixedLenFeature([1], tf.string),
    "scores": tf.io.FixedLenFeature([2], tf.float32, [9.0, 8.0]),
}

def both_ways(call: Callable[[Any], Any], texts: Any) -> list[Any]:
    """What a function gives eagerly and in a Function that knows only that there are texts."""
    shape = [None] * np.ndim(texts)
    return [call(tf.constant(texts)), tf.function(call, input_signature=[tf.TensorSpec(shape, tf.string)])(texts)]


# -- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 10])  # one by one, and side by side
def test_bytes_that_tensorflow_wrote(times: int) -> None:
    for found in both_ways(lambda texts: tf.io.parse_example(texts, PEOPLE), [ANN, BEA] * times):
        assert found["age"].numpy().tolist() == [31, -7] * times
        assert found["name"].numpy().tolist() == [[b"Ann"], [b""]] * times
        assert found["scores"].numpy().tolist() == [[0.5, -2.0], [9.0, 8.0]] * times
        assert (found["age"].dtype, found["scores"].dtype) == (tf.int64, tf.float32)


def test_one_message() -> None:
    tags = {"tags": tf.io.VarLenFeature(tf.int64), "ages": tf.io.RaggedFeature(tf.int64, "age")}
    for found in both_ways(lambda text: tf.io.parse_single_example(text, {**PEOPLE, **tags}), BEA):
        assert found["age"].numpy() == -7
        assert tf.sparse.to_dense(found["tags"]).numpy().tolist() == [1, 300]
        assert found["ages"].numpy().tolist() == [-7]


@pytest.mark.parametrize("count", [0, 1, 7, 30])
def test_any_number_of_values(count: int) -> None:
    rows = [list(range(i % 4)) for i in range(count)]
    texts = np.array([integers(*row) for row in rows], object)
    forms = {
        "sparse": tf.io.VarLenFeature(tf.int64),
        "ragged": tf.io.RaggedFeature(tf.int64, row_splits_dtype=tf.int64),
        "padded": tf.io.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1),
    }
    most = max(map(len, rows), default=0)
    for name, form in forms.items():
        for found in both_ways(lambda t, form=form: tf.io.parse_example(t, {"a": form})["a"], texts):
            if name == "ragged":
                assert found.to_list() == rows
                assert found.row_splits.dtype is tf.int64
            elif name == "sparse":
                assert found.dense_shape.numpy().tolist() == [count, most]
                cells = [[i, j] for i, row in enumerate(rows) for j in range(len(row))]
                assert found.indices.numpy().reshape(-1, 2).tolist() == cells
                assert found.values.numpy().tolist() == [x for row in rows for x in row]
            else:
                assert found.numpy().reshape(count, most).tolist() == [row + [-1] * (most - len(row)) for row in rows]


def test_static_shapes_in_a_function() -> None:
    shapes: list[Any] = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.string)])
    def parse(texts: Any) -> Any:
        found = tf.io.parse_example(texts, {**PEOPLE, "tags": tf.io.VarLenFeature(tf.int64),
                                            "more": tf.io.RaggedFeature(tf.int64, "tags")})  # fmt: skip
        shapes.extend(found[key].shape.as_list() for key in ("age", "name", "scores", "tags", "more"))
        return found["age"]

    assert parse([ANN, BEA]).numpy().tolist() == [31, -7]
    assert shapes == [[None], [None, 1], [None, 2], [None, None], [None, None]]


def test_in_loops_and_branches() -> None:
    @tf.function
    def oldest(texts: Any) -> Any:
        best = tf.constant(-100, tf.int64)
        for text in texts:
            age = tf.io.parse_single_example(text, PEOPLE)["age"]
            if age > best:
                best = age
        return best

    assert oldest(tf.constant([BEA, ANN, BEA])).numpy() == 31
    assert oldest(tf.constant([BEA])).numpy() == -7


def test_an_error_is_caught_in_a_function() -> None:
    @tf.function
    def age(text: Any) -> Any:
        try:
            return tf.io.parse_single_example(text, PEOPLE)["age"]
        except tf.errors.InvalidArgumentError:
            return tf.constant(-1, tf.int64)

    assert [int(age(tf.constant(text))) for text in (ANN, ANN[:-1], b"")] == [31, -1, -1]


@pytest.mark.parametrize("seed", range(3))
def test_random_messages_side_by_side_and_one_by_one(seed: int) -> None:
    """Parts that repeat, lists of several kinds, unknown fields, numbers packed or not: three readers agree."""
    rng = random.Random(seed)
    kinds = {"a", "b", ""}
    kept, rows = [], []
    while len(kept) < 60:
        text = random_message(rng)
        found = tf.train.Example.FromString(text).features.feature
        if all(found[key].WhichOneof("kind") in (None, "int64_list") for key in kinds):
            kept.append(text)
            rows.append({key: list(found[key].int64_list.value) for key in kinds})
    asked = {key: tf.io.RaggedFeature(tf.int64) for key in sorted(kinds)}
    together = tf.io.parse_example(kept, asked)
    for key in kinds:
        assert together[key].to_list() == [row[key] for row in rows]
        alone = [tf.io.parse_single_example(text, asked)[key].numpy().tolist() for text in kept]
        assert alone == together[key].to_list()


# -- datasets ------------------------------------------------------------------------------------------------------


def test_records_that_are_written_and_read(tmp_path: Path) -> None:
    path = str(tmp_path / "people.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for i in range(100):
            writer.write(integers(i, i * i))
    features = {"a": tf.io.FixedLenFeature([2], tf.int64)}
    one_by_one = tf.data.TFRecordDataset(path).map(lambda text: tf.io.parse_single_example(text, features)["a"])
    assert [row.tolist() for row in one_by_one.as_numpy_iterator()] == [[i, i * i] for i in range(100)]
    batches = tf.data.TFRecordDataset(path).batch(32).map(lambda texts: tf.io.parse_example(texts, features)["a"])
    assert [batch.shape for batch in batches.as_numpy_iterator()] == [(32, 2)] * 3 + [(4, 2)]
    ragged = tf.data.TFRecordDataset(path).map(lambda text: tf.io.parse_single_example(text, INTEGERS)["a"])
    assert sum(int(tf.reduce_sum(row)) for row in ragged) == sum(i + i * i for i in range(100))


def test_before_a_damaged_record_come_the_others() -> None:
    texts = [integers(i) for i in range(50)]
    texts[30] = texts[30][:-1]
    features = {"a": tf.io.FixedLenFeature([], tf.int64)}
    dataset = tf.data.Dataset.from_tensor_slices(texts)
    dataset = dataset.map(lambda text: tf.io.parse_single_example(text, features)["a"])
    iterator, found = iter(dataset), []
    with pytest.raises(InvalidArgumentError, match="the message is damaged at byte 0"):
        while True:
            found.append(int(next(iterator)))
    assert found == list(range(30))
    assert int(next(iterator)) == 31


# -- what is refused -----------------------------------------------------------------------------------------------


def at(index: int, text: bytes) -> list[bytes]:
    """A text among others, so that it is read side by side with them."""
    return [integers(1)] * index + [text] + [integers(1)] * (20 - index)


LONG = bytes([255] * 10 + [1])

DAMAGED: list[tuple[bytes, str]] = [
    (integers(1)[:-1], "index 3 is damaged at byte 0: the field 1 reaches 1 bytes beyond"),
    (b"\x0a", "damaged at byte 0: the message ends within a number"),
    (b"\x0a\x00\x02\x01\x00", "damaged at byte 2: no field has the number 0"),
    (b"\x0b\x0c", "damaged at byte 0: the field 1 has the wire type 3"),
    (LONG, "damaged at byte 0: a number has more than 10 bytes"),
    (b"\x0a" + LONG, "damaged at byte 0: a number has more than 10 bytes"),
    (b"\x0a\x0c\x0a\x0a\x0a\x01a\x12\x05\x1a\x03\x0a\x01\x81", "damaged at byte 13: packed numbers end"),
    (b"\x0a\x16\x0a\x14\x0a\x01a\x12\x0f\x1a\x0d\x0a\x0b" + LONG, "damaged at byte 13: a number has more than 10"),
    (b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "damaged at byte 0: the field 1 reaches"),
]


@pytest.mark.parametrize(("text", "words"), DAMAGED)
def test_damaged_messages(text: bytes, words: str) -> None:
    for texts in (at(3, text), at(3, text)[:4]):
        with pytest.raises(InvalidArgumentError, match=words):
            tf.io.parse_example(texts, INTEGERS)
    alone = words.replace("index 3 is ", "")
    with pytest.raises(InvalidArgumentError, match=alone):
        tf.io.parse_single_example(text, INTEGERS)
    with pytest.raises(InvalidArgumentError, match="Example: the text is " + alone):
        tf.train.Example.FromString(text)


def test_every_message_that_is_cut_off_is_refused_or_is_a_message() -> None:
    """Nothing but these errors, wherever the bytes end and whichever byte is another one."""
    texts = [ANN[:i] for i in range(len(ANN))] + [BEA[:i] + bytes([BEA[i] ^ bit]) + BEA[i + 1 :]
                                                  for i in range(len(BEA)) for bit in (1, 4, 64, 128)]  # fmt: skip
    features = {**PEOPLE, "tags": tf.io.VarLenFeature(tf.int64)}
    refused = 0
    for text in texts:
        found = []
        for given in ([text], [text] + [ANN] * 20):
            try:
                found.append(tf.io.parse_example(given, features)["age"][0].numpy())
            except InvalidArgumentError as error:
                found.append(type(error).__name__)
        assert found[0] == found[1]
        refused += isinstance(found[0], str)
    assert refused > len(texts) / 2


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "size": (lambda: tf.io.parse_example([ANN, BEA], {"age": tf.io.FixedLenFeature([2], tf.int64)}),
             InvalidArgumentError, r"'age' of the message at index 0 has 1 values; the shape \(2,\) takes 2"),
    "missing": (lambda: tf.io.parse_example([ANN, BEA], {"scores": tf.io.FixedLenFeature([2], tf.float32)}),
                InvalidArgumentError, "index 1 has no feature 'scores', which has no default"),
    "dtype": (lambda: tf.io.parse_example([ANN, BEA], {"age": tf.io.VarLenFeature(tf.string)}),
              DtypeMismatchError, "'age' of the message at index 0 is int64; string is wanted"),
    "no such dtype": (lambda: tf.io.parse_example([ANN], {"age": tf.io.VarLenFeature(tf.int32)}),
                      DtypeMismatchError, "float32, int64 or string; got int32"),
    "two dtypes": (lambda: tf.io.parse_example([ANN], {"age": tf.io.VarLenFeature(tf.int64),
                                                       "b": tf.io.RaggedFeature(tf.string, "age")}),
                   DtypeMismatchError, "'age' is wanted as int64 and string"),
    "no whole steps": (lambda: tf.io.parse_example([integers(1, 2, 3)], {
        "a": tf.io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}), InvalidArgumentError, "3 values"),
    "numbers": (lambda: tf.io.parse_example([1, 2], PEOPLE), TypeError, "string"),
    "matrix": (lambda: tf.io.parse_example([[ANN]], PEOPLE), ShapeMismatchError, "scalar or a vector"),
    "rows that leave values out": (lambda: tf.io.parse_example([integers(1, 2)], {
        "r": tf.io.RaggedFeature(tf.int64, "a", [tf.io.RaggedFeature.RowLengths("a")])}),
        InvalidArgumentError, "must hold all values of their message"),
    "rows that are not whole": (lambda: tf.io.parse_example([integers(1, 2, 3)], {
        "a": tf.io.RaggedFeature(tf.int64, partitions=[tf.io.RaggedFeature.UniformRowLength(2)])}),
        InvalidArgumentError, "must make whole rows"),
    "feature": (lambda: tf.io.parse_example([ANN], {"age": tf.int64}), ValueError, "the feature 'age'"),
    "key": (lambda: tf.io.parse_example([ANN], {1: PEOPLE["age"]}), TypeError, "a str; got 1"),
    "default": (lambda: tf.io.parse_example([ANN], {"age": tf.io.FixedLenFeature([3], tf.int64, 5)}),
                ShapeMismatchError, "'age'"),
    "assigned": (lambda: setattr(tf.train.Int64List(), "value", [1]), AttributeError, "in place"),
    "text among bytes": (lambda: tf.train.BytesList(value=["a"]), TypeError, "bytes; got 'a'.*encode"),
    "bytes as a list": (lambda: tf.train.BytesList(value=b"ab"), TypeError, "holds bytes; got 97"),
    "float": (lambda: tf.train.Int64List(value=[1.5]), TypeError, "integers; got 1.5"),
    "large": (lambda: tf.train.Int64List(value=[2**63]), ValueError, "64-bit"),
    "another list": (lambda: tf.train.Feature(int64_list=tf.train.FloatList()), TypeError, "a Int64List is needed"),
    "field": (lambda: tf.train.Feature(value=3), ValueError, "no field 'value'; it has bytes_list"),
    "attribute": (lambda: tf.train.Feature().int_list, AttributeError, "no field 'int_list'"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    call, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        call()


def test_the_rank_of_the_texts_must_be_known() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None, tf.string)])
    def parse(texts: Any) -> Any:
        return tf.io.parse_example(texts, PEOPLE)

    with pytest.raises(ValueError, match="rank of serialized"):
        parse([ANN])
