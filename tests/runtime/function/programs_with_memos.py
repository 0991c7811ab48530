"""Programs that remember in sets and dicts of their caller what they have seen or computed: visited nodes, memos."""

from __future__ import annotations

from collections import deque
from typing import Any

from .programs_with_keys_in_attributes import PROGRAMS, Made, of, program

__all__ = ["PROGRAMS"]

SEEN: set[Any] = set()


@program
def a_set() -> Made:
    SEEN.clear()

    def f(n: Any) -> Any:
        if n in SEEN:
            return 0
        SEEN.add(n)
        return len(SEEN)

    return f, lambda: SEEN


@program
def sets_with_others() -> Made:
    def f(n: Any, o: Any) -> Any:
        o.k |= {n, n + 1}
        o.k.discard(n - 2)
        both = o.k & {1, 5}
        total = len(both)
        for member in o.k:
            total = total * 10 + member
        return total

    return of({1, 2}, f)


@program
def a_set_of_large_numbers() -> Made:
    def f(n: Any, o: Any) -> Any:
        for i in range(n * 3):
            o.k.add(i * i * 37 % 1009)
        o.k.discard(n * 37)
        return len(o.k)

    kept = {*range(100)}
    for number in range(3, 100):
        kept.discard(number)
    return of(kept, f)


@program
def visited() -> Made:
    def f(n: Any, o: Any) -> Any:
        todo = deque([n])
        o.k[1][n] = 0
        while todo:
            v = todo.popleft()
            if v in o.k[0]:
                continue
            o.k[0].add(v)
            for w in (v + 1, v * 2 % 11):
                if w < 9 and w not in o.k[1]:
                    o.k[1][w] = o.k[1][v] + 1
                    todo.append(w)
        return sum(o.k[1].values())

    return of([set(), {}], f)


@program
def memoised() -> Made:
    memo: dict[Any, Any] = {}

    def fib(n: Any) -> Any:
        if n in memo:
            return memo[n]
        if n < 2:
            return n
        memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return fib, lambda: memo


@program
def memoised_in_a_try() -> Made:
    memo: dict[Any, Any] = {0: 0, 1: 1}

    def fib(n: Any) -> Any:
        try:
            return memo[n]
        except KeyError:
            pass
        memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return fib, lambda: memo


@program
def memoised_by_pairs() -> Made:
    memo: dict[Any, Any] = {}

    def ways(i: Any, j: Any) -> Any:
        if i == 0 or j == 0:
            return 1
        if (i, j) not in memo:
            memo[i, j] = ways(i - 1, j) + ways(i, j - 1)
        return memo[i, j]

    return lambda n: ways(n, n - 1), lambda: memo


@program
def memoised_in_an_argument() -> Made:
    def fib(n: Any, memo: Any) -> Any:
        if n in memo:
            return memo[n]
        if n < 2:
            return n
        memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
        return memo[n]

    def f(n: Any, o: Any) -> Any:
        return fib(n, o.k)

    return of({}, f)


@program
def memoised_in_a_new_argument() -> Made:
    def fib(n: Any, memo: Any = None) -> Any:
        if memo is None:
            memo = {}
        if n in memo:
            return memo[n]
        if n < 2:
            return n
        memo[n] = fib(n - 1, memo) + fib(n - 2, memo)
        return memo[n]

    def f(n: Any) -> Any:
        memo: dict[Any, Any] = {}
        return fib(n) * 1000 + fib(n, memo) * 100 + len(memo)

    return f, lambda: {}
