"""From Python and numpy values to tensors."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest

import runtime as tf


class Level(enum.IntEnum):
    LOW = 1


class Word(str, enum.Enum):
    GO = "go"


def test_members_of_enums_are_their_values_in_operators() -> None:
    x = tf.constant([1, 2])
    assert (x == Level.LOW).numpy().tolist() == [True, False]
    assert (x + Level.LOW).numpy().tolist() == [2, 3]
    assert (tf.constant("go") == Word.GO).numpy()


@pytest.mark.parametrize(
    ("value", "dtype", "shape"),
    [
        (1, tf.int32, []), (2**31 - 1, tf.int32, []), (2**31, tf.int64, []), (-(2**31) - 1, tf.int64, []),
        (1.5, tf.float32, []), (1j, tf.complex128, []), (True, tf.bool, []), ("é", tf.string, []),
        (b"x", tf.string, []),
        ([1, 2], tf.int32, [2]), ([1, 2**40], tf.int64, [2]), ([1, 2.5], tf.float32, [2]), ([[True]], tf.bool, [1, 1]),
        (((1, 2), [3, 4]), tf.int32, [2, 2]), (["a", b"b"], tf.string, [2]), ([], tf.float32, [0]),
        ([[], []], tf.float32, [2, 0]), (range(3), tf.int32, [3]), (np.float64(1), tf.float64, []),
        (np.arange(3), tf.int64, [3]), (np.array(["a", "bc"]), tf.string, [2]), (np.zeros((2, 0)), tf.float64, [2, 0]),
        (np.array([1], ">i4"), tf.int32, [1]), (tf.TensorShape([2, 3]), tf.int32, [2]),
        ([np.ones(2), [3, 4]], tf.float64, [2, 2]),
        (Level.LOW, tf.int32, []), ([Level.LOW, 7], tf.int32, [2]), (Word.GO, tf.string, []),
    ],
)  # fmt: skip
def test_natural_dtype(value: Any, dtype: tf.DType, shape: list[int]) -> None:
    tensor = tf.constant(value)
    assert tensor.dtype is dtype and tensor.shape == shape
    with tf.Graph("g").as_default():
        symbolic = tf.constant(value)
        assert symbolic.dtype is dtype and symbolic.shape == shape


@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        (1, tf.float64, 1.0), ([1, 2], tf.int8, [1, 2]), (1, tf.complex64, 1 + 0j), (1.5, tf.float16, 1.5),
        ([], tf.int32, []), (np.array([1], np.int64), tf.float32, [1.0]), ("a", tf.string, b"a"),
        (2**63, tf.uint64, 2**63), ([2**64 - 1, 0], tf.uint64, [2**64 - 1, 0]), (2**70, tf.float64, 2.0**70),
        ([-(2**70), 1], tf.float32, [-(2.0**70), 1.0]), (1e39, tf.float64, 1e39), (2**64, tf.complex128, 2.0**64),
    ],
)  # fmt: skip
def test_requested_dtype(value: Any, dtype: tf.DType, wanted: Any) -> None:
    tensor = tf.constant(value, dtype)
    assert tensor.dtype is dtype and np.asarray(tensor).tolist() == wanted


@pytest.mark.parametrize(
    ("value", "dtype", "error", "words"),
    [
        (1.5, tf.int32, TypeError, ("1.5", "int32")), (True, tf.int32, TypeError, ("True", "int32")),
        (1, tf.bool, TypeError, ("1", "bool")), (300, tf.uint8, ValueError, ("uint8", "255")),
        (-1, tf.uint8, ValueError, ("uint8", "0")), ("a", tf.int32, TypeError, ("'a'", "int32")),
        (1, tf.string, TypeError, ("string",)), ([1, "a"], None, TypeError, ("mixes",)),
        ([True, 1], None, TypeError, ("mixes",)), ([[1], [1, 2]], None, ValueError, ("rectangular",)),
        (2**70, None, ValueError, ("int64",)), (2**64, tf.uint64, ValueError, ("uint64",)),
        ([-1, 2**63], tf.uint64, ValueError, ("uint64",)), (2**70, tf.int32, ValueError, ("int64",)),
        (1e39, None, ValueError, ("1e+39", "float64")), ([1.0, -1e300], None, ValueError, ("float32", "float64")),
        (None, None, TypeError, ("None",)),
        ({"a": 1}, None, TypeError, ("dict",)),
        (object(), None, TypeError, ("object",)), ([None], None, TypeError, ("None",)),
        (np.array([object()]), None, TypeError, ("string",)),
    ],
)  # fmt: skip
def test_refused(value: Any, dtype: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as caught:
        tf.constant(value, dtype)
    assert all(word in str(caught.value) for word in words), str(caught.value)


def test_shape_argument() -> None:
    assert tf.constant([1, 2, 3, 4], shape=[2, 2]).numpy().tolist() == [[1, 2], [3, 4]]
    assert tf.constant(0.5, shape=[2]).numpy().tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="3 elements"):
        tf.constant([1, 2, 3], shape=[2, 2])


def test_tensors_pass_through() -> None:
    x = tf.constant([1.0])
    assert tf.convert_to_tensor(x) is x and tf.convert_to_tensor(x, tf.float32) is x
    with pytest.raises(ValueError, match=r"float64.*float32.*runtime\.cast"):
        tf.convert_to_tensor(x, tf.float64)
    assert tf.convert_to_tensor(1, dtype_hint=tf.float64).dtype is tf.float64
    assert tf.convert_to_tensor("a", dtype_hint=tf.float64).dtype is tf.string


def test_lists_of_tensors() -> None:
    x = tf.constant(1.5)
    assert tf.convert_to_tensor([[x, 2], [3, x]]).numpy().tolist() == [[1.5, 2.0], [3.0, 1.5]]
    assert tf.constant([1, tf.constant(2, tf.int64)]).dtype is tf.int64
    graph = tf.Graph("g")
    n = graph.placeholder(tf.int32, [], "n")
    with graph.as_default():
        assert tf.convert_to_tensor([n, 3]).shape == [2]
        assert tf.zeros([n, 3]).shape == [None, 3]
    with pytest.raises(TypeError, match="int32"):
        tf.convert_to_tensor([tf.constant(1), 2.5])


def test_later_changes_of_an_array_do_not_reach_a_graph() -> None:
    array = np.array([1.0, 2.0], np.float32)
    graph = tf.Graph("g")
    with graph.as_default():
        tensor = tf.constant(array)
        array[0] = 9
        assert tensor.op.attributes["value"].tolist() == [1.0, 2.0]


def test_arguments_of_operations() -> None:
    assert tf.reduce_sum([[1, 2], [3, 4]], axis=[0, 1]).numpy() == 10
    assert tf.reduce_sum([[1, 2], [3, 4]], tf.constant(0)).numpy().tolist() == [4, 6]
    assert tf.reduce_sum([[1, 2], [3, 4]], axis=np.array([0])).numpy().tolist() == [4, 6]
    assert tf.reshape([1, 2, 3, 4], tf.TensorShape([2, 2])).shape == [2, 2]
    assert tf.reshape([1, 2, 3, 4], 4).shape == [4] and tf.reshape([1], []).shape == []
    assert tf.zeros(tf.constant([2, 3])).shape == [2, 3] and tf.zeros([], "int32").dtype is tf.int32
    assert tf.cast([1.5], "int32").dtype is tf.int32 and tf.cast(1, np.float64).dtype is tf.float64
    assert tf.add(x=1, y=2, name="three").numpy() == 3
    graph = tf.Graph("g")
    with graph.as_default():
        assert tf.add(1, 2, name="three").op.name == "three"
        axis = graph.placeholder(tf.int32, [], "axis")
        with pytest.raises(TypeError, match="axis must be known while the graph is built"):
            tf.reduce_sum([1, 2], axis)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: tf.add(1), "needs 'y'"), (lambda: tf.add(1, 2, 3), "takes 2 arguments, 3"),
        (lambda: tf.add(1, 2, z=3), "no argument 'z'"), (lambda: tf.add(1, 2, x=3), "two values for argument 'x'"),
        (lambda: tf.concat(5, 0), "list of tensors"), (lambda: tf.reshape([1]), "needs 'shape'"),
    ],
)  # fmt: skip
def test_wrong_calls(call: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


def test_bool_arguments_of_where() -> None:
    with pytest.raises(ValueError, match="together"):
        tf.where([True], 1)


def test_infinity_is_written_as_infinity() -> None:
    assert np.isinf(tf.constant([float("inf"), 1.0]).numpy()).tolist() == [True, False]
    assert np.isinf(tf.constant(float("-inf"))) and np.isinf(tf.constant(np.float32(np.inf)))
    assert (tf.constant(1.0) + 2**70).numpy() == np.float32(2.0**70), "an integer beside a float tensor is a float"


def test_empty_lists_have_the_dtype_that_is_wanted() -> None:
    assert tf.strings.length([]).numpy().tolist() == []
    assert tf.reduce_all([]).numpy() and tf.logical_or([], []).dtype is tf.bool
    assert tf.function(lambda: tf.strings.upper([]))().dtype is tf.string
    with pytest.raises(TypeError, match="float32"):
        tf.strings.length(tf.constant([]))


def test_padding_of_texts_and_bools() -> None:
    for pad in (tf.pad, tf.function(tf.pad)):
        assert pad([True], [[1, 1]]).numpy().tolist() == [False, True, False]
        assert pad(tf.constant([True]), [[0, 1]]).numpy().tolist() == [True, False]
        assert pad(tf.constant(["a"]), [[1, 0]]).numpy().tolist() == [b"", b"a"]
        assert pad(["a"], [[1, 0]], constant_values="z").numpy().tolist() == [b"z", b"a"]
        assert pad([1.5], [[1, 0]]).numpy().tolist() == [0.0, 1.5]
        assert pad(np.array([True]), [[1, 0]]).numpy().tolist() == [False, True]


def test_none_stands_for_the_default_of_a_switch() -> None:
    assert tf.reduce_sum([[1, 2]], axis=1, keepdims=None).shape == [1]
    assert tf.norm([[3.0, 4.0]], keepdims=None).numpy() == 5
    assert tf.boolean_mask([1, 2], [True, False], axis=None).numpy().tolist() == [1]
