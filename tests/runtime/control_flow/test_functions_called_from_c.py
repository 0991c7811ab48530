"""Functions of the user that the standard library calls from C: converted as if they were called by name."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def larger(a, b):
    if b > a:
        return b
    return a


def magnitude(v):
    if v < 0:
        return -v
    return v


class Scale:
    def __init__(self, limit: Any) -> None:
        self.limit = limit

    def clipped(self, a, b):
        if a + b > self.limit:
            return self.limit
        return a + b

    def rank(self, v):
        return v if v > self.limit else -v


def reduced(n):
    return functools.reduce(larger, [n, 2, 3 - n]), functools.reduce(Scale(n).clipped, [1, n, 3], 0)


def accumulated(n):
    running = itertools.accumulate([n, 2, 3 - n], func=larger)
    return list(running), list(itertools.accumulate([1, n], larger, initial=n))


def starred(n):
    return sum(itertools.starmap(larger, [(n, 2), (3, n)]))


def sorted_in_place(n):
    items, others, plain = [3, n, 1 - n], [2, -3, 1], [3, 1, 2]
    items.sort()
    others.sort(key=Scale(n).rank, reverse=True)
    plain.sort(key=magnitude)
    return items, others, plain


def sorted_by_a_lambda(n):
    items = [(1, n), (2, 3), (3, -n)]
    items.sort(key=lambda item: item[1] if item[1] > 0 else 10)
    return items, min([n, -3], key=magnitude), sorted([2, -n], key=magnitude)


def in_a_branch(n):
    items = [3, 1, n]
    if n > 1:
        items.sort(key=magnitude)
        n = functools.reduce(larger, items)
    return items, n


def kept_and_dropped(n):
    flags = [True, False, True]
    kept = itertools.filterfalse(functools.partial(choose, n), [0, 1])
    return n * len(list(itertools.takewhile(bool, flags))), len(list(kept))


def choose(n, k):
    total = 0
    for i in range(n):  # staged, though what is returned is known
        total += i
    return k > 0


@pytest.mark.parametrize(
    "program",
    [reduced, accumulated, starred, sorted_in_place, sorted_by_a_lambda, in_a_branch, kept_and_dropped],
)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5, -4)


def test_sort_is_pythons_own_on_plain_values() -> None:
    class Odd(list):
        def sort(self, **options: Any) -> str:
            return "sorted"

    @tf.autograph.experimental.do_not_convert
    def plain(items, odd):
        items.sort()
        return items, odd.sort(key=None)

    def converted(items, odd):
        items.sort()
        return items, odd.sort(key=None)

    assert tf.autograph.to_graph(converted)([3, 1], Odd()) == plain([3, 1], Odd()) == ([1, 3], "sorted")
    with pytest.raises(TypeError, match="not supported between instances"):
        tf.autograph.to_graph(converted)([3, "a"], Odd())
