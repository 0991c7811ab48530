"""None beside a tensor in Python's operators: an error of the path that comes there, in Python's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, observe, say


def right_operand(n):
    x = 3 if n > 0 else None
    return n * x


def right_operand_compared(n):
    x = 3 if n > 0 else None
    return n < x


def right_operand_of_divmod(n):
    x = 3 if n > 0 else None
    return divmod(n, x)


def right_operand_of_pow(n):
    x = 3 if n > 0 else None
    return pow(n, x)


def left_operand_of_divmod(n):
    x = 3 if n > 0 else None
    return divmod(x, n), pow(x, n)


def surely_none(n):
    x = None
    if n < 0:
        say(n)
        n = n - x
        say("never")
    return n


def surely_none_on_the_left(n):
    x = None
    return n if n > 0 else x - n


def surely_none_compared(n):
    x = None
    if n < 0:
        return n >= x
    return n > 1


def surely_none_in_divmod(n):
    if n < 0:
        return divmod(n, None)
    return divmod(n, 2)


def surely_none_in_divmod_on_the_left(n):
    if n < 0:
        return divmod(None, n)
    return divmod(2, n + 1)


def surely_none_without_a_branch(n):
    return n | None


def none_after_a_loop(n):
    x = n
    for _ in range(abs(n) % 3):
        x = None
    return n - x


def called_with_none(n):
    def product(a, b):
        return a * b

    for i in range(3):
        if n < i:
            n = product(n, None)
    return n


def bound_of_a_range(n):
    if n < 0:
        s = 0
        for i in range(n, None):
            s += i
        return s
    return n


def step_of_a_range(n):
    return len(range(0, n, None)) if n < 0 else len(range(0, n))


def caught(n):
    try:
        if n < 0:
            n = n - None
        n += 1
    except TypeError:
        n = n * 10
    return n


def none_on_both_sides(n):
    a = n if n > 0 else None
    b = n if n > 3 or n < -3 else None
    return a * b


def none_times_itself(n):
    a = n if n > 0 else None
    a *= a
    return a


NONE_OPERANDS = (
    right_operand, right_operand_compared, right_operand_of_divmod, right_operand_of_pow,
    left_operand_of_divmod, surely_none, surely_none_on_the_left,
    surely_none_compared, surely_none_in_divmod, surely_none_in_divmod_on_the_left, none_after_a_loop,
    called_with_none, none_on_both_sides, none_times_itself, bound_of_a_range, step_of_a_range, caught,
)  # fmt: skip


@pytest.mark.parametrize("program", NONE_OPERANDS)
def test_none_beside_a_tensor_is_an_error_on_its_path_alone(program: Callable[[Any], Any]) -> None:
    assert_same(program, -4, -1, 1, 3, 4, 6)


WITH_ERRORS = (*(p for p in NONE_OPERANDS if p is not caught), surely_none_without_a_branch)


@pytest.mark.parametrize("program", WITH_ERRORS)
def test_none_beside_a_tensor_is_worded_as_beside_a_number(program: Callable[[Any], Any]) -> None:
    expected, _ = observe(program, -1)
    result, _ = observe(tf.function(program), tf.constant(-1))
    assert type(result) is type(expected) is TypeError
    assert str(expected).replace("'int'", "'Tensor'") in str(result)


@pytest.mark.parametrize("program", WITH_ERRORS)
def test_none_beside_an_eager_tensor_is_worded_so_too(program: Callable[[Any], Any]) -> None:
    expected, _ = observe(program, -1)
    result, _ = observe(program, tf.constant(-1))
    assert type(result) is type(expected) is TypeError
    assert str(result) == str(expected).replace("'int'", "'Tensor'")


def test_none_beside_a_vector_in_a_product() -> None:
    @tf.function
    def f(v, n):
        return v if n > 0 else v @ None

    assert f(tf.constant([1, 2]), tf.constant(1)).numpy().tolist() == [1, 2]
    with pytest.raises(TypeError, match="unsupported operand type\\(s\\) for @: 'Tensor' and 'NoneType'"):
        f(tf.constant([1, 2]), tf.constant(0))
