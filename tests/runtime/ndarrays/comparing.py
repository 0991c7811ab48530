"""Runs a program of numpy as it is and as a Function, and compares results and arguments, element by element."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as tf

__all__ = ["assert_same", "staged"]


def staged(value: Any) -> Any:
    """A number as a tensor, as numpy would type it; everything else as it is."""
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        return tf.constant(np.asarray(value))
    return value


def assert_same(function: Callable[..., Any], *arguments: Any, numbers: str = "both") -> None:
    """The Function gives what the function gives, and leaves its arguments as it does.

    numbers: whether Python numbers are given as they are, as tensors, or first one, then the other.
    """
    expected_arguments = copy.deepcopy(arguments)
    expected = function(*expected_arguments)
    for form in ("plain", "staged") if numbers == "both" else (numbers,):
        given = copy.deepcopy(arguments)
        call = [staged(value) for value in given] if form == "staged" else given
        result = tf.function(function)(*call)
        _compare(result, expected, f"{function.__name__}: result, numbers {form}")
        for i, (now, wanted) in enumerate(zip(given, expected_arguments, strict=True)):
            _compare(now, wanted, f"{function.__name__}: argument {i}, numbers {form}")


def _compare(found: Any, expected: Any, what: str) -> None:
    if isinstance(expected, list | tuple):
        assert len(found) == len(expected), what
        for a, b in zip(found, expected, strict=True):
            _compare(a, b, what)
    elif isinstance(expected, dict):
        assert list(found) == list(expected), what
        for key in expected:
            _compare(found[key], expected[key], what)
    elif expected is None:
        assert found is None, what
    elif isinstance(expected, np.ndarray | np.generic | bool | int | float | complex):
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-12, atol=1e-12, err_msg=what)
    else:
        assert found == expected or type(found) is type(expected), what
