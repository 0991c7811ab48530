"""`raise` where a tensor decides whether it is reached: the graph raises what Python raises, when Python raises it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike


def in_the_first_branch(x):
    if x < 0:
        raise ValueError("negative")
    return x * 2


def in_the_else_branch(x):
    if x > 0:
        y = x
    else:
        raise KeyError("small")
    return y + 1


def in_both_branches(x):
    say("before", x)
    if x > 0:
        say("positive")
        raise KeyError("a")
    else:
        raise ValueError("b")
    return x


def in_nested_branches(x):
    y = 0
    if x > 0:
        if x > 10:
            raise ValueError("large", 10)
        elif x > 5:
            y = 5
        else:
            y = 1
    elif x < -5:
        raise LookupError
    return y


def after_a_return(n):
    if n > 0:
        return n
    raise ValueError("not positive")


def after_two_returns(n):
    if n > 3:
        return n * 2
    if n > 0:
        return n
    raise ValueError("not positive")


def _fail(message, *args):
    raise ValueError(message, *args)


def _at_most(x, limit):
    if x > limit:
        _fail("more than", limit)
    return x


def in_helpers(x):
    y = _at_most(x, 5)
    return y + _at_most(x + 1, 5)


def in_a_loop(n):
    total = 0
    for i in range(n):
        say("at", i)
        if i == 2:
            raise StopIteration("two")
        total += i
    return total


def in_a_while_loop(n):
    while n > 0:
        n -= 2
        if n == 1:
            say("odd")
            raise ArithmeticError(1)
    return n


def in_every_iteration(n):
    for i in range(n):
        say("at", i)
        raise OverflowError
    return n


def in_the_test_of_a_loop(n):
    while _at_most(n, 3) > 0:
        n -= 1
    return n


def in_an_inner_loop(n):
    count = 0
    for i in range(n):
        for j in range(i):
            if i + j > 4:
                raise ValueError("sum")
            count += 1
    return count


def in_a_loop_in_a_branch(n):
    if n > 3:
        for _ in range(n):
            if n == 7:
                raise KeyError(7)
            n += 1
    return n


def in_a_python_loop(x):
    for limit in (3, 5, 7):
        if x == limit:
            raise ValueError("met", limit)
        x += 1
    return x


def in_an_expression(x):
    return x if x > 0 else _fail("negative")


def in_an_operand(x):
    return x > 0 and (x < 5 or _fail("large"))


def with_variables_of_many_kinds(x):
    name, pair = "none", (1, 2.5)
    if x > 3:
        name, pair, f = "big", (x, 1.5), abs
    elif x > 0:
        raise ValueError
    else:
        f = abs
    return f(pair[0]) + len(name[:0])


def defined_where_it_goes_on(x):
    if x > 0:
        y = x
    elif x < -3:
        raise ValueError
    else:
        z = 3
        y = z
    return y


def only_return_fails(n):
    while n > 3:
        if n > 5:
            return _fail("six or more")
        n -= 1


@pytest.mark.parametrize(
    "program",
    [
        in_the_first_branch, in_the_else_branch, in_both_branches, in_nested_branches, after_a_return,
        after_two_returns, in_helpers, in_a_loop, in_a_while_loop, in_every_iteration, in_the_test_of_a_loop,
        in_an_inner_loop, in_a_loop_in_a_branch, in_a_python_loop, in_an_expression, in_an_operand,
        defined_where_it_goes_on, only_return_fails,
    ],
)  # fmt: skip
def test_it_is_raised_when_python_raises_it(program: Callable[..., Any]) -> None:
    assert_alike(program, -7, -3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 12)


def test_python_objects_pass_a_branch_that_raises() -> None:
    def program(x):
        f, text = abs, "a"
        if x > 0:
            f, text = len, "bc"
        else:
            raise ValueError
        return f(text) + x

    assert_alike(program, -1, 3)


def test_a_function_that_always_raises() -> None:
    @tf.function
    def fails(x):
        say("in", x)
        if x > 0:
            raise ValueError("positive")
        raise KeyError("other")

    def calls(x):
        if x > 5:
            fails(x)
        return x

    def calls_always(x):
        y = fails(x)
        return y + 1

    for program in (calls, calls_always):
        staged = tf.function(program)
        for x in (-1, 3, 6):
            result, printed = observe(staged, tf.constant(x))
            if program is calls and x < 6:
                assert (result, printed) == (x, "")
            else:
                assert isinstance(result, ValueError if x > 0 else KeyError)
                assert printed == f"in {x}\n"


def test_effects_before_an_exception_of_the_function_itself_are_done() -> None:
    @tf.function
    def program(x):
        say("first", x)
        raise LookupError("after it")

    for _ in range(2):
        result, printed = observe(program, tf.constant(1))
        assert isinstance(result, LookupError)
        assert printed == "first 1\n"


def test_effects_of_a_branch_that_raises_are_no_effects_of_the_other() -> None:
    seen: list[int] = []

    def program(x):
        if x > 0:
            seen.append(1)
            raise ValueError
        return x

    assert int(tf.function(program)(tf.constant(-1))) == -1
    assert seen == []


def test_branches_of_cond_and_switch_case() -> None:
    def cond(x):
        return tf.cond(x > 0, lambda: x, lambda: _fail("none"))

    def switch(x):
        return tf.switch_case(x, [lambda: x, lambda: _fail("one"), lambda: x + 1])

    for program in (cond, switch):
        staged = tf.function(program, autograph=False)
        for x in (0, 1, 2):
            result, _ = observe(staged, tf.constant(x))
            expected, _ = observe(program, tf.constant(x))
            assert type(result) is type(expected)
            assert isinstance(expected, Exception) or result == expected
