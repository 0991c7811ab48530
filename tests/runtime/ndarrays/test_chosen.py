"""Variables that are one array or another, as a tensor decides: which one it is is known, and writes reach it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same


def either(a: Any, b: Any, x: Any) -> Any:
    c = a if x > 0 else b
    c[0] = 9.0
    return a.sum(), c


def made_in_one_branch(a: Any, x: Any) -> Any:
    if x > 0:
        a = a * 2
    a[0] = 7.0
    return a


def rows(a: Any, x: Any) -> Any:
    if x > 0:
        row = a[0]
    else:
        row = a[1]
    row += 1
    a[0, 0] = 5
    return row


def swapped_in_a_branch(a: Any, b: Any, x: Any) -> Any:
    if x > 0:
        a, b = b, a
    a[0] = 1
    b[1] = 2
    if x > 1:
        c = a
    else:
        c = b
    c += 3
    return a, b, c


def two_names(a: Any, x: Any) -> Any:
    d = a
    if x > 0:
        d = np.zeros(3)
        e = d
    else:
        e = a
    e[0] = 4
    d[1] = 5
    return d, e


def made_before(x: Any) -> Any:
    a = np.zeros(3)
    b = np.ones(3)
    if x > 0:
        c = a
    else:
        c = b
    c[0] = x
    return a, b, c


def overlapping(a: Any, x: Any) -> Any:
    if x > 0:
        r = a[1:]
    else:
        r = a[:-1]
    r *= 2
    return r, a


def of_two_shapes(a: Any, x: Any) -> Any:
    r = a[:2] if x > 0 else a
    return r.sum(), r


def jacobi(u: Any, v: Any, n: Any) -> Any:
    for i in range(n):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u, v = v, u
    u[0] = 7
    return u


def bound_anew(a: Any, n: Any) -> Any:
    for _ in range(n):
        a[0] += 1
        a = a * 2
    a[1] = 9
    return a


def bound_anew_under_two_names(a: Any, n: Any) -> Any:
    b = a
    for _ in range(n):
        a = a * 2
        b[0] = 5
        b = a
    b[1] = 3
    return a, b


def last_two(n: Any) -> Any:
    p, c = np.zeros(2), np.ones(2)
    for _ in range(n):
        p, c = c, p + c
    p[0] = 1
    return p, c


def bound_anew_now_and_then(a: Any, n: Any) -> Any:
    for i in range(n):
        if i % 2 == 0:
            a = a + 1
        a[0] = 5
    return a


def rows_of_a_loop(a: Any, n: Any) -> Any:
    r = a[0]
    for i in range(n):
        r[0] += 1
        r = a[i]
    r[1] = 5
    return r


def in_a_circle(a: Any, b: Any, c: Any, n: Any) -> Any:
    for i in range(n):
        a[0] += b[0]
        a, b, c = b, c, a
    return a, b, c


def best_row(a: Any, n: Any) -> Any:
    best = a[0]
    i = 1
    while i < n:
        if a[i].sum() > best.sum():
            best = a[i]
        i += 1
    best[:] = 0
    return best


def in_nested_loops(u: Any, v: Any, n: Any) -> Any:
    for i in range(n):
        for j in range(i):
            v[:] = u + 1
            u, v = v, u
        u[0] = 0
    return u


def growing(a: Any, n: Any) -> Any:
    for i in range(n):
        a = np.append(a, 1.0)
    return a


def first_bound_in_the_loop(a: Any, n: Any) -> Any:
    r = a
    for i in range(n):
        t = a[1:]
        t[0] += 1
        r = t
    return r


def in_a_list(a: Any, b: Any, n: Any) -> Any:
    pair = [a, b]
    for i in range(n):
        pair[0][0] += 1
        pair[0], pair[1] = pair[1], pair[0]
    return pair[0]


class Holder:
    u: Any
    v: Any


def in_attributes(a: Any, b: Any, n: Any) -> Any:
    o = Holder()
    o.u, o.v = a, b
    for i in range(n):
        o.u[0] += 1
        o.u, o.v = o.v, o.u
    return o.u


def chosen_and_left(a: Any, b: Any, x: Any) -> Any:
    if x > 1:
        return a, b
    c = a if x > 0 else b
    for _ in range(2):
        a, b = b, a
    for _ in range(int(np.sum(a > 0)) + 1):
        c[0] += 1
        a, c = c, a
    a[1] = 7
    return a, c


def a_part_or_a_row(a: Any, m: Any, x: Any) -> Any:
    part = a[1:]
    if x > 0:
        part = m[int(x) % 2]
    total = 0.0
    for _ in range(int(np.sum(a > 0)) + 1):
        total += part[0]
        part[1] += x
    return total, part


BRANCHES = [
    (either, (np.zeros(3), np.ones(3))), (made_in_one_branch, (np.ones(3),)), (rows, (np.zeros((2, 2)),)),
    (swapped_in_a_branch, (np.zeros(2), np.ones(2))), (two_names, (np.ones(3),)), (made_before, ()),
    (chosen_and_left, (np.zeros(3), np.ones(3))), (overlapping, (np.ones(3),)), (of_two_shapes, (np.ones(3),)),
    (a_part_or_a_row, (np.ones(4), np.ones((2, 3)))),
]  # fmt: skip


@pytest.mark.parametrize("x", [2.0, 0.5, -2.0])
@pytest.mark.parametrize(("function", "arrays"), BRANCHES)
def test_after_a_branch(function: Any, arrays: tuple[Any, ...], x: float) -> None:
    assert_same(function, *arrays, x, numbers="staged")


def counted(*shape: int) -> Any:
    return np.arange(float(np.prod(shape))).reshape(shape) + 1


LOOPS = [
    (jacobi, (counted(5), counted(5) * 2)), (bound_anew, (counted(3),)), (bound_anew_under_two_names, (counted(3),)),
    (last_two, ()), (bound_anew_now_and_then, (counted(3),)), (rows_of_a_loop, (counted(3, 2),)),
    (in_a_circle, (counted(2), counted(2) + 5, counted(2) * 3)), (best_row, (counted(3, 2)[::-1],)),
    (in_nested_loops, (counted(3), counted(3) + 2)), (growing, (counted(2),)),
    (first_bound_in_the_loop, (counted(2),)), (in_a_list, (counted(2), counted(2) + 4)),
    (in_attributes, (counted(2), counted(2) + 4)),
]  # fmt: skip


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(("function", "arrays"), LOOPS)
def test_in_a_loop(function: Any, arrays: tuple[Any, ...], n: int) -> None:
    assert_same(function, *arrays, n, numbers="staged")


def longer_in_each_iteration(a: Any, n: Any) -> Any:
    for _ in range(n):
        a[0] += 1
        a = np.append(a, 1.0)
    a[-1] += 5
    return a * 1


@pytest.mark.parametrize("n", [0, 1, 3])
def test_made_longer_and_written_to(n: int) -> None:
    assert_same(longer_in_each_iteration, np.zeros(3), n, numbers="staged")


GRID = np.arange(6.0).reshape(2, 3)


def part_of_a_part(a: Any, x: Any, n: Any) -> None:
    row = a.copy()[1:] if x > 1 else GRID[n % 2 :][0]
    for _ in range(n):
        row[0] -= 2.0
    row[1] = x


@pytest.mark.parametrize("x", [0.5, 2.0])
def test_a_view_of_a_view_at_a_place_of_the_run_is_memory(x: float) -> None:
    """It is a tensor, until it meets an array of the trace."""
    before, a = GRID.copy(), np.ones(4)
    part_of_a_part(a, x, 1)
    wanted = GRID.copy()
    GRID[...] = before
    tf.function(part_of_a_part)(a, tf.constant(x), tf.constant(1))
    found, GRID[...] = GRID.copy(), before
    assert found.tolist() == wanted.tolist() and (wanted != before).any() == (x < 1)
