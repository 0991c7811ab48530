"""Variables that are an array made in a branch or loop, or another one of another shape: memory, whichever it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def a_view_or_one_that_is_made(a: Any, n: Any) -> Any:
    b, s = a, a[0] * 0
    for i in range(n):
        a[1] += 1
        s += b[1]
        if i > 0:
            b = a[1:]
        else:
            b = np.ones(3)
    return s + b[0]


def made_with_a_view(a: Any, n: Any) -> Any:
    if n > 1:
        b = a * 2
        c = b
        w = b[1:]
    else:
        b = a[1:] + 3
        c = a
        w = a[2:]
    w[1:] *= 0.5
    c[2] += 7
    b[1] -= 1
    return b * 1, w * 1, c * 1


def in_a_loop(a: Any, n: Any) -> Any:
    b = np.zeros(3)
    w = b
    for i in range(3):
        if n > i:
            w = a * i
            b = w[i:]
        b[0] += 1
        w[-1] += 2
    return b * 1, w * 1


def made_or_given(a: Any, n: Any) -> Any:
    p = a[1:3].copy() if n > 1 else a
    p[0] = 0.25
    return p.sum() + a[1]


def made_or_made_before(a: Any, n: Any) -> Any:
    c = np.zeros(4)
    p = np.full(2, a[0]) if n > 1 else c
    p[0] = 0.25
    c[1] = p[1] + 2
    return p.sum() + c.sum()


def none_or_a_view(a: Any, n: Any) -> Any:
    p = a[2:] if n > 1 else None
    p = a[:1] if p is None else p.copy()
    p[0] = 5.0
    return p * 1


def first_above(v: Any, k: Any) -> Any:
    for i in range(3):
        if v[i] > k:
            return v[i:]
    return None


def of_a_length_that_the_run_knows(a: Any, n: Any) -> Any:
    p = first_above(a, 1.0 * n + 1.0)
    p = a if p is None else p.copy()
    p[0] = 5.0
    return p * 1


def those_that_are_greater(a: Any, n: Any) -> Any:
    p = a
    if n > 1:
        p = a[a > 1.0 * n]
    elif n > 0:
        p = a[a < 3.5]
    p[0] += p.sum()
    p *= 2
    p.sort()
    return p * 1


def with_a_view_of_it(a: Any, n: Any) -> Any:
    p = q = a
    if n > 1:
        p = a[a > 1.5]
        q = p[1:]
    q[0] = 9.0
    p[1] += 7
    return p * 1, q * 1


def longer_each_time(a: Any, n: Any) -> Any:
    p = a
    for _ in range(n):
        p = np.concatenate([p, a[:1]])
        p[0] += 1
    p[-1] = 5.0
    return p * 1


def shorter_each_time(a: Any, n: Any) -> Any:
    p = a
    for _ in range(n):
        p = p[1:] * 2
    p[0] = 1.0
    return p * 1


PROGRAMS = [
    a_view_or_one_that_is_made, made_with_a_view, in_a_loop, made_or_given, made_or_made_before, none_or_a_view,
    of_a_length_that_the_run_knows, those_that_are_greater, with_a_view_of_it, longer_each_time, shorter_each_time,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_one_that_is_made_has_another_shape(function: Any) -> None:
    for n in range(4):
        for size in (4, 5):
            assert_same(function, np.arange(1.0, 1.0 + size), n, numbers="staged")
