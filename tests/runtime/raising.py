"""Exceptions of staged functions beside those of Python: class, args, attributes, chain and line must be the same.

    assert_alike(program, -1, 0, 1)      # one graph, run for each of the inputs
"""

from __future__ import annotations

import contextlib
import io
import traceback
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.graph.equality import graph_equal
from runtime.graph.verify import verify
from tests.runtime.comparing import observe, plain

__all__ = ["assert_alike"]


def described(error: BaseException | None) -> Any:
    """Class, args, attributes and the chain of an exception; tensors as their values."""
    if error is None:
        return None
    attributes = {k: plain(v) for k, v in vars(error).items() if k != "__notes__"}
    fields = {k: getattr(error, k, None) for k in ("extra", "errno", "value", "name", "code", "filename")}
    chain = [described(error.__cause__), described(error.__context__), error.__suppress_context__]
    return type(error), plain(list(error.args)), attributes, plain(fields), chain


def line_of(error: BaseException, file: str) -> int:
    """The innermost line of a file that the exception has passed."""
    entries = traceback.extract_tb(error.__traceback__)
    return next(e.lineno or 0 for e in reversed(entries) if e.filename == file)


def assert_alike(function: Callable[..., Any], *inputs: Any) -> None:
    """One trace of `function` does for all inputs what Python does: result, prints, exception, its line."""
    staged = tf.function(function)
    file = function.__code__.co_filename
    for given in inputs:
        args = given if isinstance(given, tuple) else (given,)
        tensors = [tf.constant(a) for a in args]
        with contextlib.redirect_stdout(io.StringIO()):
            concrete = staged.get_concrete_function(*tensors)
        expected, printed = observe(function, *args)
        for _ in range(2):
            result, printed_by_graph = observe(staged, *tensors)
            assert printed_by_graph == printed, args
            if not isinstance(expected, Exception):
                assert repr(result) == repr(expected), args
                continue
            assert isinstance(result, Exception), f"{args}: {expected!r} in Python, {result!r} staged"
            assert described(result) == described(expected)
            assert line_of(result, file) == line_of(expected, file)
            (note,) = result.__notes__
            assert f"{file}:{line_of(expected, file)} in " in note
    assert staged.experimental_get_tracing_count() == 1
    verify(concrete.graph)
    verify(concrete.optimized_graph)
    parsed = tf.Graph.from_text(concrete.graph.as_text())
    assert graph_equal(parsed, concrete.graph)
