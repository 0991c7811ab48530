"""A function of a tensor run by Python on eager rows, and staged: with the length known while tracing, and unknown.

compare(total, [1.0, 2.0], [], dtype=tf.float32)      # one row of inputs for each comparison
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from tests.runtime.comparing import observe

__all__ = ["SIZES", "compare"]

SIZES = ([], [3], [4, 1, 3, 1, 5], list(range(9)))
"""Vectors of no, one and many elements."""


def compare(function: Callable[..., Any], *inputs: Any, dtype: Any = tf.int32, row: Any = ()) -> None:
    """The same values, errors and prints for each input, in all three ways. row: the shape of one item of the input."""
    known = tf.function(function)
    unknown = tf.function(function, input_signature=[tf.TensorSpec([None, *row], dtype)])
    for values in inputs:
        tensor = tf.reshape(tf.constant(values, dtype), [-1, *row]) if row else tf.constant(values, dtype)
        expected = shown(*observe(function, tensor))
        for name, staged in (("known length", known), ("unknown length", unknown)):
            found = shown(*observe(staged, tensor))
            assert found == expected, f"{function.__name__}({values}), {name}: {expected} in Python, {found} staged"
    assert unknown.experimental_get_tracing_count() == 1


def shown(result: Any, printed: str) -> tuple[str, str]:
    if isinstance(result, Exception):
        return f"{type(result).__name__}: {result}", printed
    return repr(result), printed
