"""Lists and dicts that are empty before a loop whose body reads what earlier iterations have put into them."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


def doubled(n: Any) -> Any:
    t: list[Any] = []
    for i in range(n):
        x = t[i - 1] * 2 if i > 0 else 1
        t.append(x)
    return t


def sums(n: Any) -> Any:
    t: list[Any] = []
    for i in range(n):
        x = 1
        for j in range(i):
            x += t[j]
        t.append(x)
    return t


def rows_of_pascal(n: Any) -> Any:
    t: list[Any] = []
    for i in range(n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = t[i - 1][j - 1] + t[i - 1][j]
        t.append(row)
    return t


def rows_that_grow(n: Any) -> Any:
    t: list[Any] = []
    for i in range(n):
        t.append([])
        for j in range(i + 1):
            if j in (0, i):
                t[i].append(1)
            else:
                t[i].append(t[i - 1][j - 1] + t[i - 1][j])
    return t


def keys_of_places(n: Any) -> Any:
    d: dict[Any, Any] = {}
    for i in range(n):
        for j in range(i + 1):
            d[i, j] = 1 if j in (0, i) else d[i - 1, j - 1] + d[i - 1, j]
    return sorted(d.items())


def remembered(n: Any) -> Any:
    memo: dict[Any, Any] = {}
    for i in range(n + 1):
        memo[i] = i if i < 2 else memo[i - 1] + memo[i - 2]
    return memo[n]


PROGRAMS = [doubled, sums, rows_of_pascal, rows_that_grow, keys_of_places, remembered]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_what_was_put_there_is_read(program: Any) -> None:
    staged = tf.function(program)
    for n in (0, 1, 2, 6):
        assert alike(plain(staged(tf.constant(n))), plain(program(n))), n
    assert staged.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(("empty", "kind"), [([], IndexError), ({}, KeyError)])
def test_what_nobody_put_there_raises_in_the_run(empty: Any, kind: type[Exception]) -> None:
    def program(n: Any) -> Any:
        made = type(empty)()
        return made[n] if n > 0 else -1

    staged = tf.function(program)
    assert int(staged(tf.constant(0))) == -1
    with pytest.raises(kind):
        staged(tf.constant(3))


def test_a_handler_of_the_program_takes_it() -> None:
    def program(n: Any) -> Any:
        made: list[Any] = []
        try:
            return made[n]
        except IndexError:
            return n * 2

    assert int(tf.function(program)(tf.constant(3))) == 6
