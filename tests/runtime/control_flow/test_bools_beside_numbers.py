"""Values that are a bool of Python's on some ways and a number on others: they stay what they are on each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingTypeError
from tests.runtime.comparing import assert_same


class Place:
    v: Any = 0
    w: Any = 0


PLACE = Place()
TOTAL: Any = 0


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    global TOTAL
    PLACE.v = PLACE.w = TOTAL = 0
    yield


# -- what is left in places


def in_branches(x: Any) -> None:
    if x > 0:
        PLACE.v = True
    else:
        PLACE.v = 5


def on_one_way(x: Any) -> None:
    PLACE.v = True
    if x > 0:
        PLACE.v = 5


def in_nested_branches(x: Any) -> None:
    if x > 0:
        PLACE.v = True
        if x > 1:
            PLACE.v = 7
    else:
        PLACE.v = False


def in_a_loop(x: Any) -> None:
    PLACE.v = True
    while x > 0:
        PLACE.v = 5
        x = x - 1


def in_a_handler(x: Any) -> None:
    try:
        if x > 0:
            raise ValueError
        PLACE.v = 3
    except ValueError:
        PLACE.v = True


def by_a_variable(x: Any) -> None:
    value = True if x > 0 else 5
    PLACE.v = value
    PLACE.w = value + 1


def or_none(x: Any) -> None:
    value: Any = None
    if x > 0:
        value = True
    elif x > -1:
        value = 7
    PLACE.v = value if value is not None else 2


def in_a_list(x: Any) -> None:
    value = True if x > 0 else 5
    PLACE.v = [value, 1]


def in_a_dict(x: Any) -> None:
    settings = {"a": True}
    if x > 0:
        settings["a"] = 5
    PLACE.v = settings


def in_a_global(x: Any) -> None:
    global TOTAL
    if x > 0:
        TOTAL = True
    else:
        TOTAL = 5


def of_a_recursion(x: Any) -> None:
    def result(n: Any) -> Any:
        if n > 0:
            return result(n - 1)
        if n > -1:
            return True
        return 5

    PLACE.v = result(x)


def beside_floats(x: Any) -> None:
    PLACE.v = True if x > 0 else 5.5
    PLACE.w = False if x > 0 else 5j


@pytest.mark.parametrize(
    "program",
    [
        in_branches, on_one_way, in_nested_branches, in_a_loop, in_a_handler, by_a_variable, or_none, in_a_list,
        in_a_dict, in_a_global, of_a_recursion, beside_floats,
    ],
)  # fmt: skip
def test_places_are_left_with_what_python_leaves(program: Callable[[Any], None]) -> None:
    staged = tf.function(program)
    for number in (2.0, -3.0, 0.5, 3.0):
        found = []
        for run in (program, staged):
            run(tf.constant(number))
            found.append(repr((PLACE.v, PLACE.w, TOTAL)))
        assert found[0] == found[1]


# -- what the program sees


def texts(x: Any) -> Any:
    value = True if x > 0 else 5
    return f"{value}", f"{value!r:>8}", "%s %d" % (value, value), str(value), repr(value)


def classes(x: Any) -> Any:
    value = False if x > 0 else 5
    return isinstance(value, bool), isinstance(value, int), isinstance(value, float), isinstance(value, (bool, str))


def identity(x: Any) -> Any:
    value = True if x > 0 else 1
    return value is True, value is False, value is not True, value == 1, not value


def patterns(x: Any) -> Any:
    value = True if x > 0 else 1
    match value:
        case True:
            return 10
        case _:
            return 20


def numbers(x: Any) -> Any:
    value = True if x > 0 else 5
    return value + 1, value * 2, -value, abs(value), [10, 11, 12, 13, 14, 15][value], x * value


def in_a_loop_that_changes_it(x: Any) -> Any:
    value: Any = True
    text = ""
    while x > 0:
        text = text + f"{value}"
        value = 5
        x = x - 1
    return text


def in_parts_of_statements(x: Any) -> Any:
    value = True if x > 0 else 5
    text = ""
    for _ in tf.range(2):
        text = text + f"{value}"
    if x > 1:
        text = f"{value}!"
    return text


def in_a_closure(x: Any) -> Any:
    value: Any = True

    def change() -> None:
        nonlocal value
        value = 5

    def shown() -> str:
        return f"{value}"

    if x > 0:
        change()
    return shown()


@pytest.mark.parametrize(
    "program",
    [texts, classes, identity, patterns, numbers, in_a_loop_that_changes_it, in_parts_of_statements, in_a_closure],
)
def test_the_program_sees_what_it_is(program: Callable[[Any], Any]) -> None:
    assert_same(program, 2.0, -3.0, 0.5)


def test_what_cannot_be_told_apart_is_refused() -> None:
    def kind(x: Any) -> Any:
        value = True if x > 0 else 5
        return 1 if type(value) is bool else 2

    def elements(x: Any) -> Any:
        items = [0]
        if x > 0:
            items.append(True)
        return items

    with pytest.raises(StagingTypeError, match="is bool or int, as a tensor decides"):
        tf.function(kind)(tf.constant(1.0))
    with pytest.raises(StagingTypeError, match="are bools, and others are numbers"):
        tf.function(elements)(tf.constant(1.0))
