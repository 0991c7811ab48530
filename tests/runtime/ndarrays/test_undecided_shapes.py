"""`ravel` and `reshape` of slices of which only the run knows the sizes: a view or a copy, which shows when one is
written to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError


def medians(img: Any) -> Any:
    out = img.copy()
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            out[i, j] = np.sort(img[i - 1 : i + 2, j - 1 : j + 2].ravel())[4] + img[i:, j:].reshape(-1)[0]
    return out


def test_what_is_only_read_is_staged() -> None:
    img = np.random.default_rng(5).uniform(size=(12, 14))
    function = runtime.function(medians)
    np.testing.assert_array_equal(function(img.copy()), medians(img))
    assert len(function.get_concrete_function(img).graph.operations) < 60


def part_is_written(a: Any, n: Any) -> Any:
    part = a[n:, n:].ravel()
    part[0] = 7.0
    return a


def array_is_written(a: Any, n: Any) -> Any:
    part = a[n:, n:].ravel()
    a[2, 2] = 7.0
    return part


def written_in_a_branch(a: Any, n: Any) -> Any:
    part = a[n:, n:].ravel()
    if n > 0:
        a[2, 2] = 7.0
    return part


def written_in_a_loop(a: Any, n: Any) -> Any:
    part, total = a[n:, n:].ravel(), 0.0
    for i in range(n):
        total = total + part[0]
        a[2, i] = 7.0
    return total


@pytest.mark.parametrize("program", [part_is_written, array_is_written, written_in_a_branch, written_in_a_loop])
def test_what_is_written_to_is_refused(program: Any) -> None:
    with pytest.raises(StagingError, match=r"ravel.*write a\.copy\(\)"):
        runtime.function(program)(np.ones((3, 4)), runtime.constant(1))


def test_what_is_written_to_later_is_no_matter() -> None:
    def program(a: Any, n: Any) -> Any:
        first = a[n:, n:].ravel().sum()
        a[2, 2] = 7.0
        return first, a[n:, n:].ravel().sum()

    found = runtime.function(program)(np.ones((3, 4)), runtime.constant(1))
    assert [float(x) for x in found] == [6.0, 12.0]
