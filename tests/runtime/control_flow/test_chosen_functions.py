"""Functions that differ between branches and iterations: which one a variable holds is known when the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.runtime.comparing import assert_same


def doubled(n):
    return n * 2


def negated(n):
    return -n


def squared(n):
    return n * n


def chosen_before_and_in_a_loop(n):
    act = squared if n > 2 else negated
    total = n
    for i in range(n + 3):
        total = act(total) % 97
        if i > 1:
            act = doubled
    return total, act(n)


def chosen_in_a_loop_alone(n):
    act = doubled
    for i in range(n):
        act = squared if i > 2 else negated
    return act(n)


def first_in_a_loop(n):
    for i in range(n + 1):
        act = squared if i > 2 else negated
    return act(n)


def made_in_some_iterations(n):
    total = 0
    for i in range(n):
        if i % 2 == 1:
            total += 4
        else:
            for _ in range(4):

                def shifted(k):
                    return k + i

                if n == 3:
                    break
            total += shifted(total)
    return total


def made_anew_and_used_at_once(n):
    total = 0
    for i in range(n):
        try:
            if i == 2:
                raise ValueError(i)

            def shifted(k):
                return k + i

            total += shifted(i)
        except ValueError:
            total -= 1
    return total


PROGRAMS = [
    chosen_before_and_in_a_loop, chosen_in_a_loop_alone, first_in_a_loop, made_in_some_iterations,
    made_anew_and_used_at_once,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 6)


def test_a_function_of_an_earlier_iteration_is_refused_where_it_is_used() -> None:
    def program(n):
        total = 0
        last = None
        for i in range(n):
            if last is not None:
                total += last(1)
            last = lambda k: k + i
        return total

    with pytest.raises(StagingTypeError, match="'last' is a new Python object of type function after each iteration"):
        tf.function(program)(tf.constant(3))
