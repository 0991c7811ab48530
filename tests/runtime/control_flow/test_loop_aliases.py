"""Loops in which two names come to refer to one object: which one it is is carried, or it is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


@dataclass
class Box:
    v: int = 0


class Node:
    def __init__(self):
        self.a = [1]
        self.b = [2]


def bound_after_a_change(n):
    a, b = [1], [2]
    for _ in range(n):
        b[0] += 1
        b = a
    return a[0], b[0]


def the_other_one_is_changed(n):
    a, b, s = [1], [2], 0
    for _ in range(n):
        a[0] += 1
        s += b[0]
        b = a
    return s


def bound_in_a_branch(n):
    a, b = [1], [2]
    for i in range(n):
        b[0] += 1
        if i == 1:
            b = a
    return a[0], b[0]


def swapped_and_bound(n):
    a, b = [1, 2], [3, 4]
    for i in range(n):
        a, b = b, a
        a[0] += 1
        if i == 1:
            b = a
    return a[0], b[0]


def objects(n):
    a, b = Box(1), Box(2)
    for _ in range(n):
        b.v += 1
        b = a
    return a.v, b.v


def attributes(n):
    node = Node()
    for _ in range(n):
        node.b[0] += 1
        node.b = node.a
    return node.a[0], node.b[0]


def elements(n):
    grid = [[1], [2]]
    for _ in range(n):
        grid[1][0] += 1
        grid[1] = grid[0]
    return grid


def in_a_tuple(n):
    a, t = [1], ([3], 0)
    for i in range(n):
        t[0][0] += 1
        t = (a, i)
    return a[0], t[0][0]


def lists_that_grow(n):
    a, b = [], []
    for i in range(n):
        b.append(i)
        b = a
    return len(a), len(b)


def arrays(n):
    a, b = np.zeros(2, np.int32), np.ones(2, np.int32)
    for _ in range(n):
        b[0] += 1
        b = a
    return a


def a_copy_of_a_dict(n):
    items = [1, 2, 3, 4, 5, 6]
    groups = {"p": items}
    for _ in range(n):
        groups = dict(groups)
        del items[0]
    return len(groups["p"])


def a_part_of_a_copy(n):
    items = [1, 2]
    groups = {"p": items}
    for _ in range(n):
        groups = dict(groups)
        items[0] += 1
    return groups["p"][0]


@pytest.mark.parametrize("program", [a_copy_of_a_dict, a_part_of_a_copy])
def test_what_a_copy_holds_is_not_changed_under_another_name(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="an object that has another name"):
        tf.function(program)(tf.constant(3))


SHARED = [
    bound_after_a_change, the_other_one_is_changed, bound_in_a_branch, swapped_and_bound, objects, attributes, elements,
    lists_that_grow,
]  # fmt: skip


@pytest.mark.parametrize("program", SHARED, ids=lambda program: program.__name__)
def test_shared(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


@pytest.mark.parametrize("program", [in_a_tuple], ids=lambda program: program.__name__)
def test_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="an object that has another name"):
        tf.function(program)(tf.constant(3))


def one_row_twice(n):
    rows = [[n, 1]] * 2
    for i in range(n):
        if i > 0:
            rows = rows[:]
    rows[0][0] = 7
    return rows[1][0]


def test_a_change_after_a_loop_that_made_the_rows_anew_is_refused() -> None:
    with pytest.raises(StagingError, match="other names or containers refer to them"):
        tf.function(one_row_twice)(tf.constant(3))


def copied(n):
    a, b, c = [1], [2], {"n": 0}
    for _ in range(n):
        b[0] += 1
        c["n"] += b[0]
        b = list(a)
        c = copy.copy(c)
    return a[0], b[0], c["n"]


def two_buffers(n):
    now, after = [1, 2], [0, 0]
    for i in range(n):
        for j in range(2):
            after[j] = now[1 - j] + i
        now, after = after, now
    return now


def a_new_row(n):
    row, other = [0, 0], [5]
    for i in range(n):
        row = [part + i for part in row]
        row[1] += other[0]
        other[0] -= 1
    return row


def bound_and_not_changed(n):
    a, b, hits = [1, 2], [3, 4], [0]
    for i in range(n):
        hits[0] += b[0]
        if i == 1:
            b = a
    return hits[0], b


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_arrays_are_memory(n: int) -> None:
    np.testing.assert_array_equal(tf.function(arrays)(tf.constant(n)), arrays(n))


@pytest.mark.parametrize("program", [copied, two_buffers, a_new_row, bound_and_not_changed])
def test_apart(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5)


def a_row_of_a_new_list(n):
    a = [1, 3]
    rows = [a, [2]]
    for _ in range(n):
        rows = [row for row in rows]
        rows[0][0] += 1
    return a


def a_row_that_grows(n):
    a = [1, 3]
    rows = [a, [2]]
    for i in range(n):
        rows = list(rows)
        rows[0] += [i]
    return a


def a_part_of_a_tuple(n):
    a = [1, 3]
    rows = a, [2]
    for i in range(n):
        rows = rows[0], [i]
        rows[0][0] += 1
    return a


def a_part_of_an_attribute(n):
    a = Box(3)
    node = Node()
    node.a = [a, Box(1)]
    for i in range(n):
        node.a = [*node.a]
        node.a[0].v += i
    return a.v


def a_list_before_a_shorter_one(n):
    a = right = [9, 5, 1]
    for _ in range(n):
        right[1] = 0
        right = [4, 5]
    return a


def a_list_that_a_helper_changes(n):
    a = right = [9, 5, 1]
    for i in range(n):
        def change(v):
            right[1] = v
        change(0)
        for _ in range(i):
            right = right[:2]
    return a


def a_list_before_it_grows(n):
    a = right = [9, 5, 1]
    i = 0
    while i < n:
        right.append(0)
        right = right[:2]
        i += 1
    return a


@pytest.mark.parametrize("program", [
    a_row_of_a_new_list, a_row_that_grows, a_part_of_a_tuple, a_part_of_an_attribute, a_list_that_a_helper_changes,
])  # fmt: skip
def test_a_part_that_others_refer_to(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="is changed in place and bound to another object|that has another name"):
        tf.function(program)(tf.constant(2))


@pytest.mark.parametrize("program", [a_list_before_a_shorter_one, a_list_before_it_grows])
def test_a_list_that_others_refer_to(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5)


def rows_of_its_own(n):
    rows = [[1, 3], [n, 2]]
    for i in range(n):
        rows[0][0] += i
        rows = [list(row) for row in rows]
        rows[1][1] += 5
    return rows


def a_part_of_its_own(n):
    state = {"h": [1, n], "c": [0, 0]}
    for _ in range(n):
        state["c"][0] += 1
        state = {"h": [state["h"][0] + 1, state["h"][1]], "c": state["c"]}
    return state


@pytest.mark.parametrize("program", [rows_of_its_own, a_part_of_its_own])
def test_parts_of_its_own(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5)
