"""A program that is refused and the same program changed as the message says, as one difference.

    Row(r"is changed inside a branch of an `if`", '''
      text = ""
    - buffer = io.StringIO()
      if n > 1:
    -     buffer.write("large")
    +     text += "large"
      return text
    ''')

Lines with `-` are of the refused program alone, lines with `+` of the changed one alone. Each is the body of a function
of `n`, or of the parameters of the row; a line `def f` in it makes it a module, whose `f` is called.
"""

from __future__ import annotations

import asyncio
import bisect
import collections
import contextlib
import dataclasses
import functools
import io
import itertools
import linecache
import math
import operator
import random
import re
import sys
import textwrap
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

import numpy as np

import runtime as tf
from autograph import StagingError
from runtime.errors import TraceEffectWarning
from tests.runtime.comparing import plain

__all__ = ["ROWS_OF_NUMBERS", "Row", "function_of", "made_at", "refused", "remedied"]

ROWS_OF_NUMBERS: Final = (3, 0, 1, 2)


@dataclass(frozen=True)
class Row:
    """One refusal and its remedy."""

    words: str
    """A pattern in the message: the object in the words of the program, the change, and the remedy."""
    difference: str
    given: Sequence[Any] = ROWS_OF_NUMBERS
    """What the function is called with, one after the other; a tuple is several arguments. The first one is refused."""
    same: bool = True
    """Whether the changed program does what the refused one does; if not, it is compared with itself in Python."""
    answers: Sequence[Any] = ()
    """What the changed program gives, where it is none that Python could run."""
    parameters: str = "n"
    kind: type[Exception] | tuple[type[Exception], ...] = StagingError

    def source(self, other: str) -> str:
        """The program without the lines that begin with `other`."""
        lines = textwrap.dedent(self.difference).strip("\n").splitlines()
        body = "\n".join(line[2:] for line in lines if not line.startswith(other))
        if re.search(r"^def f\(", body, re.MULTILINE):
            return body + "\n"
        return f"def f({self.parameters}):\n{textwrap.indent(body, '    ')}\n"


_NUMBERS: Final = itertools.count()
_MODULES: Final = (
    asyncio, bisect, collections, contextlib, dataclasses, functools, io, itertools, math, operator, random, sys,
    threading, time, warnings, weakref,
)  # fmt: skip


def function_of(source: str) -> tuple[Callable[..., Any], str]:
    """The function `f` of a module, and the name of its file."""
    file = f"<program {next(_NUMBERS)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {module.__name__: module for module in _MODULES} | {"tf": tf, "np": np}
    names["__name__"] = __name__
    exec(compile(source, file, "exec"), names)
    return names["f"], file


def _arguments(given: Any) -> tuple[Any, ...]:
    return given if isinstance(given, tuple) else (given,)


def _tensors(given: Any) -> list[Any]:
    """Numbers and lists of numbers as tensors; arrays and others are given as they are."""
    return [tf.constant(v) if isinstance(v, (int, float, str, list)) else v for v in _copied(given)]


def _copied(given: Any) -> list[Any]:
    return [v.copy() if hasattr(v, "copy") else v for v in _arguments(given)]


def refused(row: Row) -> None:
    """The first program raises what the row says, with the place in it."""
    function, file = function_of(row.source("+"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TraceEffectWarning)
            tf.function(function)(*_tensors(row.given[0]))
    except row.kind as error:
        said = "\n".join([str(error), *getattr(error, "__notes__", ())])
        assert re.search(row.words, said), said
        assert file in said or _innermost(error) == file, f"no line of the program: {said}"
    else:
        raise AssertionError("the program is not refused")


def _innermost(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else trace.tb_frame.f_code.co_filename


def remedied(row: Row) -> None:
    """The second program does in a graph what plain Python does."""
    function, _ = function_of(row.source("-"))
    staged = tf.function(function)
    for number, given in enumerate(row.given):
        other = "+" if row.same else "-"
        expected = row.answers[number] if row.answers else function_of(row.source(other))[0](*_copied(given))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TraceEffectWarning)
            np.testing.assert_equal(plain(staged(*_tensors(given))), plain(expected))


@contextmanager
def made_at() -> Iterator[set[tuple[CodeType, int]]]:
    """The places where refusals are made meanwhile: code and line."""
    found: set[tuple[CodeType, int]] = set()

    def note(self: StagingError, *args: Any) -> None:
        frame = sys._getframe(1)
        found.add((frame.f_code, frame.f_lineno))
        super(StagingError, self).__init__(*args)

    StagingError.__init__ = note  # type: ignore[method-assign]
    try:
        yield found
    finally:
        del StagingError.__init__
