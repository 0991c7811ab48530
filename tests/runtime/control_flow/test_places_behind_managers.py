"""What a handler sees of objects that managers change which an exception passes: as Python, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Counting:
    """Counts how often it is entered, and back."""

    def __init__(self):
        self.n = 0
        self.exits = 0
        self.busy = False

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *raised):
        self.n -= 1


class Exits(Counting):
    """Counts how often it is left."""

    def __exit__(self, *raised):
        self.exits += 1


class Flag(Counting):
    """Is not busy after it."""

    def __exit__(self, *raised):
        self.busy = False


class Swallowing(Counting):
    """Lets no ValueError pass."""

    def __exit__(self, kind, error, traceback):
        self.n -= 1
        return kind is ValueError


def checked(x):
    if x > 2:
        raise ValueError("large")
    return x * 10


def counted(x):
    c = Counting()
    try:
        with c:
            y = checked(x) + c.n
    except ValueError:
        y = 50 + c.n
    return y + c.n


def counted_twice(x):
    c, d = Counting(), Counting()
    try:
        with c, d, c:
            y = checked(x) + c.n + d.n
    except ValueError:
        y = 50 + c.n * 3 + d.n
    return y + c.n + d.n


def a_list_in_the_body(x):
    c, items = Counting(), [0, 1]
    try:
        with c:
            items[0] = 7
            y = checked(x) + c.n
            items[1] = 8
    except ValueError:
        y = 50 + c.n + items[0]
    return y + c.n + items[0] * 100 + items[1] * 1000


def swallowed(x):
    c, y, items = Swallowing(), 4, [0]
    with c:
        items[0] = 4
        y = 5
        y = checked(x) + c.n
        items[0] = y
    return y + c.n + items[0] * 100


@pytest.mark.parametrize("program", [counted, counted_twice, a_list_in_the_body, swallowed])
def test_a_handler_sees_what_the_manager_leaves(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4)


def left_otherwise(x):
    c = Exits()
    try:
        with c:
            y = checked(x)
    except ValueError:
        y = 50 + c.exits
    return y


def put_back_by_the_body(x):
    c = Flag()
    try:
        with c:
            c.busy = True
            y = checked(x)
            c.busy = False
    except ValueError:
        y = 500 if c.busy else 50
    return y


@pytest.mark.parametrize("program", [left_otherwise, put_back_by_the_body])
def test_what_is_not_known_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="is changed in place inside the body of a `try`"):
        runtime.function(program)(runtime.constant(1))
