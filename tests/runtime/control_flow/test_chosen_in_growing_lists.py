"""One of several lists or objects that a tensor chooses, put into a list that grows: with the values that it has."""

from __future__ import annotations

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


def in_a_loop(n):
    rows = [[1, n], [n, 2]]
    a, b = [5, 6], [7, n]
    for i in range(n):
        rows.append(a if i % 2 else b)
    return rows


def before_a_loop(n):
    rows = [[1, n], [n, 2]]
    a, b = [5, 6], [7, n]
    rows.append(a if n > 2 else b)
    for i in range(n):
        rows.append([i, i])
    return rows


def by_an_element(n):
    rows = [[1, n], [n, 2]]
    grid = rows[::-1]
    for _ in range(n):
        grid.append(rows[n % 2])
    return grid


def of_any_length(n):
    rows = [[1, n], [n, 2]]
    a, b = [5, 6], [7, n, 8]
    for i in range(n):
        rows.append([i])
    rows += [a if n > 2 else b]
    return [sum(row) for row in rows]


def in_a_pair(n):
    pairs = []
    a, b = (5, 6), (7, n)
    for i in range(n):
        pairs.append((a if i > 1 else b, i))
    return pairs


@pytest.mark.parametrize(
    "program", [in_a_loop, before_a_loop, by_an_element, of_any_length, in_a_pair], ids=lambda p: p.__name__
)
def test_as_in_python(program):
    assert_same(program, 0, 1, 2, 3, 5)


def changed_after_it(n):
    rows = [[1, n]]
    a, b = [5, 6], [7, n]
    for i in range(n):
        rows.append(a if i % 2 else b)
    a[0] = 100
    return sum([row[0] for row in rows])


def changed_in_the_loop(n):
    rows = [[1, n]]
    a, b = [5, 6], [7, n]
    for i in range(n):
        rows.append(a if i % 2 else b)
        b[0] += 1
    return sum([row[0] for row in rows])


def the_chosen_changed(n):
    rows = [[1, n]]
    a, b = [5, 6], [7, n]
    chosen = a if n > 2 else b
    for _ in range(n):
        rows.append(chosen)
    chosen[0] = 70
    return sum([row[0] for row in rows])


def the_element_changed(n):
    rows = [[1, n]]
    a, b = [5, 6], [7, n]
    for i in range(n):
        rows.append([i, 2])
    rows.append(a if n > 2 else b)
    rows[-1][0] = 50
    return a[0] + b[0]


@pytest.mark.parametrize(
    "program", [changed_after_it, changed_in_the_loop, the_chosen_changed, the_element_changed],
    ids=lambda p: p.__name__,
)  # fmt: skip
def test_a_change_that_the_list_would_not_see_is_refused(program):
    with pytest.raises(StagingError, match="grows in the graph"):
        tf.function(program)(tf.constant(3))
