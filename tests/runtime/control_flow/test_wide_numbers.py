"""`int` and `float` of tensors that are 64 bits wide lose no digits."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("function", "value", "dtype", "result"),
    [
        (int, 2**40 + 1, tf.int64, tf.int64), (int, 2**40 + 0.5, tf.float64, tf.int64), (int, 3, tf.int32, tf.int32),
        (int, 3.7, tf.float32, tf.int64), (float, 2**40 + 1, tf.int64, tf.float64),
        (float, 0.1, tf.float64, tf.float64), (float, 3, tf.int32, tf.float64), (float, 0.5, tf.float32, tf.float32),
        (int, 2**31, tf.uint32, tf.int64),
    ],
)  # fmt: skip
def test_width(function: Any, value: Any, dtype: Any, result: Any) -> None:
    staged = tf.function(lambda x: function(x))(tf.constant(value, dtype))
    assert staged.dtype == result
    if dtype in (tf.int64, tf.float64, tf.uint32):
        assert staged.numpy() == function(value)
