"""Attributes that iterations bind to views at positions that only the run knows: they are views when it is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

TABLE = np.arange(12.0).reshape(3, 4)
TOTAL = np.zeros(4)


class Model:
    def __init__(self) -> None:
        self.m = np.arange(12.0).reshape(4, 3).T
        self.first = self.m[0]
        self.row: Any = self.first


def at_the_counter(model, n, x):
    i = 0
    while i < n:
        model.row = TABLE[i % 3]
        i += 1


def of_a_known_part(model, n, x):
    for _ in range(n):
        model.row = TABLE[1]


def through_several_steps(model, n, x):
    for _ in range(n):
        model.row = TABLE[None, ..., n % 3][0]


def reversed_beside_a_write(model, n, x):
    for i in range(n):
        model.row = TABLE[i % 3][::-1]
    TOTAL[0] = x


def of_a_variable(model, n, x):
    row = model.row
    for i in range(n):
        row = TABLE[i % 3]
    TOTAL[0] = x
    model.row = row


def in_a_branch(model, n, x):
    for i in range(n):
        if i % 2 == 1:
            model.row = TABLE[i % 3]
        else:
            model.row = model.m[i % 3]


def written_in_the_next_call(model, n, x):
    model.row[0] += x
    for i in range(n):
        model.row = TABLE[i % 3]


PROGRAMS = [
    at_the_counter, of_a_known_part, through_several_steps, reversed_beside_a_write, of_a_variable, in_a_branch,
    written_in_the_next_call,
]  # fmt: skip


def history(function: Callable[..., Any], number: Callable[[Any], Any]) -> list[Any]:
    model, found = Model(), []
    TABLE[:], TOTAL[:] = np.arange(12.0).reshape(3, 4), 0
    for call, n in enumerate((0, 1, 0, 2, 5)):
        if call == 2:
            model.row = model.first
        function(model, number(n), number(1.5))
        places = [np.shares_memory(model.row, array) for array in (model.m, TABLE, *model.m, *TABLE)]
        contents = [np.asarray(array).tolist() for array in (model.row, model.m, TABLE, TOTAL)]
        found.append((type(model.row), model.row is model.first, places, contents))
        model.row[-1] += 1  # the caller's write reaches what it is a view of
    return found


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_numpy(program: Callable[..., Any]) -> None:
    def constant(value: Any) -> Any:
        return tf.constant(value, tf.float64 if isinstance(value, float) else None)

    assert history(tf.function(program), constant) == history(program, lambda value: value)
