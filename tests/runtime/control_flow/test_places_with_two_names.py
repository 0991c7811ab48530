"""Places that a loop changes by two ways: by a name of its own, and through a function or an object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same


def assigned_here_and_in_a_function(n):
    a = 1

    def bump():
        nonlocal a
        a += 1

    for _ in range(n):
        a = a * 2
        for _ in range(n % 4):
            bump()
    return a


def assigned_here_and_in_a_function_of_the_body(n):
    a = 1
    while a < n:
        a = a + 1

        def bump():
            nonlocal a
            a += 1

        for _ in range(n % 4):
            bump()
    return a


def numbers_up_to(n):
    for i in range(n):
        yield i


def element_written_in_a_loop_over_a_generator(n):
    items = [n, 2, 3]
    for t in numbers_up_to(n):
        for j in range(t):
            items[-1] = t + j
    return items


def element_written_here_and_in_a_function(n):
    items = [n, 2, 3]

    def put(value):
        items[2] = value

    for t in numbers_up_to(n):
        items[-1] = 7
        for j in range(t):
            put(j)
    return items


@pytest.mark.parametrize(
    "program",
    [
        assigned_here_and_in_a_function,
        assigned_here_and_in_a_function_of_the_body,
        element_written_in_a_loop_over_a_generator,
        element_written_here_and_in_a_function,
    ],
)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)
