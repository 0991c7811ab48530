"""Rows of the language table: while and for, over what, and the jumps in them."""

from __future__ import annotations

from functools import partial

import numpy as np

import runtime
from tests.language import construct

staged = partial(construct.staged, "Loops")


@staged("`while`", "One loop of the graph if the condition is a tensor; its variables are what the body assigns.",
        27, 1, graph="while")
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@staged("`while True` with `break`", "One loop of the graph, which the `break` on a tensor leaves.", 10, 1000,
        graph="while")
def first_power_of_two(n):
    p = 1
    while True:
        if p >= n:
            break
        p = p * 2
    return p


@staged("`while True` with `raise`", "One loop of the graph, which the exception leaves; so does the end of the data of"
        " `next(iterator)`.", 10, 1000, graph="while")
def first_power_of_three(n):
    p = 1
    try:
        while True:
            if p >= n:
                raise StopIteration
            p = p * 3
    except StopIteration:
        return p


@staged("`for` over a tensor", "One loop over the rows.", [1, 2, 3], [4, 5, 6], graph="while")
def total(values):
    result = 0
    for v in values:
        result += v
    return result


@staged("`for` over a ragged tensor", "One loop over the rows; each row is a tensor of its own length.", [3, 0, 2],
        [1, 1, 0], graph="while")
def squares_in_rows(lengths):
    result = 0
    for row in runtime.ragged.range(lengths):
        for v in row:
            result += v * v
    return result


@staged("`for` over a `data.Dataset`", "One loop, whatever the data; each time it runs a new pass begins, which an"
        " iterator does not.", 5, 0, graph="while")
def sum_of_pairs(n):
    result = runtime.constant(0, runtime.int64)
    iterator = iter(runtime.data.Dataset.range(n))
    for left in iterator:
        result = 100 * result + 10 * left + next(iterator, runtime.constant(9, runtime.int64))
    for pair in runtime.data.Dataset.range(n).batch(2):
        result += runtime.reduce_sum(pair)
    return result


@staged("`for` over `range` of a tensor", "One loop that counts; it may run zero times.", 5, 0, graph="while")
def factorial(n):
    result = 1
    for i in range(1, n + 1):
        result *= i
    return result


@staged("`for` over a range that Python knows", "One loop of the graph if it is longer than 64 and the body is one"
        " program for all its numbers; else unrolled. `set_loop_options(unroll=...)` decides otherwise.",
        0.5, -2.0, graph="while")
def series(x):
    total = 0
    for i in range(200):
        total += x * i
    return total


@staged("`for` over Python values", "Unrolled: the body is traced once for each of them.", 2, -1)
def polynomial(x):
    y = 0
    for factor in (3, -1, 7):
        y = y * x + factor
    return y


@staged("`for i, v in enumerate(...)`", "One loop; the counter is a tensor.", [5, 6, 7], graph="while")
def weighted(values):
    result = 0
    for i, v in enumerate(values, start=1):
        result += i * v
    return result


@staged("`for a, b in zip(...)`", "One loop to the end of the shortest; with `strict=True` they must be equally long.",
        ([1, 2, 3], [4, 5, 6]), graph="while")
def dot(left, right):
    result = 0
    for a, b in zip(left, right, strict=True):
        result += a * b
    return result


@staged("`for` over `reversed`, `map`, `filter`", "One loop; functions given to them are converted.",
        [1, -2, 3], [-1, -2, -3], graph="while")
def digits(values):
    result = 0
    for v in reversed(values):
        result = result * 10 + abs(v)
    for v in filter(lambda k: k > 0, map(lambda k: k + 1, values)):
        result += v
    return result


@staged("`for (a, b) in` a matrix", "Each row is taken apart.", np.array([[1, 2], [3, 4]]), graph="while")
def products(pairs):
    result = 0
    for a, b in pairs:
        result += a * b
    return result


@staged("`break` and `continue`", "Conditions of the loop and of the statements that follow.", 100, 3, graph="while")
def odd_numbers_until(limit):
    result = 0
    for i in range(limit):
        if i % 2 == 0:
            continue
        if result > 50:
            break
        result += i
    return result


@staged("`return` in a loop", "Leaves the loop with the value.", ([3, 8, 5], 5), ([3, 8, 5], 6), graph="while")
def position(values, wanted):
    for i, v in enumerate(values):
        if v == wanted:
            return i
    return -1


@staged("`break` on a tensor in a Python loop", "The iterations that remain are put under the condition.", 5, 100)
def steps_to(x):
    steps = 0
    for width in (1, 10, 50):
        if x < width:
            break
        x -= width
        steps += 1
    return steps


@staged("`for` ... `else`", "The `else` runs if no `break` left the loop.", 7, 9, graph="while")
def smallest_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            result = d
            break
    else:
        result = n
    return result


@staged("`while` ... `else`", "The `else` runs when the condition became false.", 8, 30, graph="while")
def halved(n):
    while n > 1:
        if n == 15:
            break
        n = n // 2
    else:
        n = n + 100
    return n


@staged("loops in loops", "Each is a loop of the graph; a jump belongs to its own.", 4, 0, graph="while")
def pairs_below(n):
    count = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            count += 1
    return count


@staged("`next` and iterators", "An iterator over a tensor moves on in the graph.", [1, 2, 3])
def first_two(values):
    items = iter(values)
    a = next(items)
    b = next(items)
    return a * 10 + b


@staged("a list that is kept, and begun anew", "Which list a variable has is carried, where it may be that of another.",
        [1, 2, -1, 3, 4, 5], [-1, 0, 0, -2, 7, 0], graph="while")
def longest_run(t):
    best, run = [], []
    for v in t:
        if v > 0:
            run.append(v)
            if len(run) > len(best):
                best = run
        else:
            run = []
    return best


@staged("a list that is put into another, and begun anew", "The element is not the list that is changed next.",
        [1, 2, 0, 3, 0, 0, 4], [5, 0, 5, 5, 5, 5, 5], graph="while")
def parts(t):
    found, part = [], []
    for v in t:
        if v == 0:
            found.append(part)
            part = []
        part.append(v)
    return found, part
