"""Messages: what is written are the bytes that TensorFlow writes, and they are changed in place."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import runtime as tf
from tests.runtime.library.io.messages import ANN, BEA, INTEGERS, integers


def test_messages_are_the_bytes_that_tensorflow_writes() -> None:
    train = tf.train
    feature = {
        "scores": train.Feature(float_list=train.FloatList(value=np.array([0.5, -2.0]))),
        "name": train.Feature(bytes_list=train.BytesList(value=[b"Ann"])),
        "age": train.Feature(int64_list=train.Int64List(value=[np.int32(31)])),
    }
    example = train.Example(features=train.Features(feature=feature))
    assert example.SerializeToString() == ANN
    assert example == train.Example.FromString(ANN) != train.Example.FromString(BEA)
    assert example.ByteSize() == len(ANN)


def test_messages_are_read_and_changed_in_place() -> None:
    example = tf.train.Example.FromString(BEA)
    feature = example.features.feature
    assert sorted(feature) == ["age", "name", "tags"]
    assert (feature["age"].WhichOneof("kind"), feature["age"].int64_list.value) == ("int64_list", [-7])
    assert np.asarray(feature["tags"].int64_list.value).tolist() == [1, 300]
    feature["tags"].int64_list.value[0] = 2
    del feature["tags"].int64_list.value[1]
    assert example.features.feature["tags"].int64_list.value == [2]
    feature["tags"].float_list.value.append(1.5)
    assert feature["tags"].WhichOneof("kind") == "float_list"
    assert feature["tags"].HasField("float_list") and not feature["tags"].HasField("int64_list")
    assert "new" not in feature and feature.get("new") is None
    assert feature["new"].WhichOneof("kind") is None  # asking makes it, as protocol buffers do
    assert "new" in feature


def test_a_list_that_was_taken_from_a_message_before_it_was_cleared_is_no_part_of_it() -> None:
    feature = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
    taken = feature.int64_list
    feature.float_list.value.append(2.0)
    taken.value.append(3)
    assert feature.SerializeToString() == tf.train.Feature(
        float_list=tf.train.FloatList(value=[2.0])
    ).SerializeToString()  # fmt: skip


def test_messages_that_are_given_are_copied() -> None:
    part = tf.train.Feature(int64_list=tf.train.Int64List(value=[1]))
    whole = tf.train.Features(feature={"a": part, "b": part})
    part.int64_list.value.append(2)
    whole.feature["b"].int64_list.value.append(3)
    assert [whole.feature[key].int64_list.value for key in "ab"] == [[1], [1, 3]]
    for again in (copy.deepcopy(whole), pickle.loads(pickle.dumps(whole))):
        assert again == whole


def test_text_of_messages() -> None:
    example = tf.train.Example()
    example.features.feature["k"].bytes_list.value.extend([b'a"\xff\n', b""])
    example.features.feature["k"].bytes_list.value.insert(1, b"\\'")
    lines = [line.strip() for line in str(example).splitlines()]
    assert lines == [
        "features {", "feature {", 'key: "k"', "value {", "bytes_list {", 'value: "a\\"\\377\\n"', "value: \"\\\\\\'\"",
        'value: ""', "}", "}", "}", "}",
    ]  # fmt: skip
    numbers = tf.train.FloatList(value=[1, 0.1, 2**40, 1e300, -1e300])
    assert str(numbers).split() == [
        part for text in ("1", "0.1", "1.09951163e+12", "inf", "-inf") for part in ("value:", text)
    ]


@pytest.mark.parametrize("count", [0, 1, 15, 16, 40])
def test_integers_of_all_lengths(count: int) -> None:
    rng = np.random.default_rng(count)
    numbers = [int(x) >> int(s) for x, s in zip(rng.integers(-(2**63), 2**63 - 1, count), rng.integers(0, 64, count))]
    assert tf.train.Example.FromString(integers(*numbers)).features.feature["a"].int64_list.value == numbers
    found = tf.io.parse_single_example(integers(*numbers), INTEGERS)["a"]
    assert found.numpy().tolist() == numbers


def test_what_a_message_is_made_of_is_a_copy_that_can_be_changed() -> None:
    numbers = tf.train.Int64List(value=[1, 2])
    features = tf.train.Features(feature={"b": tf.train.Feature(int64_list=numbers), "a": tf.train.Feature()})
    made = tf.train.Example(features=features)
    written = made.SerializeToString()
    numbers.value.append(3)
    assert made.SerializeToString() == written
    made.features.feature["b"].int64_list.value.append(4)
    assert list(made.features.feature["b"].int64_list.value) == [1, 2, 4]
    assert tf.train.Example.FromString(made.SerializeToString()) == made != tf.train.Example.FromString(written)
    feature = made.features.feature["b"]
    feature.bytes_list.value.append(b"x")
    assert feature.WhichOneof("kind") == "bytes_list" and not feature.int64_list.value
