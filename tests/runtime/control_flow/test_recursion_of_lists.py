"""Recursion whose arguments grow: lists and texts among the arguments of a function that calls itself by a tensor."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


def queens(n):
    def solve(row, columns):
        if row == n:
            return 1
        total = 0
        for c in range(n):
            free = True
            for i, x in enumerate(columns):
                if x == c or abs(x - c) == row - i:
                    free = False
            if free:
                total += solve(row + 1, columns + [c])
        return total

    return solve(0, [])


def digits(n):
    def go(n, path):
        if n == 0:
            return path
        return go(n // 10, [n % 10] + path)

    return go(n, [])


def subset_sum(n):
    values = [3, 1, 4, 1]

    def solve(i, path, left):
        if left == 0:
            return sum(path)
        if i == len(values):
            return -1
        found = solve(i + 1, path + [values[i]], left - 1)
        if found >= n:
            return found
        return solve(i + 1, path, left)

    return solve(0, [], 2 if n > 2 else 1)


def solutions(n):
    def go(start, path, left):
        if left == 0:
            return 1
        count = 0
        for i in range(start, left + 1):
            count += go(i, path + [i], left - i)
        return count

    return go(1, [], n)


def permutations(n):
    def solve(path):
        if len(path) == n:
            return 1
        count = 0
        for x in range(n):
            if x not in path:
                count += solve(path + [x])
        return count

    return solve([])


def pairs(n):
    def go(k, path):
        if k > n:
            return sum(x * y for x, y in path)
        return go(k + 1, path + [(k, 2 * k)])

    return go(0, [])


def halves(x):
    def go(v, path):
        if v < 1:
            return path
        return go(v / 2, path + [v])

    return go(x * 0.75, [])


def parentheses(n):
    def go(text, opened, closed):
        if len(text) == 2 * n:
            return 1
        total = 0
        if opened < n:
            total += go(text + "(", opened + 1, closed)
        if closed < opened:
            total += go(text + ")", opened, closed + 1)
        return total

    return go("", 0, 0)


@pytest.mark.parametrize(
    "program", [queens, digits, subset_sum, solutions, permutations, pairs, halves, parentheses],
    ids=lambda p: p.__name__,
)  # fmt: skip
def test_a_list_that_grows_is_an_argument(program):
    staged = tf.function(program)
    for n in (4, 1, 3):
        found, wanted = plain(staged(tf.constant(np.asarray(n)))), plain(program(n))
        assert alike(found, wanted), f"{program.__name__}({n}): {found} and not {wanted}"


def test_gradients_go_through_the_list():
    def go(k, path):
        if k == 0:
            return sum(v * v for v in path)
        return go(k - 1, path + [path[-1] * 2.0])

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda k, x: go(k, [x]))(tf.constant(2), x)
    assert float(y) == 189.0 and float(tape.gradient(y, x)) == 126.0


def test_a_list_that_is_changed_in_place():
    def go(k, path):
        if k == 0:
            return len(path)
        path.append(k)
        return go(k - 1, path)

    for n in (0, 1, 5):
        assert int(tf.function(lambda n: go(n, []))(tf.constant(n))) == go(n, [])


def of_a_list(items, n):
    items.append(n)
    if n > 0 and len(items) < 4:
        of_a_list(items, n - 1)
    return items


def of_a_list_within(held, n):
    held[0].append(n)
    if n > 0 and len(held[0]) < 4:
        of_a_list_within(held, n - 1)
    return held[0]


def of_an_array(v, n):
    v[0] += n
    if n > 0 and v[0] < 9:
        of_an_array(v, n - 1)


def of_a_view(v, n):
    v[n % 2] += n
    if n > 0 and v[0] < 9:
        of_a_view(v, n - 1)


def in_an_array(n):
    v = np.zeros(2, np.int32)
    of_an_array(v, n)
    return v


def through_a_view(n):
    v = np.zeros(4, np.int32)
    of_a_view(v[::2], n)
    return v


@pytest.mark.parametrize(
    "program",
    [lambda n: of_a_list([1], n), lambda n: of_a_list_within([[1]], n), in_an_array, through_a_view],
)
def test_what_is_changed_before_it_calls_itself_is_changed_once(program):
    """The call that turns out to call itself has been traced in place up to there, with the change."""
    staged = tf.function(program)
    for n in (0, 1, 2, 5):
        assert list(map(int, staged(tf.constant(n)))) == list(map(int, program(n)))


def listed(items, n):
    items.append(n)
    if n > 0:
        return listed(items, n - 1)
    return items


def in_a_pair(held, n):
    held["items"][0] += n
    if n > 0:
        return in_a_pair(held, n - 1)
    return n, held


def of_memory(v, n):
    v[n % 2] += n
    return of_memory(v, n - 1) if n > 0 else v


def sorted_(items):
    if len(items) < 2:
        return items
    first, rest = items[0], items[1:]
    return sorted_([x for x in rest if x < first]) + [first] + sorted_([x for x in rest if x >= first])


def the_list(n):
    items = [1]
    found = listed(items, n)
    found.append(9)
    return items, found is items


def the_dict(n):
    held = {"items": [0], "n": 5}
    k, found = in_a_pair(held, n)
    found["n"] = found["items"][0] + k
    return held["n"], found is held


def the_array(n):
    v = np.zeros(2, np.int32)
    found = of_memory(v, n)
    found[1] = 7
    return list(v), found is v


def another(n):
    items = [3, n, 1, 2 * n]
    found = sorted_(items)
    found.append(9)
    return items, found, found is items


@pytest.mark.parametrize("program", [the_list, the_dict, the_array, another])
def test_an_argument_that_is_returned_is_the_argument(program):
    staged = tf.function(program)
    for n in (0, 1, 2, 5):
        assert plain(staged(tf.constant(n, tf.int32))) == plain(program(n)), n
