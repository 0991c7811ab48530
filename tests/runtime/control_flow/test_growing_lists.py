"""Python lists whose length depends on a tensor: they become lists that grow in the graph, wherever they are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Log:
    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)

    def add_if_positive(self, x):
        if x > 0:
            self.add(x)


def in_a_loop(n):
    items = []
    for i in range(n):
        items.append(i * i)
    return items


def in_one_branch(n):
    items = []
    if n > 1:
        items.append(n)
    return items


def other_lengths(n):
    items = [0]
    if n > 1:
        items.extend([n, n + 1])
    else:
        items.append(5)
    return items, len(items)


def several_at_once(n):
    items = [1]
    for i in range(n):
        if i > 1:
            items.append(i)
            items.append(-i)
    return items


def of_an_object(n):
    log = Log()
    for i in range(n):
        log.add(i)
        log.add_if_positive(i - 1)
    return log.items


def by_a_helper(n):
    items = [0.5]

    def put(x):
        if x > 0:
            items.append(x / 2)

    put(n)
    put(n - 1)
    return items


def in_both_kinds_of_branches(n):
    items = []
    if n > 0:
        for i in range(n):
            items.append(i)
    else:
        items.append(7)
    return len(items)


def pairs(n):
    items = []
    for i in range(n):
        items.append((i, i + 1))
    return items


def under_two_names(n):
    items = []
    box = {"items": items}
    for i in range(n):
        items.append(i)
        box["items"].append(-i)
    return items, box["items"]


def in_nested_loops(n):
    items = []
    for i in range(n):
        for j in range(i):
            items.append(i * j)
    return items


def used_after(n):
    items = [3]
    while n > 0:
        items.append(n)
        n -= 1
    total = 0
    for x in items:
        total += x
    return total + items[0]


@pytest.mark.parametrize(
    "program",
    [
        in_a_loop, in_one_branch, other_lengths, several_at_once, of_an_object, in_both_kinds_of_branches, pairs,
        under_two_names, in_nested_loops, used_after,
    ],
)  # fmt: skip
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


def test_floats() -> None:
    assert_same(by_a_helper, -1.0, 0.5, 3.0)


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


CALLERS = [by_a_function, by_a_function_in_a_branch, by_a_function_in_a_loop, by_a_method, several_callers]


@pytest.mark.parametrize("program", CALLERS)
def test_callers_that_kept_the_list_see_it_grow(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5, -4)


def test_a_list_from_around_the_trace_is_refused() -> None:
    data: dict[str, Any] = {"kept": []}

    @tf.function
    def program(items, n):
        put(items, n)
        return n

    items = data["kept"]
    with pytest.raises(StagingError, match=r"_lists.py:\d+\).*the variable 'items' of .* refers to it"):
        program(items, tf.constant(1))
    del items
    with pytest.raises(StagingError, match=r"_lists.py:\d+\).*a dict refers to it"):
        program(data["kept"], tf.constant(1))
    assert data == {"kept": []}


@pytest.mark.parametrize("keep", [iter, lambda items: items.append, lambda items: map(abs, items), enumerate])
def test_what_can_be_given_no_other_list_is_a_reason_to_refuse(keep: Callable[..., Any]) -> None:
    def program(n):
        items = [1]
        kept = keep(items)
        if n > 0:
            items.append(n)
        return n, kept is None

    with pytest.raises(StagingError, match=r"_lists.py:\d+\).* refers to it too; make that after the statement"):
        tf.function(program)(tf.constant(1))


def test_objects_that_are_no_tensors_cannot_be_collected() -> None:
    def program(n):
        items = [print]
        if n > 0:
            items.append(len)
        return n

    with pytest.raises(StagingError, match=r"the list of the variable 'items' is changed inside a branch .*cannot be"):
        tf.function(program)(tf.constant(1))


def replaced_beside_an_alias(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    return a, b


def replaced_without_an_alias(n):
    a = [1, 2]
    if n > 0:
        a = [3, 4]
    a[0] += n
    return a


@pytest.mark.parametrize("program", [replaced_beside_an_alias, replaced_without_an_alias])
def test_lists_that_are_replaced_in_one_branch(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2)


def old_changed_after(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    b[0] = 10
    return a


def new_changed_after(n):
    a = [1, 2]
    b = a
    if n > 0:
        a = [3, 4]
    a[0] = 10
    return b


@pytest.mark.parametrize("program", [old_changed_after, new_changed_after])
def test_a_change_of_a_list_that_may_be_another_is_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="replaced by another one in one branch"):
        tf.function(program)(tf.constant(1))


def changed_and_replaced(n):
    a = [1, 2]
    for _ in range(n):
        a[0] += 1
        a = [a[1], a[0]]
    return a


def test_a_list_that_is_changed_and_replaced_in_a_loop() -> None:
    assert_same(changed_and_replaced, 0, 1, 2, 3)

    def program(n):
        a = [1, 2]
        b = a
        for _ in range(n):
            a[0] += 1
            a = [a[1], a[0]]
        return b

    with pytest.raises(StagingError, match="'a' is changed in place and bound to another object"):
        tf.function(program)(tf.constant(1))


def test_a_loop_goes_on_while_a_list_has_elements() -> None:
    def program(n):
        stack, rounds = [n], 0
        while stack:
            k = stack.pop()
            rounds += 1
            if k > 0:
                stack.append(k - 1)
        return rounds

    assert_same(program, 3, 0)


BEFORE: list[Any] = []
SHELF = Shelf()


def add_to_global(n):
    grow(BEFORE, n)
    return len(BEFORE)


def add_to_object(n):
    return SHELF.fill(n)


def reset_and_fill(n):
    SHELF.books = SHELF.same = []
    return SHELF.fill(n)


@pytest.mark.parametrize("program", [add_to_global, add_to_object])
def test_a_list_that_outlives_the_trace_is_refused_and_stays(program: Callable[..., Any]) -> None:
    for _ in range(2):
        with pytest.raises(StagingError, match=r"_lists.py:\d+\).* refers to it too; return it from the function"):
            tf.function(program)(tf.constant(2))
    assert BEFORE == SHELF.books == []


def test_a_list_that_the_trace_puts_into_an_object_grows() -> None:
    assert_same(reset_and_fill, 3, 0)
    SHELF.books = SHELF.same = []
