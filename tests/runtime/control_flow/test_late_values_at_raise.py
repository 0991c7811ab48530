"""What handlers see of variables that get their first value in a loop or a branch, or in a function that is called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike


class Stop(Exception):
    pass


def positive(x):
    if x <= 0:
        raise ValueError("not positive")
    return x


def first_value_in_a_loop(n):
    try:
        for i in range(n):
            positive(3 - i)
            last = i
    except ValueError:
        return last
    return n


def first_value_in_a_branch_of_a_loop(n):
    try:
        for i in range(n):
            if i % 2 == 1:
                last = i
            positive(3 - i)
    finally:
        if n > 1:
            say(last)
    return n


def first_value_in_a_while(n):
    i = 0
    try:
        while i < n:
            if i < 1:
                previous = i
            positive(3 - previous)
            previous = i
            i += 1
    except ValueError:
        return previous * 100 + i
    return i


def handler_that_assigns_on_one_way(x):
    c = 0
    try:
        for d in range(x % 4):
            found = x
            positive(found - d - 1)
    except ValueError:
        if x % 2 != 1:
            found = 7
        return found
    return c


def from_an_earlier_round(n):
    total = 0
    for i in range(n):
        try:
            if i > 0:
                previous = total
            total += i
            positive(3 - i)
        except ValueError:
            total = previous + 100
    return total


def loops_in_a_try_in_a_handler(x):
    a = b = 1
    try:
        if x % 2 != 0:
            raise ValueError(b)
        b = (a - x) % 97
    except Exception:
        try:
            if x > 3:
                raise Stop(a)
            c = (x * b) % 97
            for b in [x, a]:
                for _ in range(abs((c + 2) % 97) % 4):
                    b = x - 1
                    positive(b)
        except Stop:
            b -= 2
    return a * 2 + b * 3


def changed_by_a_function_before_finally(x):
    a = 0

    def add(k):
        nonlocal a
        a += k

    try:
        add(1)
        positive(x)
        add(10)
    finally:
        say(a)
    return a


def changed_by_a_function_before_a_handler(x):
    a = 0

    def add(k):
        nonlocal a
        a += k

    try:
        add(1)
        if x > 2:
            add(5)
        positive(x - 3)
        add(10)
    except ValueError:
        a = a * 100
    return a


def changed_by_a_function_in_a_loop(n):
    count = 0

    def seen(i):
        nonlocal count
        count += 1
        return positive(4 - i)

    total = 0
    for i in range(n):
        try:
            total += seen(i)
        except ValueError:
            total -= count
            break
    return total * 10 + count


def none_before(x):
    best = None
    try:
        if x > 3:
            best = x
        positive(x - 5)
        best = x * 2
    except ValueError:
        return -1 if best is None else best
    return best

def none_on_the_way(x):
    best = x
    try:
        if x > 3:
            best = None
        positive(x - 5)
        best = x * 2
    except ValueError:
        pass
    return 100 if best is None else best

def none_until_a_round_of_a_loop(n):
    best = None
    try:
        for i in range(n):
            positive(4 - i)
            if best is None or i > best:
                best = i
    finally:
        say("end", 0 if best is None else best)
    return -5 if best is None else best

def none_is_its_first_value(x):
    try:
        y = None
        positive(x)
        y = x
        positive(x - 3)
    except ValueError:
        if y is None:
            return -1
        return y
    return x

def none_if_it_came_to_nothing(x):
    value = None
    try:
        positive(x)
        value = x
    except ValueError:
        pass
    return 7 if value is None else value


@pytest.mark.parametrize(
    "program",
    [
        first_value_in_a_loop, first_value_in_a_branch_of_a_loop, first_value_in_a_while,
        handler_that_assigns_on_one_way, from_an_earlier_round, loops_in_a_try_in_a_handler,
        changed_by_a_function_before_finally, changed_by_a_function_before_a_handler, changed_by_a_function_in_a_loop,
        none_before, none_on_the_way, none_until_a_round_of_a_loop, none_is_its_first_value,
        none_if_it_came_to_nothing,
    ],
)  # fmt: skip
def test_late_values(program: Callable[..., Any]) -> None:
    assert_alike(program, -7, -3, 0, 1, 2, 3, 4, 5, 6, 7, 8)


def undefined_in_the_first_round(n):
    try:
        for i in range(n):
            positive(n - 2)
            last = i
    except ValueError:
        return last
    return n


def test_no_value_where_no_round_was_complete() -> None:
    staged = tf.function(undefined_in_the_first_round)
    for n in (0, 1, 2, 3):
        expected, _ = observe(undefined_in_the_first_round, n)
        result, _ = observe(staged, tf.constant(n))
        assert repr(result) == repr(expected)
