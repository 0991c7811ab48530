"""`x += v` where v is one of several objects or a list that grows: what x was bound to changes, under all its names."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import pytest

import autograph
import runtime as tf
from autograph.errors import StagingError


def grown(x: Any) -> Any:
    items = []
    for i in tf.range(tf.cast(tf.abs(x), tf.int32)):
        items.append(i)
    return items


def list_takes_one_of_several(x):
    a, b = [1, 2], [3]
    items = [5]
    same = items
    items += a if x > 0 else b
    return len(same), same is items


def list_takes_one_that_grows(x):
    items = [5]
    same = items
    items += grown(x)
    return len(same), same is items


def attribute_takes_one_that_grows(x):
    class Box:
        pass

    box = Box()
    box.items = [5]
    same = box.items
    box.items += grown(x)
    return len(same), same is box.items


def by_the_function(x):
    items = [5]
    same = operator.iadd(items, grown(x))
    return len(same), same is items


def a_number_that_is_one_of_several(x):
    total = 1
    for row in ([1, 2], [3, 4]):
        total += row[0 if x > 0 else 1]
    return total, x > 0


def the_sum_is_another_list(x):
    items = [5]
    same = items
    items = items + grown(x)
    return len(same), same is items


PROGRAMS = (
    list_takes_one_of_several, list_takes_one_that_grows, attribute_takes_one_that_grows, by_the_function,
    a_number_that_is_one_of_several, the_sum_is_another_list,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for x in (3.0, -2.0):
        expected = [int(part) for part in program(tf.constant(x))]
        assert [int(part) for part in staged(tf.constant(x))] == expected


def union(s, r):
    s |= r
    return s


def difference(s, r):
    s -= r
    return s


def common(s, r):
    s &= r
    return s


def either(s, r):
    s ^= r
    return s


@pytest.mark.parametrize("update", [union, difference, common, either], ids=lambda f: f.__name__)
def test_a_set_that_takes_in_one_of_several_is_never_another_set(update: Callable[[Any, Any], Any]) -> None:
    def program(x: Any) -> Any:
        s = {1, 2}
        same = s
        s = update(s, {2, 3} if x > 0 else {1, 9})
        return len(same), sum(same), s is same

    staged = tf.function(program)
    for x in (3.0, -2.0):
        try:
            found = staged(tf.constant(x))
        except StagingError as error:
            assert "a set is gone through" in str(error)
        else:
            assert [int(part) for part in found] == [int(part) for part in program(x)]


def test_code_that_is_not_converted_cannot_say_which_of_the_two_it_means() -> None:
    @autograph.do_not_convert
    def add(items: Any, more: Any) -> Any:
        items += more
        return items

    @tf.function
    def refused(x: Any) -> Any:
        items = [5]
        return len(add(items, grown(x)))

    with pytest.raises(StagingError, match="not converted adds to a list .*Let the function be converted"):
        refused(tf.constant(3.0))

    @tf.function
    def done_here(x: Any) -> Any:
        items = [5]
        items += grown(x)
        return len(items)

    assert int(done_here(tf.constant(3.0))) == 4
