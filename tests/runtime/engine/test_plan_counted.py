"""Loops that count are `for` loops of the plan, with the values of `while` in the loop, behind it, after a break."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

import runtime as tf


def up(start, end, step):
    total = start * 0
    i = start
    while i < end:
        total = total * 3 + i
        i += 2
    return total, i


def up_to(start, end, step):
    total = start * 0
    i = start
    while end >= i:
        total = total * 3 + i
        i = 3 + i
    return total, i


def down(start, end, step):
    total = start * 0
    i = start
    while end < i:
        total = total * 3 + i
        i -= 1
    return total, i


def down_to(start, end, step):
    total = start * 0
    i = start
    while i >= end:
        total = total * 3 + i
        i -= 4
    return total, i


def constant_end(start, end, step):
    i = start
    total = 0
    while i <= 7:
        i += 1
        total += i * i
    return total, i


def with_another_condition(start, end, step):
    i = start
    total = start * 0
    while tf.logical_and(i < end, total < 20):
        total += i
        i += 1
    return total, i


def left_early(start, end, step):
    total = start * 0
    last = 100
    for i in range(10):
        last = i
        if total > end:
            break
        total += i + start
    else:
        total += 1000
    return total, last


def nested(start, end, step):
    total = 0
    for i in range(end):
        for j in range(i, end):
            if j == 3:
                continue
            total += i * j + start
    return total, end


def end_that_changes(start, end, step):
    i = start
    while i < end:
        i += 1
        if i == 3:
            end = end - 2
    return i, end


def variable_read_in_the_next_turn(start, end, step):
    before = start - 1
    i = start
    while i < end:
        before = before * 2 + i
        i += 1
        before += i
    return before, i


ALL = [up, up_to, down, down_to, constant_end, with_another_condition, left_early, nested, end_that_changes,
       variable_read_in_the_next_turn]  # fmt: skip


@pytest.mark.parametrize("program", ALL, ids=lambda f: f.__name__)
def test_as_python_counts(program: Callable[..., Any]) -> None:
    function = tf.function(program, backend="numpy")
    for start, end in product((-3, 0, 2, 7, 8), (-5, 0, 3, 8)):
        found = function(*[tf.constant(v) for v in (start, end, 1)])
        wanted = program(start, end, 1)
        assert [t.numpy() for t in found] == [np.int32(v) for v in wanted], (start, end)


@pytest.mark.parametrize(
    ("program", "head"),
    [
        (down, "for v0 in range(v0, v2, -1):"), (constant_end, "for v0 in range(v0, 8):"),
        (with_another_condition, "for v0 in range(v0, v2):"), (nested, "for v6 in range(v6, v5):"),
    ],
)
def test_the_code(program: Callable[..., Any], head: str) -> None:
    lowered = tf.function(program, backend="numpy").lower(*[tf.constant(v) for v in (1, 5, 1)])
    text = lowered.as_text("plan")
    assert head in text and "while v" not in text, text


def test_a_step_that_may_leave_the_dtype_is_no_range() -> None:
    @tf.function(backend="numpy")
    def wraps(start, end):
        turns = 0
        i = start
        while i < end:
            turns += 1
            i += 2
        return turns, i

    most = np.iinfo(np.int32).max
    small = wraps.lower(tf.constant(0), tf.constant(5)).as_text("plan")
    assert "while v" in small
    assert [t.numpy() for t in wraps(tf.constant(most - 4), tf.constant(most - 1))] == [2, most]
