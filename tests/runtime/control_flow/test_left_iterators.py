"""Iterators over tensors that are left before their end: `next`, `break`, and going on after that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph import StagingError
from tests.runtime.comparing import assert_same


def first(t):
    return next(filter(lambda v: v > 1, t))


def first_of_an_expression(t):
    return next(v for v in t if v > 1)


def with_default(t):
    doubled = map(lambda v: v * 2, filter(lambda v: v > 2, t))
    return next(filter(lambda v: v > 1, t), -1), next((v for v in t if v > 2), -5), next(iter(t), 0), next(doubled, 0)


def or_none(t):
    return next(filter(None, t), None)


def one_by_one(t):
    kept = filter(lambda v: v > 1, t)
    return next(kept, -1), next(kept, -2), sum(kept), list(kept)


def counted(t):
    kept = enumerate(filter(lambda v: v > 1, t), 10)
    return next(kept, (-1, -1)), next(kept, (-1, -2)), list(kept)


def in_a_loop(t):
    total = 0
    for i in range(3):
        total += next(filter(lambda v: v > i, t), -100)
    return total


def left_by_break(t):
    kept, last, rest = filter(lambda v: v > 1, t), 0, 0
    for v in kept:
        last = v
        break
    for v in kept:
        rest += v
    return last, rest


def mapped_and_left(t):
    kept, last, rest = map(lambda v: v + 1, filter(lambda v: v > 1, t)), 0, 0
    for v in kept:
        last = v
        if v > 3:
            break
    for v in kept:
        rest += v
    return last, rest


def counted_and_left(t):
    kept, rest = enumerate(filter(lambda v: v > 0, t)), 0
    for i, _ in kept:
        if i > 0:
            break
    for i, v in kept:
        rest = rest * 10 + i * v
    return rest


def gone_through(t):
    kept = filter(lambda v: v > 1, t)
    return sum(kept), sum(kept), list(kept)


PROGRAMS = (
    first, first_of_an_expression, with_default, or_none, one_by_one, counted, in_a_loop, left_by_break,
    mapped_and_left, counted_and_left, gone_through,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, [1, 2, 3, 4], [0, 0, 0, 0], [5, 1, 0, 2], [3, 9, 1, 1])
    assert_same(program, [5], [0])


def unknown_length(t):
    kept = filter(lambda v: v > 1, t)
    return next(kept, -1), sum(kept)


def test_the_length_need_not_be_known() -> None:
    staged = tf.function(unknown_length, input_signature=[tf.TensorSpec([None], tf.int32)])
    for values in ([], [0], [1, 2, 3, 4], [5]):
        result = staged(tf.constant(values, tf.int32))
        assert tuple(int(part) for part in result) == unknown_length(values)


def expression_left_by_break(t):
    kept, rest = (v for v in t if v > 1), 0
    for v in kept:
        rest = v
        break
    for v in kept:
        rest += v
    return rest


def expression_left_by_any(t):
    kept = (v for v in t if v > 1)
    return any(v > 1 for v in kept), sum(kept)


def expression_asked_twice(t):
    kept = (v for v in t if v > 1)
    return next(kept, 0), next(kept, 0)


def generator_left_by_break(t):
    def kept():
        for v in t:
            if v > 1:
                yield v

    items, rest = kept(), 0
    for v in items:
        rest = v
        break
    for v in items:
        rest += v
    return rest


@pytest.mark.parametrize(
    "program",
    [expression_left_by_break, expression_left_by_any, expression_asked_twice, generator_left_by_break],
)
def test_a_generator_that_was_left_in_the_middle_is_not_gone_on_with(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match="cannot be gone on with: a loop or function that was staged has taken"):
        tf.function(program)(tf.constant([1, 2, 3]))


def moved_in_a_branch(t):
    kept, found = filter(lambda v: v > 1, t), 0
    if t[0] > 0:
        found = next(kept, 7)
    return found, kept


def moved_in_a_loop(t):
    kept, total = filter(lambda v: v > 1, t), 0
    while t[0] < 3:
        total += next(kept, 0)
        t = t + 1
    return total


@pytest.mark.parametrize("program", [moved_in_a_branch, moved_in_a_loop])
def test_an_iterator_of_outside_may_not_move_in_staged_code(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match="the iterator of the variable 'kept' is changed inside"):
        tf.function(program)(tf.constant([1, 2, 3]))
