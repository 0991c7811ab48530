"""Changes of a list that a tensor chose among lists of several lengths are changes of that list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime
from tests.runtime.comparing import assert_same

Numbers = Callable[[Any], Any]


def append(p: Any, x: Any) -> None:
    p.append(x)


def by_a_condition(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    append(a if x > 1 else b, x)
    return a, b


def an_element_of_it(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    (a if x > 1 else b)[0] += 3
    return a, b


def by_an_index(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    rows = [a, b]
    rows[x % 2].append(3)
    return a, b


def in_a_branch(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    if x > 0:
        (a if x > 1 else b)[-1] = 3
    return a, b


@pytest.mark.parametrize("function", [by_a_condition, an_element_of_it, by_an_index, in_a_branch])
def test_the_lists_see_a_change(function: Numbers) -> None:
    assert_same(function, -1, 0, 1, 2, 3)


def of_lists_without_other_names(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    chosen = a + [1] if x > 1 else b + [1]
    chosen.append(3)
    return chosen, a, b


def of_a_copy(x: Any) -> Any:
    a, b = [x, 1], [1, 2, 3]
    chosen = list(a if x > 1 else b)
    chosen[0] = 7
    chosen.append(3)
    return chosen, a, b


def of_the_variable_alone(x: Any) -> Any:
    a = [x, 1]
    if x > 1:
        a = [*a, 1]
    a.append(3)
    for _ in range(x):
        a = a + [1]
        a.append(2)
    a.append(4)
    return a


@pytest.mark.parametrize("function", [of_lists_without_other_names, of_a_copy, of_the_variable_alone])
def test_other_changes_are_those_of_python(function: Numbers) -> None:
    staged = runtime.function(function)
    for x in (0, 1, 2, 3):
        found = runtime.nest.map_structure(lambda tensor: int(tensor), staged(runtime.constant(x)))
        assert found == function(x)
