"""Writes to elements and growing lists inside a graph, against Python's lists of numbers and against numpy's elements.

A write in a loop must not copy the array: that the time grows with the number of writes, and not with its square, is a
row of the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import runtime as tf
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


def sieve(flags, limit):
    i = 2
    while i * i < limit:
        if flags[i]:
            j = i * i
            while j < limit:
                flags[j] = False
                j += i
        i += 1
    return flags


def running_sum(values, count):
    for i in range(1, count):
        values[i] += values[i - 1]
    return values


def squares(items, count):
    for i in range(count):
        items.append(i * i)
    return items


def staged_squares(count):
    items = []
    for i in range(count):
        items.append(i * i)
    return tf.stack(items)


Make = Callable[[int], Any]


def compared(name: str, program: Callable[..., Any], size: int, make: Make, scale: Scale) -> Iterator[Row]:
    """The program in a graph, over a list and over an ndarray; and in a graph with twice as many elements."""
    graph = tf.function(program)
    arrays = [tf.constant(make(n)) for n in (size, 2 * size)]
    sizes = [tf.constant(n) for n in (size, 2 * size)]
    assert graph(arrays[0], sizes[0]).numpy().tolist() == program(make(size).tolist(), size)
    graph(arrays[1], sizes[1])
    staged, twice, on_list, on_array = best_of_each(
        [
            lambda: graph(arrays[0], sizes[0]),
            lambda: graph(arrays[1], sizes[1]),
            lambda: program(make(size).tolist(), size),
            lambda: program(make(size), size),
        ],
        2 * scale.repeats,
        clock=time.process_time,
    )
    yield Row(name.format(size), staged, "s", baseline=on_list, baseline_name="plain Python on a list")
    yield Row("the same", staged, "s", baseline=on_array, baseline_name="plain Python on an ndarray")
    yield Row(f"{name.format(2 * size)} over {size:,}", twice / staged, "times", target=2.5)


def rows(scale: Scale) -> Iterator[Row]:
    size = scale.of(100_000, 20)
    yield from compared("the sieve of Eratosthenes up to {:,}", sieve, size, lambda n: np.ones(n, np.bool_), scale)
    yield from compared("{:,} running sums", running_sum, size, lambda n: np.arange(n) % 7, scale)
    graph = tf.function(staged_squares)
    argument = tf.constant(size)
    wanted = np.arange(size, dtype=np.int64) ** 2
    assert np.array_equal(graph(argument).numpy(), wanted)
    staged, plain = best_of_each([lambda: graph(argument), lambda: squares([], size)], scale.repeats)
    yield Row(f"{size:,} numbers appended to a list", staged, "s", baseline=plain, baseline_name="plain Python")
