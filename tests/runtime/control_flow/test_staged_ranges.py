"""Loops over ranges of tensors against Python's own ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def digits(a, b, c):
    out = 0
    for i in range(a, b, c):
        out = out * 10 + i
    return out


def tensor_range(a, b, c):
    out = 0
    for i in tf.range(a, b, c):
        out = out * 10 + i
    return out


def literal_start(n):
    out = 0
    for i in range(2, n):
        out = out * 10 + i
    return out


def literal_negative_step(n):
    out = 0
    for i in range(n, 0, -2):
        out = out * 10 + i
        last = i
    return out, last if n > 0 else -1


@pytest.mark.parametrize("program", [digits, tensor_range])
def test_range_of_tensors(program: Callable[..., Any]) -> None:
    assert_same(program, (0, 5, 2), (5, 0, -2), (0, -5, 1), (3, 3, 1), (0, 5, -1), (7, 1, -3), (-3, 4, 3), (1, 2, 9))


def test_range_with_step_zero_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="zero"):
        tf.function(digits)(tf.constant(0), tf.constant(3), tf.constant(0))


def test_range_with_literals() -> None:
    assert_same(literal_start, *range(-2, 9))
    assert_same(literal_negative_step, *range(-3, 10))


def test_range_keeps_the_dtype_of_its_bound() -> None:
    @tf.function
    def total(n):
        s = tf.constant(0, n.dtype)
        for i in range(n):
            s += i
        return s

    for dtype in (tf.int64, tf.int32, tf.int16, tf.uint8):
        result = total(tf.constant(5, dtype))
        assert (result.numpy(), result.dtype) == (10, dtype)


def test_loop_over_a_range_is_one_loop_whatever_its_length() -> None:
    @tf.function
    def total(n):
        s = 0
        for i in range(n):
            s += i
        return s

    concrete = total.get_concrete_function(tf.constant(3))
    assert [o.type for o in concrete.graph.operations].count("while") == 1
    assert total(tf.constant(100_000)).numpy() == sum(range(100_000)), "its numbers are Python's, 64 bits wide"
