"""`with` around staged code that may raise: managers see the exception of the graph, and may swallow it."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import observe, say
from tests.runtime.raising import assert_alike

INPUTS = (-3, -1, 0, 1, 2, 3, 5, 7)


def positive(x):
    if x <= 0:
        raise ValueError("not positive")
    return x


class Telling:
    """Tells when it is entered and left; swallows what it is told to."""

    def __init__(self, *swallowed: type[BaseException]) -> None:
        self.swallowed = swallowed

    def __enter__(self) -> Telling:
        say("enter")
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        say("exit", "None" if kind is None else kind.__name__)
        return kind is not None and issubclass(kind, self.swallowed)


class Deep:
    """Counts how deep it is in Python; says nothing and swallows nothing."""

    depth = 0

    def __enter__(self) -> None:
        Deep.depth += 1

    def __exit__(self, *args: object) -> None:
        Deep.depth -= 1


class Deciding:
    """Swallows exceptions where a tensor is positive."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def __enter__(self) -> Any:
        return self.x

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> Any:
        return self.x > 1


class Replacing:
    """Raises another exception in the place of the first."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is ValueError or kind is KeyError:
            raise LookupError("instead") from error


@contextlib.contextmanager
def telling(x):
    say("enter")
    try:
        yield x + 1
    except ValueError:
        say("swallowed")
    finally:
        say("exit")


@contextlib.contextmanager
def around(x):
    say("before", x)
    yield
    say("after", x)


@contextlib.contextmanager
def translating():
    try:
        yield
    except KeyError as error:
        raise ValueError("translated") from error


def suppresses(x):
    y = 0
    with contextlib.suppress(ValueError):
        y = 1
        positive(x)
        y = 2
    return y


def suppresses_one_of_several(x):
    y = 0
    with contextlib.suppress(KeyError, IndexError):
        y = 1
        if x == 1:
            raise KeyError("k")
        y = 2
        if x == 2:
            raise ValueError("v")
        y = 3
        if x == 3:
            raise IndexError("i")
        y = 4
    return y


def values_set_in_a_branch_before(x):
    y = 0
    with contextlib.suppress(ValueError):
        if x > 0:
            y = 1
        else:
            y = 5
        if x > 2:
            raise ValueError
        y = 2
    return y


def values_set_in_a_loop_before(x):
    y = -1
    with contextlib.suppress(ValueError):
        for i in range(x):
            if i == 3:
                raise ValueError
            y = i
        y = 100
    return y


def tells(x):
    with Telling() as manager:
        say("body", len(manager.swallowed))
        positive(x)
    return x


def tells_and_swallows(x):
    y = 0
    with Telling(ValueError, KeyError):
        y = positive(x)
        if x == 2:
            raise KeyError("two")
        if x == 3:
            raise IndexError("three")
    return y


def caught_outside(x):
    y = 0
    try:
        with Telling():
            y = 1
            positive(x)
            y = 2
    except ValueError:
        y += 10
    return y


def two_managers(x):
    with Telling(ValueError), Telling():
        positive(x)
        return 5
    return 6


def leaves_in_all_ways(n):
    total = 0
    for i in range(n):
        with Telling(ValueError):
            if i == 1:
                continue
            if i == 2:
                raise ValueError
            if i == 4:
                break
            if i == 6:
                return -1
            total += i
        total += 100
    return total


def python_only(x):
    y = 0
    with Deep():
        with Deep():
            y = Deep.depth
            positive(x)
    return y * 10 + Deep.depth


def decided_by_a_tensor(x):
    y = 0
    with Deciding(x) as entered:
        y = entered
        positive(x - 2)
        y = 100
    return y


def replaced(x):
    with Replacing():
        if x == 1:
            raise KeyError("one")
        positive(x)
    return x


def generator(x):
    y = 0
    with telling(x) as z:
        y = z
        positive(x)
        y = 20
        if x == 2:
            raise KeyError("two")
    return y


def generator_without_try(x):
    with around(x):
        positive(x)
        if x > 2:
            return x
    return -x


def generator_that_translates(x):
    try:
        with translating():
            if x == 1:
                raise KeyError("one")
            positive(x)
    except ValueError as error:
        say(error.args[0])
        return 100
    return x


def generator_in_the_function(x):
    @contextlib.contextmanager
    def guard(default):
        try:
            yield tf.abs(default)
        except ValueError:
            tf.print("caught", output_stream=sys.stdout)

    y = 0
    with guard(x) as start:
        y = start
        positive(x)
        y = start * 2
    return y


def a_lock(x):
    lock = threading.Lock()
    with lock:
        positive(x)
    return 1 if lock.locked() else 0


class Account:
    def __init__(self) -> None:
        self.open = True

    def withdraw(self, amount: Any) -> Any:
        with self.guard():
            return 5 - positive(amount)
        return -1

    def guard(self) -> Any:
        return Telling(ValueError)


def in_a_method(x):
    return Account().withdraw(x)


def in_a_branch_and_a_closure(x):
    def inner(y):
        with contextlib.suppress(ValueError):
            return positive(y)
        return 50

    if x > 1:
        return inner(x - 3)
    return inner(x)


def read_while_undefined(x):
    with contextlib.suppress(ValueError):
        positive(x)
        y = x
    return y


@pytest.mark.parametrize(
    "program",
    [
        suppresses, suppresses_one_of_several, values_set_in_a_branch_before, values_set_in_a_loop_before, tells,
        tells_and_swallows, caught_outside, two_managers, leaves_in_all_ways, python_only, decided_by_a_tensor,
        replaced, generator, generator_in_the_function, generator_without_try, generator_that_translates, a_lock,
        in_a_method, in_a_branch_and_a_closure,
    ],
)  # fmt: skip
def test_managers_see_the_exceptions_of_the_graph(program: Callable[..., Any]) -> None:
    assert_alike(program, *INPUTS)


def test_what_was_not_assigned_before_the_exception_is_undefined() -> None:
    staged = tf.function(read_while_undefined)
    assert observe(staged, tf.constant(3))[0] == 3
    result, _ = observe(staged, tf.constant(-3))
    assert type(result) is UnboundLocalError and "'y'" in str(result)
