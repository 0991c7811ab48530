"""Short loops of Python count together: in one another, in `while` and `if`, in functions, and by what they record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.control_flow.objects import watched
from runtime.graph.nesting import operations_within


def cubed(x):
    for i in range(9):
        for j in range(9):
            for k in range(9):
                x = x + i * j - k
    return x, i, j, k


def in_while(x):
    going = True
    while going:
        going = False
        for i in range(9):
            for j in range(9):
                if x < 100.0 + i:
                    x = x + j
                    going = True
    return x


def in_while_of_python(x):
    n = 0
    while n < 9:
        for i in range(40):
            x = x + i * n
        n += 1
    return x, n


def row(x, i):
    for j in range(12):
        x = x + i * j
    return x


def through_a_function(x):
    for i in range(12):
        x = row(x, i)
    return x


def under_a_condition(x):
    for i in range(10):
        if x > 0:
            for j in range(10):
                x = x + i - j
    return x


def left_early(x):
    for i in range(30):
        if x > 40.0:
            break
        x = x + i
    return x, i


def left_early_in_a_nest(x):
    for i in range(6):
        for j in range(6):
            if x > 50.0 + i:
                break
            x = x + j
    return x


def of_many_operations(x):
    v = tf.stack([x, x])
    for i in range(30):
        v = tf.sin(v) + tf.cos(v * 2.0) - tf.exp(-v) + v * v * i
        for _ in range(4):
            v = tf.tanh(v) + tf.square(v) - tf.sqrt(tf.abs(v) + 1.0) * tf.sigmoid(v) + tf.sin(v) * tf.cos(v) - v / 3.0
            v = tf.tanh(v) + tf.square(v) - tf.sqrt(tf.abs(v) + 1.0) * tf.sigmoid(v) + tf.sin(v) * tf.cos(v) - v / 3.0
    return v[0]


def numbered_and_together(x):
    for i, (a, b) in enumerate(zip(range(9), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5])):
        for j in reversed(range(9)):
            x = x + a * b - i * j
    return x, i, a, b, j


PROGRAMS = [
    cubed, in_while, in_while_of_python, through_a_function, under_a_condition, left_early, left_early_in_a_nest,
    of_many_operations, numbered_and_together,
]  # fmt: skip


def value(result: Any) -> Any:
    parts = result if isinstance(result, tuple | list) else [result]
    return np.concatenate([np.ravel(np.asarray(part, np.float64)) for part in parts])


def operations_of(function: Any, x: Any) -> int:
    return sum(1 for _ in operations_within(function.get_concrete_function(x).graph.operations))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_nest_is_staged(program: Callable[[Any], Any]) -> None:
    x = tf.constant(0.25, tf.float64)
    function, unrolled = tf.function(program), tf.function(program)
    with tf.config.set_unroll_limit(10**9):
        wanted, most = unrolled(x), operations_of(unrolled, x)
    assert operations_of(function, x) < 0.6 * most
    np.testing.assert_array_equal(value(function(x)), value(wanted))


def test_what_is_short_together_is_unrolled() -> None:
    @tf.function
    def short(x):
        for i in range(4):
            for j in range(4):
                for k in range(4):
                    x = x + (i + j + k)
        return x

    graph = short.get_concrete_function(tf.constant(0.5)).graph
    assert all(operation.type != "while" for operation in operations_within(graph.operations))


def test_what_the_body_appends_is_kept() -> None:
    seen = []

    @tf.function
    def noted(x):
        for i in range(9):
            for j in range(9):
                x = x + i * j
            seen.append(i)
        return x

    assert float(noted(tf.constant(0.0))) == sum(range(9)) ** 2
    assert seen == list(range(9))


def test_an_iterator_has_been_gone_through() -> None:
    @tf.function
    def twice(x):
        items = iter(range(100))
        for i in items:
            x = x + i
        return x, len(list(items))

    assert [float(part) for part in twice(tf.constant(1.0))] == [4951.0, 0]


def test_what_a_tensor_chooses_is_watched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements in one another do not watch the arrays behind a variable once for each way that leads to them."""
    most = 0

    def checked(check: Callable[[], None] = watched.check_watched) -> None:
        nonlocal most
        most = max(most, watched.watched_since())
        check()

    for module in ("branches.if_statement", "loops.statement"):
        monkeypatch.setattr(f"runtime.control_flow.{module}.check_watched", checked)
    near = np.ones((6, 6), bool)

    @tf.function
    def spread(labels, cluster):
        for i in range(3):
            if labels[i] < 0:
                labels[i] = cluster
                for j in range(3):
                    if near[i, j]:
                        for k in range(3):
                            if labels[k] < 0:
                                labels[k] = cluster
        return labels

    np.testing.assert_array_equal(spread(np.full(6, -1), tf.constant(2, tf.int64)), [2, 2, 2, -1, -1, -1])
    assert most < 100
