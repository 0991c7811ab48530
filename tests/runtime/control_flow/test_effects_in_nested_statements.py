"""Effects in loops within each other: the same as in Python, and traced a number of times that does not explode."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


class Meter:
    def __init__(self) -> None:
        self.a = self.b = self.c = self.d = 0
        self.seen: list[Any] = []

    def count(self, name, by=1):
        setattr(self, name, getattr(self, name) + by)

    def note(self, k):
        self.seen.append(k)


def loops(n):
    m = Meter()
    for i in range(n):
        m.count("a")
        for j in range(i):
            m.count("b", j)
            for k in range(j):
                m.count("c", k)
                for q in range(k):
                    m.count("d", q)
    return m.a, m.b, m.c, m.d


def lists(n):
    a, b, m = [], [], Meter()
    for i in range(n):
        a.append(i)
        for j in range(i):
            m.note(j)
            for k in range(j):
                b.append(k)
            if j == 1:
                m.note(-j)
    return a, b, m.seen


def branches(n):
    m = Meter()
    while n > 0:
        if n % 2 == 0:
            for _ in range(n):
                m.count("a")
                if m.a > 2:
                    m.count("b", n)
                    m.note(n)
        elif n > 2:
            m.count("c")
            if n > 4:
                for _ in range(2):
                    m.count("d")
        n -= 1
    return m.a, m.b, m.c, m.d, m.seen


def a_list_that_comes_back(n):
    m = Meter()
    for i in range(n):
        m.note(i)
        for _ in range(i):
            m.count("a", len(m.seen))
        m.seen.pop()
    return m.a, len(m.seen)


def the_innermost_loop_finds_for_two_around(n):
    first, second, third = Meter(), Meter(), Meter()
    for _ in range(n):
        first.count("a")
        for _ in range(n):
            second.count("a", first.a)
        for _ in range(n):  # does not carry `first.a` yet, which the loop around it does
            for _ in range(n):
                first.count("a")
                third.count("a", first.a)  # is new to both
    return first.a, second.a, third.a


PROGRAMS = [loops, lists, branches, a_list_that_comes_back, the_innermost_loop_finds_for_two_around]


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 6)


def test_bodies_are_traced_a_bounded_number_of_times() -> None:
    """Eight loops within each other, each of which changes something that only its trace shows."""

    def nested(m, depth, n):
        for _ in range(n):
            print(depth)
            m[depth] += 1
            if depth:  # Python's condition
                nested(m, depth - 1, n)

    def program(n):
        m = [0] * 8
        nested(m, 7, n)
        return m

    with contextlib.redirect_stdout(io.StringIO()) as traced:
        tf.function(program).get_concrete_function(tf.TensorSpec([], tf.int32))
    assert 8 <= len(traced.getvalue().split()) <= 100
