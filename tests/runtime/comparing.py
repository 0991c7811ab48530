"""A staged function beside the same function run by Python: values, errors and what is printed must be the same.

    assert_same(fibonacci, 0, 1, 7)      # one graph, run for each of the inputs
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from typing import Any

import runtime as tf

__all__ = ["assert_same", "observe", "plain", "say"]


def say(*values: Any) -> None:
    """A print in program order that Python and the graph share."""
    tf.print(*values, output_stream=sys.stdout)


def plain(structure: Any) -> Any:
    """Values instead of tensors; text as bytes."""

    def of(leaf: Any) -> Any:
        if isinstance(leaf, str):
            return leaf.encode()
        if not isinstance(leaf, tf.Tensor):
            return leaf
        value = leaf.numpy()
        return value.tolist() if hasattr(value, "tolist") else value

    return tf.nest.map_structure(of, structure)


def observe(function: Callable[..., Any], *args: Any) -> tuple[Any, str]:
    """The plain result, or the exception that was raised, and what was printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        try:
            result = plain(function(*args))
        except Exception as error:
            result = error
    return result, output.getvalue()


def assert_same(function: Callable[..., Any], *inputs: Any) -> None:
    """One trace of `function` does for all inputs (tuples of arguments, or single ones) what Python does."""
    staged = tf.function(function)
    for given in inputs:
        args = given if isinstance(given, tuple) else (given,)
        tensors = [tf.constant(a) for a in args]
        with contextlib.redirect_stdout(io.StringIO()):
            staged.get_concrete_function(*tensors)  # an error of the trace is not one of the program
        expected, printed = observe(function, *args)
        result, printed_by_graph = observe(staged, *tensors)
        if isinstance(expected, Exception):
            assert isinstance(result, type(expected)), f"{args}: {expected!r} in Python, {result!r} staged"
        else:
            assert repr(result) == repr(expected), f"{args}: {expected!r} in Python, {result!r} staged"
        assert printed_by_graph == printed, args
    assert staged.experimental_get_tracing_count() == 1
