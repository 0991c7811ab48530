"""A Python loop that a tensor may leave: the objects it goes through change in the iterations that run, in no other.

    for row in rows:
        row[0] += 1
        if x % 3 == 1:
            break
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime

Numbers = Callable[[Any], Any]


class Counter:
    def __init__(self, count: Any) -> None:
        self.count = count

    def bump(self, amount: Any) -> None:
        self.count += amount


def rows(x: Any) -> Any:
    found = [[1, 2], [3, x], [4, 5]]
    for row in found:
        row[0] += 1
        if x % 3 == 1:
            break
    return found


def numbered_rows(x: Any) -> Any:
    found = [[1, 2], [3, x], [4, 5]]
    for i, row in enumerate(found):
        row[1] += i
        if i > x:
            break
    else:
        found[0][0] = 9
    return found


def lists_with_names(x: Any) -> Any:
    a, b = [1, 2], [3, x]
    for row in (a, b):
        row[0] += 1
        if x % 3 == 1:
            break
    return a, b


def dicts(x: Any) -> Any:
    found = {"a": {"n": 1}, "b": {"n": x}}
    for part in found.values():
        part["n"] += 1
        if x > 1:
            break
    return found


def objects(x: Any) -> Any:
    counters = [Counter(1), Counter(x), Counter(3)]
    for counter in counters:
        if counter.count > x:
            break
        counter.bump(x)
    return [counter.count for counter in counters]


@pytest.mark.parametrize("function", [rows, numbered_rows, lists_with_names, dicts, objects])
def test_iterations_after_a_break_change_nothing(function: Numbers) -> None:
    staged = runtime.function(function)
    for x in (0, 1, 2, 3, 4):
        found = runtime.nest.map_structure(lambda tensor: int(tensor), staged(runtime.constant(x)))
        assert found == function(x)
