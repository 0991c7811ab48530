"""Loops and branches inside a graph, against the same function in plain Python and, where there is one, in numpy.

The programs are written once: as they stand they are the plain Python version, `runtime.function` makes the graph.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

import runtime as tf
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


def count_up(limit):
    i, total = 0, 0
    while i < limit:
        total = total + i % 7
        i = i + 1
    return total


def collatz_steps(limit):
    longest = 0
    start = 1
    while start < limit:
        n, steps = start, 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps = steps + 1
        if steps > longest:
            longest = steps
        start = start + 1
    return longest


def grid(limit):
    total, row = 0, 0
    while row < limit:
        column = 0
        while column < limit:
            if (row + column) % 3 == 0:
                total = total + row
            column = column + 1
        row = row + 1
    return total


def mandelbrot(cx, cy, limit):
    x, y = cx * 0.0, cy * 0.0
    times = tf.zeros(tf.shape(cx), tf.int32)
    step = 0
    while step < limit:
        inside = x * x + y * y <= 4.0
        following = x * x - y * y + cx
        y = tf.where(inside, 2.0 * x * y + cy, y)
        x = tf.where(inside, following, x)
        times = tf.where(inside, times + 1, times)
        step = step + 1
    return times


def mandelbrot_numpy(cx, cy, limit):
    x, y = np.zeros_like(cx), np.zeros_like(cy)
    times = np.zeros(cx.shape, np.int32)
    for _ in range(limit):
        inside = x * x + y * y <= 4.0
        following = x * x - y * y + cx
        y = np.where(inside, 2.0 * x * y + cy, y)
        x = np.where(inside, following, x)
        times = np.where(inside, times + 1, times)
    return times


def over_integers(name: str, program: Callable[..., object], limit: int, scale: Scale) -> Row:
    graph = tf.function(program)
    argument = tf.constant(limit)
    assert int(graph(argument)) == program(limit)
    plain, staged = best_of_each(
        [lambda: program(limit), lambda: graph(argument)], 3 * scale.repeats, clock=time.process_time
    )
    return Row(name, staged, "s", baseline=plain, baseline_name="plain Python")


def rows(scale: Scale) -> Iterator[Row]:
    for name, program, limit in (
        ("a loop over integers, {:,} times", count_up, 100_000),
        ("Collatz: all starts below {:,}", collatz_steps, 1_000),
        ("two nested loops with an if, {:,} squared", grid, 300),
    ):
        smaller = scale.of(limit)
        yield over_integers(name.format(smaller), program, smaller, scale)
    pixels, limit = scale.of(256), 50
    np.ones(1 << 21)  # once memory of that size was freed, malloc keeps what is smaller for its next use
    cx, cy = np.meshgrid(np.linspace(-2.1, 0.7, pixels), np.linspace(-1.05, 1.05, pixels))
    graph = tf.function(mandelbrot)
    arguments = tf.constant(cx), tf.constant(cy), tf.constant(limit)
    assert np.array_equal(graph(*arguments).numpy(), mandelbrot_numpy(cx, cy, limit))
    in_numpy, staged, eager = best_of_each(
        [lambda: mandelbrot_numpy(cx, cy, limit), lambda: graph(*arguments), lambda: mandelbrot(*arguments)],
        3 * scale.repeats,
        clock=time.process_time,
    )
    name = f"Mandelbrot, {pixels} x {pixels} pixels, {limit} steps"
    yield Row(name, staged, "s", baseline=in_numpy, baseline_name="numpy by hand")
    yield Row(f"{name}, eagerly", eager, "s", baseline=in_numpy, baseline_name="numpy by hand")
