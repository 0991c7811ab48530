"""Lists and dicts that a loop returns early, or binds where a name had no value before; and `max` of nothing."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError


def two_sum(x: Any) -> Any:
    numbers, left, right = [2, 3, 5, 9], 0, 3
    while left < right:
        total = numbers[left] + numbers[right]
        if total == x:
            return [left + 1, right + 1]
        if total > x:
            right = right - 1
        else:
            left = left + 1
    return None


def as_a_dict(x: Any) -> Any:
    i = 0
    while i < 5:
        if x == i:
            return {"at": i, "square": [i * i]}
        i = i + 1
    return {"at": -1, "square": [x]}


def bound_before(x: Any) -> Any:
    if x > 5:
        found = [0]
    while x > 0:
        found = [x]
        x = x - 1
    return found


def none_before(x: Any) -> Any:
    found, i = None, 0
    while i < 6:
        if i == x:
            found = [i, i * i]
            break
        i += 1
    if found is not None:
        found.append(7)
    return found


def row_of(rows: Any, x: Any) -> Any:
    i = 0
    while i < 3:
        if rows[i][0] == x:
            return rows[i]
        i = i + 1
    return None


def written_by_the_caller(x: Any) -> Any:
    rows = [[1], [2], [3]]
    found = row_of(rows, x)
    if found is not None:
        found[0] = found[0] * 10
    return rows


def largest_of_a_deque(x: Any) -> Any:
    waiting: collections.deque[Any] = collections.deque()
    largest = []
    for number in [1, 3, -1, 5]:
        if len(waiting) < x:
            waiting.append(number)
        else:
            largest.append(max(waiting))
            waiting.popleft()
            waiting.append(number)
    return largest


def largest_or(x: Any) -> Any:
    waiting: collections.deque[Any] = collections.deque()
    try:
        if x > 2:
            waiting.append(x)
        return max(waiting)
    except ValueError:
        return -1


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list) else value if value is None else int(value)


PROGRAMS: list[Callable[[Any], Any]] = [
    two_sum, as_a_dict, none_before, written_by_the_caller, largest_of_a_deque, largest_or,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for x in (1, 2, 3, 5, 7, 11):
        assert plain(staged(tf.constant(x))) == plain(program(x)), x


def test_a_name_without_a_value_on_one_way() -> None:
    staged = tf.function(bound_before)
    assert plain(staged(tf.constant(7))) == plain(staged(tf.constant(3))) == [1]
    with pytest.raises(UnboundLocalError):
        staged(tf.constant(0))


def test_the_exception_of_nothing_is_that_of_its_line() -> None:
    staged = tf.function(largest_of_a_deque)
    with pytest.raises(ValueError, match="empty"):
        staged(tf.constant(0))
    assert plain(tf.function(lambda x: 1 if x > 0 else min(tf.zeros([0])))(tf.constant(1))) == 1


def test_the_list_of_another_name_is_not_taken_for_a_new_one() -> None:
    def last(x: Any) -> Any:
        rows, best, i = [[1], [2]], None, 0
        for row in rows:
            if row[0] > x:
                best = row
        while i < x:
            if i == 3:
                best = [i]
            i = i + 1
        if best is not None:
            best[0] = best[0] * 10
        return rows

    for x in (0, 5):
        try:
            found = plain(tf.function(last)(tf.constant(x)))
        except StagingError:
            continue
        np.testing.assert_equal(found, plain(last(x)))
