"""ndarrays that a Function finds in globals, closures and objects, and writes to: they are state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

TOTAL = np.zeros(4)
PART = TOTAL[1:3]


class Model:
    def __init__(self) -> None:
        self.w = np.ones((2, 2))
        self.parts = [np.zeros(2)]
        self.pair = (np.zeros(2), 1)

    def change(self, x: Any) -> Any:
        self.w[1] *= x
        if x > 1.0:
            self.parts[0][1] += 3.0
        self.pair[0][0] = x
        return self.w.sum()


def x(value: float) -> Any:
    return tf.constant(value, tf.float64)


def test_globals_and_views_of_them() -> None:
    @tf.function
    def f(x: Any) -> Any:
        TOTAL[0] += x
        PART[0] = TOTAL[0]
        return TOTAL.sum()

    TOTAL[:] = 0.0
    assert float(f(x(2.0))) == 4.0
    np.testing.assert_array_equal(TOTAL, [2.0, 2.0, 0.0, 0.0])
    TOTAL[3] = 100.0  # it is read in each run
    assert float(f(x(1.0))) == 106.0
    np.testing.assert_array_equal(PART, [3.0, 0.0])
    assert f.experimental_get_tracing_count() == 1


def test_objects_of_the_user() -> None:
    model, plain = Model(), Model()
    f = tf.function(model.change)
    for value in (2.0, 0.5, 3.0):
        assert float(f(x(value))) == plain.change(value)
    np.testing.assert_array_equal(model.w, plain.w)
    np.testing.assert_array_equal(model.parts[0], plain.parts[0])
    np.testing.assert_array_equal(model.pair[0], plain.pair[0])
    assert type(model.w) is np.ndarray and type(model.parts[0]) is np.ndarray and type(model.pair[0]) is np.ndarray


def test_changes_that_the_graph_does_not_decide_are_made_in_each_run() -> None:
    count = np.zeros(2, np.int64)

    @tf.function
    def f(x: Any) -> Any:
        count[0] += 1
        np.add(count, 1, out=count)
        return x

    for _ in range(3):
        f(x(1.0))
    np.testing.assert_array_equal(count, [6, 3])


def test_an_array_that_is_exchanged_is_another_trace() -> None:
    holder = Model()

    @tf.function
    def f(x: Any) -> Any:
        holder.w[0, 0] = x
        return holder.w.sum()

    assert float(f(x(2.0))) == 5.0
    old, holder.w = holder.w, np.zeros((2, 2))
    assert float(f(x(7.0))) == 7.0
    assert old[0, 0] == 2.0 and holder.w[0, 0] == 7.0


def test_another_function_that_only_reads_it_sees_the_change() -> None:
    table = np.zeros(2)

    @tf.function
    def write(x: Any) -> None:
        table[0] = x

    @tf.function
    def read() -> Any:
        return tf.constant(table) * 1.0

    assert read().numpy().tolist() == [0.0, 0.0]
    write(x(4.0))
    assert read().numpy().tolist() == [4.0, 0.0]


def test_a_run_that_raises_writes_nothing() -> None:
    table = np.zeros(2)

    @tf.function
    def f(x: Any) -> None:
        table[0] = x
        if x > 2.0:
            raise ValueError("no")

    try:
        f(x(3.0))
    except ValueError:
        assert table.tolist() == [0.0, 0.0]
    f(x(1.0))
    assert table.tolist() == [1.0, 0.0]


GRID = np.zeros((2, 3))


def test_written_to_by_out_after_other_arrays_were_traced() -> None:
    def f(a: Any, n: Any) -> Any:
        if (a > 1.0).any():
            return a
        part = GRID[None, ..., n % 3][0]
        np.add(part, 0.5, out=part)
        part.sort()
        return a

    for n in (1, 2):
        tf.function(f)(np.zeros(2), tf.constant(n))
    np.testing.assert_array_equal(GRID, [[0.0, 0.5, 0.5], [0.0, 0.5, 0.5]])


def test_many_arrays_are_found_in_few_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    tables, others = [np.zeros(2) for _ in range(40)], [np.ones(2) for _ in range(3)]

    @tf.function
    def put(x: Any) -> Any:
        print("traced")
        for table in tables:
            table[0] = x + others[0][1]
        return x

    put(tf.constant(1.0, tf.float64))
    put(tf.constant(2.0, tf.float64))
    assert all(table.tolist() == [3.0, 0.0] for table in tables)
    assert capsys.readouterr().out.count("traced") < 15
