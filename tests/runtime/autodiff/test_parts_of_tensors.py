"""Gradients of elements, rows and masks: summed where they belong, at the cost of the parts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.graph.nesting import nested_graphs

RNG = np.random.default_rng(2)
X = RNG.normal(size=(6, 3))
WEIGHTS = RNG.normal(size=(6, 3))


def gradient_of(program: Any, x: Any, *others: Any) -> tuple[Any, Any]:
    """The gradient for x, and the graph that computes it."""

    @tf.function
    def gradient(x: Any, *others: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x, *others)
        return tape.gradient(y, x)

    given = (tf.constant(x), *map(tf.constant, others))
    found = gradient(*given)
    with tf.GradientTape() as tape:
        tape.watch(given[0])
        y = program(*given)
    eager = tape.gradient(y, given[0], unconnected_gradients="zero")  # of no iteration the tape knows nothing
    np.testing.assert_allclose(found, eager, rtol=1e-12, atol=1e-12)
    return found.numpy(), gradient.get_concrete_function(*given).optimized_graph


def operations(graph: Any) -> list[str]:
    return [operation.type for part in nested_graphs(graph) for operation in part.operations]


def rows(x: Any, n: Any) -> Any:
    y = tf.constant(0.0, tf.float64)
    for i in tf.range(n):
        y += tf.reduce_sum(x[i] * WEIGHTS[0]) * tf.cast(i + 1, tf.float64)
    return y


@pytest.mark.parametrize("n", [0, 1, 4, 6])
def test_rows_in_a_loop(n):
    found, graph = gradient_of(rows, X, n)
    times = np.array([i + 1.0 if i < n else 0.0 for i in range(6)])
    np.testing.assert_allclose(found, times[:, None] * WEIGHTS[0])
    assert operations(graph).count("add_item") == 1


def test_rows_in_a_python_loop():
    def program(x):
        return sum(tf.reduce_sum(x[i] * WEIGHTS[i]) for i in range(6)) + tf.reduce_sum(x[1:3, 0]) + tf.reduce_sum(x * x)

    found, graph = gradient_of(program, X)
    wanted = WEIGHTS + 2 * X
    wanted[1:3, 0] += 1
    np.testing.assert_allclose(found, wanted)
    assert "add_n" not in operations(graph)


def test_the_same_row_again_and_again_and_what_else_reads_the_tensor():
    def program(x, n):
        y = tf.constant(0.0, tf.float64)
        for i in tf.range(n):
            y += tf.reduce_sum(x[0] * x[i // 2]) + tf.reduce_sum(tf.gather(x, [1, 1, i]) * y)
        return y * tf.reduce_sum(x[tf.reduce_sum(x, 1) > 0])

    found, _ = gradient_of(program, X, 5)

    def value(x):
        y = 0.0
        for i in range(5):
            y += (x[0] * x[i // 2]).sum() + (x[[1, 1, i]] * y).sum()
        return y * x[x.sum(1) > 0].sum()

    for place in np.ndindex(6, 3):
        step = np.zeros((6, 3))
        step[place] = 1e-6
        np.testing.assert_allclose(found[place], (value(X + step) - value(X - step)) / 2e-6, rtol=1e-4, atol=1e-6)


def test_an_upstream_that_is_read_again_stays_as_it_is():
    """The gradient of z is the upstream of x as it comes, and parts are added to a copy of it."""

    def both(x, z):
        with tf.GradientTape() as tape:
            tape.watch([x, z])
            y = x + z
            loss = tf.reduce_sum(y * WEIGHTS) + x[2, 1] * 5.0 + tf.reduce_sum(x[0])
        return tape.gradient(loss, [x, z])

    of_x, of_z = tf.function(both)(tf.constant(X), tf.constant(X))
    wanted = WEIGHTS.copy()
    wanted[2, 1] += 5
    wanted[0] += 1
    np.testing.assert_allclose(of_x, wanted)
    np.testing.assert_allclose(of_z, WEIGHTS)


def test_second_order():
    def program(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.constant(1.0, tf.float64)
            for i in tf.range(n):
                y *= tf.reduce_sum(x[i] ** 2)
        return tf.reduce_sum(tape.gradient(y, x) * WEIGHTS[:3])

    found, _ = gradient_of(program, X[:3], 3)

    def first(x):
        squares = (x**2).sum(1)
        return sum((2 * x[i] * WEIGHTS[i]).sum() * np.prod(np.delete(squares, i)) for i in range(3))

    for place in np.ndindex(3, 3):
        step = np.zeros((3, 3))
        step[place] = 1e-6
        wanted = (first(X[:3] + step) - first(X[:3] - step)) / 2e-6
        np.testing.assert_allclose(found[place], wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "complex128"])
def test_of_each_dtype(dtype):
    @tf.function
    def gradient(x, n):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x[None]) + tf.reduce_sum(x[:, None] * 2)
            for i in tf.range(n):
                y += x[i] + tf.gather(x, i)
        return tape.gradient(y, x)

    found = gradient(tf.ones([4], dtype), tf.constant(3))
    assert found.dtype.name == dtype and tf.cast(found, "complex64").numpy().tolist() == [5, 5, 5, 3]


def test_a_place_out_of_range_is_an_error_of_the_index():
    with pytest.raises(tf.errors.OutOfRangeError, match=r"\[[68]\] is out of range"):
        gradient_of(rows, X, 9)
