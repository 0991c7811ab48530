"""Loops of Python over what has an effect for each item: refused where they are left depending on a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, say


class Counting:
    """An iterator of the user, which moves on by itself."""

    def __init__(self, n):
        self.at = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.at > 4:
            raise StopIteration
        self.at += 1
        return self.at


def appending(seen):
    for i in range(3):
        seen.append(i)
        yield i


def left_and_looked_at(x):
    seen = []
    for a, b in zip(appending(seen), range(3)):
        if x > a + b:
            break
    return len(seen)


def moved_and_looked_at(x):
    numbers = Counting(2)
    for number in numbers:
        if x > number:
            break
    return numbers.at


def shown_and_left(x):
    def shown(value):
        say("value", value)
        return value

    for number in map(shown, [1, 2, 3]):
        if x < number:
            break
    return x


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (left_and_looked_at, "an object (list) that it holds is changed"),
        (moved_and_looked_at, "an object (Counting) that it holds is changed"),
        (shown_and_left, "the operation 'print', at "),
    ],
)
def test_what_is_done_for_an_item_cannot_be_undone(program: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(StagingError) as refused:
        tf.function(program)(tf.constant(3))
    assert "is left depending on a tensor, but its items are made by plain Python" in str(refused.value)
    assert words in str(refused.value)


def gone_through(x):
    seen = []
    total = 0
    for a, b in zip(appending(seen), Counting(2)):
        total += a * b * x
    return total, len(seen)


def left_by_python(x):
    seen = []
    for a in map(lambda a: a + 1, appending(seen)):
        if a > 1:
            break
    return x, len(seen)


def left_without_effects(x):
    total = 0
    for a, b in zip(map(lambda a: a * a, [1, 2, 3]), enumerate([x, x + 1, 9])):
        total += a * b[1]
        if total > 20:
            break
    return total


@pytest.mark.parametrize("program", [gone_through, left_by_python, left_without_effects])
def test_loops_that_do_not_depend_on_effects_are_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 3, 7, 30)


class Told:
    """What goes through it runs the code of a generator, which is staged."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        i = 0
        while i < self.n:
            say("item", i)
            yield i
            i += 1


def left_depending_on_a_tensor(x):
    for item in Told(4):
        if item > x:
            return item
    return -1


def of_a_length_that_is_a_tensor(x):
    total = 0
    for item in Told(x):
        if item == 5:
            continue
        total += item
    else:
        total += 100
    return total


def in_enumerate_and_a_comprehension(x):
    total = sum([item * x for item in Told(3)])
    for place, item in enumerate(Told(3)):
        total += place * item
    return total


def raised_out_of(x):
    for item in Told(9):
        if item == x:
            raise ValueError("found")
    return x


@pytest.mark.parametrize(
    "program",
    [left_depending_on_a_tensor, of_a_length_that_is_a_tensor, in_enumerate_and_a_comprehension, raised_out_of],
)
def test_a_generator_that_is_the_iter_of_a_class_is_staged(program: Callable[[Any], Any]) -> None:
    assert_same(program, -1, 0, 2, 3, 7)


def told(n):
    yield from Told(n)


def next_in_its_loop(x):
    items = told(4)
    total = 0
    for item in items:
        total += item * x
        if item == 1:
            total += next(items, 50)
    return total


def next_of_an_expression_in_its_loop(x):
    items = (item * x for item in told(4))
    total = 0
    for item in items:
        total += item + next(items, 50)
    return total


def next_of_map_in_its_loop(x):
    items = map(lambda item: item * x, told(4))
    total = 0
    for item in items:
        total += item + next(items, 50)
    return total


@pytest.mark.parametrize("program", [next_in_its_loop, next_of_an_expression_in_its_loop, next_of_map_in_its_loop])
def test_a_staged_loop_does_not_share_its_generator_with_its_body(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match="is gone through by a loop that is staged, and its body takes items"):
        tf.function(program)(tf.constant(3))
