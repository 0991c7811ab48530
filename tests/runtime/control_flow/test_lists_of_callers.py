"""Lists that grow in the graph and that callers, objects, iterators or the program around the trace refer to too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Shelf:
    def __init__(self) -> None:
        self.books: list[Any] = []
        self.same = self.books

    def fill(self, n):
        grow(self.books, n)
        return len(self.same)


def put(items, x):
    if x > 0:
        items.append(x)


def grow(items, n):
    for i in range(n):
        if i != 1:
            items.append(i)


def by_a_function(n):
    kept = []
    put(kept, n)
    put(kept, n - 1)
    return kept, len(kept)


def by_a_function_in_a_branch(n):
    kept, other = [0], [1]
    both = (kept, other)

    def forward(them, x):
        put(them[0], x)
        grow(them[1], x)

    if n > 1:
        forward(both, n)
        length = len(kept)
    else:
        length = -len(other)
    return kept, other, length, len(both[0])


def by_a_function_in_a_loop(n):
    kept = []
    for i in range(n):
        put(kept, i)
        grow(kept, i)
    return kept


def by_a_method(n):
    shelf = Shelf()
    for_it = {"shelf": [shelf]}
    return shelf.fill(n), len(for_it["shelf"][0].books), shelf.books


def several_callers(n):
    def first(them, x):
        second(them, x)
        return len(them)

    def second(those, x):
        put(those, x)
        if x > 2:
            put(those, x + 1)

    items = []
    if n > 0:
        a = first(items, n)
    else:
        a = first(items, -n)
    return a, items


def put_or_raise(rows, n):
    if n < 0:
        raise ValueError(n)
    else:
        if n > 1:
            rows[-1].append(n)


def beside_a_branch_that_raises(n):
    row = [n, 1]
    rows = [row, row]
    put_or_raise(rows[::-1], n)
    return len(row), rows


def beside_a_branch_that_raises_in_a_try(n):
    row = [n, 1]
    try:
        put_or_raise([row], n)
        put_or_raise([row], n - 2)
    except ValueError:
        row[0] = 7
    return len(row), row


CALLERS = [
    by_a_function, by_a_function_in_a_branch, by_a_function_in_a_loop, by_a_method, several_callers,
    beside_a_branch_that_raises, beside_a_branch_that_raises_in_a_try,
]  # fmt: skip


@pytest.mark.parametrize("program", CALLERS)
def test_callers_that_kept_the_list_see_it_grow(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5, -4)


def test_a_list_from_around_the_trace_grows_for_its_holders() -> None:
    data: dict[str, Any] = {"kept": []}

    @tf.function
    def program(items, n):
        put(items, n)
        return n

    items = data["kept"]
    for n in (1, 2, -2):
        program(items, tf.constant(n))
    assert data["kept"] is items and items == [1, 2]
    del items
    program(data["kept"], tf.constant(3))
    assert data == {"kept": [1, 2, 3]}


@pytest.mark.parametrize("keep", [iter, lambda items: [items.append], lambda items: map(abs, items), enumerate])
def test_what_can_be_given_no_other_list_is_a_reason_to_refuse(keep: Callable[..., Any]) -> None:
    def program(n):
        items = [1]
        kept = keep(items)
        if n > 0:
            items.append(n)
        return n, kept is None

    with pytest.raises(StagingError, match=r"_callers.py:\d+\).* refers to it too; make that after the statement"):
        tf.function(program)(tf.constant(1))


BEFORE: list[Any] = []
SHELF = Shelf()


def add_to_global(n):
    grow(BEFORE, n)
    return len(BEFORE)


def reset_and_fill(n):
    SHELF.books = SHELF.same = []
    filled = SHELF.fill(n)
    SHELF.books = SHELF.same = []
    return filled


def test_a_global_list_is_refused_and_stays() -> None:
    for _ in range(2):
        with pytest.raises(StagingError, match=r"_callers.py:\d+\).* refers to it too; change a copy"):
            tf.function(add_to_global)(tf.constant(2))
    assert BEFORE == []


def test_a_list_of_an_object_grows_under_both_names() -> None:
    shelf, plain = Shelf(), Shelf()
    fill = tf.function(shelf.fill)
    for n in (2, 0, 3):
        assert int(fill(tf.constant(n))) == plain.fill(n)
        assert shelf.books is shelf.same and [int(book) for book in shelf.books] == plain.books


def test_a_list_that_the_trace_puts_into_an_object_grows() -> None:
    assert_same(reset_and_fill, 3, 0)
    SHELF.books = SHELF.same = []


def grid(n):
    rows = [[], []]
    grow(rows[0], n)
    return rows


def made_in_a_branch(n):
    if n > 1:
        rows = grid(n)
        shelf = Shelf()
        length = shelf.fill(n)
    else:
        rows = grid(n + 3)
        length = -1
    return rows, length


def made_in_a_loop(n):
    k = 0
    while k < 2:
        rows = {"a": grid(n + k)}
        k += 1
    return rows


@pytest.mark.parametrize("program", [made_in_a_branch, made_in_a_loop])
def test_lists_in_objects_that_a_statement_makes(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 4)
