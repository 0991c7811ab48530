"""Functions that call themselves depending on a tensor and return or fill lists whose length only the run knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same


def countdown(n):
    def walk(k):
        if k > 0:
            return [k, *walk(k - 1)]
        return []

    return walk(n)


def base_first(n):
    def walk(k):
        if k <= 0:
            return []
        return walk(k - 1) + [k]

    return walk(n), n


def grown_by_who_calls(n):
    def walk(k):
        if k <= 0:
            return []
        rest = walk(k - 1)
        rest.append(k * k)
        return rest

    squares = walk(n)
    squares.append(0)
    return squares, len(squares)


def moves_of_hanoi(n):
    def solve(k, source, target, spare):
        if k == 0:
            return []
        first = solve(k - 1, source, spare, target)
        return first + [source * 10 + target] + solve(k - 1, spare, target, source)

    return solve(n, 1, 3, 2)


def digits(n):
    def of(k, base):
        return [] if k == 0 else of(k // base, base) + [k % base]

    return of(n, 2), of(n * 37, 10)


def prime_factors(n):
    def factors(k, d):
        if k < 2:
            return []
        if k % d == 0:
            return [d] + factors(k // d, d)
        return factors(k, d + 1)

    return factors(n * 30 + 14, 2)


def collatz(n):
    def orbit(k):
        if k <= 1:
            return [k]
        if k % 2 == 0:
            return [k] + orbit(k // 2)
        return [k] + orbit(3 * k + 1)

    path = orbit(n)
    return max(path), len(path), sum(path)


def merged(n):
    def merge(a, b):
        if len(a) == 0:
            return b
        if len(b) == 0:
            return a
        if a[0] < b[0]:
            return [a[0]] + merge(a[1:], b)
        return [b[0]] + merge(a, b[1:])

    def sort(items):
        if len(items) < 2:
            return items
        middle = len(items) // 2
        return merge(sort(items[:middle]), sort(items[middle:]))

    return sort([n, 3, 1 - n, 7, 2 * n])


def two_lists(n):
    def split(k):
        if k <= 0:
            return [], []
        odd, even = split(k - 1)
        if k % 2:
            return odd + [k], even
        return odd, even + [k]

    return split(n)


def of_mutual_recursion(n):
    def even(k):
        return [] if k <= 0 else [k] + odd(k - 1)

    def odd(k):
        return [] if k <= 0 else [-k] + even(k - 1)

    return even(n)


def gone_through_by_who_calls(n):
    def walk(k):
        if k <= 0:
            return [1]
        total = 0
        for v in walk(k - 1):
            total += v
        return [total, k]

    return sum(walk(n))


def an_argument_or_a_new_list(n):
    def walk(k, kept):
        if k <= 0:
            return kept
        made = walk(k - 1, kept)
        return made + [k]

    kept = [5]
    return walk(n, kept), kept


def noted_at_the_end(n):
    def walk(k, path, found):
        if k <= 0:
            found.append(len(path))
            return
        path.append(k % 4)
        walk(k - 1, path, found)
        path.pop()

    found = []
    walk(n, [], found)
    return found


def noted_at_each_end(n):
    def walk(k, path, found):
        if k == 0:
            found.append(sum(path))
            return
        walk(k - 1, path, found)
        walk(k - 1, path + [k], found)

    found = [7]
    walk(n, [], found)
    return found


def one_more_for_each_call(n):
    def walk(k, found):
        if k > 0:
            walk(k - 1, found)
        found.append(k)

    found = []
    walk(n, found)
    return found[::-1]


PROGRAMS = [
    countdown, base_first, grown_by_who_calls, moves_of_hanoi, digits, prime_factors, collatz, merged, two_lists,
    of_mutual_recursion, gone_through_by_who_calls, an_argument_or_a_new_list, noted_at_the_end, noted_at_each_end,
    one_more_for_each_call,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_lists_of_any_length(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5)
