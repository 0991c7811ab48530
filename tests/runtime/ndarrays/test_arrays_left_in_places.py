"""Arrays that runs leave in attributes, elements and keys: as NumPy's, in content, identity and memory."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.left_programs import PROGRAMS, Places


def arrays_in(words: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, np.ndarray):
        yield words, value
    elif isinstance(value, dict | list | tuple):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from arrays_in(f"{words}[{key!r}]", part)


def pattern(*values: Any) -> Any:
    """All arrays: what they hold, how they lie, which of them are one, which share memory."""
    found = [row for i, value in enumerate(values) for row in arrays_in(str(i), value)]
    pairs = list(itertools.combinations(found, 2))
    return (
        [(words, a.dtype, a.shape, a.strides, a.tolist()) for words, a in found],
        [(p, q) for (p, a), (q, b) in pairs if a is b],
        [(p, q) for (p, a), (q, b) in pairs if np.shares_memory(a, b)],
    )


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("as_tensor", [False, True])
def test_what_a_run_leaves_is_what_numpy_leaves(program: Callable[..., Any], as_tensor: bool) -> None:
    mine, numpys = Places(), Places()
    xs = [np.linspace(0, 1, 5) * (i + 1) for i in range(3)]
    ys = [x.copy() for x in xs]
    staged = tf.function(lambda dt, x: program(mine, dt, x))
    kept = []
    for i in range(6):
        dt = 0.5 + 0.25 * (i % 2)
        found = staged(tf.constant(dt, tf.float64) if as_tensor else dt, xs[i % 3])
        wanted = program(numpys, dt, ys[i % 3])
        kept.append((found, np.array(wanted)))
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
        assert pattern(vars(mine), xs) == pattern(vars(numpys), ys)
        if i == 3:  # the program changes an array that a run has left: the next one finds that
            mine.u[1] += 1
            numpys.u[1] += 1
    for found, wanted in kept:  # results are values, whatever happens to arrays that they were taken from
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert staged.cache_info().made <= 4


def test_places_that_come_to_hold_one_array() -> None:
    class Pair:
        def __init__(self) -> None:
            self.a, self.b = np.arange(3.0), np.ones(3)

    def step(p: Pair, d: Any) -> Any:
        p.a = p.a * d
        p.b = p.b + d
        p.a[0] += 1
        return p.b[0]

    mine, numpys = Pair(), Pair()
    staged = tf.function(lambda d: step(mine, d))
    for i in range(8):
        assert float(staged(1.5)) == step(numpys, 1.5)
        for p in (mine, numpys):
            if i == 2:
                p.a = p.b
            elif i == 4:
                p.a, p.b = p.b[::-1], p.a
            elif i == 6:
                p.a = p.a.reshape(3, 1)[:, 0]
        assert pattern(vars(mine)) == pattern(vars(numpys))


def test_an_argument_that_a_place_has_as_well() -> None:
    s = Places()

    def adds(x: Any, dt: Any) -> Any:
        s.u = s.u + dt
        s.u += x
        return s.u.sum()

    def writes(x: Any, dt: Any) -> Any:
        s.u = s.u * dt
        old = s.u
        s.u = s.u + 1
        x[0] = old[1]
        return x.sum()

    assert float(tf.function(adds)(s.u, 1.0)) == 25.0
    before = s.u
    assert float(tf.function(writes)(s.u, 2.0)) == 30.0
    assert before.tolist() == [6.0, 3.0, 5.0, 7.0, 9.0]
    assert s.u.tolist() == [3.0, 7.0, 11.0, 15.0, 19.0]


def test_arguments_are_kept_as_they_are() -> None:
    class Layer:
        x: Any = None

        @tf.function
        def forward(self, x: Any) -> Any:
            self.x = x
            return x * 2

    layer, batch = Layer(), np.arange(6.0).reshape(3, 2)
    for rows in (batch[:2], batch, batch[1:], batch.T):
        np.testing.assert_array_equal(layer.forward(rows), rows * 2)
        assert layer.x is rows
    assert layer.forward.cache_info().made <= 8
    layer.forward(tf.constant([1.0]))
    assert isinstance(layer.x, tf.Tensor)


def test_an_argument_that_was_kept_before_is_kept_again() -> None:
    class Layer:
        x: Any = None

        def __init__(self) -> None:
            self.total = np.zeros(2)

        @tf.function
        def forward(self, x: Any) -> Any:
            self.x = x
            self.total = self.total + self.x
            return self.total.sum()

    layer, first, other, total = Layer(), np.ones(2), np.array([2.0, 3.0]), 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in (first, first, other, other, first, np.ones(2), first):
            total += x.sum()
            assert float(layer.forward(x)) == total
            assert layer.x is x
    assert layer.forward.experimental_get_tracing_count() <= 4


def test_products_of_matrices_are_left_in_their_shape() -> None:
    class Layer:
        v: Any = None

        @tf.function
        def step(self, x: Any, y: Any) -> Any:
            self.v = x.T @ y
            return self.v.sum()

    layer, x = Layer(), np.arange(9.0).reshape(3, 3)
    for y in (np.ones((3, 1)), np.ones((3, 2)), x, x.T):
        layer.step(x, y)
        assert layer.v.strides == (x.T @ y).strides
        np.testing.assert_array_equal(layer.v, x.T @ y)


def test_what_stands_for_no_array_is_not_kept() -> None:
    s = Places()

    def keeps(x: Any) -> Any:
        s.w = x
        return x[0] * 2

    with pytest.raises(StagingError, match=r"'s.w' is bound to an array that only the run can find.* copy of it"):
        tf.function(keeps)(memoryview(np.ones(5)))
    assert s.w is None


class Rows:
    def __init__(self) -> None:
        self.table = np.arange(12.0).reshape(4, 3)
        self.line = np.arange(6.0)
        self.row: Any = np.zeros(3)
        self.other: Any = None


def a_row(s: Rows, i: Any) -> Any:
    s.row = s.table[i]
    return s.row.sum()


def a_row_that_is_written(s: Rows, i: Any) -> Any:
    s.row = s.table[i]
    s.row[0] = 7.0 + i
    return s.table[0].sum()


def a_part_of_a_row(s: Rows, i: Any) -> Any:
    s.row = s.table[i, 1:]
    s.table[:, 2] += 1
    return s.row.sum()


def a_slice(s: Rows, i: Any) -> Any:
    s.other = s.line[i : i + 2]
    s.line[i] += 1
    return s.other.sum()


def two_names(s: Rows, i: Any) -> Any:
    s.row = s.other = s.table[i].T
    return s.row.sum()


def of_a_new_array(s: Rows, i: Any) -> Any:
    s.table = s.table * 1.5
    s.row = s.table[i]
    s.row += 1
    return s.row.sum()


def on_two_ways(s: Rows, i: Any) -> Any:
    if i > 1:
        s.row = s.table[i]
    else:
        s.row = s.line[i : i + 3]
    return s.row.sum()


def in_a_loop(s: Rows, i: Any) -> Any:
    k = 0
    while k <= i:
        s.row = s.table[k]
        k += 1
    s.table[1] = 5.0
    return s.table.sum()


VIEWS = (a_row, a_row_that_is_written, a_part_of_a_row, a_slice, two_names, of_a_new_array, on_two_ways, in_a_loop)


@pytest.mark.parametrize("program", VIEWS)
def test_views_at_positions_of_the_run(program: Callable[..., Any]) -> None:
    mine, numpys = Rows(), Rows()
    staged = tf.function(lambda i: program(mine, i))
    for i in (1, 3, 0, 1, 2):
        np.testing.assert_allclose(staged(tf.constant(i)), program(numpys, i), rtol=1e-12)
        assert pattern(vars(mine)) == pattern(vars(numpys))
        mine.table[i] -= 1
        numpys.table[i] -= 1
        assert pattern(vars(mine)) == pattern(vars(numpys))


def test_a_position_that_is_none_leaves_all_as_it_was() -> None:
    mine, fresh = Rows(), Rows()
    staged = tf.function(lambda i: a_row_that_is_written(mine, i))
    with pytest.raises(IndexError):
        staged(tf.constant(4))
    assert pattern(vars(mine)) == pattern(vars(fresh))
