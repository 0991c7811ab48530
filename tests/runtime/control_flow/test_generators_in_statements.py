"""Generator expressions that are gone through inside a staged statement: each can be gone through only once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError


def in_both_branches(n):
    numbers = (i for i in range(n + 5))
    return sum(numbers) if n > 0 else sum(numbers) + 1


def in_one_branch_and_after_it(n):
    numbers, total = (i for i in range(n + 5)), 0
    if n > 0:
        total = sum(numbers)
    return total + sum(numbers)


def in_a_loop(n):
    numbers, total = (i for i in range(n + 5)), 0
    for _ in range(n + 2):
        total += sum(numbers)
    return total


def over_items_of_python(n):
    numbers, total = (i * n for i in (1, 2, 3)), 0
    for _ in range(n + 2):
        total += sum(numbers)
    return total


def through_a_map(n):
    numbers = map(abs, (i for i in range(n + 5)))
    return sum(numbers) if n > 0 else sum(numbers) + 1


def put_into_a_list(n):
    numbers, items = (i for i in range(n + 5)), [n]
    if n > 1:
        items.extend(numbers)
    items.extend(numbers)
    return items


@pytest.mark.parametrize(
    "program",
    [in_both_branches, in_one_branch_and_after_it, in_a_loop, over_items_of_python, through_a_map, put_into_a_list],
)
def test_what_was_made_before_the_statement_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match=r"the iterator of the variable 'numbers' is changed inside"):
        tf.function(program)(tf.constant(2))


def made_in_the_statement(n):
    total = 0
    for i in range(n + 3):
        numbers = (j * i for j in range(n + 3))
        total += sum(numbers) + sum(numbers)
    return total + (sum(i for i in range(n + 5)) if n > 0 else sum(i + 1 for i in range(n + 5)))


def test_what_is_made_in_the_statement_is_as_in_python() -> None:
    staged = tf.function(made_in_the_statement)
    for n in (-1, 0, 2):
        assert staged(tf.constant(n)) == made_in_the_statement(n)
