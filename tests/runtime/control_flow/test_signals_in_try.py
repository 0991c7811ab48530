"""A trace that begins again asks nobody: no `except` of the program sees it, and no jump out of `finally` drops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

TOTAL = np.zeros(3)


def swap(v, w):
    saved = v.copy()
    v[:] = w
    w[:] = saved


def returned_in_finally(a, x):
    try:
        swap(TOTAL, a)
    finally:
        return a


def left_in_finally(a, x):
    for i in range(3):
        try:
            TOTAL[i] = x
        finally:
            break
    return a


def bare_except(a, x):
    try:
        TOTAL[0] = x
    except:
        a[0] = 100.0
    return a


def except_base(a, x):
    try:
        if x > 0:
            TOTAL[1] = x
    except BaseException:
        a[0] = 100.0
    else:
        a[1] = 3.0
    return a


def made_here(a, x):
    made = np.zeros(3)
    try:
        made[1] = x
        a += made
    except BaseException:
        made[0] = 100.0
    finally:
        made[2] = 1.0
    return made


def grows_in_a_loop(a, x):
    found = []
    for v in a:
        try:
            if v > x:
                found.append(v)
        except BaseException:
            a[0] = 100.0
        finally:
            if x > 100:
                break
    return a, len(found)


PROGRAMS = [returned_in_finally, left_in_finally, bare_except, except_base, made_here, grows_in_a_loop]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python(program: Callable[..., Any]) -> None:
    function = tf.function(program)

    def left(called: Callable[..., Any], x: Any) -> list[Any]:
        TOTAL[:] = [5.0, 6.0, 7.0]
        a = np.arange(3.0)
        return [np.asarray(part).tolist() for part in (*tf.nest.flatten(called(a, x)), a, TOTAL)]

    for x in (1.5, -2.0):
        assert left(function, tf.constant(x, tf.float64)) == left(program, x), x
