"""`a[i, ...]` is a view with no dimensions, where `a[i]` is a number: writes go through it, and are seen through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf


def written(a: Any, i: Any) -> Any:
    view = a[i, ...]
    view[...] = 3
    view += 1
    return a, view + 0


def seen(a: Any, i: Any) -> Any:
    view = a[..., i]
    a[i] = 7
    return view + 0


def of_a_table(a: Any, i: Any) -> Any:
    table = np.stack([a, a])
    view = table[1][i, ...]
    for k in range(3):
        view *= 2
        table[0, k] = view
    return table


def a_number(a: Any, i: Any) -> Any:
    number = a[i]
    a[i] = 7
    return number + a[...]


def squeezed(a: Any, i: Any) -> Any:
    view, other = np.squeeze(a[1:2]), a[:1].squeeze()
    view[...] = i + 3
    other += view
    return a, view + 0


@pytest.mark.parametrize("function", [written, seen, of_a_table, a_number, squeezed])
@pytest.mark.parametrize("place", [1, tf.constant(1)], ids=["python", "tensor"])
def test_views_of_one_element(function: Callable[[Any, Any], Any], place: Any) -> None:
    array, expected_array = np.arange(3.0), np.arange(3.0)
    expected = function(expected_array, 1)
    found = tf.function(function)(array, place)
    for part, wanted in zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]:
        np.testing.assert_array_equal(part, wanted)
    np.testing.assert_array_equal(array, expected_array)
