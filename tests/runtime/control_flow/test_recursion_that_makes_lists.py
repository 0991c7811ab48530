"""Functions that call themselves and return a list, which is longer with each call: `return grow(v - 1) + [v]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.algorithms.test_algorithms import plain


def at_the_end(v: Any) -> Any:
    if v <= 0:
        return []
    return at_the_end(v - 1) + [v % 3]


def in_front(v: Any) -> Any:
    if v <= 0:
        return [v]
    return [v % 3] + in_front(v - 1)


def appended(v: Any) -> Any:
    if v <= 0:
        return []
    made = appended(v - 1)
    made.append(v)
    return made


def two_results(v: Any) -> Any:
    if v <= 0:
        return [], 0
    items, total = two_results(v - 1)
    return items + [v], total + v


def of_rows(v: Any) -> Any:
    if v <= 0:
        return [[0, 1]]
    return of_rows(v - 1) + [[v, v + v]]


def of_texts(v: Any) -> Any:
    return of_texts(v - 1) + ["b"] if v > 0 else ["a"]


def of_two_calls(v: Any) -> Any:
    if v < 2:
        return [v]
    return of_two_calls(v - 1) + of_two_calls(v - 2)


def sorted_by_parts(items: Any) -> Any:
    if len(items) < 2:
        return items[:]
    first = items[0]
    rest = items[1:]
    low, high = [x for x in rest if x < first], [x for x in rest if x >= first]
    return sorted_by_parts(low) + [first] + sorted_by_parts(high)


def digits_sorted(v: Any) -> Any:
    return sorted_by_parts([(7 * i + v) % 5 for i in range(v)])


PROGRAMS = [at_the_end, in_front, appended, two_results, of_rows, of_texts, of_two_calls, digits_sorted]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_the_list_of_python(program: Callable[[Any], Any]) -> None:
    staged = tf.function(program)
    for n in (0, 1, 4):
        assert plain(staged(tf.constant(np.asarray(n)))) == plain(program(n))


def handed_on(v: Any, items: Any) -> Any:
    return handed_on(v - 1, items) + [v] if v > 0 else items


def test_the_argument_or_another_list_may_not_change() -> None:
    def program(n: Any) -> Any:
        items = [5]
        made = handed_on(n, items)
        made.append(9)
        return made, items

    with pytest.raises(StagingError, match="returns its argument 'items' or another object"):
        tf.function(program)(tf.constant(2))
