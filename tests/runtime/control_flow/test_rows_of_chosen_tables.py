"""Rows of a table that is one of several lists, which a loop binds anew: each place of each list is one of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def swapped_rows(n, k):
    d = [[0] * 3 for _ in range(3)]
    if n % 7 == 3:
        d = [[v + 1 for v in row] for row in d]
    i = 0
    while i < k:
        i += 1
        d[0], d[1] = d[1], d[0]
        d[0][1] += i
    return d


def turned(n, k):
    d = [[n, 1], [2, 3], [4, k]]
    if n > 3:
        d = [row[:] for row in d]
        d[0][0] += 5
    for i in range(k):
        d[0], d[1], d[2] = d[2], d[0], d[1]
        d[0][0] += i
    return d


@pytest.mark.parametrize("program", [swapped_rows, turned], ids=lambda f: f.__name__)
def test_as_python(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for n in (0, 3, 10):
        for k in (0, 1, 2, 5):
            found = function(tf.constant(n), tf.constant(k))
            assert [[int(v) for v in row] for row in found] == program(n, k), (n, k)
