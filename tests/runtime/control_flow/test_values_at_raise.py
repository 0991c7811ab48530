"""What handlers and `finally` see of variables: the values where the exception came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike

INPUTS = (-7, -3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 12)


class Pair(NamedTuple):
    first: Any
    second: Any


def positive(x, text="not positive"):
    if x <= 0:
        raise ValueError(text)
    return x


def reads_what_the_body_changed(x):
    total = 0
    try:
        total = x + 1
        positive(x)
    except ValueError:
        total = total * 2
    return total


def keeps_what_the_body_changed(x):
    total = 0
    try:
        total = x + 1
        positive(x)
    except ValueError:
        say("caught")
    return total


def reads_after_assigning_in_a_branch(x):
    y = 0
    try:
        if x < 0:
            y = 5
            raise ValueError
    except ValueError:
        y += 1
    return y


def reads_after_assigning_in_a_loop(x):
    y = 0
    try:
        for i in range(x):
            y = 7
            if i >= 0:
                raise ValueError
            y = 0
    except ValueError:
        y += 1
    return y


def reads_after_assigning_in_every_iteration(x):
    y = 0
    try:
        while x > 0:
            y = 7
            raise ValueError
    except ValueError:
        y += 1
    return y


def several_places(x):
    total, step = 0, "none"
    try:
        total = 1
        positive(x)
        total, step = x * 2, "first"
        positive(x - 3)
        step = "second"
        total = total + positive(x - 6)
    except ValueError:
        say(step)
        total = -total
    return total


def undefined_where_it_comes_early(x):
    try:
        positive(x)
        y = x * 3
        positive(x - 3)
        y = 0
    except ValueError:
        if x > 0:
            return y
    return x


def undefined_and_read(x):
    try:
        positive(x)
        y = x * 3
        positive(x - 3)
    except ValueError:
        return y
    return x


def tuples(x):
    pair = Pair(0, 0)
    try:
        pair = Pair(x, x + 1)
        positive(x)
        pair = Pair(pair.second, positive(x - 4))
    except ValueError:
        pair = Pair(pair.second, pair.first)
    return pair.first * 10 + pair.second


def literals_of_two_kinds(x):
    y = 0
    try:
        y = 1
        positive(x)
        y = 2.5
        positive(x - 3)
    except ValueError:
        y = y * 2
    return y * 1.0


def sums_in_a_loop(n):
    count = 0
    for i in range(n):
        try:
            count += 1
            positive(i - 2)
            count += 10
        except ValueError:
            count += 100
    return count


def loop_inside(n):
    total = 0
    try:
        for i in range(n):
            total += i
            if total > 5:
                raise OverflowError
        total = -1
    except OverflowError:
        total = total * 2
    return total


def in_the_cleanup(x):
    state = "start"
    try:
        state = "entered"
        positive(x)
        state = "checked"
        positive(x - 3)
        state = "left"
    finally:
        say(state)
    return x


def through_two_statements(x):
    total = 0
    try:
        try:
            total = x + 1
            positive(x)
        finally:
            total = total + 10
    except ValueError:
        total = total * 100
    return total


def set_back(x):
    y = z = x
    try:
        y = 0
        positive(x)
        y = z
        positive(x - 3)
    except ValueError:
        y = y + 1
    return y


@pytest.mark.parametrize(
    "program",
    [
        reads_what_the_body_changed, keeps_what_the_body_changed, reads_after_assigning_in_a_branch,
        reads_after_assigning_in_a_loop, reads_after_assigning_in_every_iteration, several_places,
        undefined_where_it_comes_early, tuples, sums_in_a_loop, loop_inside, in_the_cleanup,
        through_two_statements, set_back,
    ],
)  # fmt: skip
def test_the_values_where_the_exception_came(program: Callable[..., Any]) -> None:
    assert_alike(program, *INPUTS)


def test_numbers_of_two_kinds_meet() -> None:
    staged = tf.function(literals_of_two_kinds)
    for x in (0, 2, 5):
        assert float(staged(tf.constant(x))) == literals_of_two_kinds(x)


def test_reading_what_was_undefined_where_the_exception_came() -> None:
    staged = tf.function(undefined_and_read)
    for x in (0, 2, 5):
        result, _ = observe(staged, tf.constant(x))
        expected, _ = observe(undefined_and_read, x)
        assert result == expected or type(result) is type(expected) is UnboundLocalError


def test_buffers_that_are_remembered_are_not_written_to() -> None:
    def program(values, x):
        total = values * 2.0
        try:
            total = total + 1.0
            if x > 0:
                raise ValueError
            total = total * 3.0
            total = total * 5.0
            if x == 0:
                raise ValueError
        except ValueError:
            total = total + 0.5
        return total

    staged = tf.function(program)
    values = tf.ones([2000])
    for x in (1, 0, -1, 1):
        assert tf.reduce_all(staged(values, tf.constant(x)) == program(values, x))
