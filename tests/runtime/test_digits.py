"""A Python float keeps all of its digits when it becomes float64: it is never rounded to float32 on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

NEEDS_FLOAT64 = 0.1  # its float32 is 0.10000000149...


def before_a_loop(x):
    total = 0.1
    for _ in tf.range(3):
        total = total + x
    return total


def before_a_loop_that_does_not_run(x):
    total = 0.1
    for _ in tf.range(0):
        total = total + x
    return total


def in_a_branch(x):
    if x > 0:
        y = 0.1
    else:
        y = x
    return y


def in_a_ternary(x):
    return 0.1 if x > 0 else x


def returned_early(x):
    if x > 0:
        return 0.1
    return x


def in_a_tuple_before_a_loop(x):
    pair = (0.1, 0.7)
    while pair[0] < 1:
        pair = (pair[0] + x, pair[1] * x)
    return pair[0] + pair[1]


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: x + 0.1, lambda x: 0.1 + x, lambda x: x * 0.1, lambda x: 0.1 - x, lambda x: x / 0.1, lambda x: 0.1**x,
        lambda x: tf.maximum(x, 0.1), lambda x: np.minimum(x, 0.1), lambda x: tf.where(x > 5, x, 0.1),
        lambda x: tf.stack([x, 0.1])[1], lambda x: tf.fill([2], x)[0] + [0.1, 0.3][0],
        before_a_loop, before_a_loop_that_does_not_run, in_a_branch, in_a_ternary, returned_early,
        in_a_tuple_before_a_loop,
    ],
)  # fmt: skip
def test_literals_beside_float64(operation: Callable[..., Any]) -> None:
    number = np.float64(0.3)
    expected = np.asarray(operation(number))
    for result in (operation(tf.constant(number)), tf.function(operation)(tf.constant(number))):
        assert np.asarray(result).item() == pytest.approx(expected.item(), rel=1e-14, abs=0)


@pytest.mark.parametrize("staged", [False, True])
def test_constants(staged: bool) -> None:
    def numbers():
        return (
            tf.constant(0.1, tf.float64),
            tf.constant([0.1, 0.7], tf.float64),
            tf.convert_to_tensor(0.1, dtype=tf.float64),
            tf.constant(np.float64(0.1)),
            tf.fill([1], tf.constant(0.1, tf.float64)),
        )

    values = [t.numpy().ravel() for t in (tf.function(numbers) if staged else numbers)()]
    assert all(a.dtype == np.float64 and a[0] == NEEDS_FLOAT64 for a in values)
    assert values[1][1] == 0.7


def test_a_large_integer_that_becomes_int64_keeps_its_digits() -> None:
    assert tf.constant(2**60 + 1, tf.int64).numpy() == 2**60 + 1
    assert (tf.constant(1, tf.int64) + (2**60 + 1)).numpy() == 2**60 + 2
    assert tf.function(lambda n: n + (2**60 + 1))(tf.constant(1, tf.int64)).numpy() == 2**60 + 2
