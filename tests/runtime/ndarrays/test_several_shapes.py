"""One variable that is one of several arrays of several shapes, or that lie differently, as a tensor decides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same, staged

ROWS = [np.zeros(2), np.zeros(3)]


class Holder:
    v: Any


HOLDER = Holder()


def written_after_a_branch(a: Any, m: Any, x: Any) -> Any:
    w = m[0] if x > 0 else a
    s = w.sum() + w[-1]
    w[1] = 7.0
    w[1:] *= 2.0
    w += x
    a[2] += 1
    return s, w[0], w * 2


def through_views(a: Any, m: Any, x: Any) -> Any:
    w = m[0] if x > 0 else a
    w[::-1][0] = 3.0
    w.T[1] = 5.0
    v = w.reshape(-1)
    v[0] = x
    np.split(w[:2], 2)[1][0] = 2.0
    w.flat[2] = 6.0
    return np.sort(w), w.ravel(), w.copy(), np.add(w, 1.0, out=w)


def gone_through(a: Any, m: Any, x: Any) -> Any:
    w = m[0] if x > 0 else a
    total = 0.0
    for v in w:
        total += v * x
    for i in range(2):
        w[i] += total
    return total


def of_matrices(a: Any, m: Any, x: Any) -> Any:
    w = m if x > 0 else a.reshape(2, 2)
    w[1][0] = x
    w[:, 1] += 1
    row = w[0]
    row *= 2
    return w, row.sum()


def copied_or_not(a: Any, m: Any, x: Any) -> Any:
    w = a.reshape(2, 2) if x > 0 else m[:, :2].T
    r = w.ravel()  # in the one case a view, in the other a copy
    r[1] = 50.0
    return w.sum(), r


def bound_in_a_branch(a: Any, m: Any, x: Any) -> Any:
    w = m[0]
    if x > 0:
        w = a[1:][::-1]
        a[1] = 5.0
        if x > 1:
            w = m.T[1]
    w[0] = 9.0
    return w


BRANCHES = [written_after_a_branch, through_views, gone_through, of_matrices, copied_or_not, bound_in_a_branch]


@pytest.mark.parametrize("x", [2.0, 0.5, -2.0])
@pytest.mark.parametrize("function", BRANCHES)
def test_after_a_branch(function: Any, x: float) -> None:
    assert_same(function, np.arange(4.0) + 10, np.arange(6.0).reshape(2, 3), x, numbers="staged")


def bound_in_turn(a: Any, m: Any, n: Any) -> Any:
    w = m[0]
    for i in range(n):
        w[0] += 1.5
        a[1] = w[-1]
        if i % 2 == 0:
            w = a[1:3]
        else:
            w = a
    w[-1] = 100.0
    return w.sum()


def copied_from_the_end(a: Any, m: Any, n: Any) -> Any:
    w = m[0]
    for _ in range(n):
        w = a[::-1]
        m[0] += 1
    w[0] = 3.5
    for _ in range(n):
        w *= 0.5
        a[0] += 1
    return w


def in_a_while(a: Any, m: Any, n: Any) -> Any:
    w, i = a, 0
    while i < n:
        i += 1
        w[i % 3] = i
        w = m[i % 2]
    return w[1]


def one_of_a_list(a: Any, m: Any, n: Any) -> Any:
    bins = [a, np.zeros(2), m[0]]
    for i in range(n):
        bins[i % 3][i % 2] += 1.5
    row = bins[n % 3]
    row += 1
    row[-1] = 7.0
    return bins[1], row.sum()


def one_of_a_dict(a: Any, m: Any, n: Any) -> Any:
    table = {0: a, 1: m[1], 2: np.ones(2)}
    table[n % 3][0] = 7.5
    return table[2]


LOOPS = [bound_in_turn, copied_from_the_end, in_a_while, one_of_a_list, one_of_a_dict]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("function", LOOPS)
def test_in_a_loop(function: Any, n: int) -> None:
    if function is in_a_while and n > 3:
        return
    assert_same(function, np.arange(4.0) + 10, np.arange(6.0).reshape(2, 3), n, numbers="staged")


def test_what_one_of_them_lacks_raises_where_it_is_that_one() -> None:
    @tf.function
    def f(a: Any, m: Any, x: Any) -> Any:
        w = m[0] if x > 0 else a
        w[3] = 5.0
        return w[3]

    a, m = np.zeros(4), np.zeros((2, 3))
    assert float(f(a, m, tf.constant(-1.0))) == 5.0
    assert a[3] == 5.0
    with pytest.raises(IndexError, match="index 3 is out of range"):
        f(a, m, tf.constant(1.0))
    np.testing.assert_array_equal(m, 0.0)


def row_of_a_list(x: Any, n: Any) -> Any:
    ROWS[n % 2][1] = x
    return ROWS[0].sum() + ROWS[n % 2].sum()


def part_of_an_attribute(x: Any, n: Any) -> None:
    np.split(HOLDER.v, 2)[n % 2][1] = x


def row_in_a_loop(x: Any, n: Any) -> None:
    rows = np.split(HOLDER.v, 2)
    row = rows[n % 2]
    for _ in range(n):
        row += x


def there_or_made(x: Any, n: Any) -> None:
    v = HOLDER.v
    if n > 1:
        v = v * 0.5
    v[1] = x


def there_or_made_by_a_helper(x: Any, n: Any) -> Any:
    def moved(v: Any) -> Any:
        if n > 1:
            v = v + 1
        v[1] = x
        return v

    return moved(HOLDER.v).sum() + moved(ROWS[1])[0]


WITH_ARRAYS = [row_of_a_list, part_of_an_attribute, row_in_a_loop, there_or_made, there_or_made_by_a_helper]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize("function", WITH_ARRAYS)
def test_items_of_lists_of_arrays_that_were_there_before(function: Any, n: int) -> None:
    left = []
    for called, x, number in ((function, 1.5, n), (tf.function(function), staged(1.5), staged(n))):
        for row in ROWS:
            row[:] = 0.0
        HOLDER.v = np.zeros(4)
        result = called(x, number)
        left.append([*(row.copy() for row in ROWS), HOLDER.v, 0.0 if result is None else np.asarray(result)])
    for found, wanted in zip(*left, strict=True):
        np.testing.assert_allclose(found, wanted)


def made_or_there(a: Any, n: Any) -> Any:
    b, s = np.ones(2), a[0] * 0
    for i in range(n):
        s += b[1]
        a[1] += 1
        s += b[0]
        if i > 0:
            b = a[1:]
        else:
            b = a
        a[2] += 2
    return s + b[1]


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_one_that_was_there_in_the_place_of_one_that_was_made(n: int) -> None:
    assert_same(made_or_there, np.arange(4.0), n, numbers="staged")


def grows_from_a_view(a: Any, n: Any) -> Any:
    b, s = a[1:], a[0] * 0
    for _ in range(n):
        a[1] += 1
        s += b[0]
        b = np.append(b, 1.0)
    return s


def grows_in_a_tuple(a: Any, n: Any) -> Any:
    b, s = (a[1:],), a[0] * 0
    for _ in range(n):
        a[1] += 1
        s += b[0][0]
        b = (np.append(b[0], 1.0),)
    return s


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_a_view_that_grows_in_a_loop(n: int) -> None:
    assert_same(grows_from_a_view, np.arange(4.0), n, numbers="staged")


def test_a_copy_is_not_read_where_the_loop_writes_to_the_array() -> None:
    with pytest.raises(StagingError, match="'b' is one of several arrays in a loop.*of which the graph has a copy"):
        tf.function(grows_in_a_tuple)(np.arange(4.0), tf.constant(2))


def test_views_without_an_end() -> None:
    def turned(a: Any, n: Any) -> Any:
        for _ in range(n):
            a = a[::-1]
        return a * 1

    def copied(a: Any, n: Any) -> Any:
        for _ in range(n):
            a = a[::-1].copy()
        return a * 1

    with pytest.raises(StagingError, match="'a' is another view of an array after each iteration"):
        tf.function(turned)(np.arange(4.0), tf.constant(2))
    assert_same(copied, np.arange(4.0), 3, numbers="staged")


def jacobi(u: Any, v: Any, n: Any) -> Any:
    for _ in range(n):
        v[1:-1] = (u[:-2] + u[2:]) * 0.5
        u, v = v, u
    return u


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_large_arrays_are_taken_in_branches(n: int) -> None:
    assert_same(jacobi, np.arange(300.0) ** 2, np.zeros(300), n, numbers="staged")
    f = tf.function(jacobi)
    concrete = f.get_concrete_function(np.zeros(300), np.zeros(300), tf.constant(n))
    assert "where" not in concrete.graph.as_text()


def a_part_of_a_length_of_the_run(a: Any, n: Any) -> Any:
    v = a[1:]
    if n > 1:
        v = a[n % 2 :]
    v += 1
    w = v[1:]
    w *= 2
    return v[0] + v[-1], v.sum()


def parts_of_two_lengths(a: Any, n: Any) -> Any:
    v = a[n : n + 1] if n > 1 else a[n:]
    v[:] = 2.0
    return v * 3


def bound_to_parts_in_a_loop(a: Any, n: Any) -> Any:
    w = a[0:]
    for i in range(n):
        w = a[i % 2 :]
    w[0] = 9.0
    return w.sum()


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function", [a_part_of_a_length_of_the_run, parts_of_two_lengths, bound_to_parts_in_a_loop],
)  # fmt: skip
def test_parts_whose_length_only_the_run_knows(function: Any, n: int) -> None:
    assert_same(function, np.arange(5.0) + 10, n, numbers="staged")


def test_a_part_of_an_iteration_that_is_over_is_refused_with_words() -> None:
    def f(a: Any, n: Any) -> Any:
        m = a
        for i in range(n):
            for j in range(n):
                m = a[i % 2 :]
                m[0] += j
        m[0] = 1.0
        return m.sum()

    with pytest.raises(StagingError, match=r"copies|copy"):
        tf.function(f)(np.arange(5.0), tf.constant(2))
