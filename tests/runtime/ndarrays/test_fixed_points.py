"""Loops that go on until an array changes no more, and return early: the new array has several names then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.ndarrays.comparing import assert_same


def returned(x: Any, tol: Any) -> Any:
    while True:
        y = np.cos(x)
        if np.max(np.abs(y - x)) < tol:
            return y
        x = y


def of_a_copy(x: Any, tol: Any) -> Any:
    x = np.copy(x)
    while True:
        y = np.cos(x)
        if np.linalg.norm(y - x) < tol:
            y[0] = 7.0
            return y
        x = y


def the_older_one(x: Any, tol: Any) -> Any:
    while True:
        y = np.cos(x)
        if np.max(np.abs(y - x)) < tol:
            return x
        x = y


def one_or_the_other(x: Any, tol: Any) -> Any:
    n = 0
    while True:
        y = np.cos(x)
        n += 1
        if np.max(np.abs(y - x)) < tol:
            return y
        if n > 5:
            return x
        x = y


def at_most(x: Any, tol: Any) -> Any:
    for i in range(100):
        y = np.cos(x)
        if np.max(np.abs(y - x)) < tol:
            return y, i
        x = y
    return x, -1


def no_convergence(x: Any, tol: Any) -> Any:
    for _ in range(70):
        y = np.cos(x)
        if np.max(np.abs(y - x)) < tol:
            return y
        x = y
    return None


def a_pair(x: Any, tol: Any) -> Any:
    y = x[::-1]
    while True:
        z = np.cos(x) * 0.5 + np.sin(y) * 0.1
        w = np.sin(x) * 0.2 + np.cos(y) * 0.3
        if np.max(np.abs(z - x)) < tol and np.max(np.abs(w - y)) < tol:
            return z, w
        x, y = z, w


def older_and_newer(x: Any, tol: Any) -> Any:
    old = x
    while True:
        old, x = x, np.cos(x)
        if np.max(np.abs(old - x)) < tol:
            return x


def shifted(x: Any, tol: Any) -> Any:
    a, b = x, np.cos(x)
    while True:
        if np.max(np.abs(a - b)) < tol:
            return a
        a, b = b, np.cos(b)


def two_buffers(x: Any, tol: Any) -> Any:
    a, b = x.copy(), np.empty_like(x)
    while True:
        np.cos(a, out=b)
        if np.max(np.abs(a - b)) < tol:
            return b
        a, b = b, a


def jacobi(x: Any, tol: Any) -> Any:
    a = np.array([[4.0, 1.0, 0.0], [1.0, 5.0, 2.0], [0.0, 2.0, 6.0]])
    diagonal = np.diag(a)
    rest = a - np.diagflat(diagonal)
    y = np.zeros_like(x)
    while True:
        z = (x - rest @ y) / diagonal
        if np.linalg.norm(z - y) < tol:
            return z
        y = z


PROGRAMS = [
    returned, of_a_copy, the_older_one, one_or_the_other, at_most, no_convergence, a_pair, older_and_newer, shifted,
    two_buffers, jacobi,
]  # fmt: skip


@pytest.mark.parametrize("tolerance", [1e-2, 5.0])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_fixed_point_is_python_s(program: Callable[..., Any], tolerance: float) -> None:
    assert_same(program, np.array([0.5, 0.7, 0.2]), np.float64(tolerance), numbers="plain")


def names_that_change_places(x: Any, n: Any) -> Any:
    a = b = c = x
    for _ in range(n):
        z = np.cos(b) + c
        if z[0] > 1:
            a, b, c = z, a, b
        elif z[1] > 1:
            a, b, c = c, c, z
        else:
            a, b, c = b, z, z
        a[0] += 1
        b[1] -= 0.5
    b[1] = 3
    a[2] -= 1
    return a, b, c, x


def a_name_that_none_had_before(x: Any, n: Any) -> Any:
    k = 0
    y = None
    while k < n:
        if k % 3 == 0:
            y = np.cos(x)
            x = y
        elif k % 3 == 1:
            x = np.sin(x)
        else:
            x[0] += 1
        k += 1
    if y is not None:
        y[1] += 1
    return y, x


def names_without_a_value_before(x: Any, n: Any) -> Any:
    k = 0
    while k < n + 1:
        if k == 0:
            a = np.cos(x)
            c = a
        elif k > 2:
            a = np.sin(x)
        else:
            c[0] += 1
        k += 1
    return a, c


def the_first_is_kept(x: Any, n: Any) -> Any:
    k = 0
    while k < n + 1:
        if k == 0:
            y = np.cos(x)
            x = y
        else:
            x[0] += 1
        k += 1
    return y


def taken_from_one_that_may_be_none(x: Any, n: Any) -> Any:
    k = 0
    a, b, c = x, np.sin(x), None
    while k < n:
        z = np.cos(a) - b
        if k % 4 == 0:
            c = a
            a = z
        elif k % 4 == 1:
            a, b = b, a
            b[0] += 1
        elif k % 4 == 2:
            c[1] *= 2
            b = z
            a = c
        else:
            b = a
        k += 1
    return a, b, x


def one_of_two_that_are_made(x: Any, n: Any) -> Any:
    w = v = np.zeros(3)
    for i in range(n):
        w = np.zeros(3)
        v = w
        if i > 1:
            v = np.ones(3)
        w[0] += i
    return w, v


NAMES = [
    names_that_change_places, a_name_that_none_had_before, names_without_a_value_before, the_first_is_kept,
    taken_from_one_that_may_be_none, one_of_two_that_are_made,
]  # fmt: skip


@pytest.mark.parametrize("program", NAMES, ids=lambda program: program.__name__)
def test_a_write_is_seen_under_all_names(program: Callable[..., Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 2, 3, 4, 7):
        x, y = (np.array([0.5, 0.7, 0.2]) for _ in "xy")
        for found, wanted in zip([*staged(x, tf.constant(n)), x], [*program(y, n), y], strict=True):
            if wanted is None:
                assert found is None
            else:
                np.testing.assert_allclose(found, wanted, rtol=1e-12)
