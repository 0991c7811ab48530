"""What staged control flow refuses, and how it says so."""

from __future__ import annotations

from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same


class Box:
    def __init__(self, value):
        self.value = value


def dtypes_differ(n):
    if n > 0:
        y = n
    else:
        y = tf.cast(n, tf.float32)
    return y


def structures_differ(n):
    if n > 0:
        y = (n, n)
    else:
        y = [n, n]
    return y


def lengths_differ(n):
    if n > 0:
        y = (n, n)
    else:
        y = (n,)
    return y


def objects_differ(n):
    f = abs
    if n > 0:
        f = len
    return f(n)


def attribute_in_one_branch(n):
    box = Box(0)
    if n > 0:
        box.extra = n
    return n


def loop_dtype(n):
    x = tf.constant(0)
    for i in range(n):
        x = tf.constant(1.5)
    return x


def loop_structure(n):
    x = (n, n)
    for i in range(n):
        x = (n, n, n)
    return x


def number_condition(n):
    if n:
        n += 1
    return n


def vector_condition(n):
    if tf.stack([n, n]) > 0:
        n += 1
    return n


def number_in_while(n):
    while n:
        n -= 1
    return n


def number_in_and(n):
    return n and n > 0


def returns_list_or_tuple(n):
    for i in range(n):
        if i > 2:
            return [i]
    return (n,)


def returns_two_dtypes(n):
    if n > 0:
        return tf.cast(n, tf.float32)
    return n


@pytest.mark.parametrize(
    ("program", "kind", "message"),
    [
        (returns_list_or_tuple, TypeError, "the value that the function returns must have the same nested structure"),
        (returns_two_dtypes, TypeError, "the value that the function returns has dtype float32 in the main branch"),
        (dtypes_differ, TypeError, "'y' has dtype int32 in the main branch, but dtype float32 in the else branch"),
        (structures_differ, TypeError, "'y' must have the same nested structure in the main and else branches:"),
        (lengths_differ, TypeError, "'y' must have the same nested structure in the main and else branches:"),
        (objects_differ, TypeError, "'f' is a Python object that differs between the branches"),
        (attribute_in_one_branch, ValueError, "'box.extra' must also be initialized in the else branch"),
        (loop_dtype, TypeError, "'x' has dtype int32 before the loop, but dtype float32 after one iteration"),
        (loop_structure, TypeError, "'x' does not have the same nested structure after one iteration"),
        (number_condition, ValueError, "condition of if statement expected to be a `tf.bool` scalar, got"),
        (vector_condition, ValueError, "condition of if statement expected to be a `tf.bool` scalar, got"),
        (number_in_while, ValueError, "condition of while loop expected to be a `tf.bool` scalar, got"),
        (number_in_and, ValueError, "left operand of `and` expected to be a `tf.bool` scalar, got"),
    ],
)
def test_refused_with_the_name_of_the_variable(program: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    assert message in str(error.value)
    assert "retval_" not in str(error.value) and "do_return" not in str(error.value)


def caught_in_python(n):
    try:
        if n > 0:
            y = n if n else 0
        else:
            y = 1
    except ValueError:
        y = -n
    return y


def caught_around_a_loop(n):
    try:
        for i in range(n):
            n = n + 0.5
    except TypeError:
        n = -1
    return n


@pytest.mark.parametrize("program", [caught_in_python, caught_around_a_loop])
def test_exception_that_python_catches_around_staged_code_is_refused(program: Any) -> None:
    for _ in range(2):
        with pytest.raises(StagingError, match="caught an exception that left a staged part of it"):
            tf.function(program)(tf.constant(3))


def test_exception_that_is_caught_inside_the_branch_is_fine() -> None:
    def program(n):
        y = 0
        if n > 0:
            try:
                raise ValueError
            except ValueError:
                y = n
        return y

    assert_same(program, -1, 0, 3)
