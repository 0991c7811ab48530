"""What a call of a `runtime.function` costs over the same work in numpy: binding, finding the trace, wrapping."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import runtime
from benchmarks.measure import Row, Scale, best_of_each

__all__ = ["rows"]


def add_one(x):
    return x + 1


def chain(x):
    """Twenty small operations: what a graph saves is one dispatch each."""
    for _ in range(10):
        x = x * 0.5
        x = x + 1.0
    return x


def rows(scale: Scale) -> Iterator[Row]:
    array = np.ones((2, 2), np.float32)
    tensor = runtime.constant(array)
    one = np.float32(1)
    staged = runtime.function(add_one)
    concrete = staged.get_concrete_function(tensor)
    staged(tensor)
    in_numpy, function, direct, eager = best_of_each(
        [lambda: array + one, lambda: staged(tensor), lambda: concrete(tensor), lambda: add_one(tensor)],
        3 * scale.repeats,
        scale.loops,
    )
    yield Row("`x + 1` on [2, 2], over numpy's time", function - in_numpy, "s", 3e-6, in_numpy, "numpy")
    yield Row("the same by its ConcreteFunction", direct - in_numpy, "s", None, in_numpy, "numpy")
    yield Row("the same eagerly, without a Function", eager - in_numpy, "s", None, in_numpy, "numpy")
    staged_chain = runtime.function(chain)
    staged_chain(tensor)
    in_numpy, function, eager = best_of_each(
        [lambda: chain(array), lambda: staged_chain(tensor), lambda: chain(tensor)], scale.repeats, scale.of(200)
    )
    yield Row("20 operations on [2, 2] in a graph", function, "s", None, in_numpy, "numpy")
    yield Row("20 operations on [2, 2] eagerly", eager, "s", None, in_numpy, "numpy")
