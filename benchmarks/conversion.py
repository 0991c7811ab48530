"""How long the conversion of a function takes, from its file to compiled code, and how that grows with the program.

Each repeat converts new function objects from a new file, so that no cache of templates or of parsed files helps.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator

import autograph
from benchmarks.measure import Row, Scale, quiet
from benchmarks.programs import module, nested_ifs, ordinary, sequential_ifs, sum_of_terms

__all__ = ["rows"]


def seconds(text: str, repeats: int) -> float:
    """The least time that the conversion of the function of `text` takes."""
    least = float("inf")
    for _ in range(repeats):
        with module(text) as fresh, quiet():
            function = fresh()
            start = time.perf_counter()
            autograph.to_graph(function)
            least = min(least, time.perf_counter() - start)
    return least


def doublings(sizes: list[int], times: list[float]) -> Iterator[Row]:
    """How many times as long a program takes that is twice as long."""
    for (before, shorter), (after, longer) in itertools.pairwise(zip(sizes, times, strict=True)):
        yield Row(f"{after:,} sequential ifs over {before:,}", longer / shorter, "times", target=2.3)


def rows(scale: Scale) -> Iterator[Row]:
    seconds(ordinary(50), 2)  # the converters are imported with the first conversion
    for lines, target in ((50, 0.020), (500, 0.250)):
        text = ordinary(scale.of(lines, 10))
        yield Row(f"{lines} lines with loops, breaks and ifs", seconds(text, scale.repeats), "s", target)
    sizes = [scale.of(n) for n in (400, 800, 1600, 3200, 6400)]
    times = [seconds(sequential_ifs(n), scale.repeats if n < 2000 else scale.repeats // 2 + 1) for n in sizes]
    yield Row(f"{sizes[-1]:,} sequential ifs", times[-1], "s")
    yield from doublings(sizes, times)
    depths = [scale.of(n) for n in (45, 90)]
    shallow, deep = (seconds(nested_ifs(n), scale.repeats) for n in depths)
    yield Row(f"{depths[1]} nested ifs", deep, "s")
    yield Row(f"{depths[1]} nested ifs over {depths[0]}", deep / shallow, "times", target=2.3)
    terms = scale.of(2500)
    yield Row(f"a sum of {terms:,} terms", seconds(sum_of_terms(terms), scale.repeats), "s")
