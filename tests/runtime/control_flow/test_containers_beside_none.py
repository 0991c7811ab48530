"""Lists and dicts in variables that may be None or undefined: what a branch or loop changes in them is not lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def made_or_changed(x):
    cache = None
    if x > 0:
        cache = {"n": 1}
    if cache is None:
        cache = {"n": 5}
    else:
        cache["n"] += 10
    return cache["n"]


def made_or_changed_where_undefined(x):
    if x > 0:
        cache = {"n": 1}
    if x <= 0:
        cache = {"n": 5}
    else:
        cache["n"] += 10
    return cache["n"]


def made_in_the_first_iteration(n):
    cache, last = None, None
    for i in range(n):
        if cache is None:
            cache = {"n": i + 1, "row": [i, i]}
        else:
            cache["n"] += last
            cache["row"][0] -= 1
        last = i
    return -1 if cache is None else cache["n"] * 10 + cache["row"][0]


def made_in_an_unrolled_loop(n):
    row = None
    for i in (0, 1, 2):
        if i < n:
            if row is None:
                row = [i + 1]
            else:
                row[0] += 10
    return -1 if row is None else row[0]


def under_another_name(x):
    c = None
    if x > 0:
        c = {"n": 1}
    other = c
    if x > 3:
        c["n"] += 5
    return -1 if c is None else c["n"] * 100 + other["n"]


def by_a_function(x):
    c = None
    if x > 0:
        c = {"row": [1]}

    def change():
        if x > 3:
            c["row"][0] += 3

    change()
    return -1 if c is None else c["row"][0]


def grown_in_a_branch(x):
    c = None
    if x > 0:
        c = [1]
    if x > 3:
        c.append(3)
    return -1 if c is None else sum(c)


def made_or_grown(x):
    c = None
    if x > 0:
        c = [1]
    if c is None:
        c = [3]
    else:
        c.append(4)
    return sum(c)


def grown_under_two_names(x):
    c = None
    if x > 0:
        c = [1]
    pair = (c, [c])
    if x > 3:
        pair[0].append(5)
    return -1 if c is None else sum(c) * 100 + sum(pair[1][0])


def made_and_grown_in_a_loop(n):
    c = None
    for i in range(n):
        if c is None:
            c = []
        c.append(i)
    return -1 if c is None else sum(c)


def made_anew_in_a_loop(n):
    c = None
    for i in range(n):
        c = [i] if c is None else c + [i]
    return -1 if c is None else sum(c)


def undefined_and_grown_in_a_loop(n):
    for i in range(n):
        if i == 0:
            c = [i + 1]
        else:
            c.append(i)
    return -1 if n == 0 else sum(c)


PROGRAMS = [
    made_or_changed, made_or_changed_where_undefined, made_in_the_first_iteration, made_in_an_unrolled_loop,
    under_another_name, by_a_function, grown_in_a_branch, made_or_grown, grown_under_two_names,
    made_and_grown_in_a_loop, made_anew_in_a_loop, undefined_and_grown_in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_changes_are_kept(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 5)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_changes_are_kept_in_a_loop(program: Callable[..., Any]) -> None:
    def in_a_loop(n):
        result = 0
        for i in range(n):
            result = result * 7 + program(i)
        return result

    assert_same(in_a_loop, 0, 6)


def replaced_beside_another_name(x):
    c = None
    if x > 0:
        c = [1]
    other = c
    if x > 2:
        c = [6]
    if c is not None:
        c[0] += 4
    return -1 if c is None else c[0] * 100 + other[0]


def test_another_name_sees_a_change_where_it_is_the_same_list() -> None:
    def shown(x):
        return 0 if x <= 0 else replaced_beside_another_name(x)

    assert_same(shown, -1, 1, 3)


def test_what_every_path_returns_is_never_none() -> None:
    """The value of `return` in a loop, and after it, can be an element of a list that grows."""

    def square_above(x):
        for i in range(x):
            if i * i > x:
                return i
        return -1

    def multiple_above(x):
        while True:
            x += 1
            if x % 4 == 0:
                return x

    def above_all(values):
        return [square_above(value) * multiple_above(value) for value in values]

    assert_same(above_all, [5, 2, 7], [0, 1, 20])
    for function in (square_above, multiple_above):
        assert len(tf.function(function).get_concrete_function(tf.constant(1)).graph.outputs) == 1


def test_what_a_loop_without_an_end_returns_may_be_none() -> None:
    def large(x):
        while True:
            x += 1
            if x > 9:
                return x if x > 12 else None

    assert_same(lambda x: 5 if large(x) is None else 6, 0, 20)
