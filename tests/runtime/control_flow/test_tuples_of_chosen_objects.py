"""Tuples with lists that a tensor decides, after loops: they hold the lists themselves, or copies nothing changes.

    for i in range(n):
        best = rows[i % 2], i      # of the list that it is there is a copy, and the rows may not change any more
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError


def the_same_lists_in_each_iteration(n: Any) -> Any:
    left, right = [1, 2], [3]
    pair = None
    for i in range(n):
        left[0] += i
        if i > 1:
            pair = left, right
        right[0] += left[0]
    return pair


def read_in_the_next_iteration(n: Any) -> Any:
    left, right = [1, 2], [3]
    pair = None
    for i in range(n):
        if pair is not None:
            pair[0][0] += i
        pair = left, right
        right[0] += left[0]
    return left, right


def one_of_the_rows(n: Any) -> Any:
    rows = [[1, 2], [3, 4]]
    best = None
    for i in range(n):
        row = rows[0] if i > 1 else rows[1]
        if row[0] > 2:
            best = row, i
    return best


def returned_with_its_number(n: Any) -> Any:
    rows = [[1, 2], [3, 4]]
    for i in range(n):
        row = rows[i % 2]
        if row[0] > 2:
            return row, i
    return rows[0], 0


def returned_after_changes(n: Any) -> Any:
    rows = [[1, 2], [3, 4]]
    for i in range(n):
        rows[0][0] += 1
        if i == 2:
            return rows[i % 2], rows[1]
        rows[1][1] += 1
    return rows[1], rows[0]


def in_a_dict(n: Any) -> Any:
    rows = {"u": [1, 2], "v": [3, 4]}
    for i in range(n):
        if i > 2:
            return {"k": rows["u"]}, i
        elif i > 1:
            return {"k": rows["v"]}, i
    return {"k": [0, 0]}, 0


PROGRAMS: list[Callable[..., Any]] = [
    the_same_lists_in_each_iteration, read_in_the_next_iteration, one_of_the_rows, returned_with_its_number,
    returned_after_changes, in_a_dict,
]  # fmt: skip


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else np.asarray(value).tolist()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program: Callable[..., Any]) -> None:
    function = tf.function(program)
    for n in range(5):
        assert _plain(function(tf.constant(n))) == _plain(program(n))


def kept_while_its_rows_change(n: Any) -> Any:
    rows = [[1, 2], [3, 4]]
    best = None
    for i in range(n):
        if i % 2 == 0:
            best = rows[i % 2], i
        rows[0][0] += 7
    return best


def changed_through_the_tuple(n: Any) -> Any:
    left, right = [1, 2], [3]
    pair = None
    for i in range(n):
        if pair is not None:
            pair[0][0] += i
        pair = (left, right) if i % 2 == 0 else (right, left)
    return left


def changed_after_the_loop(n: Any) -> Any:
    rows = [[1, 2], [3, 4]]
    best = rows[0], 0
    for i in range(n):
        if i > 1:
            best = rows[i % 2], i
    rows[0][0] = 9
    return best


@pytest.mark.parametrize("program", [kept_while_its_rows_change, changed_through_the_tuple, changed_after_the_loop])
def test_copies_that_would_lose_a_change_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError):
        tf.function(program)(tf.constant(3))
