"""Exceptions, managers and what raises, for the programs of test_programs_with_exceptions."""

from __future__ import annotations

import contextlib
from typing import Any

from tests.runtime.comparing import say


class Stop(Exception):
    """An exception of the user with an attribute."""

    def __init__(self, code: Any = 0) -> None:
        super().__init__(code)
        self.code = code


class Halt(Stop):
    """One below it."""


class Block:
    """Tells how it is entered and left; swallows exceptions of some classes."""

    def __init__(self, name: Any, swallowed: Any = ()) -> None:
        self.name, self.swallowed = name, swallowed

    def __enter__(self) -> Block:
        say("enter", self.name)
        return self

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        say("exit", self.name, "at its end" if kind is None else "by an exception")
        return kind is not None and issubclass(kind, self.swallowed)


class Counting:
    """Counts in Python how often it has been entered and not left."""

    def __init__(self) -> None:
        self.n = 0

    def __enter__(self) -> Counting:
        self.n += 1
        return self

    def __exit__(self, *given: object) -> None:
        self.n -= 1


class Closable:
    """For contextlib.closing."""

    v = 2

    def close(self) -> None:
        say("close")


class Box:
    """An object with one attribute."""

    def __init__(self, v: Any) -> None:
        self.v = v


class Retry:
    """Numbers of attempts."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __iter__(self) -> Any:
        for i in range(self.n):
            yield i


@contextlib.contextmanager
def span(name):
    say("begin", name)
    try:
        yield name
    except Stop:
        say("stopped", name)
        raise
    finally:
        say("end", name)


@contextlib.contextmanager
def swallow(name):
    say("begin", name)
    try:
        yield
    except Stop:
        say("swallowed", name)


@contextlib.contextmanager
def translate():
    try:
        yield
    except Stop as error:
        raise ValueError("translated") from error


@contextlib.contextmanager
def twice(x):
    try:
        yield x * 2
    finally:
        if x > 3:
            say("large")


def raise_if(x):
    if x > 3:
        raise Stop(x)
