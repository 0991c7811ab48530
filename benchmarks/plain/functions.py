"""Closures, generators, functions as values, and exceptions."""

from __future__ import annotations

import functools
import itertools

__all__ = ["PROGRAMS"]


def make_counter():
    count = 0

    def counter():
        nonlocal count
        count += 1
        return count

    return counter


def counters(n):
    first, second = make_counter(), make_counter()
    for i in range(n):
        first()
        if i % 3 == 0:
            second()
    return first(), second()


def compose(f, g):
    return lambda x: f(g(x))


def compositions(n):
    twice_and_one = compose(lambda x: x + 1, lambda x: x * 2)
    total = 0
    for i in range(n):
        total += twice_and_one(i) % 7
    return total


def naturals(limit):
    i = 0
    while i < limit:
        yield i
        i += 1


def only_odd(items):
    for item in items:
        if item % 2:
            yield item


def generators(n):
    total = 0
    for item in only_odd(naturals(n)):
        if item % 3 == 0:
            continue
        total += item
    return total


def primes_forever():
    found = []
    candidate = 2
    while True:
        if all(candidate % p for p in found if p * p <= candidate):
            found.append(candidate)
            yield candidate
        candidate += 1


def first_primes(n):
    return list(itertools.islice(primes_forever(), n))


def pipeline(n):
    steps = [lambda x: x + 3, lambda x: x * x, lambda x: x % 1009]
    results = []
    for i in range(n):
        value = i
        for step in steps:
            value = step(value)
        results.append(value)
    return sum(results)


def map_filter_reduce(n):
    squares = map(lambda x: x * x, range(n))  # noqa: C417 (an ordinary program)
    odd = filter(lambda x: x % 2, squares)
    return functools.reduce(lambda a, b: (a + b) % 10007, odd, 0)


def safe_divide(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return None


def exceptions(n):
    missing, total = 0, 0.0
    for i in range(n):
        value = safe_divide(i, i % 7)
        if value is None:
            missing += 1
        else:
            total += value
    return missing, round(total, 6)


def parse_all(n):
    numbers, bad = [], []
    for i in range(n):
        text = f"{i}" if i % 11 else f"x{i}"
        try:
            numbers.append(int(text))
        except ValueError as error:
            bad.append(str(error))
        finally:
            text = None
    return sum(numbers), len(bad)


def with_defaults(a, b=2, *rest, scale=1, **named):
    total = a * b
    for item in rest:
        total += item
    for name in named:
        total += named[name]
    return total * scale


def many_signatures(n):
    total = 0
    for i in range(n):
        total += with_defaults(i)
        total += with_defaults(i, 3, 4, 5)
        total += with_defaults(i, scale=2, extra=1)
    return total


def dispatch(n):
    table = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "max": max}
    result, names = 0, ["add", "sub", "max"]
    for i in range(n):
        result = table[names[i % 3]](result, i) % 1_000
    return result


def chained_comparisons(n):
    inside = 0
    for i in range(n):
        x, y = i * 17 % 100, i * 31 % 100
        if (10 <= x < 90 and not 40 < y <= 60) or x == y:
            inside += 1
    return inside


PROGRAMS = {
    counters: 25_000,
    compositions: 12_000,
    generators: 20_000,
    first_primes: 300,
    pipeline: 6_000,
    map_filter_reduce: 15_000,
    exceptions: 15_000,
    parse_all: 6_000,
    many_signatures: 4_000,
    dispatch: 12_000,
    chained_comparisons: 20_000,
}
