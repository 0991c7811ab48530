"""`@manager` around functions, stacks of managers and what they hold: staged, seen, or refused."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, say
from tests.runtime.control_flow.raising_and_leaving import Block, Stop, span


class Told(contextlib.ContextDecorator):
    """A manager of the user that functions are decorated with; it may swallow."""

    def __init__(self, swallowed: Any = ()) -> None:
        self.swallowed = swallowed

    def __enter__(self) -> Told:
        say("in")
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        say("out", kind is None)
        return kind is not None and issubclass(kind, self.swallowed)


@span("around")
def divides(x, by=1):
    return 12 // (x - by)


@Told()
def raises(x):
    if x > 3:
        raise Stop(x)
    return x * 2


@Told(Stop)
def swallows(x):
    """What a swallowed exception leaves is None."""
    if x > 3:
        raise Stop(x)
    return x * 2


class Model:
    def __init__(self, x):
        self.x = x

    @span("method")
    def step(self, k):
        if k > self.x:
            return 12 // (k - 5)
        return k


def decorated(x):
    return divides(x) + raises(x)


def decorated_with_keywords(x):
    return divides(by=2, x=x)


def decorated_and_caught(x):
    total = 0
    for i in range(3):
        try:
            total += divides(x, i)
        except ZeroDivisionError:
            total += 100
    return total


def decorated_and_swallowed(x):
    result = swallows(x)
    if result is None:
        return -1
    return result


def decorated_method(x):
    return Model(x).step(3) + Model(4).step(x)


def decorated_inside(x):
    @span(7)
    @Told()
    def inner(v):
        return 12 // v

    return inner(x - 3)


def counted_in_a_branch(x):
    calls = [0]

    @contextlib.contextmanager
    def counted():
        calls[0] += 1
        yield
        calls[0] += 10

    @counted()
    def called(v):
        calls[0] += 100
        return v + 1

    if x > 3:
        x = called(x)
    return x, calls[0]


def closed_in_finally(x):
    stack = contextlib.ExitStack()
    stack.enter_context(Block("first"))
    stack.callback(say, "called back", 5)
    try:
        y = 12 // x
    finally:
        stack.close()
    return y


def closed_twice(x):
    stack = contextlib.ExitStack()
    stack.push(Block("pushed"))
    if x > 3:
        say("large")
    stack.close()
    stack.close()
    return x


@pytest.mark.parametrize(
    "program",
    [
        decorated, decorated_with_keywords, decorated_and_caught, decorated_and_swallowed, decorated_method,
        decorated_inside, counted_in_a_branch, closed_in_finally, closed_twice,
    ],
)  # fmt: skip
def test_a_program_is_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5)


def test_what_is_given_to_a_stack_in_a_branch_is_refused() -> None:
    def entered_in_a_branch(x):
        stack = contextlib.ExitStack()
        if x > 3:
            stack.enter_context(Block("branch"))
        stack.close()
        return x

    with pytest.raises(StagingError, match="is changed"):
        tf.function(entered_in_a_branch)(tf.constant(3))
