"""Sets, deques and dicts of lists that change while a loop goes through them: Python's error, also at its end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def set_grows(n: Any) -> Any:
    s = {i * 3 % 7 for i in range(n)}
    for x in s:
        s.add(x + 10)
    return len(s)


def set_shrinks_at_the_end(n: Any) -> Any:
    s = set()
    for i in range(n):
        s.add(i)
    for x in s:
        if x == n - 1:
            s.discard(x)
    return len(s)


def set_keeps_its_size(n: Any) -> Any:
    s = set()
    for i in range(n):
        s.add(i)
    total = 0
    for x in s:
        s.add(x)
        total += x
    return total


def set_changes_and_is_left(n: Any) -> Any:
    s = set()
    for i in range(n):
        s.add(i)
    for x in s:
        if x == 1:
            s.add(x + 100)
            break
    return len(s)


def deque_grows(n: Any) -> Any:
    d: deque[Any] = deque()
    for i in range(n):
        d.append(i)
    total = 0
    for x in d:
        total += x
        if x == 1:
            d.append(x + 10)
    return total


def deque_keeps_its_size(n: Any) -> Any:
    d: deque[Any] = deque()
    for i in range(n):
        d.append(i)
    total = 0
    for x in d:
        total += x
        d[0] = 5
    return total


def dict_of_lists_grows(n: Any) -> Any:
    d: dict[Any, Any] = {}
    for i in range(n):
        d.setdefault(i % 2, []).append(i)
    total = 0
    for k, v in d.items():
        total += k + len(v)
        if k == 1:
            d[7] = [1]
    return total


def outcome(call: Callable[[], Any]) -> Any:
    try:
        return int(call())
    except RuntimeError as error:
        return str(error).partition("\n")[0]


@pytest.mark.parametrize("program", [
    set_grows, set_shrinks_at_the_end, set_keeps_its_size, set_changes_and_is_left, deque_grows, deque_keeps_its_size,
    dict_of_lists_grows,
])  # fmt: skip
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 3):
        expected = outcome(lambda n=n: program(n))
        got = outcome(lambda n=n: staged(tf.constant(n)))
        assert got == expected or (isinstance(expected, str) and expected in got), (n, got, expected)
