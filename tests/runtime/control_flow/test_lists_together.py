"""What two variables of a loop got as one list, or what is in another list: refused where a change would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


def one_list_after_the_loop(n):
    best, cur = [0], [0]
    for i in range(n):
        cur = [i]
        if i > 1:
            best = cur
    cur[0] = 9
    return best


def one_that_grows(n):
    best, cur = [], []
    for i in range(n):
        cur = [*cur, i]
        best = cur
    cur.append(9)
    return best


def one_or_none(n):
    best, cur = None, []
    for i in range(n):
        cur = [*cur, i]
        if i > 1:
            best = cur
    cur.append(9)
    return best


def one_set(n):
    best, cur = set(), set()
    for i in range(n):
        cur = cur | {i}
        best = cur
    cur.add(9)
    return best


@pytest.mark.parametrize("program", [one_list_after_the_loop, one_that_grows, one_or_none, one_set])
def test_one_list_that_is_changed_after_the_loop(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="was changed in place after that"):
        tf.function(program)(tf.constant(3))


def put_into_a_list(n):
    rows, cur = [], []
    for i in range(n):
        if i % 3 == 1:
            cur = []
        cur.append(i)
        rows.append(cur)
    return rows


def put_into_a_list_and_back(n):
    rows, a, b = [], [0], [0]
    for i in range(n):
        if i % 3 == 1:
            rows.append(a)
            a, b = b, a
        a[0] += i
    return rows


@pytest.mark.parametrize("program", [put_into_a_list, put_into_a_list_and_back])
def test_what_is_in_a_list_is_changed_under_another_name(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="is an element of a list that grows in the graph"):
        tf.function(program)(tf.constant(3))
