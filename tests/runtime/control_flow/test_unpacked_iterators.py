"""`y, m, d = map(int, text.split("-"))`: unpacked iterators of which only the run knows the length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf


def date(text: Any) -> Any:
    year, month, day = map(int, text.split("-"))
    return year + 10000 * month + 1000000 * day


def backwards(text: Any) -> Any:
    last, second, first = reversed(text.split("-"))
    return int(first) + int(last) + int(second)


def of_long_parts(text: Any) -> Any:
    (year,) = filter(lambda part: len(part) > 2, text.split("-"))
    return int(year)


def in_a_loop(text: Any) -> Any:
    total = 0
    for line in text.split(";"):
        low, high = map(int, line.split("-"))
        total += high - low
    return total


def caught(text: Any) -> Any:
    try:
        low, high = map(int, text.split("-"))
    except ValueError:
        low, high = 0, -1
    return high - low


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (date, "2023-07-15"), (backwards, "1-2-30"), (of_long_parts, "15-2023-07"), (in_a_loop, "1-5;10-30"),
        (caught, "3-9"), (caught, "3"), (caught, "3-9-1"), (caught, "3-x"),
    ],
)  # fmt: skip
def test_items_are_unpacked(program: Callable[[Any], Any], text: str) -> None:
    assert int(tf.function(program)(tf.constant(text))) == program(text)


@pytest.mark.parametrize("text", ["2023-07", "2023", "1-2-3-4"])
def test_as_many_as_targets(text: str) -> None:
    with pytest.raises(ValueError, match="values to unpack") as expected:
        date(text)
    with pytest.raises(ValueError, match="values to unpack") as found:
        tf.function(date)(tf.constant(text))
    assert str(expected.value).split(",")[0] in str(found.value)
