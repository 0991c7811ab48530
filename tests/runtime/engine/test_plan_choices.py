"""`where` of one condition, shifts by known bits and functions of Python's own in plans: the results of the kernels."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import DType, float32, int8, int32, int64, uint8, uint64
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from tests.runtime.oracle import assert_agrees


def choice(shapes: tuple[list[int | None], list[int | None]]) -> Graph:
    graph = Graph("choice")
    c = graph.placeholder(tf.bool, [], "c")
    x, y = (graph.placeholder(float32, shape, "x") for shape in shapes)
    graph.outputs = list(graph.add(REGISTRY["where"], [c, x, y], {}).outputs)
    return graph


@pytest.mark.parametrize("shapes", [([3], [3]), ([3], [1]), ([None], [3]), ([None], [None]), ([2, 3], [3])], ids=str)
def test_one_of_two_arrays(shapes: tuple[list[int | None], list[int | None]]) -> None:
    graph = choice(shapes)
    assert ("a1 if v0 else a2" in compile_plan(graph).source) == (shapes[0] == shapes[1] == [3])
    arrays = [
        np.arange(float(np.prod([n or 3 for n in s])), dtype=np.float32).reshape([n or 3 for n in s]) for s in shapes
    ]
    for c in (True, False):
        assert assert_agrees(graph, [np.array(c), *arrays])


def test_nobody_writes_to_what_was_chosen() -> None:
    @tf.function
    def program(x, n):
        y = x + 1.0
        z = x + 2.0
        seen = tf.where(n > 1, y, z)
        for i in tf.range(n):
            y[i] = 100.0
            z[i] = 200.0
            seen = tf.where(n > 5, y, seen)
        return seen, y, z

    for n in (1, 2, 3):
        seen, y, z = program(tf.zeros([4]), tf.constant(n))
        np.testing.assert_array_equal(seen, [1.0 if n > 1 else 2.0] * 4)
        np.testing.assert_array_equal(y, [100.0] * n + [1.0] * (4 - n))
        np.testing.assert_array_equal(z, [200.0] * n + [2.0] * (4 - n))


@pytest.mark.parametrize("dtype", [int8, uint8, int32, int64, uint64], ids=lambda d: d.name)
@pytest.mark.parametrize("name", ["left_shift", "right_shift"])
def test_shifts(name: str, dtype: DType) -> None:
    for bits in (0, 1, 7, 8 * dtype.size - 1, 8 * dtype.size):
        graph = Graph("shift")
        x = graph.placeholder(dtype, [], "x")
        made = graph.add(REGISTRY["add"], [x, x], {}).outputs[0]
        by = graph.constant(np.array(bits, dtype.numpy))
        graph.outputs = list(graph.add(REGISTRY[name], [made, by], {}).outputs)
        assert (f"{name}(" in compile_plan(graph).source) == (bits == 8 * dtype.size)
        for number in (0, 1, 5, dtype.max // 2, dtype.min // 2):
            assert assert_agrees(graph, [np.array(number, dtype.numpy)])


def roots(x, n):
    total = 0
    for i in range(n):
        total += int(math.sqrt(x * i)) + math.floor(x) - round(x / 3)
    return total


def test_functions_of_python() -> None:
    function = tf.function(roots)
    for x in (0.0, 2.5, 1e9):
        assert function(tf.constant(x, tf.float64), tf.constant(5)).numpy() == roots(x, 5)
    text = function.lower(tf.constant(1.0, tf.float64), tf.constant(5)).as_text("plan")
    assert ">= 0.0 else" in text
    assert "integer_call(" not in text


@pytest.mark.parametrize(
    ("x", "error", "words"),
    [(-1.0, ValueError, "math domain error"), (math.nan, ValueError, "NaN"), (math.inf, ValueError, "NaN"),
     (1e300, OverflowError, "does not fit int64")],
)  # fmt: skip
def test_their_errors(x: float, error: type[Exception], words: str) -> None:
    function = tf.function(roots)
    with pytest.raises(error, match=words):
        function(tf.constant(x, tf.float64), tf.constant(2))


def test_a_cast_of_what_no_integer_stands_for_is_silent():
    """NumPy warns of it, a graph does not, as with all that has a result by IEEE 754 or by the machine."""
    cast = tf.function(lambda x: tf.cast(x, tf.int32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cast(tf.constant([np.nan, 3.0])).numpy()[1] == 3
