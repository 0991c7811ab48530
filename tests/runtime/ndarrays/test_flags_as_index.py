"""`x[True]`, and bool scalars in an index: masks of no dimensions, of a new axis that has one element or none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

TABLE = np.arange(6.0).reshape(2, 3)

READS: list[Callable[[Any], Any]] = [
    lambda a: a[True],
    lambda a: a[False],
    lambda a: a[np.bool_(True)],
    lambda a: a[np.array(False)],
    lambda a: a[True, 0],
    lambda a: a[0, True],
    lambda a: a[:, True],
    lambda a: a[..., False],
    lambda a: a[None, True, 1:],
    lambda a: a[True, [0, 1], [1, 2]],
    lambda a: a[True, True],
    lambda a: a[True, a > 2],
    lambda a: a[a[1, 1] > 3],
    lambda a: a[a[1, 1] < 3],
    lambda a: a[a[0, 0] == 0, 1],
    lambda a: a[:, False:True],
]


def fill(a: Any) -> Any:
    a[True] = 7
    return a


def fill_nothing(a: Any) -> Any:
    a[False] = 7
    return a


def fill_if(a: Any) -> Any:
    a[a[1, 1] > 3] = 0
    return a


def fill_a_row_if(a: Any) -> Any:
    a[a[1, 1] > 3, 0] = 9
    return a


def add_if(a: Any) -> Any:
    a[a[1, 1] < 3] += 1
    return a


def fill_a_row(a: Any) -> Any:
    a[True, 1] = [5, 6, 7]
    return a


def fill_with_rows(a: Any) -> Any:
    a[:, True] = a[:1]
    return a


def fill_in_a_loop(a: Any) -> Any:
    for i in range(2):
        a[i, a[i, 0] > 1] = 8
    return a


WRITES = [fill, fill_nothing, fill_if, fill_a_row_if, add_if, fill_a_row, fill_with_rows, fill_in_a_loop]


@pytest.mark.parametrize("number", range(len(READS)))
def test_reads_are_those_of_numpy(number: int) -> None:
    function = READS[number]
    expected = function(TABLE)
    for call in (function, tf.function(function)):
        for argument in (TABLE.copy(), tf.constant(TABLE)):
            found = np.asarray(call(argument))
            assert found.shape == expected.shape
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("function", WRITES)
def test_writes_are_those_of_numpy(function: Callable[[Any], Any]) -> None:
    expected = function(TABLE.copy())
    array = TABLE.copy()
    np.testing.assert_array_equal(tf.function(function)(array), expected)
    np.testing.assert_array_equal(array, expected)
    np.testing.assert_array_equal(tf.function(function)(tf.constant(TABLE)), expected)


def test_gradients_go_through() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x[x[0] > 0] * 3.0) + tf.reduce_sum(x[False])
    np.testing.assert_array_equal(tape.gradient(y, x), [3.0, 3.0])


def test_a_mask_of_a_rank_that_is_not_known_is_refused() -> None:
    signature = [tf.TensorSpec([2, 3]), tf.TensorSpec(None, tf.bool)]
    pick = tf.function(lambda x, mask: x[0, mask], input_signature=signature)
    with pytest.raises(TypeError, match="rank of a mask must be known"):
        pick(tf.constant(TABLE, tf.float32), tf.constant(True))
