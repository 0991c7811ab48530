"""Complex numbers in plans are Python's: the results of the kernels, and those of Python and NumPy, to the last bit."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.dtypes import bool_, complex64, complex128, float64, int64
from runtime.engine.plan import compile_plan
from runtime.graph.graph import Graph
from runtime.ops.records.record import REGISTRY
from tests.runtime.oracle import assert_agrees

NUMBERS = [
    0j, complex(-0.0, -0.0), 1 + 2j, -0.3 + 0.7j, 1e-310 + 1j, 1e200 - 1e200j, complex(math.inf, 1),
    complex(1, math.nan),
]  # fmt: skip
MIXED = [complex(a, b) for a, b in np.random.default_rng(2).normal(size=(8, 2))]


def graph_of(name: str, *dtypes: Any, **attributes: Any) -> Graph:
    graph = Graph("complex")
    operands = [graph.placeholder(dtype, [], "x") for dtype in dtypes]
    graph.outputs = list(graph.add(REGISTRY[name], operands, attributes).outputs)
    return graph


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "equal", "not_equal"])
def test_of_two(name: str) -> None:
    graph = graph_of(name, complex128, complex128)
    assert (f"{name}(" in compile_plan(graph).source) == (name == "divide")
    for x, y in zip(NUMBERS + MIXED, NUMBERS[3:] + MIXED + NUMBERS[:3], strict=True):
        assert assert_agrees(graph, [np.array(x), np.array(y)])


@pytest.mark.parametrize("name", ["negative", "square", "abs", "real", "imag", "conj", "exp", "sign"])
def test_of_one(name: str) -> None:
    graph = graph_of(name, complex128)
    for x in (*NUMBERS, *MIXED, 1.5e308 + 1.5e308j):
        assert assert_agrees(graph, [np.array(x)])


@pytest.mark.parametrize("dtype", [float64, int64, bool_, complex64], ids=lambda d: d.name)
def test_casts(dtype: Any) -> None:
    for source, target in ((dtype, complex128), (complex128, dtype)):
        graph = graph_of("cast", source, dtype=target, exact=False)
        for x in (0, 1, -3, 2**53 + 1):
            assert assert_agrees(graph, [np.array(x).astype(source.numpy)])


def test_parts_become_one() -> None:
    graph = graph_of("complex", float64, float64)
    for x, y in itertools.product([-0.0, 1.5, math.nan], repeat=2):
        assert assert_agrees(graph, [np.array(x), np.array(y)])


def points(c: Any, limit: Any) -> Any:
    z, n = 0j, 0
    while abs(z) <= 2 and n < limit:
        z = z * z + c
        n += 1
    return z, n, z.real, z.conjugate().imag


def test_a_loop_of_numbers_gives_what_python_gives() -> None:
    function = tf.function(points)
    for c in MIXED:
        found = function(tf.constant(c), tf.constant(40))
        assert [t.numpy() for t in found] == [*points(c, 40)]
    source = function.get_concrete_function(tf.constant(1j), tf.constant(4)).plan.source
    assert "multiply(" not in source and "asarray" in source


def test_a_polynomial_of_an_element_is_rounded_as_numpy_does() -> None:
    weights, z = np.array([1.0, -15, 85, -225, 274, -120]), np.array(MIXED)
    function = tf.function(lambda p, z, i: np.polyval(p, z[i]))
    for i in range(8):
        assert complex(function(weights, z, tf.constant(i))) == np.polyval(weights, z[i])
