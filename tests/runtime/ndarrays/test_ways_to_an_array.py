"""Writes to arrays by ways that a trace finds late: `flat`, views in loops, items of lists, `finally`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf


class Holder:
    def __init__(self) -> None:
        self.v = np.ones(4)


class Scope:
    def __enter__(self) -> Scope:
        return self

    def __exit__(self, *error: Any) -> bool:
        return False


HOLDER = Holder()
GRID = np.arange(6.0).reshape(2, 3)
TOTAL = np.zeros(4)


def through_flat(a: Any, m: Any, n: Any) -> Any:
    for _ in range(n):
        GRID.flat[-1] = 0.25
    if a[0] > 2.0:
        GRID.flat[0] = a[1]
    return a


def through_a_row_that_a_tensor_chooses(a: Any, m: Any, n: Any) -> Any:
    row = GRID.T[n % 3]
    row += HOLDER.v.sum()
    GRID[n % 2][1] = 7.0
    return row


def through_a_view_in_a_loop(a: Any, m: Any, n: Any) -> Any:
    w = HOLDER.v[1:]
    for _ in range(n):
        w += w[0]
    return w * HOLDER.v[1:]


def through_a_view_in_two_loops(a: Any, m: Any, n: Any) -> Any:
    w = HOLDER.v[1:]
    i = 0
    while i < n:
        i += 1
        for _ in range(n):
            w += w[0]
        a[:] = HOLDER.v
    return a


def bound_to_a_captured_array_in_a_loop(a: Any, m: Any, n: Any) -> Any:
    HOLDER.v.fill(m[0, -1])
    b = a
    for row in m:
        row[2] += a[0]
        b = TOTAL
    b[1] = 4.0
    return b


def turned_within_with(a: Any, m: Any, n: Any) -> Any:
    with Scope():
        GRID[-1] = 0.25
        GRID.T[1] = a[0]
        a[n % 4] = 3.0
    return a


def returned_before_finally(a: Any, m: Any, n: Any) -> Any:
    try:
        if a[n % 4] > 1.0:
            return a, m, HOLDER.v
    finally:
        a[:] = np.sort(HOLDER.v)
        m[0] += 1.0
        HOLDER.v[n % 4] = 3.0
    return m, a, HOLDER.v


def by_an_item_of_a_list(a: Any, m: Any, n: Any) -> Any:
    rows = [row for row in m]
    rows[n % 2][1] = a[0]
    rows[-1 - n % 2][2] += a[1]
    row = rows[n % 2]
    row *= 2
    rows[n % 2] += 1
    return rows[0], rows[1]


def one_of_an_array_and_a_list(a: Any, m: Any, n: Any) -> Any:
    c = a.copy()
    if n % 2 == 0:
        c = np.array([a[0], m[0, 1], 0.0, 1.0])
    c[1] = a[3]
    a[2] = c[0]
    return c


def all_that_can_be_reached(a: Any, m: Any, n: Any) -> Any:
    b = a * 1
    for _ in range(n):
        b = b + HOLDER.v
        HOLDER.v.fill(a[0])
    a.real = b
    return b


PROGRAMS = [
    through_flat, through_a_row_that_a_tensor_chooses, through_a_view_in_a_loop, through_a_view_in_two_loops,
    bound_to_a_captured_array_in_a_loop, turned_within_with, returned_before_finally, by_an_item_of_a_list,
    one_of_an_array_and_a_list, all_that_can_be_reached,
]  # fmt: skip


def outcome(function: Any, n: Any) -> list[Any]:
    HOLDER.v, TOTAL[:] = np.ones(4), 0.0
    GRID[...] = np.arange(6.0).reshape(2, 3)
    a, m = np.array([3.0, 1.0, 4.0, 1.5]), np.arange(6.0).reshape(2, 3) - 2.0
    result = function(a, m, n)
    return [*(result if isinstance(result, tuple) else (result,)), a, m, HOLDER.v, GRID.copy(), TOTAL.copy()]


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_numpy(program: Any) -> None:
    function = tf.function(program)
    for n in (0, 1, 2, 3):
        wanted = [np.array(value) for value in outcome(program, n)]
        for found, value in zip(outcome(function, tf.constant(n, tf.int64)), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(found), value)
