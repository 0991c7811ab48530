"""Variables that a loop binds to an array, and that had none before it: undefined, or None; they are written to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same


def bound_to_a_row(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        w = a[i % 2]
    w[0] = 9.0
    return (a, b, w)


def a_row_or_an_array(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        w = a[i % 2] if i < 2 else b
        w[1] += 1
    w[0] = 9.0
    return (a, b, w)


def made_in_each_iteration(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        w = a * 2
        w[1] += 1
    w[0] = 9.0
    return (a, b, w)


def none_before(a: Any, b: Any, n: Any) -> Any:
    w = None
    for i in range(n):
        w = a[i % 2]
    if w is None:
        w = b
    w[0] = 9.0
    return (a, b, w)


def a_view_of_it_too(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        w = a[i % 2]
        v = w[1:]
    v[0] = 9.0
    w[0] = 8
    return (a, b, w, v)


def read_by_the_next_iteration(a: Any, b: Any, n: Any) -> Any:
    s = 0.0
    for i in range(n):
        if i > 0:
            w[0] += 1  # noqa: F821
            s += w[1]  # noqa: F821
        w = a[i % 2]
    w[0] = 9.0
    return (a, b, w, s)


def a_copy_with_two_names(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        w = a[i % 2].copy()
        v = w
    v[0] = 9.0
    return (a, b, w, v)


def by_a_loop_within(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        for j in range(i + 1):
            w = a[j % 2]
            w[2] += j
        w[0] += 9.0
    return (a, b, w)


def made_longer_than_a_row(a: Any, b: Any, n: Any) -> Any:
    k = 0
    while k < n:
        w = np.append(b, a[k % 2])
        k += 1
    w[0] = 4
    return (a, b, w)


def none_as_long_as_nothing_is_found(a: Any, b: Any, n: Any) -> Any:
    w = None
    for i in range(n):
        if i > 0:
            w = a[i % 2]
    if w is not None:
        w[0] = 9.0
    return (a, b)


def the_first_row_that_is_great(a: Any, b: Any, n: Any) -> Any:
    best = None
    for row in a:
        if row[0] * (1.0 * n) > 2.5 and best is None:
            best = row
    if best is None:
        best = b
    best[1] = 7.0
    return (a, b, best)


def made_where_it_was_bound_before(a: Any, b: Any, n: Any) -> Any:
    w = None
    for i in range(n):
        if w is None:
            w = a[0]
        else:
            w = w * 2
        w[0] += 1
    return (a, b, b if w is None else w)


def bound_in_some_iterations(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        if i % 2 == 0:
            w = a[0]
        elif i > 2:
            w = b * 2
        w[0] += 1
    w[1] = 3
    return (a, b, w)


def none_again(a: Any, b: Any, n: Any) -> Any:
    w = None
    for i in range(n):
        w = None if i == 1 else b[1:]
        if w is not None:
            w[0] += 1
    return (a, b)


def left_by_an_earlier_iteration(a: Any, b: Any, n: Any) -> Any:
    for i in range(n):
        if i % 2 == 0:
            w = a[i % 2]
        a[0] += 1
    return (w, b)


PROGRAMS = [
    left_by_an_earlier_iteration,
    bound_to_a_row, a_row_or_an_array, made_in_each_iteration, none_before, a_view_of_it_too,
    read_by_the_next_iteration, a_copy_with_two_names, by_a_loop_within, made_longer_than_a_row,
    none_as_long_as_nothing_is_found, the_first_row_that_is_great, made_where_it_was_bound_before,
    bound_in_some_iterations, none_again,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_in_numpy(program: Callable[..., Any]) -> None:
    for n in range(4):
        arrays = np.arange(6.0).reshape(2, 3), np.arange(3.0) + 10
        try:
            program(*(array.copy() for array in arrays), n)
        except UnboundLocalError:
            with pytest.raises(UnboundLocalError):
                tf.function(program)(*arrays, tf.constant(n))
        else:
            assert_same(program, *arrays, n, numbers="staged")
