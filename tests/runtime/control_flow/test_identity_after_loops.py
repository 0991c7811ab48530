"""`a is b` of what loops and lists that grow leave: as in Python, where the trace can know it, else refused."""

from __future__ import annotations

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


def made_in_a_loop(n):
    left, right = [1, 2], [3, n]
    for i in range(n):
        left = [i, i + 1]
    return left is right, left is left


def exchanged(n):
    left, right = [1, 2], [3, n]
    first = left
    for _ in range(n):
        left, right = right, left
    return left is right, left is first, right is first


def bound_to_another(n):
    left, right = [1, 2], [3, n]
    for _ in range(n):
        left = right
    return left is right


def in_a_list(n):
    left, right, other = [1, 2], [3, n], [5, 6]
    holder = [left, 1]
    for i in range(n):
        holder[0] = right if i % 2 == 0 else [i, i]
    return holder[0] is other, holder[0] is right, holder[0] is left


def in_a_dict(n):
    a, b = [1, 2], [3, 4]
    d = {"a": a}
    for i in range(n):
        d["a"] = [i, i]
    x = a if n > 2 else b
    return d["a"] is x, x is b, d["a"] is a


def swapped_between_lists(n):
    left = [n, 2]
    rows, grid = [left, [3, n]], [[1], left]
    i = 0
    while i < n:
        i += 1
        grid[-1], rows[-1] = (rows[0], grid[-1])
    return rows[0] is rows[1], grid[1] is left, rows[0] is left


def in_loops_in_loops(n):
    left, right, other = [1, 2], [3, n], [5, 6]
    for i in range(n):
        if i > 1:
            left = other
        for _ in range(n):
            right = left
    return right is other, left is other


def parts_of_the_exchanged(n):
    a = [1, 2]
    b, c = [a, 1], [[7, 8], 2]
    for _ in range(n):
        b, c = c, b
    return b[0] is a, c[0] is a, b[0] is c[0]


def parts_of_what_is_made(n):
    a, c, other = [1, 2], [3, 4], [9, 9]
    b = [a, 1]
    for i in range(n):
        b = [c, i]
    return b[0] is other, len(a)


def what_no_list_has(n):
    left, right = [1, 2], [3, n]
    rows = [left]
    for i in range(n):
        rows.append([i, i])
    return rows[0] is right, rows[-1] is right


@pytest.mark.parametrize("program", [
    made_in_a_loop, exchanged, bound_to_another, in_a_list, in_a_dict, swapped_between_lists, in_loops_in_loops,
    parts_of_the_exchanged, parts_of_what_is_made, what_no_list_has,
], ids=lambda p: p.__name__)  # fmt: skip
def test_as_in_python(program):
    assert_same(program, 0, 1, 2, 5)


def an_element(n):
    left = [1, 2]
    rows = [left]
    for i in range(n):
        rows.append([i, i])
    return rows[0] is left


def put_later(n):
    left, right = [1, 2], [3, n]
    rows, found = [left, left], 0
    for i in range(n):
        if rows[-1] is right:
            found += 1
        rows.append(right if i > 1 else left)
    return found


def a_part_that_is_put(n):
    inner = [1, 2]
    rows = [[inner, inner]]
    for i in range(n):
        rows.append([[i, i], [i, i]])
    return rows[0][0] is inner


@pytest.mark.parametrize("program", [an_element, put_later, a_part_that_is_put], ids=lambda p: p.__name__)
def test_refused_where_a_list_that_grows_may_have_the_object(program):
    with pytest.raises(StagingError, match="`is` compares lists, dicts or objects of which the graph has a copy"):
        tf.function(program)(tf.constant(3))
