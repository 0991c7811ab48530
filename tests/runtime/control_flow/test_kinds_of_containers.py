"""`isinstance`, `type` and `match` of lists that grow, and of one of several lists: as of a list of Python's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


def grown(x):
    items = []
    if x > 2:
        items.append(x)
    return items


def is_a_list(x):
    items = grown(x)
    return isinstance(items, list), isinstance(items, (tuple, Sequence)), isinstance(items, dict), callable(items)


def has_type_list(x):
    return type(grown(x)) is list, type(grown(x)) is tuple


def has_methods_of_lists(x):
    items = grown(x)
    return hasattr(items, "append"), hasattr(items, "keys")


def rows_that_are_lists(x):
    rows = [[1], [2]]
    row = rows[0] if x > 2 else rows[1]
    rows.insert(0, row)
    rows[0].append(4)
    return sum([1 for t in rows if isinstance(t, list)]), sum([sum(t) for t in rows if isinstance(t, list)])


def flat(items):
    found = []
    for item in items:
        if isinstance(item, list):
            found += flat(item)
        else:
            found.append(item)
    return found


def flattened(x):
    inner = [1, 2]
    if x > 2:
        inner.append(3)
    return sum(flat([inner, [4, [5]]]))


def rows_of_several_lengths(x):
    rows = [[x], [x, 1]]
    if x > 2:
        rows.append([x, 2, 3])
    first = rows[0]
    return isinstance(first, list), type(rows[1]) is list, sum([len(t) for t in rows if isinstance(t, list)])


def class_pattern(x):
    match grown(x):
        case dict():
            return 1
        case list():
            return 2
    return 3


def row_put_where_others_are(x):
    rows = [[1, x], [x, 2]]
    grid = [list(t) for t in rows]
    if x % 3 == 1:
        pass
    else:
        match abs(x) % 3:
            case 0:
                pass
            case 1 | 2:
                rows.append(grid[x % 2])
    return len(rows)


PROGRAMS = (
    is_a_list, has_type_list, has_methods_of_lists, rows_that_are_lists, flattened, class_pattern,
    rows_of_several_lengths, row_put_where_others_are,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


def first_row(x):
    left, right = [x, 2], [x, 5]
    rows = [left, right]
    if x > 2:
        rows.append([x, 1])
    return 1 if rows[0] is left else 0


def rows_that_are_one(x):
    rows = [[x, 1]] * 2
    if x > 2:
        rows.append([x, 1])
    return 1 if rows[0] is rows[1] else 0


def found_in_a_loop(x):
    left, right = [x, 2], [x, 5]
    rows = [left, right]
    if x > 2:
        rows.append([x, 1])
    for row in rows:
        if row is right:
            return 1
    return 0


def first_row_of_several_lengths(x):
    left, right = [x, 2], [x, 5, 1]
    rows = [left, right]
    if x > 2:
        rows.append(rows[0])
    return 1 if rows[0] is left else 0


REFUSED = (first_row, rows_that_are_one, found_in_a_loop, first_row_of_several_lengths)


@pytest.mark.parametrize("program", REFUSED, ids=lambda f: f.__name__)
def test_rows_of_a_list_that_grows_are_not_compared_by_identity(program: Callable[[Any], Any]) -> None:
    with pytest.raises(StagingError, match="`is` compares lists, dicts or objects of which the graph has a copy"):
        tf.function(program)(tf.constant(3))


def lists_with_names(x):
    first, second = grown(x), grown(x)
    chosen = first if x > 0 else second
    return chosen is first, first is second, first is first


def test_lists_that_grow_and_have_names_are_compared() -> None:
    assert_same(lists_with_names, 3, 1, -1)
