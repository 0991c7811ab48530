"""What a program is told of traced arrays, and of their numbers: `isinstance`, `type`, `match`, `np.isscalar`."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import pytest

import runtime as tf

CLASSES: tuple[Any, ...] = (
    np.ndarray, np.generic, np.floating, np.integer, np.bool_, np.float64, np.int64, float, int, bool, complex, list,
    numbers.Number, numbers.Integral, object,
)  # fmt: skip


def told(value: Any) -> list[Any]:
    """All that is asked of a value."""
    found: list[Any] = [isinstance(value, kind) for kind in CLASSES]
    found += [isinstance(value, (list, tuple, np.ndarray)), isinstance(value, np.ndarray | list)]
    found += [type(value) is np.ndarray, type(value).__name__, np.isscalar(value), np.iterable(value), np.ndim(value)]
    match value:
        case np.ndarray():
            found.append("an array")
        case np.floating():
            found.append("a number")
        case int():
            found.append("an int of Python")
        case _:
            found.append("another")
    return found


def asks(x: Any, out: list[Any]) -> Any:
    values = [x, x * 2, x[:1], x.T, x[0], x.sum(), x[0] * 2, x.shape[0], len(x), np.zeros(2), float(x[0])]
    out.append([told(value) for value in values])
    out.append([told(i) for i in range(2)])
    out.append([told(x[i]) for i in range(2)])
    first, *rest = x
    out.append([told(first), told(rest[1])])
    return x


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8, np.bool_, np.complex128])
def test_as_numpy_says(dtype: Any) -> None:
    given = np.ones(3, dtype)
    if dtype is np.complex128:  # no float of Python
        staged, plain = [], []
        tf.function(lambda x: staged.append([told(x), told(x[0])]))(given)
        plain.append([told(given), told(given[0])])
    else:
        staged, plain = [], []
        tf.function(lambda x: asks(x, staged))(given)
        asks(given, plain)
    assert staged == plain


def as_array(x: Any) -> Any:
    """As libraries begin."""
    if not isinstance(x, (list, tuple, np.ndarray)):
        raise TypeError("x must be an array")
    return np.array([x]) if np.isscalar(x) else x * 2


def test_the_way_of_a_library() -> None:
    np.testing.assert_array_equal(tf.function(as_array)(np.ones(3)), as_array(np.ones(3)))


def test_a_tensor_is_no_array() -> None:
    found: list[Any] = []
    tf.function(lambda x: found.append((isinstance(x, np.ndarray), np.isscalar(x), np.isscalar(x[0]))))(tf.ones([2]))
    assert found == [(False, False, False)]
