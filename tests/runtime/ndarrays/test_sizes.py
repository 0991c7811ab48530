"""Shapes of arrays of which only the run knows some sizes: numbers of the graph, as `len` gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def first_size(a: Any, n: Any) -> Any:
    v = a[n:]
    return v.shape[0], v.shape[-1] * 2 + v.shape[0], len(v), v.size


def taken_apart(a: Any, n: Any) -> Any:
    rows, columns = a[n:].shape
    return rows * 10 + columns


def as_a_condition(a: Any, n: Any) -> Any:
    v = a[n:]
    if v.shape == (3, 2):
        return 1
    return 2 if v.shape[0] > 1 else 3


def compared(a: Any, n: Any) -> Any:
    v, w = a[n:], a[1:]
    return [v.shape == w.shape, w.shape == v.shape, v.shape != w.shape, (4, 2) == v.shape, v.shape == (4,)]


def of_new_arrays(a: Any, n: Any) -> Any:
    v = a[n:]
    made = np.zeros(v.shape) + 1
    made[0] = n
    return made, np.zeros(v.shape[1:]).size


def in_a_range(a: Any, n: Any) -> Any:
    v = a[n:]
    for i in range(v.shape[0]):
        v[i] = i * 2.0
    return v.sum()


def of_one_of_two(a: Any, n: Any) -> Any:
    v = a
    if n > 1:
        v = a[n:]
    return v.shape[0], v.shape[1] + len(v)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "function", [first_size, taken_apart, as_a_condition, compared, of_new_arrays, in_a_range, of_one_of_two]
)
def test_sizes(function: Any, n: int) -> None:
    assert_same(function, np.arange(8.0).reshape(4, 2), n, numbers="staged")
