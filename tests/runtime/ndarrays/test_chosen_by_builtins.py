"""Arrays, lists and objects that a builtin gives as a tensor decides: they are themselves, and writes reach them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def greatest_of_a_list(a: Any, x: Any) -> Any:
    best = max([a[1:3], a[:2], a[2:]], key=lambda row: row[0] * x)
    best[0] = 9.0
    return best


def greatest_of_arguments(a: Any, x: Any) -> Any:
    best = max(a[1:3], a[:2], key=lambda row: row[0] * x)
    best *= 3.0
    return best


def greatest_of_generated(a: Any, x: Any) -> Any:
    best = max((a[i : i + 2] for i in range(3)), key=lambda row: row[1] * x)
    best[:] = 0.0
    return best


def least_of_lists(a: Any, x: Any) -> Any:
    rows = [[1.0, 2.0], [3.0, 4.0]]
    best = min(rows, key=lambda row: row[0] * x)
    best[0] = 9.0
    best.append(x)
    return rows


def least_of_dicts(a: Any, x: Any) -> Any:
    first, second = {"v": 1.0}, {"v": 2.0}
    best = min(first, second, key=lambda table: table["v"] * x)
    best["v"] = 7.0
    return first, second, best is first


def next_of_arrays_or_another(a: Any, x: Any) -> Any:
    other = np.zeros(2)
    found = next((row for row in [a[1:3], a[2:4]] if row[0] > x), other)
    found[0] = 9.0
    return found, other


def next_of_arrays(a: Any, x: Any) -> Any:
    found = next(row for row in [a[1:3], a[2:4]] if row[0] > x - 3)
    found *= 9.0
    return found


def next_of_rows(a: Any, x: Any) -> Any:
    found = next(row for row in a.reshape(2, 2) if row[1] > x)
    found[0] = 9.0
    return found


def next_of_filtered_rows(a: Any, x: Any) -> Any:
    found = next(filter(lambda row: row[1] > x, a.reshape(2, 2)))
    found[0] = 9.0
    return found


def value_of_a_key_or_another(a: Any, x: Any) -> Any:
    rows, other = {1: a[:2], 2: a[2:4]}, np.zeros(2)
    found = rows.get(1 if x > 0 else 3, other)
    found[0] = 9.0
    return found, other


def array_or_none(a: Any, x: Any) -> Any:
    found = None
    for row in [a[1:3], a[2:4]]:
        if row[0] > x - 3:
            found = row
            break
    found *= 9.0
    return found


def list_or_none(a: Any, x: Any) -> Any:
    kept, found = [a[0]], None
    if x > -5:
        found = kept
    found += [x]
    return kept


def element_that_is_an_array(a: Any, x: Any) -> Any:
    rows = [a[:2], a[1:3]]
    if x > 0:
        rows[1] *= x
    rows[0] += x
    return rows


def attribute_that_is_an_array(a: Any, x: Any) -> Any:
    class Holder:
        row = a[1:]

    holder = Holder()
    holder.row += x
    return holder.row


@pytest.mark.parametrize(
    "program",
    [
        greatest_of_a_list, greatest_of_arguments, greatest_of_generated, least_of_lists, least_of_dicts,
        next_of_arrays_or_another, next_of_arrays, next_of_rows, next_of_filtered_rows, value_of_a_key_or_another,
        array_or_none, list_or_none, element_that_is_an_array, attribute_that_is_an_array,
    ],
    ids=lambda program: program.__name__,
)  # fmt: skip
@pytest.mark.parametrize("x", [1.0, -1.0, 2.5])
def test_writes_reach_what_was_chosen(program: Any, x: float) -> None:
    assert_same(program, np.arange(4.0), x, numbers="staged")
