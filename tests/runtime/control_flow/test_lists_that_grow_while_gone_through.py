"""A list whose length a tensor decides, changed by a loop that goes through it: Python asks it before each item."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


def appended(n: Any) -> Any:
    items = [1]
    if n > 0:
        items.append(2)
    for item in items:
        if item > n and len(items) < 5:
            items.append(item + 1)
    return items


def numbered(n: Any) -> Any:
    items = [1]
    if n > 0:
        items.append(2)
    for i, item in enumerate(items):
        if len(items) < 5:
            items.append(item + n)
        items[0] = i
    return items


def taken_away(n: Any) -> Any:
    items, seen = [i for i in range(n + 4)], 0
    for item in items:
        seen += 10 + item
        if item < 2:
            items.pop()
    return items, seen


def beside_another(n: Any) -> Any:
    items, total = [i for i in range(n + 1)], 0
    for item, other in zip(items, [1, 2, 3, 4, 5]):
        total += item * other
        if len(items) < 4:
            items.append(n)
    return items, total


def left_as_it_is(n: Any) -> Any:
    items, total = [i for i in range(n + 1)], 0
    for item in items:
        total += item
    for item in items[:]:
        items.append(item)
    return items, total


def by_positions(n: Any) -> Any:
    items, i = [1, n], 0
    while i < len(items):
        if items[i] > 1 and len(items) < 5:
            items.append(items[i] + 1)
        i += 1
    return items


@pytest.mark.parametrize(
    "program",
    [appended, numbered, taken_away, beside_another, left_as_it_is, by_positions],
    ids=lambda program: program.__name__,
)
def test_as_in_python(program: Any) -> None:
    assert_same(program, 0, 1, 2, 3)


def in_a_for(n: Any) -> Any:
    items = [1, 2]
    for item in items:
        if item > n:
            items.append(n)
    return items


def until_it_is_found(n: Any) -> Any:
    items = [1, 2, 3]
    for item in items:
        if item > n:
            items.remove(item)
            break
    return items


def backwards(n: Any) -> Any:
    items = [1, 2]
    for item in reversed(items):
        if item > n:
            items.append(item)
    return items


def in_a_function(n: Any) -> Any:
    items = [1, 2]

    def add(item: Any) -> None:
        if item > n:
            items.append(n)

    for i, item in enumerate(items):
        add(item + i)
    return items


@pytest.mark.parametrize(
    "program", [in_a_for, until_it_is_found, backwards, in_a_function], ids=lambda program: program.__name__
)
def test_a_list_of_known_length_is_refused(program: Any) -> None:
    with pytest.raises(StagingError, match="a loop around goes through it"):
        assert_same(program, 1)
