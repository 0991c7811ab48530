"""Names of one array after a statement: of memory that a branch has made, and of one of several arrays from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

TOTAL = np.zeros(4)


class Holder:
    def __init__(self) -> None:
        self.v = np.ones(4)


HOLDER = Holder()


def made_in_a_try(a, m, x, n):
    try:
        b = a * 2
        w = b[1:]
    finally:
        pass
    w[1:] *= 0.5
    return b, w


def made_in_both_branches(a, m, x, n):
    if x > 0:
        b = a * 2
        w = b[1:]
    else:
        b = a + 3
        w = b[:-1]
    w[1:] *= 0.5
    b[2] = 9.0
    return b, w


def made_in_one_branch(a, m, x, n):
    b = w = a
    if x > 0:
        b = np.full(4, x)
        w = b[::-1]
    w[0] = 7.0
    return b, w


def one_of_two_globals_in_a_branch(a, m, x, n):
    if x > 0:
        c = a * 0.5
    elif n % 2 == 0:
        c = TOTAL
    else:
        c = HOLDER.v
    c[0] = 5.0
    return c


def an_argument_or_one_of_two_globals(a, m, x, n):
    c = a if x > 0 else (TOTAL if n % 2 == 0 else HOLDER.v)
    np.putmask(c, c > -2.0, -2.0)
    return c


def then_the_globals(a, m, x, n):
    if x > 0:
        c = TOTAL if n % 2 == 0 else HOLDER.v
    else:
        c = a + 1.0
    c += 1.0
    return c


def returned_in_two_loops(a, m, x, n):
    for _ in range(n):
        for row in m:
            row[0] += a[-1]
            return m


def returned_in_a_loop_of_tensors(a, m, x, n):
    for _ in range(n):
        for _ in range(n):
            m[0, 0] += x
            return m, a


PROGRAMS = [
    made_in_a_try, made_in_both_branches, made_in_one_branch, one_of_two_globals_in_a_branch,
    an_argument_or_one_of_two_globals, then_the_globals, returned_in_two_loops, returned_in_a_loop_of_tensors,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_numpy(program: Callable[..., Any]) -> None:
    function = tf.function(program)

    def left(called: Callable[..., Any], x: Any, n: Any) -> list[Any]:
        TOTAL[:] = 0.0
        HOLDER.v[:] = 1.0
        arrays = [np.arange(4.0), np.arange(6.0).reshape(2, 3)]
        results = called(*arrays, x, n)
        parts = results if isinstance(results, tuple) else () if results is None else (results,)
        return [np.asarray(part).tolist() for part in (*parts, *arrays, TOTAL, HOLDER.v)]

    for x in (1.5, -1.25):
        for n in (0, 1, 2):
            found = left(function, tf.constant(x, tf.float64), tf.constant(n))
            assert found == left(program, x, n), (x, n)


def test_views_of_several_shapes() -> None:
    def views(a: Any, x: Any, writes: bool) -> Any:
        if x > 0:
            b = a * 2
            w = b[1:]
        else:
            b = a + 3
            w = b[2:]
        if writes:
            w[1:] *= 0.5
        return b, w

    function = tf.function(views)
    for x in (1.0, -1.0):
        for writes in (False, True):
            results = function(np.arange(4.0), tf.constant(x), writes), views(np.arange(4.0), x, writes)
            for found, wanted in zip(*results, strict=True):
                np.testing.assert_array_equal(found, wanted)
