"""`try` around staged code: what the graph raises is caught where Python catches it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike

INPUTS = (-7, -3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 12)


def positive(x, text="not positive"):
    if x <= 0:
        raise ValueError(text)
    return x


def _checked(x):
    assert x < 6, "too large"
    return x


# -- except ------------------------------------------------------------------------------------------------------------


def raise_in_a_branch(x):
    try:
        if x > 0:
            y = x
        else:
            raise ValueError
    except:
        y = -x
    return y


def raise_in_a_helper(x):
    try:
        y = positive(x)
    except ValueError:
        y = 100
    return y


def assert_in_a_helper(x):
    y = 0
    try:
        y = _checked(x)
    except AssertionError:
        return -1
    return y


def several_handlers(x):
    try:
        if x > 5:
            raise KeyError("k")
        if x > 3:
            raise IndexError("i")
        if x > 1:
            raise ValueError("v")
        y = x
    except KeyError:
        y = 1
    except (IndexError, TypeError):
        y = 2
    except Exception:
        y = 3
    return y


def handlers_that_do_not_fit(x):
    y = 0
    try:
        if x > 3:
            raise KeyError("k")
        y = 1
    except (ValueError, IndexError):
        y = 2
    return y


def text_of_the_exception(x):
    try:
        if x > 3:
            raise KeyError("k", 3)
        y = x
    except LookupError as error:
        say("caught", str(error), error.args[1], type(error).__name__)
        y = error.args[1]
    return y


def raised_again(x):
    try:
        if x > 3:
            raise KeyError("k")
    except KeyError:
        say("seen")
        if x > 5:
            raise
    return x


def raised_again_by_name(x):
    try:
        y = positive(x) + positive(x - 3)
    except ValueError as error:
        if x > 0:
            raise error
        y = 0
    return y


def another_one_raised(x):
    try:
        if x > 3:
            raise KeyError("k")
    except KeyError as error:
        if x > 6:
            raise ValueError("from", 1) from error
        if x > 4:
            raise ValueError("in the context of it")
        raise LookupError from None
    return x


def with_an_else(x):
    try:
        y = positive(x)
    except ValueError:
        y = -1
    else:
        y = y * 10
        if y > 50:
            raise ValueError("not caught here")
    return y


def else_that_reads_what_only_the_body_assigns(x):
    total = 0
    try:
        first, second = positive(x), positive(x - 2)
    except ValueError:
        total = 1
    else:
        total = first * second
    return total


def variable_of_the_body_only(x):
    try:
        y = positive(x)
    except ValueError:
        say("no y")
    return y


def variables_changed_after_what_can_raise(x):
    y = x
    try:
        positive(x)
        y = x + 1
        z = y * 2
    except ValueError:
        z = y - 1
    return y + z


def in_a_loop(n):
    total = failed = 0
    for i in range(n):
        try:
            total += positive(i - 2)
        except ValueError:
            failed += 1
    return total * 100 + failed


def around_a_loop(n):
    count = 0
    try:
        for i in range(n):
            say(i)
            if i == 3:
                raise StopIteration
    except StopIteration:
        count = 7
    return count


def in_a_while_loop_with_jumps(n):
    total = 0
    while n > 0:
        n -= 1
        try:
            if n == 7:
                continue
            if n == 2:
                break
            total += positive(n - 4)
        except ValueError:
            total += 100
    return total


def nested(x):
    y = 0
    try:
        try:
            positive(x)
            if x > 5:
                raise KeyError("inner")
            y = 1
        except KeyError:
            say("inner")
            y = 2
        if x == 2:
            raise LookupError("two")
    except ValueError:
        say("outer")
        y = 3
    except LookupError:
        y = 4
    return y


def in_a_handler(x):
    try:
        y = positive(x)
    except ValueError:
        try:
            y = positive(x + 5)
        except ValueError:
            y = -100
    return y


def in_a_branch(x):
    y = 0
    if x > 2:
        try:
            y = positive(x - 4)
        except ValueError:
            y = 5
    return y


def returns(x):
    try:
        if x > 3:
            return x
        return positive(x)
    except ValueError:
        return 0


def returns_in_the_handler_only(x):
    try:
        y = positive(x)
    except ValueError:
        return 0
    return y + 1


def python_exceptions_stay_of_the_trace(x):
    try:
        y = int("no number")
    except ValueError as error:
        y = len(str(error))
    return y + x


def class_that_a_variable_holds(x):
    kinds = (KeyError, ValueError)
    try:
        y = positive(x)
    except kinds:
        y = 0
    return y


@pytest.mark.parametrize(
    "program",
    [
        raise_in_a_branch, raise_in_a_helper, assert_in_a_helper, several_handlers, handlers_that_do_not_fit,
        text_of_the_exception, raised_again, another_one_raised, with_an_else,
        else_that_reads_what_only_the_body_assigns, variables_changed_after_what_can_raise, in_a_loop, around_a_loop,
        in_a_while_loop_with_jumps, nested, in_a_handler, in_a_branch, returns, returns_in_the_handler_only,
        python_exceptions_stay_of_the_trace, class_that_a_variable_holds, raised_again_by_name,
    ],
)  # fmt: skip
def test_it_catches_what_python_catches(program: Callable[..., Any]) -> None:
    assert_alike(program, *INPUTS)


def test_variable_of_the_body_only_is_undefined_after_the_handler() -> None:
    staged = tf.function(variable_of_the_body_only)
    for x in (1, 0):
        result, printed = observe(staged, tf.constant(x))
        expected, shown = observe(variable_of_the_body_only, x)
        assert printed == shown
        assert type(result) is type(expected)
