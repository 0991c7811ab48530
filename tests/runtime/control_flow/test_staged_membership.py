"""`in`, `not in` and `is None` on tensors against Python's own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say

LIMIT = 10


def in_list(n):
    empty = ()
    return n in [1, 4], n not in [1, 4], n in empty, n in [n], n in (1, 2.5, "a", None, 2**40, 4.0, True)


def in_others(n):
    return n in {1, 4}, n in {1: "a", 4: "b"}, n in frozenset([5]), n in deque([1, 7]), n in {"a": 1}.values()


def in_range(n):
    return n in range(4), n in range(0, 100, 3), n in range(100, 0, -7), n in range(-(2**40), 2**40, 2), n in range(0)


def float_in_range(x):
    return x in range(0, 100, 3), x in range(3), x in [0.5, 2], x in (True, 7)


def tensors_in_list(n):
    return 3 in [n, n - 1], n in [n + 1, 2, n * n], "a" in [n], None in [n, None], n + 1 in [n, n + 1]


def bool_in(n):
    flag = n > 2
    return flag in [True], flag in [0, 5], flag in (0.0, 1), flag not in ["True", 2]


def in_condition(n):
    if n in (1, 2):
        say("few")
        return n * 10
    elif n not in range(LIMIT):
        say("out")
        return -1
    return n


def in_chain(n):
    return 0 < n in [1, 5, 20], 0 < n < 9 in [9, n], 1 in [n] == [n], n in [1, 2] and n in [2, 3], 3 if n in [5] else 4


class Interval:
    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __contains__(self, item: Any) -> Any:
        if item < self.low:
            return False
        return item <= self.high


class Listing:
    def __init__(self, *items: Any) -> None:
        self.items = items

    def __iter__(self) -> Any:
        return iter(self.items)


def in_users_container(n):
    small = Interval(2, n + 1)
    return n in Interval(1, 4), n not in small, n in Listing(1, 5), 3 in Interval(n, 9)


def in_loop(n):
    count = 0
    for i in range(n):
        if i in (1, 3, 4) and i not in [n - 1]:
            count += i
    while count in range(3, 6):
        count += 1
    return count


def none(n):
    best = None
    if best is None and n is not None and None is best:
        best = n
    return best, n is None, None is not n


def with_none(n):
    m = n if n > 2 else None
    w = None if n > 5 else 3
    return m in [1, 3, None], m in [4, 5], 3 in [w, n], None in [m], None not in [1, w], n in [m], m in [w], m in {3: 0}


def in_grown_list(n):
    squares = [i * i for i in tf.range(n) if i != 2]
    return 4 in squares, n not in squares, n * n in squares, None in squares


SAMPLES = (0, 1, 2, 3, 4, 5, 7, 9, 20, -6)


@pytest.mark.parametrize(
    "program",
    [
        in_list,
        in_others,
        in_range,
        tensors_in_list,
        bool_in,
        in_condition,
        in_chain,
        in_users_container,
        in_loop,
        none,
        with_none,
        in_grown_list,
    ],
)
def test_integers(program: Callable[..., Any]) -> None:
    assert_same(program, *SAMPLES)


def test_floats() -> None:
    assert_same(float_in_range, 0.0, 0.5, 1.0, 2.0, 2.5, 3.0, 7.0, 99.0, -3.0, 102.0)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int64", "float16", "complex64"])
def test_elements_that_the_dtype_cannot_hold_are_not_equal(dtype: str) -> None:
    values = [-1, 300, 2**70, 3, 0.5, 3.0, 1j, "3", b"3", None, float("nan"), float("inf")]

    @tf.function
    def found(x):
        return x in values, x in range(-1000, 1000, 3), x in range(2**80)

    for number in (0, 3, 44, 100):
        x = np.array(number, dtype)
        assert [bool(r) for r in found(tf.constant(x))] == [
            number in v for v in (values, range(-1000, 1000, 3), [number])
        ]


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_tensors_are_searched_element_by_element(shape: tuple[int, ...]) -> None:
    array = np.arange(int(np.prod(shape))).reshape(shape)

    @tf.function(input_signature=[tf.TensorSpec(None, tf.int64), tf.TensorSpec([], tf.int64)])
    def found(t, n):
        return n in t, 2 in t, 9 not in t, 1.5 in t, "a" in t, None in t, np.int64(1) in t

    for n in (0, 2, 5, 7):
        expected = [n in array, 2 in array, 9 not in array, False, False, False, 1 in array]
        assert [bool(r) for r in found(tf.constant(array), tf.constant(np.int64(n)))] == expected


def test_strings_are_elements_and_parts_of_text() -> None:
    @tf.function
    def found(s, words):
        return s in ["a", "bc"], s in words, "x" in words, s in [1, None], s in "abc", "b" in s, f"{s}!" in ["a!"]

    words = tf.constant(["bc", "d"])
    for text in ("a", "bc", "b", ""):
        wanted = [text in ["a", "bc"], text in ["bc", "d"], False, False, text in "abc", "b" in text, text == "a"]
        assert [bool(r) for r in found(tf.constant(text), words)] == wanted
    assert "ell" in tf.constant("hello") and "x" not in tf.constant("hello")


def test_the_ranges_of_huge_spans_need_no_memory() -> None:
    @tf.function
    def found(n):
        return n in range(0, 10**12, 7)

    assert [bool(found(tf.constant(n))) for n in (0, 6, 7, 14)] == [True, False, True, True]


def test_what_cannot_be_answered_says_so() -> None:
    @tf.function
    def in_iterator(n):
        return n in iter([1, 2])

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=r"`in` consumes the list_iterator"):
        in_iterator(tf.constant(1))

    @tf.function
    def vector_in_list(v):
        return v in [[1, 2], [3, 4]]

    with pytest.raises(ValueError, match="reduce_all"):
        vector_in_list(tf.constant([1, 2]))

    @tf.function
    def number_in_text(n):
        return n in "abc"

    with pytest.raises(TypeError, match="'in <string>' requires string"):
        number_in_text(tf.constant(1))
