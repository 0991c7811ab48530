"""Arrays that are written to in functions that operations call, and arrays of text: numpy's answer, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

TABLE = np.zeros(3, np.float32)
X = tf.constant([1.0, 2.0])


def put(v: Any) -> Any:
    TABLE[0] += v
    return v


def added(total: Any, v: Any) -> Any:
    return put(total + v)


CALLS: dict[str, Callable[[Any], Any]] = {
    "cond": lambda x: tf.cond(x[0] > 0, lambda: put(x[0]), lambda: x[1]),
    "the other branch": lambda x: tf.cond(x[0] < 0, lambda: x[0], lambda: put(x[1])),
    "case": lambda x: tf.case([(x[0] > 0, lambda: put(x[0]))], default=lambda: x[1]),
    "switch_case": lambda x: tf.switch_case(tf.cast(x[0], tf.int32), [lambda: x[0], lambda: put(x[1])]),
    "while_loop": lambda x: tf.while_loop(lambda i: i < 3.0, lambda i: put(i) + 1.0, [x[0]]),
    "map_fn": lambda x: tf.map_fn(put, x),
    "foldl": lambda x: tf.foldl(added, x),
    "scan": lambda x: tf.scan(added, x),
    "vectorized_map": lambda x: tf.vectorized_map(put, x),
    "Dataset.map": lambda x: next(iter(tf.data.Dataset.from_tensor_slices(x).map(put))),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_write_to_a_captured_array_is_refused(name: str) -> None:
    TABLE[...] = 0.0
    with pytest.raises(StagingError, match=r"'TABLE' is written to in a function that is given to cond"):
        tf.function(lambda x: CALLS[name](x))(X)
    assert not TABLE.any()


def test_eagerly_they_write_as_python_does() -> None:
    TABLE[...] = 0.0
    for call in (CALLS["cond"], CALLS["map_fn"], CALLS["foldl"], lambda x: list(tf.data.Dataset.range(2).map(count))):
        call(X)
    assert TABLE.tolist() == [1.0 + 3.0 + 3.0 + 2.0, 0.0, 0.0]


def count(v: Any) -> Any:
    TABLE[0] += 1.0
    return v


def test_arrays_of_their_own() -> None:
    def squares(v: Any) -> Any:
        a = np.zeros(2, np.float32)
        a[0] = v
        a[1] = a[0] * v
        return tf.stack([a[0], a[1]])

    found = tf.function(lambda x: tf.map_fn(squares, x, fn_output_signature=tf.TensorSpec([2], tf.float32)))(X)
    assert found.numpy().tolist() == [[1.0, 1.0], [2.0, 4.0]]


def doubled(a: Any) -> Any:
    a[0] = 5.0

    def grad(upstream: Any) -> Any:
        return 2 * upstream

    return a * 2.0, grad


def test_custom_gradients() -> None:
    function = tf.custom_gradient(doubled)
    a = np.ones(3)
    for call in (lambda a: function(a), lambda a: function(np.ones(3)) + a):
        with pytest.raises((ValueError, StagingError), match=r"decorated by custom_gradient.*a\.copy\(\)"):
            tf.function(call)(a)
    assert a.tolist() == [1.0, 1.0, 1.0]
    assert tf.function(lambda a: function(a * 1.0))(tf.constant([1.0, 1.0])).numpy().tolist() == [10.0, 2.0]


def renamed(a: Any, x: Any) -> Any:
    if x > 0:
        a[0] = b"zz"
    return a


@pytest.mark.parametrize("array", [np.array(["aa", "bb"]), np.array([b"aa", b"bb"]), np.array(["aa", b"bb"], object)])
def test_arrays_of_text_are_not_written_to(array: Any) -> None:
    before = array.tolist()
    specs = [tf.TensorSpec([None], tf.string), tf.TensorSpec([], tf.float32)]
    concrete = tf.function(renamed).get_concrete_function(*specs)
    for function in (tf.function(renamed), tf.function(renamed, input_signature=specs), concrete):
        with pytest.raises(TypeError, match="array of text or of objects is written to"):
            function(array, tf.constant(1.0))
        assert function(tf.constant(array), tf.constant(1.0)).numpy().tolist() == [b"zz", b"bb"]
    inner = tf.function(renamed)
    with pytest.raises(TypeError, match="array of text or of objects is written to"):
        tf.function(lambda x: inner(array, 1.0) if x > 0 else tf.constant(["", ""]))(tf.constant(1.0))
    assert array.tolist() == before


NAMES = np.array(["aa", "bb"])


def test_captured_arrays_of_text() -> None:
    def f(x: Any) -> Any:
        if x > 0:
            NAMES[0] = "zz"
        return x

    with pytest.raises(StagingError, match="keep what is in it in a list"):
        tf.function(f)(tf.constant(1.0))
    assert NAMES.tolist() == ["aa", "bb"]
