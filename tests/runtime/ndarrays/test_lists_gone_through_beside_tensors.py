"""Lists and tuples that a loop goes through beside what only the run knows: their items are what they hold by then."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def arrays_beside_an_array(a: Any, n: Any) -> Any:
    for row, weight in zip([a[:2], a[2:4]], a[4:], strict=True):
        row += weight
        if weight > 2.0:
            row[0] = 7.0


def arrays_beside_a_range(a: Any, n: Any) -> Any:
    for row, weight in zip([a[:2], a[2:4]], range(n + 1)):
        row += weight


def arrays_in_a_tuple(a: Any, n: Any) -> Any:
    for row, weight in zip((a[:2], a[2:4]), range(n + 1)):
        row += weight


def arrays_that_are_made(a: Any, n: Any) -> Any:
    rows = [np.zeros(2), np.ones(2)]
    for row, weight in zip(rows, range(n + 1)):
        row += weight
    return rows


def rows_of_two(a: Any, n: Any) -> Any:
    for u, v, weight in zip(a.reshape(3, 2), [a[:2], a[4:]], range(n + 1)):
        u += v[::-1]
        v += weight


def numbered(a: Any, n: Any) -> Any:
    for i, row in enumerate([a[:2], a[2:4]], start=n):
        row += i


def lists(a: Any, n: Any) -> Any:
    rows = [[1.0], [2.0]]
    for row, weight in zip(rows, a):
        row.append(weight)
        if weight > 2.0:
            row[0] = weight
    return rows


def lists_in_a_tuple(a: Any, n: Any) -> Any:
    rows = ([1.0], [2.0])
    for row, weight in zip(rows, range(n + 1)):
        row[0] += weight
    return rows


def numbers_that_change(a: Any, n: Any) -> Any:
    items, total = [1.0, 2.0, 3.0], 0.0
    for item, weight in zip(items, range(n + 1)):
        items[2] = 10.0
        total += item * weight
    return items, total


def numbers_that_a_branch_changes(a: Any, n: Any) -> Any:
    items = [1.0, 2.0, 3.0]
    for item, weight in zip(items, a):
        if weight > 2.0:
            items[2] = item + weight
    return items


def changed_before_it_begins(a: Any, n: Any) -> Any:
    items = [1.0, 2.0, 3.0]
    products = map(lambda item, weight: item * weight, items, a)
    pairs = zip(a, items)
    items[1] = a[3]
    items.append(4.0)
    return list(products), [item * weight for item, weight in pairs]


def that_grows(a: Any, n: Any) -> Any:
    items, total = [1.0, 2.0], 0.0
    for item, weight in zip(items, range(n + 5)):
        if len(items) < 4:
            items.append(item + weight)
        total += item * weight
    return items, total


def nested(a: Any, n: Any) -> Any:
    items, total = [1.0, 2.0, 3.0], 0.0
    for (item, weight), _ in zip(zip(items, a), range(n + 1)):
        items[1] = 10.0
        total += item * weight
    return total


@pytest.mark.parametrize(
    "program",
    [
        arrays_beside_an_array, arrays_beside_a_range, arrays_in_a_tuple, arrays_that_are_made, rows_of_two, numbered,
        lists, lists_in_a_tuple, numbers_that_change, numbers_that_a_branch_changes, changed_before_it_begins,
        that_grows, nested,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
@pytest.mark.parametrize("n", [0, 1, 3])
def test_as_numpy_and_python_do(program: Any, n: int) -> None:
    assert_same(program, np.arange(6.0), n, numbers="staged")
