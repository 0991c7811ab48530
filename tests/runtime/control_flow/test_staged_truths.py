"""`flag is True`, where the flag is a bool that only the run knows: as of its value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.runtime.comparing import assert_same


def is_true(x):
    return 1 if (x > 0) is True else 0


def is_not_false(x):
    return 1 if (x > 0) is not False else 0


def until_it_is_done(x):
    done = False
    steps = 0
    while done is False:
        steps += 1
        done = steps * steps > x
    return steps


def two_of_them(x):
    a, b = x > 0, x > 2
    return 1 if a is b else 0


def beside_none(x):
    found = None
    if x > 0:
        found = x > 2
    if found is True:
        return 2
    return 1 if found is None else 0


def of_a_number(x):
    return 1 if x is True else 0


def of_an_object(x):
    return 1 if [x] == True else 0


PROGRAMS = (is_true, is_not_false, until_it_is_done, two_of_them, beside_none, of_a_number, of_an_object)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_in_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 5, 1, 0, -3)
