"""Which handler takes an exception of the run: that which takes it from numbers, and `__exit__` is given its class."""

from __future__ import annotations

import pytest

from tests.runtime.comparing import assert_same


def handlers_of_values_and_of_division(n):
    try:
        if n == 0:
            raise ValueError("zero")
        r = 10 // (n - 2)
    except (ValueError, KeyError):
        r = -1
    except ZeroDivisionError:
        r = -2
    return r


def division_under_a_handler_of_values(n):
    try:
        return 10 // (n - 2)
    except ValueError:
        return -1


def division_that_passes_a_handler_of_values(n):
    try:
        try:
            r = 10 % (n - 2)
        except ValueError:
            r = -1
    except ArithmeticError:
        r = -3
    return r


def division_in_a_loop(n):
    r = 0
    for i in range(4):
        try:
            r += 10 // (n - i)
        except ValueError:
            r = 1000
        except ZeroDivisionError:
            continue
        finally:
            r += 1
    return r


class Stop(Exception):
    """An exception of the user."""


class Halt(Stop):
    """One below it."""


def handler_of_a_class_below(n):
    try:
        if n > 2:
            if n > 4:
                raise Halt(n)
            raise Stop(n)
        r = 1
    except Halt as error:
        r = error.args[0] * 10
    except Stop as error:
        r = -error.args[0]
    return r


def handler_of_a_class_below_alone(n):
    try:
        if n == 0:
            raise LookupError("no")
        if n > 3:
            raise IndexError("far")
    except IndexError as error:
        return n * len(error.args)
    return -n


@pytest.mark.parametrize(
    "program",
    [
        handlers_of_values_and_of_division, division_under_a_handler_of_values,
        division_that_passes_a_handler_of_values, division_in_a_loop,
    ],
)  # fmt: skip
def test_a_division_by_zero_is_no_value_error(program):
    assert_same(program, 0, 1, 2, 3)


@pytest.mark.parametrize("program", [handler_of_a_class_below, handler_of_a_class_below_alone])
def test_a_handler_takes_no_exception_of_a_class_above(program):
    assert_same(program, 0, 1, 3, 4, 5, 7)


class SwallowsByClass:
    def __enter__(self):
        return self

    def __exit__(self, *given):
        return given[0] is KeyError


def class_that_exit_is_given(n):
    with SwallowsByClass():
        if n > 4:
            raise KeyError(n)
        if n > 2:
            raise ValueError(n)
    return n


def test_exit_is_given_the_class_itself():
    assert_same(class_that_exit_is_given, 1, 5)


def test_exit_is_asked_for_each_class():
    assert_same(class_that_exit_is_given, 3)
