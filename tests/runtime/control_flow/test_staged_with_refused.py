"""Managers around staged code that cannot be left twice, or whose end the program could see: refused."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import say


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


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (another_of_the_name, ("name_scope", "another name")),
        (counts_failures, ("Counting", "`__exit__`", "Assign to a variable")),
        (stack, ("ExitStack", "one 'with' statement for each", "in positive")),
        (unknown_generator, ("'yield' once", "'__exit__'", "in positive")),
    ],
)
def test_what_happens_once_is_refused(program: Callable[..., Any], words: tuple[str, ...]) -> None:
    with pytest.raises(StagingError) as error:
        tf.function(program).get_concrete_function(tf.constant(1))
    for word in words:
        assert word in str(error.value)
