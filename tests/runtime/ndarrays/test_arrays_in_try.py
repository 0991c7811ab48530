"""Arrays that the body of a `try` writes to, before and after what may raise: through names and views, in all parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .comparing import assert_same

GRID = np.arange(6.0).reshape(2, 3)


def made_before(n):
    b = np.ones(4)
    try:
        b[-1] += 1.5
        s = 100 // n
        b[-1] += s
        s = 100 // (n - 2)
    except ZeroDivisionError:
        b[0] = b[-1]
    return b


def through_a_view(n):
    b = np.ones(4)
    try:
        b.T[-1] += 1.5
        s = 100 // n
        b.T[-1] += s
        s = 100 // (n - 2)
    except ZeroDivisionError:
        b[0] = b.T[-1]
    return b


def written_with_a_tensor(n):
    b = np.ones(4)
    try:
        b.T[-1] += n
        s = 100 // (n - 2)
        b.reshape(2, 2).T[0] = s
    except ZeroDivisionError:
        b[0] = b[-1]
    else:
        b[1] = 7.0
    return b


def in_a_finally(n):
    b, c = np.ones(4), np.zeros(4)
    w = b
    try:
        b.T[-1] += n
        p = GRID[-1][::-1]
        np.multiply(p, 0.5, out=p)
    finally:
        w[0] = c[n % 4]
    return b, p


def in_a_loop(n):
    b = np.ones(4)
    for i in range(n + 2):
        try:
            b.T[i % 4] += 1.0
            b[0] += 10 // (i - 1)
        except ZeroDivisionError:
            b[3] *= 2.0
    return b


def a_helper_writes(n):
    b = np.ones(4)

    def put(v):
        v[1] += 1.0
        return 10 // (n - 1)

    try:
        b[2] = put(b[1:])
        b[3] = put(b)
    except ZeroDivisionError:
        b[0] = b.sum()
    return b


def of_another_dtype(n):
    k = np.arange(4)
    try:
        k.T[1] += n
        k[2] = 100 // n
    except ZeroDivisionError:
        k[3] = -1
    return k


def a_view_read_in_the_body_and_after_it(n):
    b = np.array([1.0, 2.0, 3.0, 4.0])
    c, s = b[::-1], 0.0
    b[[0, 2]] = -2.0
    try:
        s += 100 // (n % 3)
        b[1] += c.max()
    except ZeroDivisionError:
        pass
    return b, c, s


def a_handler_that_cannot_write(n):
    b, s = np.arange(4.0), 0.0
    try:
        s += 100 // (n - 5)
    except ZeroDivisionError:
        b[-1:1] = b[2:]  # ValueError
    return b, s


def a_handler_that_may_not_write(n):
    b = np.broadcast_to(np.ones(1), (4,))
    try:
        s = 100 // (n - 5)
    except ZeroDivisionError:
        b[0] = s = 1  # ValueError
    return b, s


PROGRAMS = [
    a_view_read_in_the_body_and_after_it, a_handler_that_cannot_write, a_handler_that_may_not_write,
    made_before, through_a_view, written_with_a_tensor, in_a_finally, in_a_loop, a_helper_writes, of_another_dtype,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_in_a_try(program: Callable[..., Any]) -> None:
    for n in (0, 1, 2, 3):
        before = GRID.copy()
        try:
            program(n)
        except ZeroDivisionError:
            continue
        finally:
            GRID[...] = before
        assert_same(program, n, numbers="staged")
        GRID[...] = before


def test_in_a_branch_through_a_view() -> None:
    def f(x):
        b = np.ones(4)
        if x > 0:
            b.T[-1] += 1.5
        return b

    for x in (1.0, -1.0):
        assert_same(f, x, numbers="staged")
