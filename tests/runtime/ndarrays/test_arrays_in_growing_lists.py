"""Arrays as elements of lists whose length depends on a tensor: writes through the list are Python's, and what other
names of an element would have to see is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.remedies.row import function_of

AS_PYTHON: dict[str, str] = {
    "through the list": "rows[0][0] = 7; return rows[0][0] + rows[-1][1]",
    "in place": "rows[0] += 7; return rows[0][0]",
    "in a helper": "touch(rows); return rows[0][0]",
    "what was taken out": "q = rows.pop(); q[0] = 7; return q[0]",
    "a copy": "q = rows[0].copy(); q[0] = 7; return q[0] + rows[0][0]",
    "a copy that is put back": "q = rows[0].copy(); q[0] = 7; rows[0] = q; return rows[0][0]",
    "one that was read before": "q = rows[0] + 0; rows[0][0] = 7; return q[0]",
    "in a loop": "for i in range(n):\n    rows[i][0] += i\nreturn rows[-1][0] + rows[0][0]",
    "in a branch": "if n > 1:\n    rows[0][0] = 7\nreturn rows[0][0]",
    "in a dict": "d = {}; d[n] = np.zeros(2); d[n][0] = 7; return d[n][0]",
    "rows of an array, read": "return sum([row.sum() for row in [*a[n % 2 :]]])",
    "the largest row, read": "return max(a[n % 2 :], key=lambda row: row[0]).sum()",
}
REFUSED: dict[str, str] = {
    "under a name": "q = rows[0]; q[0] = 7; return rows[0][0]",
    "in place under a name": "q = rows[0]; q += 7; return rows[0][0]",
    "a name that was there": "q = rows[0]; rows[0][0] = 7; return q[0]",
    "by a function": "put(rows[0]); return rows[0][0]",
    "a copy of the list": "m = list(rows); rows[0][0] = 7; return m[0][0]",
    "a part of the list": "m = rows[:1]; rows[0][0] = 7; return m[0][0]",
    "in two places": "rows.append(rows[0]); rows[0][0] = 7; return rows[-1][0]",
    "put in twice": "r = np.ones(2); rows.append(r); rows.append(r); rows[-1][0] = 7; return rows[-2][0]",
    "one array in all places": "b = np.zeros(2); m = [b for i in range(n + 1)]; m[0][0] = 7; return m[-1][0]",
    "the array that was put in": "b = np.zeros(2); m = [b for i in range(n + 1)]; m[0][0] = 7; return b[0]",
    "a method": "rows[0].fill(3); return rows[0][0]",
    "in a dict under a name": "d = {}; d[n] = np.zeros(2); q = d[n]; q[0] = 7; return d[n][0]",
    "the array of a dict": "d = {}; q = np.zeros(2); d[n] = q; d[n][0] = 7; return q[0]",
    "rows of an array": "part = list(a[n % 2 :]); part[0][0] = 7.0; return a.sum()",
    "rows in a display": "part = [*a[n % 2 :]]; part[0][0] = 7.0; return a.sum()",
    "rows of a comprehension": "part = [r for r in a[n % 2 :]]; part[0][0] = 7.0; return a.sum()",
    "rows in order": "part = sorted(a[n % 2 :], key=lambda r: r[0]); part[0][0] = 7.0; return a.sum()",
    "the largest row": "r = max(a[n % 2 :], key=lambda r: r[0]); r[0] = 7.0; return a.sum()",
    "an array whose rows are kept": "part = list(a[n % 2 :]); a[2, 2] = 7.0; return sum([p.sum() for p in part])",
    "an array whose largest row is kept": "r = max(a[n % 2 :], key=lambda r: r[0]); a[2, 2] = 7.0; return r.sum()",
}
MODULE = """
def put(v):
    v[0] = 7

def touch(rows):
    rows[0][0] = 7

def f(n):
    a = np.arange(12.0).reshape(3, 4)
    rows = [np.zeros(2) for i in range(n + 2)]
    {body}
"""


def program(body: str) -> Any:
    return function_of(MODULE.format(body=body.replace("; ", "\n").replace("\n", "\n    ")))[0]


@pytest.mark.parametrize("name", AS_PYTHON)
def test_as_in_python(name: str) -> None:
    function = program(AS_PYTHON[name])
    staged = tf.function(function)
    for n in (0, 1, 3):
        assert float(staged(tf.constant(n))) == function(n), n


@pytest.mark.parametrize("name", REFUSED)
def test_what_another_name_would_see_is_refused(name: str) -> None:
    with pytest.raises(StagingError, match="cop(y|ies)"):
        tf.function(program(REFUSED[name]))(tf.constant(1))


def test_an_array_of_the_caller_is_not_left_as_it_was() -> None:
    def f(a: Any, n: Any) -> Any:
        rows = [a for _ in range(n)]
        rows[0][0] = 7.0
        return n

    a = np.zeros(2)
    with pytest.raises(StagingError, match=r"put a copy into the list \(a\.copy\(\)\)"):
        tf.function(f)(a, tf.constant(2))
    assert not a.any()


def test_a_captured_array_that_is_taken_out_is_not_left_as_it_was() -> None:
    a = np.arange(4.0)

    def f(n: Any, array: Any) -> Any:
        rows = [array[:2], array[2:]]
        while rows and rows[-1][0] > n:
            row = rows.pop()
            row[0] = 0.0
        return array.sum()

    for made in (lambda: a, lambda: np.arange(4.0)):
        with pytest.raises(StagingError, match="Make a copy"):
            tf.function(lambda n, made=made: f(n, made()))(tf.constant(1.0, tf.float64))
    np.testing.assert_array_equal(a, np.arange(4.0))


def test_a_row_that_is_taken_out_and_only_read() -> None:
    a = np.arange(4.0)

    def f(n: Any) -> Any:
        rows, total = [a[:2], a[2:]], 0.0
        while rows and rows[-1][0] > n:
            total += rows.pop().sum()
        return total

    for n in (-1.0, 1.0, 5.0):
        assert float(tf.function(f)(tf.constant(n, tf.float64))) == f(n)


def test_what_the_caller_is_given_are_tensors() -> None:
    def kept(a: Any, n: Any) -> Any:
        rows, table, pairs = [], {}, []
        for i in range(n):
            a[0] = i
            rows.append(a.copy())
            table[i] = a * i
            pairs.append((i, {"row": a + i}))
        return rows, table, pairs

    found, expected = tf.function(kept)(np.ones(2), tf.constant(3)), kept(np.ones(2), 3)
    assert all(isinstance(leaf, tf.Tensor) for leaf in tf.nest.flatten(found))
    for leaf, wanted in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_array_equal(leaf, wanted)
