"""What is there in some runs only: kinds of places x statements x changes, each beside plain Python."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.one_in import one_in
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.kinds_of_places import KINDS

# -- changes


def put(k, o, x):
    k.put(o, x)


def drop(k, o, x):
    k.drop(o)


def put_and_drop(k, o, x):
    k.put(o, x)
    if x > 1:
        k.drop(o)


def drop_and_put(k, o, x):
    k.drop(o)
    if x > 1:
        k.put(o, x + 1)


def put_where_it_lacks(k, o, x):
    if not k.has(o):
        k.put(o, x * 2)


CHANGES: list[Any] = [put, drop, put_and_drop, drop_and_put, put_where_it_lacks]


# -- statements


def branch(change, k, o, x):
    if x > 0:
        change(k, o, x)


def other_branch(change, k, o, x):
    if x > 0:
        pass
    else:
        change(k, o, x)


def chain(change, k, o, x):
    if x > 3:
        change(k, o, x)
    elif x > 1:
        k.put(o, 50)
    elif x > 0:
        change(k, o, x)


def nested(change, k, o, x):
    if x > 0:
        if x > 2:
            change(k, o, x)
        elif x > 1:
            k.put(o, x)


def twice(change, k, o, x):
    if x > 0:
        k.put(o, 40)
    if x > 1 and k.has(o):
        change(k, o, x)


def while_loop(change, k, o, x):
    i = 0
    while i < x:
        if i == 1:
            change(k, o, i)
        elif i == 2:
            k.put(o, i)
        i += 1


def for_loop(change, k, o, x):
    for i in tf.range(x):
        if i == 2:
            change(k, o, i)
        if i > 2:
            break


def loop_of_branches(change, k, o, x):
    for i in (1, 2, 3):
        if x == i:
            change(k, o, i)


def body_of_try(change, k, o, x):
    try:
        change(k, o, x)
        if x > 1:
            raise ValueError("late")
        k.put(o, 60)
    except ValueError:
        k.put(o, 70)


def handler(change, k, o, x):
    try:
        if x > 1:
            raise ValueError("first")
    except ValueError:
        change(k, o, x)


def managed(change, k, o, x):
    with contextlib.nullcontext():
        if x > 0:
            change(k, o, x)


def early(change, k, o, x):
    if x > 2:
        change(k, o, x)
        return
    k.put(o, x)


def ternary(change, k, o, x):
    return k.put(o, x) if x > 1 else 0


STATEMENTS: list[Any] = [
    branch, other_branch, chain, nested, twice, while_loop, for_loop, loop_of_branches, body_of_try, handler, managed,
    early, ternary,
]  # fmt: skip


def program(kind: Any, statement: Any, change: Any, is_there: bool) -> Callable[[Any], Any]:
    def run(x):
        o = kind.make()
        if is_there:
            kind.put(o, 30)
        statement(change, kind, o, x)
        return kind.has(o), kind.read(o), kind.given(o, -5), kind.has(o)

    return run


@pytest.mark.parametrize(
    ("kind", "statement"),
    one_in(5, itertools.product(KINDS, STATEMENTS), several=True),
    ids=lambda value: value.__name__,
)
def test_as_in_python(kind, statement):
    for change in CHANGES:
        for is_there in (False, True):
            if statement is body_of_try and change in (drop, drop_and_put) and not is_there:
                continue  # it raises in every run
            assert_same(program(kind, statement, change, is_there), -1, 0, 1, 2, 3, 5)
