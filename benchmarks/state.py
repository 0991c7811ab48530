"""What a change of a Variable costs over numpy in place: in a Function, in a loop of a graph, eagerly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import runtime
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


def rows(scale: Scale) -> Iterator[Row]:
    for elements, target in ((100, 3e-6), (1_000_000, None)):
        yield from _updates(elements, target, scale)
    yield from _loop(scale)


def _updates(elements: int, target: float | None, scale: Scale) -> Iterator[Row]:
    array, by = np.zeros(elements, np.float32), np.full(elements, 0.5, np.float32)
    variable, delta = runtime.Variable(array), runtime.constant(by)

    @runtime.function
    def add(x):
        variable.assign_add(x)

    add(delta)

    def in_numpy() -> None:
        np.add(array, by, out=array)

    plain, function, eager = best_of_each(
        [in_numpy, lambda: add(delta), lambda: variable.assign_add(delta)],
        scale.repeats,
        scale.loops if elements < 1000 else scale.of(50),
    )
    what = f"`v.assign_add(x)` on {elements:,} elements"
    yield Row(f"{what} in a Function, over numpy's time", function - plain, "s", target, plain, "numpy in place")
    yield Row(f"{what} eagerly, over numpy's time", eager - plain, "s", None, plain, "numpy in place")


def _loop(scale: Scale) -> Iterator[Row]:
    times = scale.of(1000)
    array, by = np.zeros(1000, np.float32), np.full(1000, 0.5, np.float32)
    variable, delta = runtime.Variable(array), runtime.constant(by)

    @runtime.function
    def many(n):
        for _ in runtime.range(n):
            variable.assign_add(delta)

    def in_numpy() -> None:
        for _ in range(times):
            np.add(array, by, out=array)

    count = runtime.constant(times)
    many(count)
    plain, function = best_of_each([in_numpy, lambda: many(count)], scale.repeats)
    yield Row(f"{times:,} such updates of 1,000 elements in a loop", function, "s", None, plain, "numpy in place")
