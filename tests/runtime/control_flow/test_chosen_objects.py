"""Lists, dicts and objects of which a tensor decides which one is meant: written to, or refused; no change is lost."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def element_of_a_row(n):
    board = [[0, 1, 2], [1, 1, 0], [2, 1, 1]]
    board[n % 3][0] = 7
    board[n % 3][n // 3 % 3] += n
    return board


def element_in_a_dict(n):
    board = {"a": {0: [0, 1], 1: [2, 3]}}
    board["a"][n % 2][0] += 1
    return board


def rows_that_are_one(n):
    row = [1, 2]
    board = [row, row, [3, 4]]
    board[n % 3][1] = n
    return board, row


def moved_elements(n):
    board = [[0, 1, 2], [1, 1, 0], [2, 1, 1]]
    for i in range(2):
        board[n % 3][i] = board[n % 3][i + 1]
    return board


def walk(n):
    grid = [[0, 0, 0] for _ in range(3)]
    y = x = 0
    for s in range(n):
        grid[y][x] += s + 1
        if s % 2:
            x = (x + 1) % 3
        else:
            y = (y + 1) % 3
    return grid


def row_that_is_read(n):
    row = [[1, 2], [3, 4]][n % 2]
    return row[0] * 10 + sum(row)


def new_lists(n):
    if n > 3:
        items = [1, 2]
    else:
        items = [3, 4]
    items[0] = 9
    items.append(n)
    return items


def swapped(n):
    a, b = [1, 2], [3, 4]
    if n > 3:
        a, b = b, a
    a[0] = 9
    return a, b


@pytest.mark.parametrize(
    "program",
    [
        element_of_a_row, element_in_a_dict, rows_that_are_one, moved_elements, walk, row_that_is_read, new_lists,
        swapped,
    ],
)  # fmt: skip
def test_what_is_chosen_is_changed(program):
    assert_same(program, 0, 1, 2, 3, 4, 5, 8)


def ternary(n):
    a, b = [1, 2], [3, 4]
    r = a if n > 3 else b
    r[0] = 9
    return a, b


def branches(n):
    a, b = [1, 2], [3, 4]
    if n > 3:
        r = a
    else:
        r = b
    r[0] = 9
    return a, b


def the_other_name(n):
    a, b = [1, 2], [3, 4]
    r = a if n > 3 else b
    a[0] = 7
    return r


def in_a_branch_of_a_branch(n):
    a, b = [1, 2], [3, 4]
    r = [0, 0]
    if n > 1:
        if n > 3:
            r = a
        else:
            r = b
    r[0] = 9
    return a, b


def two_names_of_a_new_list(n):
    if n > 3:
        r = [1]
        s = r
    else:
        r = [2]
        s = r
    r[0] = 5
    return s


def bound_in_a_loop(n):
    a, b = [1, 2], [3, 4]
    r = a
    for _ in range(n):
        r = b
    r[0] = 9
    return a, b


def other_name_of_what_a_loop_binds(n):
    a, b = [1, 2], [3, 4]
    r = a
    while n > 3:
        r = b
        n -= 1
    b[0] = 7
    return r


def row_under_a_name(n):
    board = [[0, 1], [2, 3]]
    row = board[n % 2]
    row[0] = 5
    return board


def row_that_grows(n):
    board = [[0, 1], [2, 3]]
    row = board[n % 2]
    row.append(5)
    return board


def row_read_after_a_change(n):
    board = [[0, 1], [2, 3]]
    row = board[n % 2]
    board[0][0] = 5
    return row[0]


def attribute_of_a_chosen_list(n):
    class Box:
        def __init__(self):
            self.first, self.second = [1], [2]

        def chosen(self, k):
            return self.first if k > 3 else self.second

    box = Box()
    box.chosen(n)[0] += 10
    return box.first, box.second


@pytest.mark.parametrize(
    "program",
    [
        ternary, branches, the_other_name, in_a_branch_of_a_branch, two_names_of_a_new_list, bound_in_a_loop,
        other_name_of_what_a_loop_binds, row_under_a_name, row_that_grows, row_read_after_a_change,
        attribute_of_a_chosen_list,
    ],
)  # fmt: skip
def test_a_change_is_seen_under_all_names(program):
    assert_same(program, 0, 1, 2, 3, 4, 5)


def copied_before(n):
    a, b = [1, 2], [3, 4]
    r = list(a) if n > 3 else list(b)
    r[0] = 9
    return a, b, r


def test_the_remedies_work():
    assert_same(copied_before, 2, 5)
    assert_same(element_of_a_row, 2)

    def stacked(n):
        board = tf.constant([[0, 1], [2, 3]])
        board[n % 2, 0] = 5
        return board

    assert tf.function(stacked)(tf.constant(3)).numpy().tolist() == [[0, 1], [5, 3]]


def guarded_list(n):
    r = None
    if n > 3:
        r = [1, 2]
    if r is not None:
        if n > 5:
            r[0] = n
        r[1] += 1
    return r


def place_by_a_tensor_in_a_branch(n):
    grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    i, j = n % 3, n // 3 % 3
    t = grid[i][j]
    grid[i][j] = grid[j][i] * 2
    grid[j][i] = t
    if grid[0][0] > 1:
        grid[j][0] = -1
    for k in range(n % 4):
        grid[k % 3][i] += k
    return grid


@pytest.mark.parametrize("program", [guarded_list, place_by_a_tensor_in_a_branch])
def test_elements_written_in_branches_and_loops(program):
    assert_same(program, 0, 2, 3, 4, 5, 6, 7)


def replaced_row(n):
    rows = {0: [1, 2], 1: [3, 4]}
    old = rows[0]
    rows[n % 2] = [n, n]
    old[0] = 9
    return rows


def test_a_row_that_was_perhaps_replaced_is_still_the_old_list():
    assert_same(replaced_row, 0, 1)


def array_by_a_tensor(x):
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    r = a if x > 0 else b
    r[0] = 9.0
    return a, b, r


def array_changed_after_the_choice(x):
    a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    r = a if x > 0 else b
    a[0] = 9.0
    return r


@pytest.mark.parametrize("x", [1, -1])
@pytest.mark.parametrize("program", [array_by_a_tensor, array_changed_after_the_choice])
def test_arrays_that_others_refer_to_do_not_lose_a_change(program, x):
    result, expected = tf.function(program)(tf.constant(x)), program(x)
    np.testing.assert_array_equal(np.stack(list(map(np.asarray, result))), np.stack(expected))


def test_arrays_may_be_chosen_and_read():
    def program(x):
        a, b = np.array([1.0, 2.0]), np.array([3.0, 4.0])
        r = a if x > 0 else b
        return r[0] + r[1], a, b

    for n in (1, -1):
        result = tf.function(program)(tf.constant(n))
        assert [np.asarray(part).tolist() for part in result] == [np.asarray(part).tolist() for part in program(n)]


def a_row_under_another_number(x):
    rows = [[0], [1], [2]]
    rows[x] = rows[(x + 1) % 3]
    return rows


def rows_that_change_places(n):
    rows = [[0, 5], [1, 6], [2, 7]]
    for i in range(n + 1):
        a, b = rows[i % 3], rows[(i + 1) % 3]
        rows[i % 3], rows[(i + 1) % 3] = b, a
    return rows


def values_of_a_dict(x):
    table = {0: {"n": 0}, 1: {"n": 1}, 2: {"n": 2}}
    table[x]["n"] += 5
    table[(x + 1) % 3] = table[x]
    return table


def one_row_twice(n):
    row = [0] * 4
    rows = [row] * 2
    for i in range(n + 1):
        rows[i % 2][i % 4] += i + 1
    return row, rows


def a_row_beside_itself(n):
    row = [0, 0]
    rows = [row, row, [1, 1]]
    for i in range(n + 1):
        rows[i % 3][0] += 5
    return row, rows


@pytest.mark.parametrize(
    "program",
    [a_row_under_another_number, rows_that_change_places, values_of_a_dict, one_row_twice, a_row_beside_itself],
)
def test_rows_by_tensors(program):
    assert_same(program, 0, 1, 2)
