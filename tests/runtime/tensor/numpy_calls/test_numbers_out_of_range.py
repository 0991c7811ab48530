"""Python's integers beside arrays whose dtype does not hold them; and `float`, which is float64 to NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

SMALL = np.array([0, 1, 44, 255], np.uint8)
LARGE = np.array([0, 7, 2**64 - 1], np.uint64)

COMPARED: list[Callable[[Any], Any]] = [
    lambda a: a == 2**70,
    lambda a: a != -1,
    lambda a: a < 2**70,
    lambda a: a > -1,
    lambda a: -1 <= a,
    lambda a: 2**70 < a,
    lambda a: np.where(a > -1, a, 9),
    lambda a: np.clip(a, -5, 2**70),
    lambda a: np.clip(a, 1, 2**70),
    lambda a: np.clip(a, -5, None),
    lambda a: a.clip(-1, 3),
]

MADE: list[Callable[[Any], Any]] = [
    lambda a: np.zeros_like(a, dtype=float),
    lambda a: np.ones_like(a, float) * a,
    lambda a: np.full_like(a, 1, dtype=float),
    lambda a: np.empty_like(a, dtype=int) * 0,
]


@pytest.mark.parametrize("number", range(len(COMPARED + MADE)))
@pytest.mark.parametrize("array", [SMALL, LARGE], ids=["uint8", "uint64"])
def test_it_is_as_for_numpy(number: int, array: Any) -> None:
    function = (COMPARED + MADE)[number]
    expected, found = function(array.copy()), np.asarray(tf.function(function)(array.copy()))
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_limits_that_leave_nothing_are_refused() -> None:
    for function in (lambda a: np.clip(a, 300, 400), lambda a: np.clip(a, None, -1), lambda a: a + 300):
        with pytest.raises(OverflowError):
            function(SMALL)
        with pytest.raises(OverflowError):
            tf.function(function)(SMALL)
