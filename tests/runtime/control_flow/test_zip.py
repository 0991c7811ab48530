"""zip over tensors: strict, and beside Python's own objects."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.control_flow.sizes import compare


def strict(t):
    s = 0
    for a, b, c in zip(t, tf.constant([1, 2, 3]), t[:3], strict=True):
        s += a * b * c
    return s


@pytest.mark.filterwarnings("ignore::runtime.errors.RetracingWarning")
def test_strict_zip() -> None:
    compare(strict, [1, 2, 3], [], [1], [1, 2, 3, 4], [1, 2])


def strict_with_break(t):
    s = 0
    for a, b in zip(t, t[:1], strict=True):
        s += a * b
        if s > 2:
            break
    return s


def test_strict_zip_that_is_left_before_its_end() -> None:
    compare(strict_with_break, [3, 4], [1], [1, 2])


def with_objects(t):
    s = 0
    for x, name in zip(t, ["a", "b", None]):
        s += x * len(name or "long")
    return s


def test_python_objects_beside_a_tensor_of_known_length() -> None:
    staged = tf.function(with_objects)
    assert staged(tf.constant([1, 2, 3])).numpy() == with_objects([1, 2, 3])
    assert staged(tf.constant([1])).numpy() == 1


def test_python_objects_beside_a_tensor_of_unknown_length() -> None:
    staged = tf.function(with_objects, input_signature=[tf.TensorSpec([None], tf.int32)])
    with pytest.raises(TypeError, match="beside it there are Python objects"):
        staged(tf.constant([1, 2, 3]))
