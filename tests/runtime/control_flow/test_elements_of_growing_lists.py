"""Statements that write elements of a list that grows: the list carries them, under any name and by any key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import runtime

Numbers = Callable[[Any, Any], Any]


@contextmanager
def printed(label: Any) -> Iterator[Any]:
    try:
        yield label
    finally:
        runtime.print("end", label)


def by_two_names(x: Any, y: Any) -> Any:
    items = [x, 2]
    rows = [[y, 5, 1], items]
    if y > 0:
        items.append(y)
    if x > 0:
        rows[1][1] += 7
    i = 1
    while x > 0:
        rows[i][0] += x
        rows[1][i] -= x
        x -= 1
    for i in range(3):
        rows[1][0] += i * y
    return items[0], items[1], len(rows[1])


def by_a_key_of_the_run(x: Any, y: Any) -> Any:
    items = [x, 2]
    k = 1
    if y > 0:
        items.append(y)
    if y > 3:
        k = 0
    while x > 0:
        items[k] += x
        if x > 2:
            items[1 - k] += 2
        x -= 1
    return items[0], items[1], len(items)


def after_a_break(x: Any, y: Any) -> Any:
    items = [x, 2]
    if y > 0:
        items.append(y)
    for t in (1, 2, 3):
        if x > t:
            break
        items[0] += t
    return items[0], len(items)


def in_else_of_a_try(x: Any, y: Any) -> Any:
    items = [x, 2]
    if y > 0:
        items.append(y)
    try:
        y = 10 // x
    except ZeroDivisionError:
        y = items[0] + 2
    else:
        items[0] += 1
    return items[0], len(items), y


def in_a_manager(x: Any, y: Any) -> Any:
    items = [x, 2]
    rows = [[y, 5, 1], items]
    if y > 0:
        items.append(y)
        with printed(1):
            rows[1][1] += 7
    return items[1], len(items)


@pytest.mark.parametrize("function", [by_two_names, by_a_key_of_the_run, after_a_break, in_else_of_a_try, in_a_manager])
def test_elements_are_those_of_python(function: Numbers) -> None:
    staged = runtime.function(function)
    for x, y in ((1, 1), (3, 5), (0, 0), (5, -1), (0, 2)):
        found = staged(runtime.constant(x), runtime.constant(y))
        assert runtime.nest.map_structure(int, found) == function(x, y)


def element_of_a_plain_list(x: Any, k: Any) -> Any:
    rows = [[0, x], [1, 2]]
    if k > 3:
        k = 0
    while x > 0:
        rows[k][1 - k] += x
        k = 1 - k
        x -= 1
    return *rows[0], *rows[1]


def test_elements_of_plain_lists_by_a_key_of_the_run() -> None:
    staged = runtime.function(element_of_a_plain_list)
    for x, k in ((1, 1), (3, 5), (5, 0)):
        assert tuple(map(int, staged(runtime.constant(x), runtime.constant(k)))) == element_of_a_plain_list(x, k)
