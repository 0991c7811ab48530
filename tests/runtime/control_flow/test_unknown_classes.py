"""The class of a caught exception, asked for in all ways: Python's answer, or refused where only the run knows it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import runtime
from autograph import StagingError
from tests.runtime.comparing import assert_same, say


class Stop(Exception):
    """An exception of the user."""


class Halt(Stop):
    """One below it."""


def kind_of_pattern(kind: Any, error: Any) -> bool:
    match error:
        case Stop():
            return True
    return False


def raised(kind: Any, error: Any) -> None:
    raise kind


def taken(kind: Any, error: Any) -> bool:
    try:
        raise Stop
    except kind:
        return True


QUESTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "is": lambda kind, error: kind is Stop,
    "is, the other way round": lambda kind, error: Stop is kind,
    "is not": lambda kind, error: kind is not Stop,
    "==": lambda kind, error: kind == Stop,
    "!=": lambda kind, error: kind != Stop,
    "in a tuple": lambda kind, error: kind in (Stop, KeyError),
    "in a set": lambda kind, error: kind in {Stop, KeyError},
    "not in": lambda kind, error: kind not in (Stop, KeyError),
    "a key": lambda kind, error: {Stop: True}.get(kind, False),
    "issubclass": lambda kind, error: issubclass(kind, Stop),
    "issubclass of several": lambda kind, error: issubclass(kind, (Stop, KeyError)),
    "isinstance": lambda kind, error: isinstance(error, Stop),
    "type": lambda kind, error: type(error) is Stop,
    "__class__": lambda kind, error: error.__class__ is Stop,
    "__name__": lambda kind, error: kind.__name__ == "Stop",
    "__mro__": lambda kind, error: Stop in kind.__mro__,
    "match": kind_of_pattern,
    "except kind": taken,
}
NOT_ASKED: dict[str, Callable[[Any, Any], Any]] = {
    "is None": lambda kind, error: kind is None,
    "is not None": lambda kind, error: kind is not None,
    "None is": lambda kind, error: None is kind or error is None,
    "is itself": lambda kind, error: kind is kind,
    "is another thing": lambda kind, error: kind is int or kind is say,
    "truth": lambda kind, error: bool(kind) and not error is None,
    "is a class": lambda kind, error: isinstance(kind, type),
}


class Asking:
    """A manager that tells what it is answered, where an exception leaves the body."""

    def __init__(self, ask):
        self.ask = ask

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        if kind is not None:
            say("yes" if self.ask(kind, error) else "no")


def sums(p):
    if p <= 0:
        return 1
    return sums(p - 1) + p


def known_under_a_manager(ask, x):
    """Each of the classes is known where it leaves."""
    with Asking(ask):
        if x > 48:
            raise Halt(x)
        if x > 40:
            raise Stop(x)
        if x > 30:
            raise KeyError(x)
    return x


def unknown_under_a_manager(ask, x):
    with Asking(ask):
        if x > 40:
            raise Stop(x)
        x = sums(x)  # a call of a graph that is not complete may raise anything
    return x


def known_to_exc_info(ask, x):
    try:
        if x > 48:
            raise Halt(x)
        if x > 40:
            raise Stop(x)
        if x > 30:
            raise KeyError(x)
    except Exception as error:
        kind, same, traceback = sys.exc_info()
        say("yes" if ask(kind, error) else "no", same is error, traceback is None)
    return x


def unknown_to_exc_info(ask, x):
    try:
        if x > 40:
            raise Stop(x)
        if x > 30:
            raise KeyError(x)
    except Exception:  # a handler without a name is traced once for all
        kind, error, _ = sys.exc_info()
        say("yes" if ask(kind, error) else "no")
    return x


every_question = pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
every_other = pytest.mark.parametrize("ask", NOT_ASKED.values(), ids=NOT_ASKED)


@every_question
@pytest.mark.parametrize("program", [known_under_a_manager, known_to_exc_info], ids=lambda p: p.__name__)
def test_a_class_that_is_known_is_told(program: Callable[..., Any], ask: Callable[..., Any]) -> None:
    assert_same(lambda x: program(ask, x), 3, 35, 45, 50)


@every_question
@pytest.mark.parametrize("program", [unknown_under_a_manager, unknown_to_exc_info], ids=lambda p: p.__name__)
def test_a_class_that_only_the_run_knows_is_not_made_up(program: Callable[..., Any], ask: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match=r"[Ii]ts class cannot be asked for"):
        runtime.function(lambda x: program(ask, x))(runtime.constant(3))


@pytest.mark.parametrize("ask", [raised, lambda kind, error: f"{kind}", lambda kind, error: repr(kind)])
def test_a_class_that_only_the_run_knows_is_not_raised_or_shown(ask: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match=r"[Ii]ts class cannot be asked for"):
        runtime.function(lambda x: unknown_under_a_manager(ask, x))(runtime.constant(3))


@every_other
def test_what_is_known_of_each_class_is_told(ask: Callable[..., Any]) -> None:
    assert_same(lambda x: unknown_under_a_manager(ask, x), 3, 45)
    assert_same(lambda x: unknown_to_exc_info(ask, x), 3, 35, 45)
    assert_same(lambda x: known_under_a_manager(ask, x), 3, 35, 45, 50)


def test_exc_info_where_no_exception_is_handled() -> None:
    assert_same(lambda x: (x, sys.exc_info() == (None, None, None), sys.exc_info()[0] is None), 3)


def divided_under_a_manager(ask, x):
    y = 0
    with Asking(ask):
        y = 10 // x
    return y


def divided_in_a_try(ask, x):
    try:
        y = 10 // x
    except Exception as error:
        say("yes" if ask(type(error), error) else "no")
        y = -1
    return y


@pytest.mark.parametrize(
    "ask",
    [
        lambda kind, error: issubclass(kind, ZeroDivisionError), lambda kind, error: kind is KeyError,
        lambda kind, error: kind is not ValueError, lambda kind, error: isinstance(error, ArithmeticError),
        lambda kind, error: kind in (KeyError, ValueError), lambda kind, error: kind is Exception,
        lambda kind, error: kind is ArithmeticError or ArithmeticError is kind,
    ],
)  # fmt: skip
def test_what_is_known_of_the_class_of_an_operation_is_told(ask: Callable[..., Any]) -> None:
    assert_same(lambda x: divided_under_a_manager(ask, x), 0, 3)
    assert_same(lambda x: divided_in_a_try(ask, x), 0, 3)


@pytest.mark.parametrize(
    "ask",
    [
        lambda kind, error: kind is ZeroDivisionError, lambda kind, error: ZeroDivisionError is not kind,
        lambda kind, error: kind in (KeyError, ZeroDivisionError), lambda kind, error: kind not in [ZeroDivisionError],
    ],
)  # fmt: skip
@pytest.mark.parametrize("program", [divided_under_a_manager, divided_in_a_try], ids=lambda p: p.__name__)
def test_the_class_of_an_operation_is_not_asked_for_by_the_name_of_pythons(
    program: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    with pytest.raises(StagingError, match=r"raises DivisionByZeroError, which is a class below .*issubclass"):
        runtime.function(lambda x: program(ask, x))(runtime.constant(3))
