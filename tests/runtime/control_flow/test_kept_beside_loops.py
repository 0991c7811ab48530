"""Lists that a loop changes in place, or replaces, while something that the loop does not use keeps them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Kept:
    def __init__(self):
        self.v = [9, 5, 1]


def of_an_attribute(n):
    kept = Kept()
    right = kept.v
    for _ in range(n):
        right[1] = 0
        right = [4, 5]
    return kept.v


def in_a_list(n):
    right = [9, 5, 1]
    kept = [right]
    for _ in range(n):
        right[1] = 0
        right = [4, 5]
    return kept


def in_a_default(n):
    right = [9, 5, 1]
    def first(kept=right):
        return kept[1]
    for i in range(n):
        right[1] = 0
        right = [i, i, i]
    return first()


def in_a_closure_of_its_own(n):
    def made(kept):
        return lambda: kept[1]
    right = [9, 5, 1]
    read = made(right)
    for i in range(n):
        right[1] = 0
        right = [i, i, i]
    return read()


def in_a_partial_function(n):
    right = [9, 5, 1]
    total = partial(sum, right)
    for i in range(n):
        right[1] = 0
        right = [i, i, i]
    return total()


def in_an_iterator(n):
    right = [9, 5, 1]
    items = iter(right)
    for i in range(n):
        right[0] = 0
        right = [i, i, i]
    return next(items)


def in_a_view_of_a_dict(n):
    right = {0: 9}
    values = right.values()
    for i in range(n):
        right[0] = 0
        right = {0: i}
    return list(values)


def nobody_keeps_it(n):
    right = [9, 5, 1]
    for i in range(n):
        right[1] = 0
        right = [right[0], i, right[2]]
    return right


@pytest.mark.parametrize("program", [
    of_an_attribute, in_a_list, in_a_default, in_a_closure_of_its_own, in_a_partial_function, in_an_iterator,
    in_a_view_of_a_dict,
])  # fmt: skip
def test_what_keeps_it_sees_the_change(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3)


def changed_after_a_loop(n):
    right = [9, 5, 1]
    kept = Kept()
    kept.v = right
    for i in range(n):
        right = [i, i, i]
    right[0] = 7
    return kept.v, right


def kept_and_changed_after_a_loop(n):
    right = [9, 5, 1]
    kept = [[right]]
    for i in range(n):
        right = [i, i, i]
    kept[0][0][0] = 7
    return kept, right


def after_a_loop_in_which_it_grows(n):
    right = [9, 5, 1]
    total = partial(sum, right)
    for i in range(n):
        right = [*right, i]
    right.append(7)
    return total(), right


def a_row_after_a_loop(n):
    rows, kept = [[1], [2]], Kept()
    kept.v = rows[0]
    for i in range(n):
        rows[0] = [i]
    rows[0][0] = 7
    return kept.v, rows


@pytest.mark.parametrize("program", [
    changed_after_a_loop, kept_and_changed_after_a_loop, after_a_loop_in_which_it_grows, a_row_after_a_loop,
])  # fmt: skip
def test_what_keeps_it_would_see_a_later_change(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="a tensor decides which of several|was replaced by another one"):
        tf.function(program)(tf.constant(0))


def test_without_that_it_is_changed() -> None:
    assert_same(nobody_keeps_it, 0, 1, 3)
