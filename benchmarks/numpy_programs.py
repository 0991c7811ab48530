"""Programs of NumPy as Functions beside the same programs undecorated: the repeated call, and the first one.

    python -m benchmarks numpy_programs          the summary, as in the README
    python -m benchmarks.numpy_programs          each program, and what the slow ones spend their time with

The programs are those of tests/numpy_programs, with larger arguments (numpy_sizes.py); each call gets fresh copies of
its arrays. The engine is the one that works without a compiler.
"""

from __future__ import annotations

import copy
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import runtime
from benchmarks.measure import FULL, Row, Scale, quiet
from benchmarks.numpy_sizes import sized

__all__ = ["Measured", "measured", "rows"]

MOST_RATIO, MOST_FIRST = 1.5, 1.0
"""A repeated call should take at most so many times what NumPy takes, a first call at most so many seconds."""

_SECONDS_OF_LOOP = 0.005


class Measured(NamedTuple):
    """Seconds of one program: of NumPy, of the repeated call and of the first call; operations of its graph."""

    name: str
    plain: float
    repeated: float
    first: float
    graph: Any

    @property
    def ratio(self) -> float:
        return self.repeated / self.plain

    @property
    def cause(self) -> str:
        """What a slow program spends its time with, as its graph shows it."""
        operations = [operation.type for operation in self.graph.operations]
        loops = sum(kind in ("while", "for", "scan") for kind in operations)
        if self.repeated - self.plain < 50e-6:
            return "the cost of a call"
        if loops:
            return f"{loops} staged loops of small steps, {len(operations)} operations around them"
        return f"{len(operations)} operations, each as long as NumPy's"


def measured(scale: Scale = FULL) -> Iterator[Measured]:
    """All programs that are not refused, in turns with NumPy."""
    from tests.numpy_programs.test_programs import PROGRAMS, REFUSED

    for program in PROGRAMS[:: 1 if scale.size == 1.0 else 40]:
        if (program.name, "arrays") in REFUSED:
            continue
        given, plain = sized(program.name) or program.calls[0], program.function
        staged = runtime.function(plain, backend="numpy")
        arguments = copy.deepcopy(given)
        with np.errstate(all="ignore"), quiet():
            start = time.process_time()
            staged(*arguments)
            first = time.process_time() - start
        with np.errstate(all="ignore"):
            seconds = _of_each([plain, staged], given, scale)
        graph = staged.get_concrete_function(*copy.deepcopy(given)).graph
        yield Measured(program.name, *seconds, first, graph)


def _of_each(functions: Sequence[Callable[..., Any]], given: Sequence[Any], scale: Scale) -> list[float]:
    """For each function the seconds of one call: the least of several measurements, in turns."""
    loops = max(1, min(scale.loops, int(_SECONDS_OF_LOOP / _seconds(functions[0], given, 1))))
    least = [float("inf")] * len(functions)
    with quiet():
        for _ in range(scale.repeats):
            for i, function in enumerate(functions):
                least[i] = min(least[i], _seconds(function, given, loops))
    return least


def _seconds(function: Callable[..., Any], given: Sequence[Any], loops: int) -> float:
    calls = [[a.copy() if isinstance(a, np.ndarray) else copy.deepcopy(a) for a in given] for _ in range(loops)]
    start = time.process_time()
    for arguments in calls:
        function(*arguments)
    return max(time.process_time() - start, 1e-9) / loops


def rows(scale: Scale) -> Iterator[Row]:
    found = sorted(measured(scale), key=lambda one: -one.ratio)
    yield Row(
        f"{len(found)} programs of NumPy, a repeated call beside NumPy: the median",
        statistics.median(one.ratio for one in found), "times", target=MOST_RATIO,
    )  # fmt: skip
    slow = sum(one.ratio > MOST_RATIO for one in found)
    yield Row(f"programs that take more than {MOST_RATIO} times as long as NumPy", slow, "programs", target=0)
    for one in found[:5]:
        yield Row(f"the slowest of them: {one.name}", one.repeated, "s", None, one.plain, "NumPy")
    late = sum(one.first > MOST_FIRST for one in found)
    yield Row(f"first calls of more than {MOST_FIRST:.0f} s", late, "programs", target=0)
    yield Row("the longest first call", max(one.first for one in found), "s", target=MOST_FIRST)


def main() -> None:
    """Prints all programs, the slowest first."""
    found = sorted(measured(FULL), key=lambda one: -one.ratio)
    for one in found:
        words = f"  <- {one.cause}" if one.ratio > MOST_RATIO else ""
        late = "  (first call)" if one.first > MOST_FIRST else ""
        print(f"{one.ratio:7.2f}  {one.plain * 1e6:10.1f} us  first {one.first:6.3f} s{late}  {one.name}{words}")
    within = sum(one.ratio <= MOST_RATIO for one in found)
    print(f"{within} of {len(found)} within {MOST_RATIO}; worst {found[0].ratio:.2f} ({found[0].name}); "
          f"{sum(one.first > MOST_FIRST for one in found)} first calls of more than {MOST_FIRST:.0f} s")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
