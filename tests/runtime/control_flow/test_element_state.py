"""Elements and attributes as state of staged statements: a tensor is carried whole, of Python objects the part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, plain


def of_list(n):
    items = [1, 2]
    alias = items
    if n > 0:
        items[0] = n
    else:
        items[-1] -= n
    for i in range(n):
        items[0] += i
    return items, alias[0], alias is items


def of_dict(n):
    table, key = {"a": 1, 3: 2}, 3
    if n > 0:
        table["a"] = n
        table[key] += n
        table[4] = n
    else:
        table[4] = 0
    while n > 0:
        table["a"] += table[key]
        table[4] -= 1
        n -= 1
    return table


class Box:
    def __init__(self, items):
        self.items = items
        self.count = 0


def of_object(n):
    box = Box([[1, 2], [3, 4]])
    row = box.items[1]
    if n > 0:
        box.items[1][0] = n
        box.count = n
    for i in range(n):
        box.items[1][1] += i
        box.count -= 1
    return box.items, row, box.count


def both_kinds(n):
    rows = [0, 0]
    vector = tf.zeros([2], tf.int32) if isinstance(n, tf.Tensor) else __import__("numpy").zeros(2, "int32")
    if n > 1:
        rows[0] = vector[0] + n
        vector[1] = n
    for i in range(n):
        vector[0] += rows[0]
        rows[1] += vector[1] + i
    return rows[0] + 0, rows[1] + 0, vector[0] + vector[1]


@pytest.mark.parametrize("program", [of_list, of_dict, of_object])
def test_python_objects(program: Callable[..., Any]) -> None:
    assert_same(program, -2, 0, 1, 4)


def test_tensors_and_lists_in_one_statement() -> None:
    for n in (0, 1, 2, 5):
        assert plain(tf.function(both_kinds)(tf.constant(n))) == tuple(int(v) for v in both_kinds(n))


def test_an_element_that_does_not_exist_is_an_error_only_where_it_is_written() -> None:
    @tf.function
    def program(n: Any) -> Any:
        items = [1]
        if n > 0:
            n = n + items[0]
        else:
            try:
                items[5] = 2
            except IndexError:
                n = n - 1
        return n

    assert [int(program(tf.constant(n))) for n in (1, -1)] == [2, -2]


def test_a_frozen_holder_of_a_list() -> None:
    class Frozen:
        __slots__ = ("items",)

        def __init__(self, items: Any) -> None:
            object.__setattr__(self, "items", items)

        def __setattr__(self, name: str, value: Any) -> None:
            raise AttributeError(f"{name} is frozen")

    @tf.function
    def program(n: Any) -> Any:
        holder = Frozen([1, 2])
        if n > 0:
            holder.items[0] = n
        return holder.items

    assert plain(program(tf.constant(3))) == [3, 2]
    assert plain(program(tf.constant(-3))) == [1, 2]
