"""Loops over the rows of tensors, and targets that unpack them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain


def rows(n, signature=None):
    @tf.function(input_signature=signature)
    def total(t):
        s = tf.zeros(t.shape[1:], tf.int32) if signature is None else tf.constant([0, 0])
        for row in t:
            if tf.reduce_sum(row) > 10:
                break
            s += row
        return s

    return total(n)


@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None, 2], tf.int32)]])
@pytest.mark.parametrize(
    ("values", "expected"),
    [([[1, 2], [3, 4]], [4, 6]), ([[1, 2], [30, 4], [1, 1]], [1, 2]), ([[9, 9]], [0, 0]), ([], [0, 0])],
)
def test_rows_of_a_tensor(values: Any, expected: Any, signature: Any) -> None:
    tensor = tf.reshape(tf.constant(values, tf.int32), [-1, 2])
    assert rows(tensor, signature).numpy().tolist() == expected


def test_rows_of_an_unknown_rank_and_of_a_captured_tensor() -> None:
    table = tf.constant([1, 2, 3])

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int32)])
    def total(t):
        s = 0
        for row in t:
            for other in table:
                s += row * other
        return s

    assert total(tf.constant([1, 10])).numpy() == 66
    assert total(tf.constant([], tf.int32)).numpy() == 0


def pairs(n):
    s = 0
    for a, b in tf.reshape(tf.range(6), [3, 2]) + n:
        s += a * b
    return s


def rest(n):
    s = 0
    for a, *others in tf.reshape(tf.range(6), [2, 3]) + n:
        s += a * others[1]
    return s, len(others)


def nested_targets(n):
    s = 0
    for a, (b, c) in tf.reshape(tf.range(8), [2, 2, 2]) * n:
        s += a[0] + b * c
    return s


@pytest.mark.parametrize("program", [pairs, rest, nested_targets])
def test_rows_are_unpacked(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 5):
        assert plain(staged(tf.constant(n))) == plain(program(n))


def test_rows_that_do_not_fit_the_targets() -> None:
    @tf.function
    def triples(t):
        s = 0
        for a, b, c in t:
            s += a
        return s

    with pytest.raises(ValueError, match="not enough values to unpack"):
        triples(tf.ones([2, 2], tf.int32))
    anything = triples.get_concrete_function(tf.TensorSpec([None, None], tf.int32))
    assert int(anything(tf.ones([2, 3], tf.int32))) == 2
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 3, got 2\)"):
        anything(tf.ones([2, 2], tf.int32))
    with pytest.raises(ValueError, match=r"too many values to unpack \(expected 3\)"):
        anything(tf.ones([2, 4], tf.int32))


def test_loop_over_a_scalar_names_it() -> None:
    @tf.function
    def bad(t):
        for row in t:
            t += row
        return t

    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot iterate over a scalar tensor"):
        bad(tf.constant(1))
