"""None before a loop or on some of its ways, a value on others: values, errors and effects against Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say


class Pair(NamedTuple):
    first: Any
    second: Any


def last_before_loop(n):
    last = None
    for i in range(n):
        last = i
    return last


def largest(n):
    best = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None or x > best:
            best = x
    return best


def largest_nested_ifs(n):
    best = None
    where = None
    for i in range(n):
        x = (i * 7) % 5
        if best is None:
            best = x
            where = i
        elif x > best:
            best, where = x, i
    return best, where


def differences(n):
    previous = None
    total = 0
    for i in range(n):
        x = i * i
        if previous is not None:
            total += x - previous
        previous = x
    return total, previous


def differences_by_index(n):
    previous = None
    total = 0
    for i in range(n):
        if i > 0:
            total += i * i - previous
        previous = i * i
    return total


def reset_in_loop(n):
    last = n
    for i in range(n):
        if i % 3 == 2:
            last = None
        elif last is None:
            last = i * 100
    return last


def found_in_while(n):
    found = None
    i = 0
    while i < n and found is None:
        if i * i > 10:
            found = i
        i += 1
    return found, i


def found_in_loop(n):
    for i in range(n):
        if i * i > 10:
            return i


def found_in_nested_loops(n):
    result = None
    for i in range(n):
        for j in range(i):
            if i * j == 6:
                result = (i, j)
    return result


def early_bare_return_in_loop(n):
    for i in range(n):
        if i > 2:
            say("left at", i)
            return
        say(i)
    say("end")


def pair_before_loop(n):
    best = (None, 0)
    for i in range(n):
        if best[0] is None or i % 3 > best[0]:
            best = (i % 3, best[1] + 1)
    return best


def structure_before_loop(n):
    best = None
    for i in range(n):
        if best is None:
            best = Pair(i, 0.5)
        else:
            best = Pair(best.first + i, best.second * 2)
    return best


def never_there(n):
    x = None
    for i in range(n):
        if x is not None:
            x = x + 1
    return x, n


def uses_none_always(n):
    x = None
    if n > 0:
        x = n
    for i in range(n):
        x = x + 1
    return x


PROGRAMS = (
    last_before_loop, largest, largest_nested_ifs, differences, differences_by_index, reset_in_loop, found_in_while,
    found_in_loop, found_in_nested_loops, early_bare_return_in_loop, pair_before_loop, structure_before_loop,
    never_there, uses_none_always,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 7, -1, -5)


def test_over_the_rows_of_a_tensor_that_may_be_empty() -> None:
    @tf.function
    def largest_of(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best

    assert largest_of(tf.constant([1.5, 7.25, -2.0])).numpy() == 7.25
    assert largest_of(tf.constant(np.zeros([0], np.float32))) is None
    assert largest_of.experimental_get_tracing_count() == 2


def test_no_check_where_a_condition_has_decided() -> None:
    def checks(program: Any) -> int:
        graph = tf.function(program).get_concrete_function(tf.constant(1)).graph
        return graph.as_text().count("check(")

    assert [checks(p) for p in (largest, largest_nested_ifs, found_in_while)] == [0, 0, 0]
