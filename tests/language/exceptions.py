"""Rows of the language table: raise, assert, try and with."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from typing import Any

import runtime as tf
from tests.language import construct

staged = partial(construct.staged, "Exceptions and managers")


class TooSmall(ValueError):
    """An exception of the user."""


@staged("`raise` in a branch", "A check that raises your exception when the graph gets there.", 5, -5, uses=(TooSmall,))
def checked(x):
    if x < 0:
        raise TooSmall(f"{x} is below zero")
    return x * 2


@staged("`raise` in a loop", "A check of each iteration.", 3, 10, graph="while")
def limited(n):
    total = 0
    for i in range(n):
        if i == 7:
            raise OverflowError("seven is too many")
        total += i
    return total


@staged("`assert`", "A check when the graph runs; the message may hold tensors.", 4, 5)
def halves(x):
    assert x % 2 == 0, f"{x} is odd"
    return x // 2


@staged("`try` around Python", "Plain Python while tracing.", 4)
def guarded(x):
    try:
        scale = int("no number")
    except ValueError:
        scale = 10
    return x * scale


@staged("`try` ... `except` around staged code", "The handler runs when the graph raises.", 4, -4)
def caught(x):
    try:
        if x < 0:
            raise ValueError("below zero")
        y = x
    except ValueError:
        y = 0
    return y


@staged("`except ... as`, `else`", "Handlers are chosen by the class of the exception; `else` runs if none was raised.",
        0, 4, -4, uses=(TooSmall,))
def handled(x):
    try:
        if x == 0:
            raise ZeroDivisionError
        if x < 0:
            raise TooSmall("below zero")
    except ZeroDivisionError:
        y = 100
    except ValueError as error:
        y = len(error.args)
    else:
        y = x * 2
    return y


@staged("`finally`", "Runs on every path, also on the way out of an exception.", 4, -4)
def told(x):
    try:
        if x < 0:
            raise ValueError("below zero")
    finally:
        tf.print("done", output_stream=sys.stdout)
    return x


@staged("`with`", "The manager is entered and left while tracing; jumps inside of the body work.", 4, -4, graph="cond")
def scoped(x):
    with contextlib.nullcontext():
        if x < 0:
            return -x
        y = x + 1
    return y


@staged("managers of your own", "`__enter__` and `__exit__`, or a `contextmanager`, run while tracing.", 4)
def managed(x):
    @contextlib.contextmanager
    def offset(k: Any) -> Any:
        yield k + 1

    with offset(x) as y:
        z = y * 2
    return z


@staged("`raise ... from ...`", "As `raise`.", 3, -3)
def raised_from(x):
    if x < 0:
        raise KeyError("key") from ValueError("cause")
    return x


@staged("`except*`", "Plain Python while tracing; around what may raise when the graph runs it is refused.", 3)
def grouped(x):
    try:
        raise ExceptionGroup("several", [ValueError("one")])
    except* ValueError:
        x = x + 1
    return x
