"""Python lists that take in a list that grows in the graph, under all their names; slices and multiples of those."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError

Numbers = Callable[[Any], Any]


class Bag:
    """An object that holds a list."""

    def __init__(self, items: Any) -> None:
        self.items = items


def grown(x: Any) -> Any:
    items = [x, 1]
    if x > 2:
        items.append(7)
    return items


def by_augmented_assignment(x: Any) -> Any:
    a = [x]
    b = a
    a += grown(x)
    return a, b, 1 if a is b else 0


def of_an_element(x: Any) -> Any:
    a = [x]
    rows = [a]
    rows[0] += grown(x)
    return a, rows


def of_an_attribute(x: Any) -> Any:
    bag = Bag([x])
    same = bag.items
    bag.items += grown(x)
    return bag.items, same


def by_operator(x: Any) -> Any:
    a = [x]
    b = operator.iadd(a, grown(x))
    return a, b


def by_extend(x: Any) -> Any:
    a = [x]
    b = a
    a.extend(grown(x))
    a.append(3)
    return b


def by_a_slice(x: Any) -> Any:
    a = [x, 4, 5]
    rows = [a]
    a[1:2] = grown(x)
    return a, rows


def in_a_helper(x: Any) -> Any:
    def add(items: Any) -> None:
        items += grown(x)

    a = [x]
    add(a)
    return a


def in_a_branch(x: Any) -> Any:
    a = [x]
    b = a
    if x > 3:
        a += grown(x)
    else:
        a.extend(grown(x + 2))
    return a, b


def in_a_loop(x: Any) -> Any:
    a = [x]
    b = a
    for i in range(x):
        a += grown(i)
    return a, b


def the_sum_is_another_list(x: Any) -> Any:
    a = [x]
    b = a
    a = a + grown(x)
    c = operator.add(b, grown(x))
    return a, b, c


def multiples(x: Any) -> Any:
    a = grown(x)
    b = a
    a *= 3
    return a, b, a * 0, 2 * a, a * -1, b is a


def slices_of_names(x: Any) -> Any:
    a = grown(x)
    b = a
    a[1:] = [5, x, 6]
    a[:1] = a
    c = grown(x)
    del c[:1]
    c[len(c) :] = grown(x)
    return a, b, c


PROGRAMS = [
    by_augmented_assignment, of_an_element, of_an_attribute, by_operator, by_extend, by_a_slice, in_a_helper,
    in_a_branch, in_a_loop, the_sum_is_another_list, multiples, slices_of_names,
]  # fmt: skip


@pytest.mark.parametrize("function", PROGRAMS)
def test_all_names_see_what_python_lists_take_in(function: Numbers) -> None:
    staged = runtime.function(function)
    for x in (0, 1, 3, 4):
        assert runtime.nest.map_structure(int, staged(runtime.constant(x))) == runtime.nest.map_structure(
            int, function(x)
        )


def test_a_list_that_python_made_takes_in_one_that_a_graph_gave() -> None:
    given = runtime.autograph.tensor_list([runtime.constant(1), runtime.constant(2)])
    items = [5]
    same = items
    items += given
    assert [int(item) for item in same] == [5, 1, 2]


BOUNDS = (None, 0, 1, 2, 5, -1, -2, -9)


@pytest.mark.parametrize("start", BOUNDS)
def test_slices_are_set_and_deleted_as_python_does(start: int | None) -> None:
    @runtime.function
    def changed(x: Any, bounds: Any) -> Any:
        found = []
        for stop in BOUNDS:
            for low, high in ((start, stop), (bounds[0], None if stop is None else bounds[0] * 0 + stop)):
                a, b = grown(x), grown(x)
                a[low:high] = [8, x]
                del b[low:high]
                found += [a, b]
        return found

    for x in (1, 3):
        expected = []
        for stop in BOUNDS:
            for low in (start, start or 0):
                a, b = grown(x), grown(x)
                a[low:stop] = [8, x]
                del b[low:stop]
                expected += [a, b]
        found = changed(runtime.constant(x), runtime.constant([start or 0]))
        assert runtime.nest.map_structure(int, found) == expected


def test_errors_are_those_of_python() -> None:
    @runtime.function
    def deleted(x: Any, i: Any) -> Any:
        a = grown(x)
        del a[i]
        return a

    assert [int(item) for item in deleted(runtime.constant(3), runtime.constant(-3))] == [1, 7]
    with pytest.raises(IndexError, match="list assignment index out of range"):
        deleted(runtime.constant(1), runtime.constant(2))
    with pytest.raises(IndexError, match="list assignment index out of range"):
        deleted(runtime.constant(1), runtime.constant(-3))

    @runtime.function
    def of_a_number(x: Any) -> Any:
        a = grown(x)
        a[1:] = 5
        return a

    with pytest.raises(TypeError, match="can only assign an iterable"):
        of_a_number(runtime.constant(3))

    @runtime.function
    def by_a_fraction(x: Any) -> Any:
        return grown(x) * 1.5

    with pytest.raises(TypeError, match="can't multiply sequence by non-int of type 'float'"):
        by_a_fraction(runtime.constant(3))


def test_a_list_of_the_caller_takes_in_one_that_grows() -> None:
    kept = [1]

    @runtime.function
    def of_the_caller(items: Any, x: Any) -> Any:
        items += grown(x)
        return items

    wanted = [1]
    wanted += grown(3)
    assert of_the_caller(kept, runtime.constant(3)) == wanted and kept == wanted


def test_a_method_that_is_kept_follows_its_list() -> None:
    def with_a_method_kept(x: Any) -> Any:
        a = [x]
        put = a.append
        a += grown(x)
        put(5)
        return a

    staged = runtime.function(with_a_method_kept)
    for value in (1, 3, 6):
        assert [int(v) for v in staged(runtime.constant(value))] == with_a_method_kept(value)


def test_what_a_graph_cannot_do_is_refused() -> None:
    @runtime.function
    def with_a_method_in_a_list(x: Any) -> Any:
        a = [x]
        put = [a.append]
        a += grown(x)
        put[0](5)
        return a

    with pytest.raises(StagingError, match="the list 'a' takes in elements of which only the run knows how many"):
        with_a_method_in_a_list(runtime.constant(3))

    @runtime.function
    def displayed(x: Any) -> Any:
        return (*grown(x), x)

    with pytest.raises(runtime.errors.OperatorNotAllowedInGraphError, match=r"use a list \(`\[\*l, x\]`\)"):
        displayed(runtime.constant(3))


def test_rows_of_which_only_the_run_knows_the_number_are_taken_in() -> None:
    @runtime.function(input_signature=[runtime.TensorSpec([None], runtime.int32)])
    def rows(x: Any) -> Any:
        a = [0]
        b = a
        a.extend(x)
        a.append(9)
        return b

    assert [int(item) for item in rows(runtime.constant([1, 2]))] == [0, 1, 2, 9]
    assert [int(item) for item in rows(runtime.constant([], runtime.int32))] == [0, 9]


def test_a_part_of_an_array_is_taken_in() -> None:
    def parts(array: Any, n: Any) -> Any:
        a = [0]
        b = a
        a.extend(array[n:])
        return b

    array = np.array([3, 4, 5])
    found = runtime.function(parts)(array, runtime.constant(1))
    assert [int(item) for item in found] == parts(array, 1) and found[1].dtype == runtime.int64


def again_in_a_list(x: Any) -> Any:
    a = [x]
    found = []
    for row in [a, a]:
        if not found and x > 1:
            row.append(7)
        found.append(len(row))
    return found


def again_in_enumerate(x: Any) -> Any:
    a = [x]
    found = []
    for k, row in enumerate((a, a)):
        if k == 0 and x > 1:
            row.append(7)
        found.append(len(row))
    return found


def again_in_zip(x: Any) -> Any:
    a = [x]
    rows = [a, a]
    found = []
    for row, k in zip(rows[:2], (1, 2), strict=True):
        if k == 1 and x > 1:
            row.append(7)
        found.append(len(row))
    return found


@pytest.mark.parametrize("function", [again_in_a_list, again_in_enumerate, again_in_zip])
def test_a_list_that_a_loop_goes_through_again_is_refused(function: Numbers) -> None:
    with pytest.raises(StagingError, match="a loop around goes through it"):
        runtime.function(function)(runtime.constant(2))


def once_each(x: Any) -> Any:
    a, b = [x], [1, 2]
    rows = [a, b, a]
    for row in (a, b):
        if x > 1:
            row.append(7)
    for row in rows:
        if x > 2:
            row.append(8)
    return a, b


def test_lists_that_a_loop_goes_through_once_grow() -> None:
    staged = runtime.function(once_each)
    for x in (1, 2, 3):
        assert runtime.nest.map_structure(int, staged(runtime.constant(x))) == once_each(x)
