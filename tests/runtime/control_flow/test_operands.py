"""`and` and `or` over tensors: the value is the operand that decides, or is refused; a condition asks for the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingTypeError, StagingValueError
from tests.runtime.comparing import assert_same


def bools(x):
    return x > 0 and x < 5, x > 0 or x < -1, x > 0 and True, x > 5 or False, not (x > 0 and x < 2)


def numbers(x):
    return x and 3, x or 7, x and x - 1, (x - 3) or x, (x and x - 1 and x - 2) or 9


def nothing(x):
    return x > 0 and None, x > 0 or None, x and None


def perhaps_none(x):
    y = x if x > 0 else None
    return y or 7, y and y + 1


def python_objects_in_conditions(x):
    full, empty = [1], []
    found = 0
    if x > 0 and full:
        found = 1
    if (x > 0 and empty) or x == -1:
        found += 10
    if x < 2 and 5:
        found += 100
    while full and x > 0 and "text":
        x = x - 1
    return found, x, 1 if x and full else 2, 1 if not (x and empty) else 2, [v for v in (1, 2) if x and full and v > 1]


def numbers_in_conditions(x):
    y = x if x > 0 else None
    found = 0
    if x > -2 and x:
        found = 1
    if x == 0 or x - 3:
        found += 10
    if y and y > 1:
        found += 100
    while x and x > -3 and not (x - 2 and x < 0):
        x = x - 1
    assert found >= 0 and x < 10, "never"
    return found, x, 1 if 0 < x < 5 and x - 1 else 2


def bound_in_conditions(x):
    if x and (y := x - 1) and y > 0:
        return y
    return -1


class Asked:
    def __init__(self):
        self.times = 0

    def whether(self, truth):
        self.times += 1
        return truth


def effects_of_conditions(x):
    count, asked, seen = 0, Asked(), [0]

    def counted(truth):
        nonlocal count
        count += 1
        seen[0] += x
        return truth

    if x > 0 and counted(x > 1):
        count += 10
    if x < 2 or asked.whether(x > 3):
        count += 100
    while x > 0 and counted(x > 2) and asked.whether(True):
        x -= 1
    chosen = 1 if x == 0 or counted(x < 0) else 2
    return count, asked.times, seen, x, chosen


def effects_of_values(x):
    asked, seen = Asked(), [0]

    def counted(truth):
        seen[0] += 1
        return truth

    return x > 0 and counted(x > 1), x > 3 or asked.whether(x < 0), seen, asked.times


PROGRAMS = (
    bools, numbers, nothing, perhaps_none, python_objects_in_conditions, numbers_in_conditions, bound_in_conditions,
    effects_of_conditions, effects_of_values,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: Callable[[Any], Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5, -1, -4)


@pytest.mark.parametrize("program", PROGRAMS)
def test_program_in_a_loop_and_a_branch(program: Callable[[Any], Any]) -> None:
    def nested(x):
        total = 0
        for i in range(2):
            if x > i:
                program(x - i)
                total += 1
            else:
                program(x + i)
        return program(x), total

    assert_same(nested, 0, 1, 2, 5, -1)


REFUSED = {
    "a bool tensor and a number": (lambda x: x > 0 and 5, "`and` is a tensor of dtype bool and the right operand is 5"),
    "a bool tensor or a number": (lambda x: x > 0 or 2.5, "of dtype bool and the right operand is 2.5"),
    "a bool and a number tensor": (lambda x: x > 0 and x, "the right operand is a tensor of dtype int32"),
    "a number or a bool tensor": (lambda x: x or x > 0, "`or` is a tensor of dtype int32 and the right"),
    "a number and a bool": (lambda x: x and True, "`and` is a tensor of dtype int32 and the right operand is True"),
    "a bool and text": (lambda x: x > 0 and "text", "the right operand is 'text'"),
    "a bool and a tuple": (lambda x: x > 0 and (x, x), "the right operand is an object of type 'tuple'"),
    "a bool and a function": (lambda x: x > 0 and abs, "an object of type 'builtin_function_or_method'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_value_that_would_be_of_two_dtypes_is_refused(name: str) -> None:
    program, words = REFUSED[name]
    with pytest.raises(StagingTypeError) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    assert words in str(error.value)
    assert "write a ternary whose two values have one dtype" in str(error.value)


def test_a_vector_is_refused_as_either_operand_of_a_condition() -> None:
    def left(x):
        return 1 if x > 0 and True else 2

    def right(x):
        return 1 if x[0] > 0 or x > 1 else 2

    for program, side in ((left, "left"), (right, "right")):
        with pytest.raises(StagingValueError, match=f"{side} operand of `.*` expected to be a `tf.bool` scalar, got"):
            tf.function(program)(tf.constant([1, 2]))
