"""What refusals about objects and arrays say to do instead is done here: the same program with the remedy runs."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import plain

Program = Callable[[Any], Any]
PAIRS: dict[str, tuple[str, list[Program]]] = {}


def refused(words: str) -> Callable[[Program], Program]:
    """The program is refused with these words; the next function of its name does what they say."""

    def note(program: Program) -> Program:
        PAIRS[program.__name__] = words, [program]
        return program

    return note


def remedied(program: Program) -> Program:
    PAIRS[program.__name__][1].append(program)
    return program


@refused("is changed inside a branch of an `if`")
def next_in_the_loop_over_it(n):
    items, s = iter([1, 2, 3, 4]), 0
    for v in items:
        if v > n:
            s += next(items, 0)
    return s


@remedied
def next_in_the_loop_over_it(n):  # noqa: F811
    items, s, i = [1, 2, 3, 4], 0, 0
    while i < len(items):
        i += 1
        if items[i - 1] > n and i < len(items):
            s += items[i]
            i += 1
    return s


@refused("Make a list of the items first")
def iterator_that_was_left(n):
    items = iter([1, 2, 3, 4])
    for v in items:
        if v > n:
            break
    return sum(items)


@remedied
def iterator_that_was_left(n):  # noqa: F811
    items, i = list(iter([1, 2, 3, 4])), 0
    while i < 4:
        i += 1
        if items[i - 1] > n:
            break
    return sum(items[i:])


@refused("collect the items in a list that a recursive function returns")
def generator_that_goes_through_itself(n):
    def walk(k):
        if k > 0:
            yield k
            yield from walk(k - 1)

    return sum(walk(n))


@remedied
def generator_that_goes_through_itself(n):  # noqa: F811
    def walk(k):
        if k > 0:
            return [k] + walk(k - 1)
        return []

    return sum(walk(n))


@refused("is changed inside a branch of an `if`")
def text_buffer(n):
    buffer = io.StringIO()
    if n > 1:
        buffer.write("large")
    return buffer.getvalue()


@remedied
def text_buffer(n):  # noqa: F811
    text = ""
    if n > 1:
        text += "large"
    return text


@refused("is changed inside a branch of an `if`")
def generator_of_numbers(n):
    if n > 1:
        random.seed(1)
    return n


@remedied
def generator_of_numbers(n):  # noqa: F811
    random.seed(1)
    return n


@refused(r"rows.append\(list\(row\)\)|Make a copy")
def row_that_is_changed_again(n):
    row, rows = [0, 0], []
    for i in range(n):
        row[0] = i
        rows.append(row)
    return rows


@remedied
def row_that_is_changed_again(n):  # noqa: F811
    row, rows = [0, 0], []
    for i in range(n):
        row[0] = i
        rows.append(list(row))
    return rows


@refused("assign it in the handler")
def list_at_the_exception(n):
    v = [0]
    try:
        v = [1]
        k = 10 // n
        v = [1, 2]
    except ZeroDivisionError:
        k = 0
    return len(v) + k


@remedied
def list_at_the_exception(n):  # noqa: F811
    v = [0]
    try:
        v = [1]
        k = 10 // n
        v = [1, 2]
    except ZeroDivisionError:
        k = 0
        v = [1]
    return len(v) + k


@refused("Write `except` in the place of `except")
def groups_of_exceptions(n):
    try:
        n = 10 // n
    except* ZeroDivisionError:
        n = n - 1
    return n


@remedied
def groups_of_exceptions(n):  # noqa: F811
    try:
        n = 10 // n
    except ZeroDivisionError:
        n = n - 1
    return n


@refused("keep a number that says which one it is")
def identity_of_a_copy(n):
    p, q = [1], [2]
    r = p
    for i in range(n):
        r = q if i % 2 else [3]
    return 5 if r is q else n


@remedied
def identity_of_a_copy(n):  # noqa: F811
    which = 0
    for i in range(n):
        which = 1 if i % 2 else 2
    return 5 if which == 1 else n


@refused("Make them so")
def elements_of_several_kinds(n):
    items = [1, "a", 2.0]
    items[n % 3] = 7
    return items[0] == 7


@remedied
def elements_of_several_kinds(n):  # noqa: F811
    items = [1, 0, 2]
    items[n % 3] = 7
    return items[0] == 7


@refused(r"bind a copy \(a\[::-1\].copy\(\)\)")
def view_that_turns(n):
    v = np.arange(4.0)
    for i in range(n):
        v = v[::-1]
        v[0] = i
    return v


@remedied
def view_that_turns(n):  # noqa: F811
    v = np.arange(4.0)
    for i in range(n):
        v = v[::-1].copy()
        v[0] = i
    return v


@refused("Let it return the new value")
def changed_where_it_may_raise(n):
    counts = [0]

    def go(k):
        counts[0] += 1
        if k <= 0:
            return 1
        try:
            return go(k - 1) + 10 // (k - 2)
        except ZeroDivisionError:
            return 0

    return go(n), counts[0]


@remedied
def changed_where_it_may_raise(n):  # noqa: F811
    def go(k):
        if k <= 0:
            return 1, 1
        value, count = go(k - 1)
        value = 0 if k == 2 else value + 10 // (k - 2)
        return value, count + 1

    return go(n)


@pytest.mark.parametrize("name", PAIRS)
def test_refused_and_remedied(name: str) -> None:
    words, (program, other) = PAIRS[name]
    with pytest.raises(StagingError, match=words):
        tf.function(program)(tf.constant(3))
    staged = tf.function(other)
    for n in (0, 1, 2, 3):
        np.testing.assert_equal(plain(staged(tf.constant(n))), plain(other(n)))
