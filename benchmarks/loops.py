"""Loops over numbers and elements, as people write them, with sizes that keep a compiler busy for milliseconds.

    for function, arguments in PROGRAMS: ...
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["PROGRAMS"]


def longest_collatz(n: Any) -> Any:
    most = 0
    for i in range(1, n):
        k = i
        steps = 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        if steps > most:
            most = steps
    return most


def sum_with_if(n: Any) -> Any:
    total = 0
    for i in range(n):
        if i % 3 == 0 or i % 5 == 0:
            total += i
    return total


def fizz_buzz(n: Any) -> Any:
    fizz = 0
    buzz = 0
    both = 0
    for i in range(n):
        if i % 15 == 0:
            both += 1
        elif i % 5 == 0:
            buzz += 1
        elif i % 3 == 0:
            fizz += 1
    return fizz * 1_000_000 + buzz * 1_000 + both


def newton_roots(n: Any) -> Any:
    total = 0.0
    for i in range(1, n):
        x = 1.0 * i
        for _ in range(80):
            x = 0.5 * (x + i / x)
        total += x
    return total


def mandelbrot(n: Any, most: Any) -> Any:
    total = 0
    for i in range(n):
        for j in range(n):
            re = -2.0 + 2.5 * i / n
            im = -1.25 + 2.5 * j / n
            x = 0.0
            y = 0.0
            turns = 0
            while turns < most and x * x + y * y <= 4.0:
                following = x * x - y * y + re
                y = 2.0 * x * y + im
                x = following
                turns += 1
            total += turns
    return total


def primes_below(n: Any) -> Any:
    prime = np.ones(n, np.bool_)
    count = 0
    for i in range(2, n):
        if prime[i]:
            count += 1
            j = i * i
            while j < n:
                prime[j] = False
                j += i
    return count


def edit_distance(a: Any, b: Any) -> Any:
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a) + 1):
        table[i, 0] = i
    for j in range(len(b) + 1):
        table[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            best = table[i - 1, j - 1] + (0 if a[i - 1] == b[j - 1] else 1)
            if table[i - 1, j] + 1 < best:
                best = table[i - 1, j] + 1
            if table[i, j - 1] + 1 < best:
                best = table[i, j - 1] + 1
            table[i, j] = best
    return table[len(a), len(b)]


def floyd_warshall(d: Any) -> Any:
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def bodies(x: Any, v: Any, m: Any, steps: Any) -> Any:
    n = x.shape[0]
    for _ in range(steps):
        for i in range(n):
            fx = 0.0
            fy = 0.0
            for j in range(n):
                if i != j:
                    dx = x[j, 0] - x[i, 0]
                    dy = x[j, 1] - x[i, 1]
                    square = dx * dx + dy * dy + 0.01
                    weight = m[j] / (square * np.sqrt(square))
                    fx += weight * dx
                    fy += weight * dy
            v[i, 0] += 0.001 * fx
            v[i, 1] += 0.001 * fy
        for i in range(n):
            x[i, 0] += 0.001 * v[i, 0]
            x[i, 1] += 0.001 * v[i, 1]
    return x


_random = np.random.default_rng(0)

PROGRAMS: Final[tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...]] = (
    (longest_collatz, (100_000,)),
    (sum_with_if, (5_000_000,)),
    (fizz_buzz, (5_000_000,)),
    (newton_roots, (20_000,)),
    (mandelbrot, (300, 200)),
    (primes_below, (2_000_000,)),
    (edit_distance, (_random.integers(0, 4, 1000), _random.integers(0, 4, 1000))),
    (floyd_warshall, (_random.uniform(size=(150, 150)),)),
    (bodies, (_random.normal(size=(100, 2)), np.zeros((100, 2)), np.ones(100), 20)),
)
