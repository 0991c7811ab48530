"""Views that add axes of size one, or leave them out, and parts between places: of arrays of which only the run knows
the size, or which lie in memory as a library has left them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same

A = np.array([0.3, 1.7, 2.2, 3.9])

VIEWS: dict[str, Callable[[Any], Any]] = {
    "expand_dims": lambda a: np.expand_dims(a, 0),
    "expand_dims behind": lambda a: np.expand_dims(a, (-1, 0)),
    "at least 1": np.atleast_1d,
    "at least 2": np.atleast_2d,
    "at least 3": np.atleast_3d,
    "squeeze": lambda a: np.squeeze(a[:, None], axis=1),
    "squeeze from behind": lambda a: a[None, :, None].squeeze(axis=(0, -1)),
    "first of split": lambda a: np.split(a, [2])[0],
    "behind its end": lambda a: np.array_split(a, np.array([1, 9]))[1],
    "along an axis": lambda a: np.split(a[None], [1], axis=1)[1],
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_of_arrays_whose_size_only_the_run_knows(name: str) -> None:
    view = VIEWS[name]

    def program(a: Any, n: Any) -> Any:
        part = a[a > n]
        seen = view(part)
        seen += 10.0
        return part, seen

    assert_same(program, A, 1)


def vector_of(m: Any, n: Any) -> Any:
    values, vectors = np.linalg.eig(m)
    found = np.where(abs(np.real(values) - n) < 1e-8)[0]
    first = np.real(vectors[:, found[-1]]).squeeze()
    first[0] = 9.0
    return first, np.hsplit(np.real(vectors), 3)[1]


def test_views_of_what_lies_as_a_library_has_left_it() -> None:
    assert_same(vector_of, np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]]), 1)


def test_an_axis_that_is_not_of_size_one() -> None:
    def program(m: Any) -> Any:
        return np.real(np.linalg.eig(m)[1]).squeeze(axis=0)

    with pytest.raises(ValueError, match="size not equal to one"):
        runtime.function(program)(np.eye(3))


def test_all_axes_where_only_the_run_knows_which_are_of_size_one() -> None:
    with pytest.raises(StagingError, match=r"np.squeeze needs to know the shape"):
        runtime.function(lambda a: a[a > 1].squeeze())(A)
