"""How long the conversion of a function takes, from its file to compiled code, and how that grows with the program.

Each repeat converts new function objects from a new file, so that no cache of templates or of parsed files helps.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import autograph
from benchmarks.measure import Row, Scale, processor_seconds
from benchmarks.programs import module, nested_ifs, ordinary, sequential_ifs, sum_of_terms

__all__ = ["rows"]


def seconds(texts: list[str], rounds: int) -> list[float]:
    """For the function of each text the least time that its conversion takes, measured in turns."""
    least = [float("inf")] * len(texts)
    for _ in range(rounds):
        for index, text in enumerate(texts):
            with module(text) as fresh:
                function = fresh()
                least[index] = min(
                    least[index], processor_seconds(lambda function=function: autograph.to_graph(function))
                )
    return least


def growth(name: str, sizes: list[int], times: list[float]) -> Iterator[Row]:
    """How many times as long each size takes as the one before."""
    for (before, shorter), (after, longer) in itertools.pairwise(zip(sizes, times, strict=True)):
        yield Row(f"{after:,} {name} over {before:,}", longer / shorter, "times", target=2.2)


def rows(scale: Scale) -> Iterator[Row]:
    seconds([ordinary(50)], 1)  # the converters are imported with the first conversion
    lengths = [50, 500]
    times = seconds([ordinary(scale.of(lines, 10)) for lines in lengths], scale.repeats)
    for lines, taken, target in zip(lengths, times, (0.020, 0.250), strict=True):
        yield Row(f"{lines} lines with loops, breaks and ifs", taken, "s", target)
    sizes = [scale.of(n) for n in (400, 800, 1600, 3200, 6400)]
    times = seconds([sequential_ifs(n) for n in sizes], (scale.repeats + 3) // 2)
    yield Row(f"{sizes[-1]:,} sequential ifs", times[-1], "s")
    yield from growth("sequential ifs", sizes, times)
    depths = [scale.of(n) for n in (45, 90)]
    times = seconds([nested_ifs(n) for n in depths], scale.repeats)
    yield Row(f"{depths[-1]} nested ifs", times[-1], "s")
    yield from growth("nested ifs", depths, times)
    terms = scale.of(2500)
    yield Row(f"a sum of {terms:,} terms", *seconds([sum_of_terms(terms)], scale.repeats), "s")
