"""`items = items + [x]` in staged code: one list or another one of another length, which has other names or not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError, StagingTypeError
from tests.runtime.comparing import assert_same


class Bag:
    def __init__(self, items: Any) -> None:
        self.items = items

    def add(self, x):
        self.items = self.items + [x]


def in_a_loop(n):
    items = []
    for i in range(n):
        items = items + [i]
    return items


def in_front(n):
    items = [9, 8]
    while n > 0:
        items = [n] + items
        n -= 1
    return items, len(items)


def in_a_branch(n):
    items = [1]
    if n > 1:
        items = items + [n, n]
    elif n == 0:
        items = []
    return items, len(items)


def under_a_condition(n):
    items = [0.5]
    for i in range(n):
        if i % 2 == 0:
            items = items + [1.5]
    return sum(items), items[-1]


def of_an_attribute(n):
    bag = Bag([])
    for i in range(n):
        bag.items = bag.items + [i]
    if n > 2:
        bag.add(n)
    return bag.items


def by_a_method(n):
    bag = Bag([n])
    for i in range(n):
        bag.add(i)
    return bag.items


def in_a_dict(n):
    d = {"a": [1], "b": [2]}
    for i in range(n):
        d["a"] = d["a"] + d["b"]
    return d


def nested(n):
    items = []
    for i in range(n):
        for j in range(i):
            items = items + [i * 10 + j]
        if i == 1:
            items = []
    return items


def returned(n):
    if n > 1:
        return [n, n, n]
    return [n]


def in_place_and_anew(n):
    items = [0]
    for i in range(n):
        items.append(i)
        items = items + [-i]
    return items


def shortened(n):
    items = [1, 2, 3, n]
    for _ in range(n):
        items = items[1:]
    return items


def other_names(n):
    items = [1]
    old = items
    for i in range(n):
        items = items + [i]
    return items, old, len(old)


def pairs(n):
    items = [(0, 0.5)]
    for i in range(n):
        items = items + [(i, 2.0)]
    return items


PROGRAMS = [
    in_a_loop, in_front, in_a_branch, under_a_condition, of_an_attribute, by_a_method, in_a_dict, nested, returned,
    in_place_and_anew, shortened, other_names, pairs,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


def changed_after_the_loop(n):
    items = [1]
    old = items
    for i in range(n):
        items = items + [i]
    items.append(5)
    return old, items


def changed_after_the_branch(n):
    items = [1]
    old = items
    if n > 1:
        items = items + [n]
    old.append(5)
    return old, items


def test_a_change_that_other_names_may_see_is_refused_after_a_loop() -> None:
    with pytest.raises(StagingError, match="by another one in a branch, loop or `try` .*test_lists_made_anew.py"):
        tf.function(changed_after_the_loop)(tf.constant(1))


def test_a_change_after_a_branch_is_seen_by_the_other_name() -> None:
    assert_same(changed_after_the_branch, 0, 1, 2, 3)


def functions(n):
    items = [print]
    for _ in range(n):
        items = items + [print]
    return n


def unpacked(n):
    items = [1]
    for i in range(n):
        items = items + [i]
    return (*items, n)


def test_what_cannot_grow() -> None:
    with pytest.raises(StagingTypeError, match="length of the list 'items' depends on a tensor.*cannot be tensors"):
        tf.function(functions)(tf.constant(1))
    with pytest.raises(TypeError, match="was unpacked.*use a list"):
        tf.function(unpacked)(tf.constant(1))
