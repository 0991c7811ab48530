"""Python lists whose length depends on a tensor: they become lists that grow in the graph, wherever they are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Log:
    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)

    def add_if_positive(self, x):
        if x > 0:
            self.add(x)


def in_a_loop(n):
    items = []
    for i in range(n):
        items.append(i * i)
    return items


def in_one_branch(n):
    items = []
    if n > 1:
        items.append(n)
    return items


def other_lengths(n):
    items = [0]
    if n > 1:
        items.extend([n, n + 1])
    else:
        items.append(5)
    return items, len(items)


def several_at_once(n):
    items = [1]
    for i in range(n):
        if i > 1:
            items.append(i)
            items.append(-i)
    return items


def of_an_object(n):
    log = Log()
    for i in range(n):
        log.add(i)
        log.add_if_positive(i - 1)
    return log.items


def by_a_helper(n):
    items = [0.5]

    def put(x):
        if x > 0:
            items.append(x / 2)

    put(n)
    put(n - 1)
    return items


def in_both_kinds_of_branches(n):
    items = []
    if n > 0:
        for i in range(n):
            items.append(i)
    else:
        items.append(7)
    return len(items)


def pairs(n):
    items = []
    for i in range(n):
        items.append((i, i + 1))
    return items


def under_two_names(n):
    items = []
    box = {"items": items}
    for i in range(n):
        items.append(i)
        box["items"].append(-i)
    return items, box["items"]


def in_nested_loops(n):
    items = []
    for i in range(n):
        for j in range(i):
            items.append(i * j)
    return items


def used_after(n):
    items = [3]
    while n > 0:
        items.append(n)
        n -= 1
    total = 0
    for x in items:
        total += x
    return total + items[0]


@pytest.mark.parametrize(
    "program",
    [
        in_a_loop, in_one_branch, other_lengths, several_at_once, of_an_object, in_both_kinds_of_branches, pairs,
        under_two_names, in_nested_loops, used_after,
    ],
)  # fmt: skip
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


def test_floats() -> None:
    assert_same(by_a_helper, -1.0, 0.5, 3.0)


def test_objects_that_are_no_tensors_cannot_be_collected() -> None:
    def program(n):
        items = [print]
        if n > 0:
            items.append(len)
        return n

    with pytest.raises(StagingError, match=r"the list of the variable 'items' is changed inside a branch .*cannot be"):
        tf.function(program)(tf.constant(1))


def replaced_beside_an_alias(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    return a, b


def replaced_without_an_alias(n):
    a = [1, 2]
    if n > 0:
        a = [3, 4]
    a[0] += n
    return a


@pytest.mark.parametrize("program", [replaced_beside_an_alias, replaced_without_an_alias])
def test_lists_that_are_replaced_in_one_branch(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2)


def old_changed_after(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    b[0] = 10
    return a


def new_changed_after(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    a[0] = 10
    return b


@pytest.mark.parametrize("program", [old_changed_after, new_changed_after])
def test_a_change_of_a_list_that_may_be_another(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2)


def changed_and_replaced(n):
    a = [1, 2]
    for _ in range(n):
        a[0] += 1
        a = [a[1], a[0]]
    return a


def test_a_list_that_is_changed_and_replaced_in_a_loop() -> None:
    assert_same(changed_and_replaced, 0, 1, 2, 3)

    def program(n):
        a = [1, 2]
        b = a
        for _ in range(n):
            a[0] += 1
            a = [a[1], a[0]]
        return a, b

    assert_same(program, 0, 1, 2, 3)


def test_a_loop_goes_on_while_a_list_has_elements() -> None:
    def program(n):
        stack, rounds = [n], 0
        while stack:
            k = stack.pop()
            rounds += 1
            if k > 0:
                stack.append(k - 1)
        return rounds

    assert_same(program, 3, 0)


def unpacked(n):
    items = []
    for i in range(n):
        items.append(i * i)
    a, b, c = items
    return a + b * 10 + c * 100


def test_its_elements_are_unpacked() -> None:
    """As many as there are targets; other lengths raise what Python raises."""
    assert_same(unpacked, 3, 2, 4)

    def smallest(v):
        a, b = sorted(v)[:2]
        return a * 10 + b

    assert_same(smallest, [3, 1, 2], [0, 5, -1])
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected 3, got 2\)"):
        tf.function(unpacked)(tf.constant(2))

    def starred(n):
        first, *_ = [i for i in range(n)]
        return first

    with pytest.raises(StagingError, match="this one grows in the graph; name them by slices"):
        tf.function(starred)(tf.constant(2))


def read_after_it_was_cleared(x):
    items = [x, 5]
    if x > 5:
        items.append(1)
    if x > 2:
        return 1
    items.clear()
    return items[-1]


def test_what_is_surely_not_there_is_an_error_of_the_runs_that_read_it() -> None:
    staged = tf.function(read_after_it_was_cleared)
    assert int(staged(tf.constant(3))) == 1
    with pytest.raises(IndexError, match="list index out of range"):
        staged(tf.constant(1))
