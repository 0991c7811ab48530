"""Tuples, lists and dicts of arrays that a tensor decides, also as results of helpers: writes reach the arrays.

    v, i = (a, 1) if x > 0 else (b, 2)
    v[0] = 7.0                            # written to `a` or `b`
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError

FIRST = np.zeros(4)
SECOND = np.ones(4)


def of_two_tuples(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    if x > 0:
        pair = b, 1
    else:
        pair = c, 2
    v, _ = pair
    v[1] = 7.0
    return b, c, pair


def of_an_expression(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    v, _ = (b, 1) if x > 0 else (c, 2)
    v += 7
    c[0] = 3.0
    return a, b, c, v


def of_lists(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    pair = [b, a] if x > 0 else [a, c]
    np.add(pair[0], 1, out=pair[0])
    pair[1].sort()
    return b, c, pair


def of_a_dict_of_tuples(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    table = {"u": (b, c)}
    if x > 0:
        table = {"u": (c, b)}
    table["u"][0][1:][0] = 7.0
    return a, b, c


def of_arrays_from_outside(a: Any, x: Any, n: Any) -> Any:
    pair = (FIRST, 1) if x > 0 else (SECOND, 2)
    pair[0][1] = 8.0
    return FIRST, SECOND, pair


def of_a_helper(a: Any, x: Any, n: Any) -> Any:
    b = np.zeros(4)

    def found() -> Any:
        for i in range(n):
            if a[i] > x:
                return b, i
        return b, 0

    v, i = found()
    v[i] = 7.0
    return b, i


def of_a_helper_that_counts(a: Any, x: Any, n: Any) -> Any:
    b = np.zeros(4)

    def found() -> Any:
        i = 0
        while True:
            if b[1] > x:
                return b, i
            b[1] += 1
            i += 1

    v, i = found()
    v[0] = 7.0
    return b, i


def perhaps_none(a: Any, x: Any, n: Any) -> Any:
    pair = None
    if a[0] > x:
        pair = a[1:], 1
    if pair is not None:
        pair[0][1] = 7.0
    return a, pair is None


def returned_before_finally(a: Any, x: Any, n: Any) -> Any:
    b = np.zeros(4)
    try:
        for i in range(n):
            if a[i] > 0.25:
                return a, b
    finally:
        a[1] = x
        b[0] = 8.0
    return b, a


def caught(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    try:
        pair = b, 100 // (n - 1)
    except ZeroDivisionError:
        pair = c, 0
    v, _ = pair
    v[1] = 7.0
    return b, c


def bound_in_an_iteration(a: Any, x: Any, n: Any) -> Any:
    b = np.zeros(4)
    pair = None
    for i in range(n):
        if a[i] > x:
            pair = b, i
    if pair is None:
        pair = b, 0
    pair[0][1] = 7.0
    return b, pair[1]


def changed_under_its_first_name(a: Any, x: Any, n: Any) -> Any:
    b, c = np.zeros(4), np.ones(4)
    pair = (b, 1) if x > 0 else (c, 2)
    b[0] = 5.0
    return pair


def a_copy_is_made(a: Any, x: Any, n: Any) -> Any:
    if x > 0:
        pair = a * 2.0, 1
    else:
        pair = a[::-1].copy(), 2
    pair[0][0] = 5.0
    return a, pair


def a_view_is_returned_from_a_loop(a: Any, x: Any, n: Any) -> Any:
    for i in range(n):
        if a[i] > x:
            return a[1:], i
        a[i] += 1
    return a[:3], 0


def a_view_of_a_helper(a: Any, x: Any, n: Any) -> Any:
    def found() -> Any:
        for i in range(n):
            if a[i] > x:
                return a[1:]
        return None

    part = found()
    if part is not None:
        part[1] = 7.0
    return a


PROGRAMS: list[Callable[..., Any]] = [
    of_two_tuples, of_an_expression, of_lists, of_a_dict_of_tuples, of_arrays_from_outside, of_a_helper,
    of_a_helper_that_counts, perhaps_none, returned_before_finally, caught, bound_in_an_iteration,
    changed_under_its_first_name, a_copy_is_made, a_view_is_returned_from_a_loop, a_view_of_a_helper,
]  # fmt: skip


def _outcome(program: Callable[..., Any], x: Any, n: Any) -> list[Any]:
    FIRST[:], SECOND[:] = 0.0, 1.0
    a = np.array([3.0, 1.0, 4.0, 1.5])
    return [_plain(program(a, x, n)), a.tolist(), FIRST.tolist(), SECOND.tolist()]


def _plain(value: Any) -> Any:
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else np.asarray(value).tolist()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_numpy(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for x, n in ((1.5, 3), (-1.25, 2), (0.375, 0), (3.5, 1)):
        expected = _outcome(program, x, n)
        assert _outcome(function, tf.constant(x, tf.float64), tf.constant(n, tf.int64)) == expected


def either_view_in_a_loop(a: Any, x: Any, n: Any) -> Any:
    pair = a, a
    for i in range(n):
        if a[i] > x:
            pair = a[1:], a[::-1]
    pair[0][0] = 7.0
    return pair


def late_views(a: Any, x: Any, n: Any) -> Any:
    b = np.ones(4)
    pair = None
    for i in range(n):
        if a[i] > x:
            pair = a, b
        else:
            pair = b, a
    a[0] = 7.0
    return a if pair is None else pair[0]


@pytest.mark.parametrize("program", [either_view_in_a_loop, late_views])
def test_what_a_loop_leaves_as_a_copy_may_not_change(program: Callable[..., Any]) -> None:
    a = np.array([3.0, 1.0, 4.0, 1.5])
    with pytest.raises(StagingError, match="so that the graph has a copy"):
        tf.function(program)(a, tf.constant(0.5, tf.float64), tf.constant(3, tf.int64))
    assert a.tolist() == [3.0, 1.0, 4.0, 1.5]


def a_view_in_a_tuple(a: Any, x: Any, n: Any) -> Any:
    pair = None
    for i in range(n):
        if i % 2 == 0:
            pair = a[1:], i
        a[1] += 1
    return a if pair is None else pair[0]


def test_copies_of_an_earlier_iteration_are_refused() -> None:
    with pytest.raises(StagingError, match="of which the graph has a copy, and an iteration writes to one of them"):
        tf.function(a_view_in_a_tuple)(np.zeros(4), tf.constant(0.5, tf.float64), tf.constant(3, tf.int64))
