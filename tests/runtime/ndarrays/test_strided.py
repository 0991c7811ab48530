"""`as_strided` and windows that are written to: numpy's answer, or a refusal that says what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same

TABLE = np.arange(4.0)


def read(a: Any) -> Any:
    return as_strided(a, (3, 2), (8, 8)).sum(axis=1)


def seen_in_both(a: Any) -> Any:
    a[0] = 2 * a[1]
    w = as_strided(a, (3, 2), (8, 8))
    w[0, 1] = 9.0 * a[2]
    w[2] += w[0, 0]
    a[1] -= 1.0
    return w * 1


def rows(a: Any) -> Any:
    w = as_strided(a, strides=(16,), shape=(2,))
    w += a[:2]
    w[::-1][0] = w[0] * 2
    return a * 1


def diagonal(a: Any) -> Any:
    b = a.reshape(2, 2)
    as_strided(b, (2,), (24,))[:] = b[0, 1]
    return b.T * 1


def backwards(a: Any) -> Any:
    w = as_strided(a[3:], (4,), (-8,))
    w[1:] = w[:-1] * 2
    return w * 1


def in_a_loop(a: Any) -> Any:
    w = as_strided(a[1:], (2, 2), (8, 8))
    for i in range(2):
        if a[i] > 0:
            w[i, 1] = a[0] + i
    return a.sum()


def windows(a: Any) -> Any:
    w = sliding_window_view(a, 2, writeable=True)
    w[0, 1] = 9.0 * a[2]
    w[1:, 0] *= 2.0
    return w * 1


def read_only(a: Any) -> Any:
    w = as_strided(a, (2,), (8,), writeable=False)
    a[0] = a[1] * 3
    return w * 1


def captured(a: Any) -> Any:
    w = as_strided(TABLE, (3, 2), (8, 8))
    TABLE[0] = a[1]
    w[1, 0] = a[2]
    return w * 1


@pytest.mark.parametrize(
    "function", [read, seen_in_both, rows, diagonal, backwards, in_a_loop, windows, read_only, captured]
)
def test_as_numpy(function: Callable[..., Any]) -> None:
    TABLE[...] = np.arange(4.0)
    assert_same(function, np.array([1.0, 2.0, 3.0, 4.0]))


def test_what_has_several_values_is_refused() -> None:
    programs: list[tuple[Any, str]] = [
        (lambda a, i: as_strided(a, (3, 2), (8, 8)).__setitem__(slice(None), a[0]), "lie at the same place"),
        (lambda a, i: as_strided(a, (3, 2), (8, 8)).__setitem__((i, 0), a[0]), "lie at the same place"),
        (lambda a, i: as_strided(a, (9,), (8,)), "outside of the array"),
        (lambda a, i: as_strided(a[2:], (4,), (-8,)), "outside of the array"),
        (lambda a, i: as_strided(a, (2,), (4,)), "an element of float64 has 8"),
        (lambda a, i: as_strided(a[i:], (1,), (8,)), "as_strided"),
    ]
    for program, words in programs:
        a = np.arange(4.0)
        with pytest.raises((StagingError, ValueError), match=words):
            tf.function(program)(a, tf.constant(1))
        assert a.tolist() == [0.0, 1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="read-only"):
        tf.function(lambda a: as_strided(a, (2,), (8,), writeable=False).__setitem__(0, a[1]))(np.arange(4.0))
    with pytest.raises(TypeError, match="a tensor has no memory of its own"):
        tf.function(lambda x: as_strided(x, (2,), (8,)))(tf.constant([1.0, 2.0]))


def test_the_remedy() -> None:
    def f(a: Any, i: Any) -> Any:
        as_strided(a, (3, 2), (8, 8))[0, 1] = a[3]
        a[i + 1] = 7.0
        return a * 1

    assert_same(f, np.arange(4.0), 2, numbers="staged")
