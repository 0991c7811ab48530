"""Functions that call themselves with a list or dict that they change meanwhile: as Python does it, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def put_back(items: list[Any], n: Any) -> Any:
    if len(items) > 3:
        return n
    if n == 1:
        return n * 2
    items.append(n)
    found = put_back(items, n - 1)
    del items[-1]
    return found + len(items)


def popped(items: list[Any], n: Any) -> Any:
    if n <= 0 or len(items) >= 4:
        return len(items)
    items.append(7)
    found = popped(items, n - 1)
    items.pop()
    return found


def set_back(table: dict[str, Any], n: Any) -> Any:
    if n <= 0:
        return table["depth"]
    table["depth"] = table["depth"] + 1
    found = set_back(table, n - 1)
    table["depth"] = table["depth"] - 1
    return found


def in_a_tuple(both: tuple[list[Any], Any], n: Any) -> Any:
    items, most = both
    if n <= 0 or len(items) > most:
        return n
    items.append(1)
    found = in_a_tuple(both, n - 1)
    items.pop()
    return found


def by_name(n: Any, *, items: list[Any]) -> Any:
    if n <= 0 or len(items) > 3:
        return len(items) * 10
    items.insert(0, 1)
    found = by_name(n - 1, items=items)
    del items[0]
    return found + 1


def made_anew(items: list[Any], n: Any) -> Any:
    if len(items) > 3:
        return 0
    return made_anew([*items, n], n - 1) + items[-1] if n > 1 else 0


def nested(rows: list[list[Any]], n: Any) -> Any:
    if n <= 0 or len(rows[0]) > 3:
        return len(rows[0])
    rows[0].append(1)
    found = nested(rows, n - 1)
    rows[0].pop()
    return found


def found_or_not(items: list[Any], n: Any) -> Any:
    if len(items) > 2:
        return False
    if n == 1:
        return True
    items.append(1)
    if found_or_not(items, n):
        return True
    del items[-1]
    return False


def kept(items: list[Any], n: Any) -> Any:
    if len(items) > 2:
        return False
    items.append(1)
    return True if n == 1 else kept(items, n - 1)


def in_both(items: list[Any], n: Any) -> Any:
    items.append(n)
    if n > 0 and len(items) < 5:
        in_both(items, n - 1)
    return items[-1]


PROGRAMS: dict[Callable[..., Any], Callable[[Any], Any]] = {
    put_back: lambda n: put_back([1], n),
    popped: lambda n: popped([], n),
    set_back: lambda n: set_back({"depth": 0}, n),
    in_a_tuple: lambda n: in_a_tuple(([], 3), n),
    by_name: lambda n: by_name(n, items=[1]),
    made_anew: lambda n: made_anew([1], n),
    nested: lambda n: nested([[], [2]], n),
    found_or_not: lambda n: found_or_not([1], n),
    kept: lambda n: kept([1], n),
    in_both: lambda n: in_both([1], n),
}
WORK = {put_back, made_anew}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_python_or_a_refusal_with_the_name(program: Callable[..., Any]) -> None:
    call = PROGRAMS[program]
    staged = tf.function(call)
    for n in (0, 1, 2, 5):
        try:
            result = staged(tf.constant(n))
        except tf.autograph.StagingError as error:
            assert program not in WORK, error
            assert str(error).strip()
            assert f"{program.__name__!r}" in str(error) or __file__.rpartition("/")[2] in str(error)
        else:
            np.testing.assert_array_equal(result, call(n))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_a_list_of_the_caller_is_as_it_was_after_a_refusal(program: Callable[..., Any]) -> None:
    items: list[Any] = [1]
    if program in (put_back, popped, made_anew, found_or_not):
        staged = tf.function(lambda n: program(items, n))
        try:
            staged(tf.constant(3))
        except tf.autograph.StagingError:
            pass
        assert items == [1]
