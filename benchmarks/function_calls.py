"""What a call of a `runtime.function` costs over the same work in numpy: binding, finding the trace, wrapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import runtime
from benchmarks.measure import Row, Scale, best_of_each
from benchmarks.programs import module

__all__ = ["rows"]


def add_one(x):
    return x + 1


def chain(x):
    """Twenty small operations: what a graph saves is one dispatch each."""
    for _ in range(10):
        x = x * 0.5
        x = x + 1.0
    return x


def sum_of_eight(a, b, c, d, e, f, g, h):
    return a + b + c + d + e + f + g + h


def ends(parts):
    return parts["k0"] + parts["k19"]


def over_numpy(name: str, calls: list[Callable[[], object]], target: float, scale: Scale) -> Row:
    """What the first call takes over the second one."""
    staged, in_numpy = best_of_each(calls, 3 * scale.repeats, scale.loops)
    return Row(name, staged - in_numpy, "s", target, in_numpy, "numpy")


def arguments(scale: Scale) -> Iterator[Row]:
    arrays = [np.full((2, 2), i, np.float32) for i in range(20)]
    tensors = [runtime.constant(array) for array in arrays]
    eight = runtime.function(sum_of_eight)
    calls = [lambda: eight(*tensors[:8]), lambda: sum_of_eight(*arrays[:8])]
    yield over_numpy("8 tensors as arguments, over numpy's time", calls, 6e-6, scale)
    named = {f"k{i}": tensor for i, tensor in enumerate(tensors)}
    named_arrays = {f"k{i}": array for i, array in enumerate(arrays)}
    one = runtime.function(ends)
    yield over_numpy(
        "a dict of 20 tensors as argument", [lambda: one(named), lambda: ends(named_arrays)], 15e-6, scale
    )


def state(scale: Scale) -> Iterator[Row]:
    variable, array = runtime.Variable(np.zeros((2, 2), np.float32)), np.zeros((2, 2), np.float32)
    amount, tensor = np.ones((2, 2), np.float32), runtime.constant(np.ones((2, 2), np.float32))

    def add(x):
        variable.assign_add(x)

    def add_in_numpy():
        np.add(array, amount, out=array)

    staged = runtime.function(add)
    yield over_numpy(
        "a Variable read, changed, written, over numpy in place", [lambda: staged(tensor), add_in_numpy], 3e-6, scale
    )


def guarded(scale: Scale) -> Iterator[Row]:
    tensor = runtime.constant(np.ones((2, 2), np.float32))
    names = [f"NAME{i}" for i in range(20)]
    with module(f"def f(x):\n    return x + ({' + '.join(names)})\n") as fresh:
        function = fresh()
        function.__globals__.update({name: 0.5 * i for i, name in enumerate(names)})
        with_names, without = runtime.function(function), runtime.function(add_one)
        calls = [lambda: with_names(tensor), lambda: without(tensor)]
        seconds, plain = best_of_each(calls, 3 * scale.repeats, scale.loops)
    yield Row("20 globals of Python that are guarded, over none", seconds - plain, "s", 2e-6)


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
    yield from arguments(scale)
    yield from guarded(scale)
    yield from state(scale)
    staged_chain = runtime.function(chain)
    staged_chain(tensor)
    in_numpy, function, eager = best_of_each(
        [lambda: chain(array), lambda: staged_chain(tensor), lambda: chain(tensor)], scale.repeats, scale.of(200)
    )
    yield Row("20 operations on [2, 2] in a graph", function, "s", None, in_numpy, "numpy")
    yield Row("20 operations on [2, 2] eagerly", eager, "s", None, in_numpy, "numpy")
