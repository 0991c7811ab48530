"""Lists, dicts and objects as elements of a list that grows: a change that it would not see is refused."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


@dataclasses.dataclass
class Item:
    size: Any
    name: Any = 1


def pairs(n):
    rows = []
    for i in range(n):
        row = [i, i * i]
        row[1] += 1
        rows.append(row)
    return rows, len(rows)


def objects(n):
    items = []
    for i in range(n):
        items.append(Item(i))
    total = 0
    for item in items:
        total += item.size * item.name
    return total


def made_in_a_branch(n):
    rows = []
    if n > 0:
        row = {"a": n}
        rows.append(row)
    else:
        row = {"a": 0}
    return len(rows), row["a"]


def work_list(n):
    states = [(n, 0)]
    steps = 0
    while states:
        left, depth = states.pop()
        steps += depth
        if left > 1:
            states.append((left - 1, depth + 1))
            states.append((left - 2, depth + 1))
    return steps


@pytest.mark.parametrize("program", [pairs, objects, made_in_a_branch, work_list])
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 4)


def changed_after(n):
    rows = []
    for i in range(n):
        row = [i]
        rows.append(row)  # here
        row[0] = 7
    return rows


def changed_after_the_loop(n):
    rows, row = [], [0]
    for i in range(n):
        rows.append(row)  # here
    row[0] = 7
    return rows


def changed_after_the_branch(n):
    rows, row = [], [0]
    if n > 0:
        row = [n]
        rows.append(row)  # here
    row[0] = 7
    return rows


def changed_while_going_through(n):
    rows = []
    for i in range(n):
        rows.append({"a": i})
    for row in rows:  # here
        row["a"] = 1
    return rows


def changed_object(n):
    items = []
    item = Item(0)
    for i in range(n):
        items.append(item)  # here
        item.size += i
    return items


def changed_array(n):
    items = []
    a = np.zeros(2)
    for i in range(n):
        items.append(a)  # here
    a[0] = 1
    return items


def changed_first_row(n):
    row = [0]
    rows = [row]
    for i in range(n):  # here
        rows.append([i])
    row[0] = 5
    return rows


def changed_in_each_iteration(n):
    rows, row = [], [0, 0]
    for i in range(n):
        row[0] = i
        if i > 0:
            rows.append(row)  # here
    return rows


def changed_list_in_each_iteration(n):
    rows, row = [], []
    for i in range(n):
        row.append(i)
        if i > 0:
            rows.append(row)  # here
    return rows


def put_in_two_lists(n):
    first, second = [], []
    for i in range(n):
        row = [i]
        first.append(row)  # here
        second.append(row)
        row.append(n)
    return first, second


def read_from_one_put_into_another(n):
    first, second = [[]], []
    for i in range(n):
        second.append(first[-1])  # here
        first[-1].append(i)
    return second


CHANGED = [
    changed_after, changed_after_the_loop, changed_after_the_branch, changed_while_going_through, changed_object,
    changed_array, changed_first_row, changed_in_each_iteration, changed_list_in_each_iteration, put_in_two_lists,
    read_from_one_put_into_another,
]  # fmt: skip


@pytest.mark.parametrize("program", CHANGED)
def test_a_change_that_the_list_would_not_see_is_refused(program: Callable[..., Any]) -> None:
    lines, first = inspect.getsourcelines(program)
    line = first + next(i for i, text in enumerate(lines) if "# here" in text)
    with pytest.raises(StagingError, match="is an element of a list that grows in the graph") as caught:
        tf.function(program)(tf.constant(2))
    assert re.search(rf"test_rows_in_growing_lists\.py:{line}\b", str(caught.value)), str(caught.value)


def empty_tuples(n):
    rows = []
    for i in range(n):
        rows.append(())
    return rows


def nothing(n):
    items = []
    for i in range(n):
        items.append(None)
    return items


def perhaps_nothing(n):
    items = [0]
    for i in range(n):
        items.append(i if i > 1 else None)
    return items


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (empty_tuples, r"is \(\), which holds nothing .* Keep one list of all items and the number of the row"),
        (nothing, "got None. Keep a number that stands for None"),
        (perhaps_nothing, "got a value that is None in some runs. Keep a number that stands for None"),
    ],
)
def test_what_cannot_be_an_element(program: Callable[..., Any], message: str) -> None:
    with pytest.raises(StagingError, match=message):
        tf.function(program)(tf.constant(2))
