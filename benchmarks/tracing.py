"""How long the first call of a Function takes: tracing its Python code, the passes, and the code of the plan."""

from __future__ import annotations

import time
from collections.abc import Iterator

import runtime
from benchmarks.measure import Row, Scale, quiet
from benchmarks.programs import module, straight_line

__all__ = ["rows"]


def first_call(operations: int, repeats: int, autograph: bool) -> float:
    """Seconds until a new function of so many operations has its concrete form and has run once."""
    argument = runtime.constant([1.0, 2.0])
    least = float("inf")
    with module(straight_line(operations)) as fresh:
        for _ in range(repeats):
            function = runtime.function(fresh(), autograph=autograph)
            with quiet():
                start = time.perf_counter()
                function(argument, argument)
                least = min(least, time.perf_counter() - start)
    return least


def rows(scale: Scale) -> Iterator[Row]:
    count = scale.of(1000)
    once = first_call(count, scale.repeats, autograph=False)
    yield Row(f"trace + plan of {count:,} operations in a straight line", once, "s", target=0.120)
    yield Row(f"the same with the conversion of its {count:,} lines", first_call(count, scale.repeats, True), "s")
    twice = first_call(2 * count, scale.repeats, autograph=False)
    yield Row(f"{2 * count:,} operations over {count:,}", twice / once, "times", target=2.3)
