"""Managers around staged code that cannot be left twice, or whose end the program could see: refused."""

from __future__ import annotations

import contextlib
import socketserver
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same, say


def positive(x):
    if x <= 0:
        raise ValueError("not positive")
    return x


class Counting:
    """The program can see how often it was left by an exception."""

    failures = 0

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if kind is not None:
            Counting.failures += 1


def counts_failures(x):
    try:
        with Counting():
            positive(x)
    except ValueError:
        return Counting.failures
    return x


def stack(x):
    with contextlib.ExitStack() as managers:
        managers.enter_context(contextlib.suppress(ValueError))
        positive(x)
    return x


@contextlib.contextmanager
def yields_in_a_loop():
    for _ in range(1):
        try:
            yield
        except ValueError:
            say("swallowed")


def unknown_generator(x):
    with yields_in_a_loop():
        positive(x)
    return x


class name_scope:
    """It has the name of another one."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *error: object) -> bool:
        return True


def another_of_the_name(x):
    with name_scope():
        positive(x)
    return x


class Server(socketserver.BaseServer):
    """Its `__exit__` is that of a library, and calls code of the user."""

    def __init__(self) -> None:
        super().__init__(("", 0), socketserver.BaseRequestHandler)

    def server_close(self) -> None:
        say("closed")


class QuietServer(Server):
    def server_close(self) -> None:
        return None


def closes_by_a_library(x):
    with Server():
        positive(x)
    return x


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (another_of_the_name, ("name_scope", "another name")),
        (counts_failures, ("Counting", "`__exit__`", "Assign to a variable")),
        (stack, ("ExitStack", "one 'with' statement for each", "in positive")),
        (closes_by_a_library, ("a manager of a library (Server)", "would be lost", "'finally'", "in positive")),
        (unknown_generator, ("'yield' once", "'__exit__'", "in positive")),
    ],
)
def test_what_happens_once_is_refused(program: Callable[..., Any], words: tuple[str, ...]) -> None:
    with pytest.raises(StagingError) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    for word in words:
        assert word in str(error.value)


def test_managers_of_libraries_that_record_nothing_when_they_are_left_are_fine() -> None:
    def quiet(x):
        try:
            with QuietServer():
                positive(x)
        except ValueError:
            return -x
        return x

    def without_exceptions(x):
        with Server() as server:
            x = x + isinstance(server, Server)
        return x

    assert_same(quiet, -1, 0, 2)
    assert_same(without_exceptions, -1, 0, 2)


class Closable:
    """The manager that contextlib.closing makes of it calls code of the user."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def close(self) -> None:
        say("closed", self.x)


def test_what_contextlib_closing_does_is_done_by_the_graph() -> None:
    def closing(x):
        y = 0
        try:
            with contextlib.closing(Closable(x)) as held:
                y = held.x + 1
                positive(x)
                y = 10
        except ValueError:
            y = -y
        return y

    assert_same(closing, -1, 0, 2)
