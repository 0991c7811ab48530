"""What is an array or a member of an enumeration on some ways, and another number on others, left in a place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.control_flow.valued_enums import Size, size_of

ARRAY = np.arange(4.0)


class Place:
    def __init__(self, o: Any) -> None:
        self.o = o


def array_on_one_way(n: Any, b: Any) -> None:
    if n > 1:
        b.o = ARRAY


def new_array_on_one_way(n: Any, b: Any) -> None:
    if n > 1:
        b.o = ARRAY * 2


def array_of_an_expression(n: Any, b: Any) -> None:
    found = ARRAY if n > 1 else 0
    b.o = found


def member_on_one_way(n: Any, b: Any) -> None:
    if n > 1:
        b.o = size_of(n)


def member_of_a_loop(n: Any, b: Any) -> None:
    for _ in range(n):
        b.o = size_of(n)


def member_of_a_variable(n: Any, b: Any) -> None:
    found = Size.SMALL
    if n > 2:
        found = 7
    b.o = found


@pytest.mark.parametrize("program", [
    array_on_one_way, new_array_on_one_way, array_of_an_expression, member_on_one_way, member_of_a_loop,
    member_of_a_variable,
], ids=lambda p: p.__name__)  # fmt: skip
def test_beside_a_number_they_are_refused(program: Callable[..., None]) -> None:
    place = Place(1.5)
    with pytest.raises(StagingError, match="'b.o' is left with .* as a tensor decides.*on all ways"):
        tf.function(program)(tf.constant(4), place)
    assert place.o == 1.5


@pytest.mark.parametrize("program", [array_on_one_way, member_on_one_way, member_of_a_loop], ids=lambda p: p.__name__)
def test_beside_none_they_are_what_they_are(program: Callable[..., None]) -> None:
    staged = tf.function(program)
    for n in (4, 0, 2):
        expected, found = Place(None), Place(None)
        program(n, expected)
        staged(tf.constant(n), found)
        assert found.o is expected.o
