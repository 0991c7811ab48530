"""Checks that run each time: runtime.debugging and the operation behind it."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.ops.check import EXCEPTIONS, check
from tests.runtime.interpreter import run_graph

d = tf.debugging

HOLDS: list[Any] = [
    lambda x: d.assert_equal(x, x), lambda x: d.assert_none_equal(x, x + 1), lambda x: d.assert_less(x, x + 1),
    lambda x: d.assert_less_equal(x, x), lambda x: d.assert_greater(x + 1, x), lambda x: d.assert_greater_equal(x, x),
    lambda x: d.assert_positive(x + 10), lambda x: d.assert_negative(x - 10), lambda x: d.assert_non_negative(x * x),
    lambda x: d.assert_non_positive(-x * x), lambda x: d.Assert(tf.reduce_all(x == x), [x]),
    lambda x: d.assert_less(x, 5),
]  # fmt: skip

FAILS: list[tuple[Any, str]] = [
    (lambda x: d.assert_equal(x, 1), r"x == y does not hold everywhere; x and y are: \[1 2\] 1"),
    (lambda x: d.assert_none_equal(x, x), "x != y"),
    (lambda x: d.assert_less(x, x), "x < y"),
    (lambda x: d.assert_less_equal(x, x - 1), "x <= y"),
    (lambda x: d.assert_greater(x, x), "x > y"),
    (lambda x: d.assert_greater_equal(x, x + 1), "x >= y"),
    (lambda x: d.assert_positive(x - 1), r"x > 0 does not hold everywhere; x is: \[0 1\]"),
    (lambda x: d.assert_negative(x), "x < 0"),
    (lambda x: d.assert_non_negative(x - 2), "x >= 0"),
    (lambda x: d.assert_non_positive(x), "x <= 0"),
    (lambda x: d.Assert(tf.reduce_all(x > 1), [x, x[0]]), r"\[1 2\] 1"),
    (lambda x: d.assert_less(x, 0, message="too large"), "too large: x < y"),
]


def graph_with(call: Any) -> tf.Graph:
    graph = tf.Graph("g")
    x = graph.placeholder(tf.int32, [None], "x")
    with graph.as_default():
        assert call(x) is None
    return graph


@pytest.mark.parametrize("call", HOLDS)
def test_what_holds_passes(call: Any) -> None:
    assert call(tf.constant([1, 2])) is None
    assert run_graph(graph_with(call), [[1, 2]]) == []


@pytest.mark.parametrize(("call", "words"), FAILS)
def test_what_does_not_hold_raises(call: Any, words: str) -> None:
    with pytest.raises(InvalidArgumentError, match=words):
        call(tf.constant([1, 2]))
    graph = graph_with(call)
    with pytest.raises(InvalidArgumentError, match=words):
        run_graph(graph, [[1, 2]])


@pytest.mark.parametrize("name", sorted(EXCEPTIONS))
def test_every_exception_by_name(name: str) -> None:
    with pytest.raises(EXCEPTIONS[name], match="what went wrong"):
        check(False, message="what went wrong", exception=name)
    assert check(True, message="", exception=name) is None
