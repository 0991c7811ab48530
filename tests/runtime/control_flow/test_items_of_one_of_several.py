"""The items of one of several short lists, in loops, comprehensions and by numbers: read without a branch for each."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def grow(items, value):
    items[-1] += value
    return value


def in_a_comprehension(n):
    row = [n, 2, 3] if n > 1 else [4, n, 6]
    return [v * 2 + i for i, v in enumerate(row)], [v for v in row], sum(v for v in row), {v for v in row}


def rows_in_rows(n):
    rows = [[n, 1], [2, n]]
    if n > 0:
        rows = [[v + rows[0][1] for v in row] for row in rows]
    if n > 1:
        rows = [[v * 2 for v in row[::-1]] for row in rows]
    rows[0][0] += 5
    return rows, [row[-1] for row in rows]


def changed_while_it_is_gone_through(n):
    a, b = [1, n, 3], [4, 5, n]
    row = a if n > 1 else b
    seen = []
    for v in row:
        row[2] += v
        seen.append(v)
    return seen, a, b, [grow(row, v) for v in row], a, b


def the_items_are_themselves(n):
    first, second, third = [n], [2], [3]
    pair = [first, second] if n > 1 else [third, first]
    for place, item in enumerate(pair):
        item.append(place)
    pair[1][0] += 1
    return first, second, third, pair[0] is first, pair[-1] is first, pair[0] is pair[1]


def left_in_the_middle(n):
    row = [1, 2, n] if n > 1 else [n, n, 4]
    total = 0
    for v in row:
        if v == n:
            break
        total += v
    else:
        total = -1
    for v in row:
        if v > 3:
            continue
        total += 10 * v
    return total


def numbers_of_several_kinds(n):
    row = [1, 2.5, True, n] if n > 1 else [n, n * 0.5, False, 2]
    return row[0], row[1], row[2], row[-1], row[0] / 2


def one_of_three(n):
    row = [n, 1]
    if n > 0:
        row = [row[1], row[0] + 1]
    if n > 2:
        row = [row[0] * 2, row[1]]
    row[0] += 1
    return row, row[-2], [v + row[1] for v in row]


def an_item_that_not_all_have(n):
    row = [1, 2, n] if n > 1 else [n]
    try:
        return row[0] + row[1]
    except IndexError:
        return -1


def of_other_kinds(n):
    row = ["a", None, (n, 1)] if n > 1 else ["b", None, (2, n)]
    return row[1] is None, row[2], row[-1][0], [v is None for v in row]


def reduced(n):
    row = [n, 1, 7] if n > 1 else [4, n, 2]
    if n > 2:
        row = [row[1], row[0] + 1, n]
    empty = [] if n > 1 else [n]
    best = max(row), min(row), sum(row), sorted(row), max(row, key=lambda v: -v), max(empty, default=3)
    made = list(row)
    made[0] = 9
    return best, any(row), all(row), made, row, tuple(row), max(row, default=2), min(row[0], 3, n), max(n, 2, -n)


PROGRAMS = [
    in_a_comprehension, rows_in_rows, changed_while_it_is_gone_through, the_items_are_themselves, left_in_the_middle,
    numbers_of_several_kinds, one_of_three, an_item_that_not_all_have, of_other_kinds,
    reduced,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program):
    assert_same(program, -1, 0, 1, 2, 3, 5)


def test_what_is_done_with_an_item_is_traced_once():
    traced = []

    def note(v):
        traced.append(v)
        return v + 1

    @tf.function
    def f(n):
        row = [n, 1] if n > 0 else [2, n]
        if n > 1:
            row = [v * 2 for v in row]
        return [note(v) for v in row]

    assert [int(v) for v in f(tf.constant(3))] == [7, 3]
    assert len(traced) == 2


def test_the_greatest_of_numbers_needs_no_branches():
    @tf.function
    def f(n):
        row = [n, 1, 5]
        if n > 1:
            row = [v + max(row) for v in row]
        return max(row), sum(row), max(n, 2)

    assert [int(v) for v in f(tf.constant(3))] == [10, 24, 3]
    kinds = [operation.type for operation in f.get_concrete_function(tf.TensorSpec([], tf.int32)).graph.operations]
    assert kinds.count("cond") == 1
