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
