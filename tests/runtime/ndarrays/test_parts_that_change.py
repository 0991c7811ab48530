"""Parts of arrays at places that only the run knows, and writes to the arrays after the parts were taken: as numpy's
views, or refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError

PARTS: dict[str, Any] = {
    "rows and columns": lambda a, n: a[n:, n:],
    "rows": lambda a, n: a[n:],
    "a row": lambda a, n: a[n],
    "a column": lambda a, n: a[:, n],
    "a row as a column": lambda a, n: a[:, n].reshape(3, 1),
    "turned": lambda a, n: a[n:].T,
    "a part of a part": lambda a, n: a[n][1:],
    "first rows": lambda a, n: a[n:][0:2],
    "flat": lambda a, n: a[n].ravel(),
    "backwards": lambda a, n: np.flip(a[n]),
    "one more axis": lambda a, n: a[n][None],
    "a half": lambda a, n: np.split(a[n], 2)[1],
    "in a list": lambda a, n: [a[n].ravel()][0],
    "of rows": lambda a, n: [a[0], a[1], a[2]][n],
    "of a dict": lambda a, n: {0: a[0], 1: a[1], 2: a[2]}[n],
    "one or the other": lambda a, n: a[2] if n > 1 else a[0],
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_sees_what_is_written_to_its_array(name: str) -> None:
    part_of = PARTS[name]

    def f(n: Any) -> Any:
        a = np.arange(12.0).reshape(3, 4)
        part = part_of(a, n)
        a[2, 2] = 70.0
        return part

    staged = tf.function(f)
    for n in (0, 1, 2):
        np.testing.assert_array_equal(staged(tf.constant(n)), f(n))


def test_an_array_that_changes_and_changes_back() -> None:
    def f(n: Any) -> Any:
        a = np.zeros(3)
        first = a[n:]
        a[1] = 5.0
        second = a[n:]
        a[1] = 0.0
        return first.sum() + 10.0 * second.sum()

    assert float(tf.function(f)(tf.constant(1))) == f(1) == 0.0


def test_what_cannot_be_memory_is_refused() -> None:
    def f(n: Any) -> Any:
        names = np.array(["a", "b", "c"])
        part = names[n:]
        names[2] = "z"
        return part

    with pytest.raises(StagingError, match="keep what is in it in a list"):
        tf.function(f)(tf.constant(1))


@pytest.mark.parametrize("flat", [np.ravel, lambda part: part.reshape(-1)])
def test_what_may_be_a_view_or_a_copy_is_refused(flat: Any) -> None:
    """numpy copies the part for n = 1, and not for 0 and 2."""

    def f(n: Any) -> Any:
        a = np.ones((3, 4))
        part = flat(a[n:, n:])
        a[2, 2] = 7.0
        return part.sum()

    with pytest.raises(StagingError, match=r"is a view or a copy.*write a\.copy\(\)"):
        tf.function(f)(tf.constant(1))
