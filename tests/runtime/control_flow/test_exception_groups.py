"""`except*` is Python's own while tracing; around what a graph may raise it is refused, for it would not see that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, observe


def without_risk(x):
    kind = 0
    try:
        y = x * 2 if x > 0 else -x
        for i in range(3):
            y += i
        raise ExceptionGroup("some", [ValueError(1), TypeError(2)])
    except* ValueError as group:
        kind += len(group.exceptions)
    except* TypeError:
        kind += 10
    finally:
        kind += 100
    return kind, y


def test_plain_python_while_tracing() -> None:
    assert_same(without_risk, 3, -3, 0)


def raises_in_a_branch(x):
    y = 0
    try:
        if x > 0:
            raise ValueError("large")
    except* ValueError:
        y = 1
    return y


def raises_a_group(x):
    y = 0
    try:
        for i in range(x):
            if i > 2:
                raise ExceptionGroup("several", [ValueError(1)])
    except* ValueError:
        y = 1
    return y


def asserts(x):
    try:
        assert x > 0
    except* AssertionError:
        x = -x
    return x


def divides(x):
    try:
        y = 7 // x
    except* ZeroDivisionError:
        y = 0
    return y


def raises_at_once_after_a_risk(x):
    y = 0
    try:
        if x > 0:
            raise ValueError("large")
        raise TypeError("at once")
    except* TypeError:
        y = 1
    return y


PROGRAMS = (raises_in_a_branch, raises_a_group, asserts, divides, raises_at_once_after_a_risk)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_may_raise_when_the_graph_runs_is_refused(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match=r"a `try` with `except\*` around staged code cannot be staged: the"):
        tf.function(program)(tf.constant(1))


@pytest.mark.parametrize("program", PROGRAMS)
def test_on_plain_values_nothing_is_refused(program: Callable[[Any], Any]) -> None:
    for x in (-1, 0, 1, 3):
        expected, found = observe(program, x), observe(tf.function(program), x)
        assert repr(found) == repr(expected), x
