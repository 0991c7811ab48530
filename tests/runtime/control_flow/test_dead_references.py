"""Objects that nobody can reach any more refer to nothing, whether or not the garbage collector has been there."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError


@pytest.fixture(params=[False, True], ids=["collected late", "collected at once"])
def collect(request: pytest.FixtureRequest) -> Iterator[Callable[[], None]]:
    gc.disable()
    yield gc.collect if request.param else lambda: None
    gc.enable()


def referred(value: Any, reference: Any) -> Any:
    """The value; a function that refers to itself has referred to it."""

    def find(k: int) -> Any:
        return reference if k == 0 else find(k - 1)

    assert find(2) is reference
    return value


def test_an_array_that_became_a_tensor(collect: Callable[[], None]) -> None:
    @tf.function
    def f(x: Any) -> Any:
        out: Any = np.zeros(3, np.float32)
        out = referred(out, out)
        collect()
        for i in range(3):
            out[i] = x * i
        return out

    assert f(tf.constant(2.0)).numpy().tolist() == [0, 2, 4]


def test_a_list_that_became_one_that_grows(collect: Callable[[], None]) -> None:
    @tf.function
    def f(n: Any) -> Any:
        items: list[Any] = []
        items = referred(items, iter(items))
        collect()
        for i in tf.range(n):
            items.append(i)
        return tf.stack(items)

    assert f(tf.constant(3)).numpy().tolist() == [0, 1, 2]


def test_a_row_that_was_read(collect: Callable[[], None]) -> None:
    @tf.function
    def f(i: Any, x: Any) -> Any:
        rows = [[x, x + 1], [x + 2, x + 3]]
        y = read(rows[i])
        collect()
        rows[i][1] = x * 10
        return rows, y

    @tf.function
    def kept(i: Any, x: Any) -> Any:
        rows = [[x, x + 1], [x + 2, x + 3]]
        row = rows[i]
        collect()
        rows[i][1] = x * 10
        return rows, row[1]

    rows, y = tf.nest.map_structure(lambda t: t.numpy().item(), f(tf.constant(1), tf.constant(2)))
    assert (rows, y) == ([[2, 3], [4, 20]], 4)
    rows, y = tf.nest.map_structure(lambda t: t.numpy().item(), kept(tf.constant(1), tf.constant(2)))
    assert (rows, y) == ([[2, 3], [4, 20]], 20)


def read(row: Any) -> Any:
    def find(k: int) -> Any:
        return row[0] if k == 0 else find(k - 1)

    return find(2)


def test_what_can_be_reached_is_refused_all_the_same(collect: Callable[[], None]) -> None:
    @tf.function
    def items(n: Any) -> Any:
        found: list[Any] = []
        iterator = iter(found)
        collect()
        for i in tf.range(n):
            found.append(i)
        return tf.stack(found), next(iterator)

    with pytest.raises(StagingError, match="list_iterator refers to it too|iterator of the variable|but a variable"):
        items(tf.constant(2))
