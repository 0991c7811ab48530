"""`xs + other`, where `xs` grows in the graph: what Python refuses to add to a list is refused."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingTypeError


def grown(n: Any) -> Any:
    items = []
    for i in range(n):
        items.append(i)
    return items


@pytest.mark.parametrize("other", [(1, 2), {1}, frozenset({1}), {1: 2}, "ab", range(2), iter([1]), deque([1])])
@pytest.mark.parametrize("turned", [False, True])
def test_as_python_refuses_them(other: Any, turned: bool) -> None:
    def program(n: Any) -> Any:
        return other + grown(n) if turned else grown(n) + other

    with pytest.raises(TypeError) as of_python:
        program(2)
    with pytest.raises(TypeError) as of_graph:
        tf.function(program)(tf.constant(2))
    if "concatenate" in str(of_python.value) and not isinstance(other, str | deque):
        assert str(of_python.value) in str(of_graph.value)


@pytest.mark.parametrize("items", [[5, 5], (5, 5)])
def test_a_range_of_the_graph_is_not_added_to_a_list(items: Any) -> None:
    kind = type(items).__name__
    with pytest.raises(TypeError, match=rf'can only concatenate {kind} \(not "range"\) to {kind}'):
        tf.function(lambda n: items + range(n))(tf.constant(2))
    with pytest.raises(TypeError, match=r'can only concatenate list \(not "range"\) to list'):
        tf.function(lambda n: grown(n) + range(n))(tf.constant(2))


def added_in_place(items: Any, other: Any) -> Any:
    items += other
    return items


@pytest.mark.parametrize("add", [lambda a, b: a + b, lambda a, b: b + a, added_in_place])
def test_an_array_is_not_put_beside_it(add: Any) -> None:
    def program(n: Any) -> Any:
        return add(grown(n), np.array([1, 2]))

    np.testing.assert_array_equal(program(2), [1, 3])
    with pytest.raises(StagingTypeError, match=r"Write np.array\(the list\)"):
        tf.function(program)(tf.constant(2))
    found = tf.function(lambda n: np.array(grown(n)) + np.array([1, 2]))(tf.constant(2))
    np.testing.assert_array_equal(found, [1, 3])


def test_what_may_be_any_iterable_still_may() -> None:
    def program(n: Any) -> Any:
        items = grown(n)
        items += (7, 8)
        items += {9}
        items.extend(range(2))
        return items + [n]

    assert list(map(int, tf.function(program)(tf.constant(2)))) == program(2)
