"""Which of the traces that there are serves a call, also when better ones come later."""

from __future__ import annotations

from typing import Any

import runtime as tf


def static_shape(x: Any) -> Any:
    return str(x.shape)


def test_a_trace_between_the_general_one_and_the_call_is_taken_as_soon_as_it_exists() -> None:
    shown = tf.function(static_shape)
    shown.get_concrete_function(tf.TensorSpec([None, None], tf.int32))
    x = tf.ones([1, 3], tf.int32)
    assert [shown(x).numpy() for _ in range(3)] == [b"(None, None)"] * 3
    shown.get_concrete_function(tf.TensorSpec([1, None], tf.int32))
    assert [shown(x).numpy() for _ in range(3)] == [b"(1, None)"] * 3
    assert shown(tf.ones([2, 3], tf.int32)).numpy() == b"(None, None)"


def test_the_long_way_finds_it_too() -> None:
    @tf.function
    def shown(x: Any, pair: Any) -> Any:
        return str(x.shape)

    pair = (1, tf.constant(2.0))
    shown.get_concrete_function(tf.TensorSpec([None, None], tf.int32), pair)
    x = tf.ones([1, 3], tf.int32)
    assert [shown(x, pair).numpy() for _ in range(3)] == [b"(None, None)"] * 3
    shown.get_concrete_function(tf.TensorSpec([1, None], tf.int32), pair)
    assert [shown(x, pair).numpy() for _ in range(3)] == [b"(1, None)"] * 3
