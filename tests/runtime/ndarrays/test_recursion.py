"""Functions that call themselves and write to arrays: as deep as Python decides, or, with copies, a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same


def halves(v: Any) -> None:
    if len(v) > 1:
        v[0] += v[-1]
        halves(v[: len(v) // 2])
        halves(v[len(v) // 2 :])


def merge_sort(v: Any) -> None:
    if len(v) <= 1:
        return
    half = len(v) // 2
    merge_sort(v[:half])
    merge_sort(v[half:])
    out, i, j = np.empty(len(v)), 0, 0
    for k in range(len(v)):
        if j >= len(v) - half or (i < half and v[i] <= v[half + j]):
            out[k] = v[i]
            i += 1
        else:
            out[k] = v[half + j]
            j += 1
    v[:] = out


def fft(x: Any) -> None:
    n = len(x)
    if n == 1:
        return
    even, odd = x[::2].copy(), x[1::2].copy()
    fft(even)
    fft(odd)
    w = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    x[: n // 2] = even + w * odd
    x[n // 2 :] = even - w * odd


@pytest.mark.parametrize(
    ("function", "array"),
    [(halves, np.arange(6.0)), (merge_sort, np.array([3.0, 1, 2, 5, 4])), (fft, np.arange(8) + 0j)],
)
def test_on_parts_of_an_array(function: Any, array: Any) -> None:
    assert_same(function, array)


def quick_sort(a: Any, low: Any, high: Any) -> Any:
    a = a.copy()
    if low < high:
        pivot, i = a[high], low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j] * 1, a[i] * 1
                i += 1
        a[i], a[high] = a[high] * 1, a[i] * 1
        a = quick_sort(a, low, i - 1)
        a = quick_sort(a, i + 1, high)
    return a


def sorted_in_place(a: Any, low: Any, high: Any) -> None:
    a[:] = quick_sort(a, low, high)


def counted_down(v: Any, k: Any) -> Any:
    v = v.copy()
    if k > 0:
        v[k % 4] += 1.0
        v = counted_down(v, k - 1)
    return v


def test_as_deep_as_a_tensor_decides() -> None:
    assert_same(sorted_in_place, np.array([3.0, 1, 2, 5, 4, 0]), 0, 5, numbers="staged")
    assert_same(counted_down, np.zeros(4), 6, numbers="staged")


def written_in_place(v: Any, k: Any) -> None:
    if k > 0:
        v[k % 4] += 1.0
        written_in_place(v, k - 1)


def given_back(v: Any, k: Any) -> Any:
    return v if k < 1 else given_back(v, k - 1)


def test_what_a_graph_would_lose_is_refused() -> None:
    with pytest.raises(StagingError, match=r"argument 'v'.*is changed inside of it; write to a copy \(v = v\.copy"):
        tf.function(written_in_place)(np.zeros(4), tf.constant(3))
    with pytest.raises(StagingError, match=r"returns an array that it was given.*Return a copy"):
        tf.function(given_back)(np.zeros(4), tf.constant(3))
