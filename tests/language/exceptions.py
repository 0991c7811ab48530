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


@staged("lists and objects that a `try` changes", "A handler sees what they hold where the exception comes.", 4, -4)
def changed_before_it_raises(x):
    seen = [1]
    counts = {"tried": 0}
    try:
        counts["tried"] += 1
        seen.append(x)
        if x < 0:
            raise ValueError("below zero")
        seen.append(3)
    except ValueError:
        seen[0] = len(seen) * 10
    return seen, counts["tried"]


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


@staged("the exception in a handler", "Its class, text, arguments and attributes, also where several can come.", 0, 4,
        -4, uses=(TooSmall,))
def asked(x):
    try:
        if x == 0:
            raise LookupError("zero", 10)
        if x < 0:
            raise TooSmall(f"{x} is below zero", x)
    except Exception as error:
        tf.print(type(error).__name__, isinstance(error, ValueError), error.args[0], output_stream=sys.stdout)
        return error.args[1]
    return x


@staged("`raise` in a handler", "Raises the same exception again, or another one with its cause.", 3, 0, -3)
def raised_again(x):
    try:
        if x <= 0:
            raise ValueError("not positive")
    except ValueError as error:
        if x < 0:
            raise KeyError("negative") from error
        raise
    return x


@staged("`except ZeroDivisionError`", "Catches the division of integers by zero; `except IndexError` a wrong index.",
        3, 0)
def divided(x):
    try:
        return 12 // x
    except ZeroDivisionError:
        return -1


@staged("`finally`", "Runs on every path, also on the way out of an exception.", 4, -4)
def told(x):
    try:
        if x < 0:
            raise ValueError("below zero")
    finally:
        tf.print("done", output_stream=sys.stdout)
    return x


@staged("`break`, `continue`, `return` in `finally`", "Drop the exception that is on its way, as in Python.", 3, 6)
def dropped(n):
    total = 0
    for i in range(n):
        try:
            total += i
            if i > 2:
                raise ValueError("too large")
        finally:
            if total > 9:
                break
            continue
    return total


@staged("`with`", "Managers of libraries are entered and left while tracing; jumps in the body work.", 4, -4,
        graph="cond")
def scoped(x):
    with contextlib.nullcontext():
        if x < 0:
            return -x
        y = x + 1
    return y


@staged("`contextlib.suppress`", "Around staged code it is a `try` of the graph.", 4, -4)
def suppressed(x):
    y = 0
    with contextlib.suppress(ValueError):
        y = 1
        if x < 0:
            raise ValueError("below zero")
        y = 2
    return y


class Retry:
    """Swallows the exceptions of a class."""

    def __init__(self, kind: type[Exception]) -> None:
        self.kind = kind

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> bool:
        return kind is not None and issubclass(kind, self.kind)


@staged("`__exit__` that looks at the exception", "It is a handler of the graph for each class that can come.", 4, -4,
        0, uses=(Retry,))
def retried(x):
    y = 0
    with Retry(ArithmeticError):
        y = 100 // x
        if x < 0:
            raise ValueError("below zero")
    return y


@staged("`contextmanager` with `try` around its `yield`", "The body runs where the generator yields, in its `try`.", 4,
        -4)
def translated(x):
    @contextlib.contextmanager
    def guard(default: Any) -> Any:
        try:
            yield default + 1
        except ValueError:
            tf.print("caught", output_stream=sys.stdout)

    y = 0
    with guard(x) as start:
        y = start
        if x < 0:
            raise ValueError("below zero")
        y = start * 2
    return y


@staged("managers of your own", "`__enter__` and `__exit__` run while tracing; what they decide is in the graph.", 4)
def managed(x):
    @contextlib.contextmanager
    def offset(k: Any) -> Any:
        yield k + 1

    with offset(x) as y:
        z = y * 2
    return z


@staged("a `contextmanager` as a decorator", "The function is converted, with the manager around it.", 4, -4)
def decorated(x):
    @contextlib.contextmanager
    def told() -> Any:
        try:
            yield
        finally:
            tf.print("done", output_stream=sys.stdout)

    @told()
    def checked(v):
        if v < 0:
            raise ValueError("below zero")
        return v * 2

    return checked(x)


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
