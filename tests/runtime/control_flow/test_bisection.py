"""`bisect` of lists in order, where the list or what is looked up holds tensors."""

from __future__ import annotations

import bisect
from bisect import bisect_left
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def among_numbers(x, y):
    numbers = [1, 3, 3, 7, 20]
    return bisect_left(numbers, x), bisect.bisect_right(numbers, x), bisect.bisect(numbers, y, 1)


def among_tensors(x, y):
    low, high = min(x, y), max(x, y)
    return bisect.bisect_left([low, high, 30], 5), bisect.bisect([low, high], high)


def by_a_key(x, y):
    return bisect.bisect_left([(1, "a"), (4, "b"), (9, "c")], x, key=lambda pair: pair[0])


def grade(x, y):
    return bisect.bisect([60, 70, 80, 90], x + y)


def plain(value: Any) -> Any:
    return tuple(map(plain, value)) if isinstance(value, tuple) else int(value)


@pytest.mark.parametrize("program", [among_numbers, among_tensors, by_a_key, grade])
def test_as_python_finds_them(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, y in ((3, 1), (0, 9), (7, 7), (64, 21), (5, 80)):
        assert plain(function(tf.constant(x), tf.constant(y))) == plain(program(x, y)), (x, y)
    assert function.experimental_get_tracing_count() == 1
