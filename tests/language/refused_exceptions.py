"""Rows of the language table: exceptions, managers and generators that are refused when the function is traced."""

from __future__ import annotations

import contextlib
import sys
from array import array
from typing import Any

import runtime as tf
from autograph.errors import StagingError
from runtime.errors import OperandTypeError, TruthOfTensorError
from tests.language.construct import refused
from tests.language.definitions import closing

LOOPS = "Loops"
EXCEPTIONS = "Exceptions and managers"


@refused(EXCEPTIONS, "`except*` around what may raise when the graph runs", "`except`.", 3, error=StagingError,
         words="a `try` with `except*` around staged code cannot be staged: the operation 'raise'")
def groups_of_the_run(x):
    try:
        if x > 0:
            raise ValueError("large")
    except* ValueError:
        x = -x
    return x


@refused(EXCEPTIONS, "a row or set that a `try` changes before something raises",
         "Change it after what may raise, or in `else`.", 3, error=StagingError,
         words="is changed in place inside the body of a `try` around staged code")
def sets_a_row(x):
    rows = [[1], [2]]
    try:
        rows[0] = [x]
        if x > 0:
            raise ValueError("large")
    except ValueError:
        x = -x
    return rows[0][0] + x


@refused(EXCEPTIONS, "the class of an exception that only the run knows",
         "A handler for each class, or `as error`: such a handler is traced for each class by itself.", 3,
         error=StagingError, words="it may be any of ValueError, KeyError. Its class cannot be asked for in the")
def asks_for_the_class(x):
    try:
        if x > 0:
            raise ValueError("large")
        if x < 0:
            raise KeyError("small")
    except Exception:
        return sys.exc_info()[0] is ValueError
    return False


@refused(EXCEPTIONS, "what may raise in a loop over a generator with a `yield` in `try` or `with`",
         "Take the `yield` out of there, return a list, or handle the exception in the loop.", 3, error=StagingError,
         words="an exception may come when the graph runs (from the operation 'floordiv', at", uses=(closing,))
def raises_in_the_loop(x):
    total = 0
    for k in closing(3):
        total += k // x
    return total


@refused(LOOPS, "leaving a loop over a generator with a `yield` in `try` or `with`",
         "Take the `yield` out of there, return a list, or go through all items.", 3, error=StagingError,
         words="the loop over the generator 'closing' is left depending on a tensor, but it runs as plain Python, item",
         uses=(closing,))
def leaves_the_loop(x):
    for k in closing(3):
        if k > x:
            return k
    return x


@refused(LOOPS, "leaving a loop of Python whose items are made with an effect",
         "Loop over the plain values, and make the items in the body.", 3, error=StagingError,
         words="the loop over what runs 'shown' is left depending on a tensor, but its items are made by plain Python")
def leaves_effects(x):
    def shown(k: Any) -> Any:
        tf.print(k)
        return k

    for k in map(shown, [2, 4, 6]):
        if k > x:
            break
    return x


@refused(EXCEPTIONS, "a manager that is left only once, such as an `ExitStack`", "One `with` for each manager.", 3,
         error=StagingError, words="an ExitStack calls what it holds only once, but an exception that comes when the")
def stacked(x):
    with contextlib.ExitStack() as managers:
        managers.enter_context(contextlib.suppress(ValueError))
        if x > 0:
            raise ValueError("large")
    return x


@refused(EXCEPTIONS, "a change of the exception in its handler", "Raise a new one, with what is to be said.", 3,
         error=StagingError, words="the exception (ValueError) that comes when the graph runs is changed in its")
def annotated(x):
    try:
        if x > 0:
            raise ValueError("large")
    except ValueError as error:
        error.add_note("too large for this")
        raise
    return x


@refused(EXCEPTIONS, "`except Exception` around what staging refuses",
         "It handles what the program raises; what is refused is refused here, too.", 3,
         error=TruthOfTensorError, words="A symbolic tensor was used as a Python `bool`:")
def takes_everything(x):
    try:
        return array("i", [1, 2]).index(x)
    except Exception:
        return -1


@refused(EXCEPTIONS, "an operation that is wrong for every value, in a branch that may never run",
         "Both branches are traced: make it right, or `raise` there what is to be raised when the graph runs.", 3,
         error=OperandTypeError, words="subtract: y: 'a' (string) does not fit the dtype int32 of the tensor")
def wrong_operand(x):
    if x > 10:
        x = x - "a"
    return x
