"""Objects with a `__next__` of the user's whose end a tensor decides: `next` sees it, loops of Python refuse it."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


class Steps:
    def __init__(self, n: Any) -> None:
        self.i = 0
        self.n = n

    def __iter__(self) -> Steps:
        return self

    def __next__(self) -> Any:
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


def with_a_default(n):
    steps = Steps(n)
    return next(steps, -1) + 10 * next(steps, -1), steps.i


def in_a_try(n):
    steps = Steps(n)
    try:
        return next(steps), next(steps)
    except StopIteration:
        return -1, steps.i


def in_a_while(n):
    steps, total, go_on = Steps(n), 0, True
    while go_on:
        item = next(steps, None)
        if item is None:
            go_on = False
        else:
            total = total + item
    return total, steps.i


@pytest.mark.parametrize("program", [with_a_default, in_a_try, in_a_while])
def test_next_finds_the_end(program: Any) -> None:
    staged = tf.function(program)
    for n in (3, 0, 1, 2):
        assert [int(part) for part in staged(tf.constant(n))] == [int(part) for part in program(n)]


def test_without_a_default_the_end_is_an_exception_of_the_run() -> None:
    first = tf.function(lambda n: next(Steps(n)))
    assert int(first(tf.constant(1))) == 1
    with pytest.raises(StopIteration):
        first(tf.constant(0))


def added_up(n):
    total = 0
    for item in Steps(n):
        total = total + item
    return total


TAKES: dict[str, Any] = {
    "for": added_up,
    "sum": lambda n: sum(Steps(n)),
    "list": lambda n: list(Steps(n)).pop(),
    "unpacked": lambda n: [*Steps(n)].pop(),
    "zip": lambda n: [a * b for a, b in zip(Steps(n), [1, 2, 3])].pop(),
    "comprehension": lambda n: [2 * item for item in Steps(n)].pop(),
}


@pytest.mark.parametrize("way", TAKES)
def test_what_takes_items_in_python_is_refused(way: str) -> None:
    with pytest.raises(StagingError, match=r"where 'Steps' ends depends on a tensor.*Write `__iter__` as a generator"):
        tf.function(TAKES[way])(tf.constant(2))
    assert TAKES[way](2) > 0
    steps = tf.function(lambda x: x * sum(Steps(3)))  # no tensor decides
    assert int(steps(tf.constant(2))) == 12
