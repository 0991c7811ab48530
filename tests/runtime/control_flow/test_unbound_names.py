"""Reading a variable that has no value: the graph says what Python says, with the name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.raising import assert_alike


def in_a_loop(x):
    for d in range(x):
        if x > 100:
            c = 1
        c += x + d
    return c


def after_a_loop(x):
    for d in range(x):
        last = d
    return last


def in_a_while(x):
    i = 0
    while i < x:
        if i == 1 and x > 3:
            total = 0
        elif i > 1:
            total = total + i
        i += 1
    return i


def in_a_branch(x):
    if x > 0:
        if x > 2:
            y = x
        x = x + y
    return x


class Sum:
    def add(self, n):
        for i in range(n):
            if n > 4:
                part = i
            part += 1
        return part


def in_a_method(x):
    return Sum().add(x)


def set_in_the_first_round(x):
    total = 0
    for i in range(x):
        if i == 0:
            previous = 10
        total += previous
        previous = i
    return total


def set_in_the_first_round_of_two_loops(x):
    total = 0
    i = 0
    while i < x:
        if i == 1:
            first = i
        for j in range(x - 1):
            if j + i == 1:
                second = j
            total += second
            if i > 0:
                total += first
                second = total
        i += 1
    return total


def of_the_function_around(x):
    if x > 1:
        y = x

    def inner():
        return y + 1

    return inner()


def deleted(x):
    y = x
    if x > 1:
        del y
    return y


def second_of_two(x):
    for i in range(x):
        if x > 2:
            first = i
        if x > 5:
            second = i
        first = first + second
    return x


@pytest.mark.parametrize(
    "program",
    [
        in_a_loop, after_a_loop, in_a_while, in_a_branch, in_a_method, of_the_function_around, deleted, second_of_two,
        set_in_the_first_round, set_in_the_first_round_of_two_loops,
    ],
)  # fmt: skip
def test_the_name_is_pythons(program: Callable[..., Any]) -> None:
    if program is not of_the_function_around:  # Python gives that error a `name` besides
        assert_alike(program, 0, 1, 2, 3, 5, 7)
    staged = tf.function(program)
    for x in (0, 1, 2, 3, 5, 7):
        try:
            program(x)
        except NameError as expected:
            with pytest.raises(type(expected)) as found:
                staged(tf.constant(x))
            assert str(found.value) == str(expected)
