"""Lists that get longer in a loop over what Python knows: one loop of the graph, and behind it a list of Python's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from runtime.graph.nesting import operations_within
from tests.runtime.control_flow.programs_with_lists_in_known_loops import STAGED, UNROLLED, step


def same(found: Any, expected: Any) -> None:
    if isinstance(expected, list | tuple):
        assert type(found) is type(expected) and len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            same(a, b)
        return
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12)


Y = np.linspace(0.1, 1.0, 3)


def loops(function: tf.types.Function, argument: Any) -> list[Any]:
    graph = function.get_concrete_function(argument).graph
    return [op for op in operations_within(graph.operations) if op.type == "while"]


@pytest.mark.parametrize("function", STAGED)
@pytest.mark.parametrize("kind", [np.array, tf.constant])
def test_lists_that_grow_in_one_loop_are_as_in_python(function: Callable[..., Any], kind: Callable[..., Any]) -> None:
    staged = tf.function(function)
    same(staged(kind(Y)), function(Y.copy()))
    assert loops(staged, kind(Y))


@pytest.mark.parametrize("function", UNROLLED)
def test_what_the_body_does_not_tell_is_unrolled(function: Callable[..., Any]) -> None:
    same(tf.function(function)(Y.copy()), function(Y.copy()))


def test_one_body_is_recorded_for_all_elements() -> None:
    def recorded(n: int) -> int:
        def last(y):
            ys = []
            for i in range(n):
                y = step(y)
                ys.append(y)
            return np.array(ys)

        return sum(1 for _ in operations_within(tf.function(last).get_concrete_function(Y).graph.operations))

    assert recorded(100) == recorded(1000)


@pytest.mark.parametrize("part", [lambda y: y, lambda y: y[:2]])
def test_one_array_that_each_iteration_changes_is_no_element(part: Callable[[Any], Any]) -> None:
    def kept(y):
        y, ys = y * 1.0, []
        for i in tf.range(5):
            y += 0.5
            ys.append(part(y))
        return ys

    with pytest.raises(StagingError, match="the next iteration has the object"):
        tf.function(kept)(Y.copy())


def test_what_is_printed_of_the_list_is_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def shown(y):
        ys = []
        for i in range(100):
            y = step(y)
            ys.append(y)
        print(type(ys).__name__, len(ys), ys[0].shape)
        return y

    shown(Y)
    assert capsys.readouterr().out == "list 100 (3,)\n"


def test_a_body_that_prints_prints_for_each_item(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def shown(y):
        ys = []
        for i in range(70):
            y = step(y)
            ys.append(y)
            print(i)
        return ys

    assert len(shown(Y)) == 70
    assert capsys.readouterr().out == "".join(f"{i}\n" for i in range(70))
