"""How long the first call of a Function takes: tracing its Python code, the passes, and the code of the plan."""

from __future__ import annotations

from collections.abc import Iterator

import runtime
from benchmarks.measure import Row, Scale, processor_seconds
from benchmarks.programs import module, straight_line

__all__ = ["rows"]


def first_calls(cases: list[tuple[int, bool]], rounds: int) -> list[float]:
    """For each case (number of operations, converted by autograph?) the time of the first call of a new Function."""
    argument = runtime.constant([1.0, 2.0])
    least = [float("inf")] * len(cases)
    for _ in range(rounds):
        for index, (operations, converted) in enumerate(cases):
            with module(straight_line(operations)) as fresh:
                function = runtime.function(fresh(), autograph=converted)
                call = lambda function=function: function(argument, argument)
                least[index] = min(least[index], processor_seconds(call))
    return least


def rows(scale: Scale) -> Iterator[Row]:
    count = scale.of(1000)
    once, converted, twice = first_calls([(count, False), (count, True), (2 * count, False)], scale.repeats)
    yield Row(f"trace + plan of {count:,} operations in a straight line", once, "s", target=0.120)
    yield Row(f"the same with the conversion of its {count:,} lines", converted, "s")
    yield Row(f"{2 * count:,} operations over {count:,}", twice / once, "times")
