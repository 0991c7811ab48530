"""What handlers can ask of the exceptions that they catch, when several can come."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import say
from tests.runtime.raising import assert_alike

INPUTS = (-3, -1, 0, 1, 2, 3, 4, 5, 7)


class Coded(Exception):
    def __init__(self, message: Any, code: Any) -> None:
        super().__init__(message, code)
        self.code = code

    def doubled(self) -> Any:
        return self.code * 2

    @property
    def message(self) -> Any:
        return self.args[0]


class Special(Coded):
    pass


def fails(x):
    if x == 1:
        raise KeyError("one")
    if x == 2:
        raise ValueError("two", x)
    if x == 3:
        raise Coded(f"three of {x}", 30)
    if x == 4:
        raise Special("four", 44)
    return x


def text(x):
    try:
        fails(x)
    except Exception as error:
        if not isinstance(error, ValueError):  # whose text shows a tensor
            say(str(error), f"{error!r:>30}", "caught %s" % error)
        return 1
    return 0


def classes(x):
    try:
        fails(x)
    except Exception as error:
        say(type(error).__name__, type(error) is ValueError, error.__class__.__name__)
        if isinstance(error, LookupError):
            return 100
        if isinstance(error, (Special, ValueError)):
            return 200
        return 300
    return 0


def arguments(x):
    try:
        fails(x)
    except (ValueError, Coded) as error:
        return error.args[1] + len(error.args)
    except KeyError as error:
        (name,) = error.args
        say(name)
    return 0


def attributes_of_one_class(x):
    try:
        if x < 0:
            raise Coded("negative", x)
        if x > 3:
            raise Coded("large", 100)
        if x > 2:
            raise Coded("middle", x * 10)
    except Coded as error:
        say(error.message, error.code)
        return error.doubled()
    return 0


def raised_again(x):
    try:
        fails(x)
    except LookupError:
        say("lookup")
        raise
    except Exception as error:
        say("other")
        if x > 2:
            raise error
    return x


def raised_from(x):
    try:
        fails(x)
    except KeyError as error:
        raise RuntimeError("from key", x) from error
    except Exception as error:
        if x == 2:
            raise RuntimeError("from", error.args[1]) from error
        if x == 3:
            raise RuntimeError("hidden") from None
        raise RuntimeError(f"in the context of {error.args[0]}")
    return x


def outer_exception_in_an_inner_handler(x):
    try:
        fails(x)
    except Exception as outer:
        try:
            if x > 1:
                raise IndexError(x)
        except IndexError as inner:
            say(outer.args[0], inner.args[0])
            if x == 2:
                raise LookupError("both") from outer
            if x == 3:
                raise outer
            raise inner
        return -1
    return x


def nested_statements(x):
    total = 0
    for i in range(x):
        try:
            try:
                total += fails(i)
            except KeyError as error:
                say("inner", str(error))
                total += 10
                if i > 0:
                    raise ValueError("again", i) from error
            finally:
                total += 1000
        except ValueError as error:
            total += error.args[1] * 100
        except Coded as error:
            total += error.code
            break
    return total


def through_a_manager(x):
    try:
        with contextlib.suppress(KeyError):
            fails(x)
            return 5
    except Coded as error:
        return error.code
    except Exception as error:
        say(type(error).__name__)
        return len(error.args)
    return 9


def in_a_method(x):
    class Worker:
        failures = 0

        def work(self, n):
            try:
                return fails(n)
            except Exception as error:
                return self.failed(error)

        def failed(self, error):
            say("failed", type(error).__name__)
            return -len(error.args)

    worker = Worker()
    return worker.work(x) + worker.work(x + 1)


@pytest.mark.parametrize(
    "program",
    [
        text, classes, arguments, attributes_of_one_class, raised_again, raised_from,
        outer_exception_in_an_inner_handler, nested_statements, through_a_manager, in_a_method,
    ],
)  # fmt: skip
def test_what_is_caught(program: Callable[..., Any]) -> None:
    assert_alike(program, *INPUTS)


def test_errors_of_operations_have_class_and_text() -> None:
    def program(x):
        try:
            return tf.constant([1, 2, 3])[x] // (x - 1)
        except ArithmeticError as error:
            say(type(error).__name__, str(error))
            return -1
        except Exception as error:
            say(type(error).__name__, isinstance(error, IndexError))
            return -2

    assert_alike_with_tensors(program, 0, 1, 2, 5)


def assert_alike_with_tensors(program: Callable[..., Any], *inputs: int) -> None:
    from tests.runtime.comparing import observe

    staged = tf.function(program)
    for x in inputs:
        staged.get_concrete_function(tf.constant(x))
        assert observe(staged, tf.constant(x)) == observe(program, tf.constant(x))


# -- refused ---------------------------------------------------------------------------------------------------------


def differs_in_kind(x):
    try:
        if x > 0:
            raise ValueError("text")
        if x < 0:
            raise ValueError([1, 2])
    except ValueError as error:
        return error.args[0]
    return "none"


def sets_an_attribute(x):
    try:
        if x > 0:
            raise ValueError("text", x)
    except ValueError as error:
        error.code = 3
        raise
    return x


def adds_a_note(x):
    try:
        if x > 0:
            raise ValueError("text")
    except ValueError as error:
        error.add_note("more")
        raise
    return x


def asks_for_the_context(x):
    try:
        try:
            fails(x)
        except KeyError:
            raise ValueError("instead")
    except ValueError as error:
        return 1 if error.__context__ is None else 2
    return 0


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (differs_in_kind, ("args", "in differs_in_kind")),
        (sets_an_attribute, ("'code'",)),
        (adds_a_note, ("changed in its handler", "raise a new exception")),
        (asks_for_the_context, ("'__context__'",)),
    ],
)
def test_what_is_not_known_is_refused(program: Callable[..., Any], words: tuple[str, ...]) -> None:
    with pytest.raises(StagingError) as caught:
        tf.function(program).get_concrete_function(tf.constant(1))
    for word in words:
        assert word in str(caught.value)
