"""Ordinary programs over plain values, converted, beside plain Python; and calls at the bottom of a recursion.

    python -m benchmarks plain_values

The ratio of each of a hundred programs (benchmarks/plain) is taken; the table shows the median and the worst of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import autograph
from benchmarks.measure import Row, Scale, best_of_each
from benchmarks.plain import PROGRAMS

__all__ = ["ratios", "rows"]


def descend(depth):
    if depth == 0:
        return 0
    return 1 + descend(depth - 1)


def ratios(scale: Scale) -> Iterator[tuple[float, str, Callable[[int], Any]]]:
    """For each program how many times as long it runs converted, and its name."""
    for program, full in PROGRAMS.items():
        size = scale.of(full, 3)
        made = autograph.to_graph(program)
        assert made(size) == program(size), program.__name__
        versions = [lambda: program(size), lambda: made(size)]  # noqa: B023 (called at once)
        plain, converted = best_of_each(versions, scale.repeats, clock=time.process_time)
        yield converted / plain if plain else 1.0, program.__name__.replace("_", " "), program


def rows(scale: Scale) -> Iterator[Row]:
    found = sorted(ratios(scale), key=lambda entry: -entry[0])
    yield Row(
        f"{len(found)} ordinary programs over plain Python: the median",
        statistics.median(ratio for ratio, *_ in found),
        "times",
        target=2.0,
    )
    for ratio, name, _ in found[:5]:
        yield Row(f"the slowest of them: {name}", ratio, "times")
    made = autograph.to_graph(descend)
    for depth in (10, 100, 900):
        assert made(depth) == depth
        versions = [lambda: descend(depth), lambda: made(depth)]  # noqa: B023 (called at once)
        plain, converted = best_of_each(versions, 5 * scale.repeats, max(1, scale.loops // depth))
        name = f"a call in a recursion to a depth of {depth}"
        yield Row(name, converted / depth, "s", None, plain / depth, "plain Python")
