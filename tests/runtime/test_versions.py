"""Loops in versions, and state that is there twice: the results of Python, and one read and one write for two."""

import numpy as np
import pytest

import runtime as tf
from runtime.graph.nesting import nested_graphs
from runtime.graph.verify import verify
from runtime.native.region import for_machine_code
from runtime.passes.twins import merge_twins
from runtime.passes.versions import drop_rewrites, split_loops


def life(cells, steps):
    n, m = cells.shape
    new = cells.copy()
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                around = cells[i - 1, j] + cells[i + 1, j] + cells[i, j - 1] + cells[i, j + 1]
                new[i, j] = 1 if around == 2 else cells[i, j]
        cells, new = new, cells
    return cells


def back_and_forth(x, steps):
    y = x * 2
    for k in range(steps):
        for i in range(1, len(x) - 1):
            y[i] = x[i - 1] + x[i + 1] * k
            if k % 3 == 2:
                x[i] = y[i] + 1
        x, y = y, x
    return x, y


def chosen(x, first, n):
    total = 0.0
    for i in range(n):
        total += x[i] if first else -x[i]
        for j in range(i):
            if not first:
                total -= x[j]
    return total


def both(x, first, second, n):
    total = 0.0
    for i in range(n):
        if first and not second:
            total += x[i]
        elif second:
            total -= x[i] * 2
    return total


def counters(x, n):
    i, j, k = 0, 0, 0
    while i < n:
        x[j] += k
        i, j, k = i + 1, j + 1, k + 1
    return x, i, j, k


def apart(n):
    a, b, c = False, False, False
    for _ in range(n):
        a, b, c = not b, not a, a or c
    return a, b, c


def two_steps(x, n):
    i, j = 0, 0
    while i < n:
        x[i] += j
        i, j = i + 1, j + 2
    return x, i, j


PROGRAMS = [
    (two_steps, (np.arange(7.0), 7)),
    (life, (np.random.default_rng(0).integers(0, 2, (90, 80)), 0)),
    (life, (np.random.default_rng(0).integers(0, 2, (90, 80)), 5)),
    (back_and_forth, (np.arange(7.0), 6)),
    (chosen, (np.arange(6.0), True, 6)),
    (chosen, (np.arange(6.0), False, 6)),
    *((both, (np.arange(6.0), a, b, 6)) for a in (True, False) for b in (True, False)),
    (counters, (np.arange(7.0), 7)),
    (apart, (0,)),
    (apart, (3,)),
]


def given(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else tf.constant(a) for a in arguments]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
@pytest.mark.parametrize("backend", ["numpy", "native"])
def test_program(function, arguments, backend):
    mine, pythons = given(arguments), [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    found, wanted = tf.function(function, backend=backend)(*mine), function(*pythons)
    many = isinstance(wanted, tuple)
    for one, other in zip(found if many else [found], wanted if many else [wanted], strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)
    for one, other in zip(mine, pythons, strict=True):
        np.testing.assert_array_equal(np.asarray(one), other)


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS, ids=lambda v: getattr(v, "__name__", ""))
def test_each_pass_leaves_a_graph(function, arguments):
    graph = tf.function(function, backend="numpy").get_concrete_function(*given(arguments)).optimized_graph
    for one in (merge_twins, split_loops, drop_rewrites, for_machine_code):
        verify(one(graph))


def written(function, *arguments):
    """How often operations stand in what machine code is made of."""
    graph = tf.function(function, backend="numpy").get_concrete_function(*given(arguments)).optimized_graph
    types = [o.type for inner in nested_graphs(for_machine_code(graph)) for o in inner.operations]
    return {name: types.count(name) for name in ("where", "setitem", "while")}


def test_a_loop_that_swaps_writes_to_one_array():
    found = written(life, np.ones((90, 80), np.int64), tf.constant(5))
    assert found["setitem"] == 2
    assert found["while"] == 5  # the steps, then rows and columns in two versions


def test_a_flag_is_asked_once():
    found = written(chosen, np.arange(6.0), True, 6)
    assert found["where"] == 0


def test_counters_that_are_one():
    graph = tf.function(counters, backend="numpy").get_concrete_function(np.arange(7.0), tf.constant(7)).optimized_graph
    (loop,) = [o for o in merge_twins(graph).operations if o.type == "while"]
    (before,) = [o for o in graph.operations if o.type == "while"]
    assert len(loop.outputs) == len(before.outputs) - 2


def test_what_is_out_of_range_still_raises():
    def swapped(x, y, n):
        for i in range(n):
            x[i] = y[i + 8] + 1.0
            x, y = y, x
        return x

    def back(x, n):
        for i in range(n):
            x[i + 5] = x[i + 5]
        return x

    for backend in ("numpy", "native"):
        with pytest.raises((IndexError, tf.errors.OutOfRangeError)):
            tf.function(swapped, backend=backend)(np.zeros(9), np.ones(9), tf.constant(3))
        with pytest.raises((IndexError, tf.errors.OutOfRangeError)):
            tf.function(back, backend=backend)(np.zeros(9), tf.constant(6))


def test_a_write_of_what_was_read_stays_where_nothing_else_would_raise():
    def back(x, n):
        for i in range(n):
            x[i + 5] = x[i + 5]
        return x

    graph = tf.function(back, backend="numpy").get_concrete_function(np.zeros(9), tf.constant(6)).optimized_graph
    types = [o.type for inner in nested_graphs(drop_rewrites(graph)) for o in inner.operations]
    assert types.count("setitem") == 1
