"""Small programs as people write them, staged and beside them as plain Python on the same integers."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def power_modulo(base, exponent, modulus):
    result = 1
    base = base % modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = result * base % modulus
        exponent //= 2
        base = base * base % modulus
    return result


def is_prime(n):
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True


def count_primes(n):
    count = 0
    for k in range(n + 1):
        if k < 2:
            continue
        prime = True
        d = 2
        while d * d <= k:
            if k % d == 0:
                prime = False
                break
            d += 1
        if prime:
            count += 1
    return count


def highest_point_of_collatz(n):
    peak = n
    while True:
        if n > peak:
            peak = n
        if n == 1:
            break
        if n % 2 == 0:
            n //= 2
            continue
        n = 3 * n + 1
    return peak


def factors_of(product, limit):
    for i in range(limit):
        for j in range(i, limit):
            if i * j == product:
                return i, j
    return -1, -1


def binomial(n, k):
    result = 1
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return result


def pseudo_random_hits(n):
    seed = 42
    hits = 0
    for _ in range(n):
        seed = (seed * 1103 + 12345) % 65536
        hits += 1 if seed % 4 == 0 else 0
    return hits, seed


def found_or_not(n):
    i = 0
    while i < n:
        if i == 3:
            result = 10
            break
        i += 1
    else:
        result = 20
    return result, i


def digits_backwards(n):
    result = 0
    for i in range(n, 0, -2):
        result = result * 10 + i
    return result


def counted_by_a_closure(a, b):
    count = 0

    def add(k):
        nonlocal count
        count += k if k > 2 else 0

    add(a)
    add(b)
    return count


def raised(base, exponent):
    result = 1
    for _ in range(exponent):
        result *= base
    return result if result <= 10 else -result


def cubes(x):
    return functools.partial(raised, exponent=3)(x)


@pytest.mark.parametrize(
    ("program", "inputs"),
    [
        (gcd, [(12, 18), (17, 5), (0, 4), (270, 192)]), (power_modulo, [(2, 10, 1000), (3, 200, 13), (7, 0, 5)]),
        (is_prime, [-1, 0, 1, 2, 29, 91, 97]), (count_primes, [0, 1, 2, 50]),
        (highest_point_of_collatz, [1, 7, 27]), (factors_of, [(12, 10), (12, 3), (0, 0), (35, 9)]),
        (binomial, [(5, 3), (10, 0), (0, 0), (20, 10)]), (pseudo_random_hits, [0, 1, 30]), (found_or_not, [0, 2, 3, 9]),
        (digits_backwards, [-1, 0, 1, 5, 8]), (counted_by_a_closure, [(3, 4), (0, 5), (1, 1)]), (cubes, [2, 3, -3]),
    ],
)  # fmt: skip
def test_programs_on_integers(program: Any, inputs: list[Any]) -> None:
    assert_same(program, *inputs)


def first_at_least(values, wanted):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def fewest_coins(values, amount):
    best = np.where(np.arange(12) == 0, 0, 10_000)
    for total in range(1, amount + 1):
        for coin in values:
            if coin <= total:
                candidate = best[total - coin] + 1
                if candidate < best[total]:
                    best = tf.where(tf.range(12) == total, tf.cast(candidate, tf.int64), best)
    return best[amount] if best[amount] < 10_000 else tf.constant(-1, tf.int64)


def bubble_sort(values):
    n = len(values)
    places = tf.range(n)
    for i in range(n):
        for j in range(n - 1 - i):
            a, b = values[j], values[j + 1]
            if a > b:
                values = tf.where(places == j, b, tf.where(places == j + 1, a, values))
    return values


def least_and_where(values):
    best, where = values[0], 0
    for i in range(1, len(values)):
        if values[i] < best:
            best, where = values[i], i
    return where, best


def sums_by_row(rows):
    total, largest = 0, -100
    for row in rows:
        here = 0
        for item in row:
            here += item
        if here > largest:
            largest = here
        total += here
    return total, largest


def shortest_ways(distances):
    n = distances.shape[0]
    for k in range(n):
        distances = np.minimum(distances, distances[:, k : k + 1] + distances[k : k + 1, :])
    return distances


ints = functools.partial(np.array, dtype=np.int32)


@pytest.mark.parametrize(
    ("program", "arguments", "expected"),
    [
        (first_at_least, (ints([1, 3, 5, 7]), 5), 2), (first_at_least, (ints([1, 3]), 9), 2),
        (first_at_least, (ints([]), 9), 0),
        (fewest_coins, (ints([1, 2, 5]), 11), 3), (fewest_coins, (ints([2]), 3), -1), (fewest_coins, (ints([2]), 0), 0),
        (bubble_sort, (ints([5, 3, 4, 1, 2]),), [1, 2, 3, 4, 5]), (bubble_sort, (ints([]),), []),
        (least_and_where, (ints([4, 2, 9, 2]),), (1, 2)),
        (sums_by_row, (ints([[1, 2], [3, 4], [-9, 1]]),), (2, 7)), (sums_by_row, (ints(np.ones((0, 3))),), (0, -100)),
        (shortest_ways, (ints([[0, 1, 9], [1, 0, 2], [9, 2, 0]]),), [[0, 1, 3], [1, 0, 2], [3, 2, 0]]),
    ],
)  # fmt: skip
def test_programs_on_arrays(program: Any, arguments: tuple[Any, ...], expected: Any) -> None:
    for given in (arguments, [tf.constant(a) for a in arguments]):
        result = tf.function(program)(*given)
        assert tf.nest.map_structure(lambda t: t.numpy().tolist(), result) == expected
