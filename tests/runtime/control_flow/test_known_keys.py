"""A tensor whose value is known while a function is traced is that value, as a key of a dict or a member of a set."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import plain


def read(x: Any, key: Any) -> Any:
    table = {"a": x, 1: x + 1.0}
    return [table[key], table.get(key, 5.0)]


def put(x: Any, key: Any) -> Any:
    table: Any = {}
    table[key] = x
    table[key, 1] = x + 1.0
    return table, len(table), key in table


def made(x: Any, key: Any) -> Any:
    return {key: x}, dict([(key, x)]), {key, "b"} == {"b"}, set([key]) == {key}


def changed(x: Any, key: Any) -> Any:
    table = {"a": x, 1: x}
    found = table.pop(key), table.setdefault(key, 3.0)
    del table[key]
    return found, len(table)


def counted(x: Any, key: Any) -> Any:
    table, sums = Counter(), defaultdict(float)
    table[key] += 1
    sums[key] += x
    return table["a"], sums["a"], sums[1]


def members(x: Any, key: Any) -> Any:
    seen = set()
    seen.add(key)
    found = key in seen, "a" in seen, 1 in seen
    seen.discard(key)
    return found, len(seen)


def of_the_run(x: Any, key: Any) -> Any:
    table = {"b": x}
    if x > 0:
        table["a"] = x
        table[1] = x
    found = table.get(key, 7.0)
    table[key] = x + 1.0
    return found, table[key], len(table)


PROGRAMS = [read, put, made, changed, counted, members, of_the_run]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
@pytest.mark.parametrize("key", ["a", 1])
def test_they_are_keys(program: Callable[[Any, Any], Any], key: Any) -> None:
    staged = tf.function(lambda x: program(x, tf.constant(key)))
    for x in (1.5, -2.0):
        assert plain(staged(tf.constant(x))) == plain(program(x, key))
