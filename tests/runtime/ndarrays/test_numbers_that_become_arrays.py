"""A variable that is a number on one way and an array on another one: a tensor after that, which is no view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError
from tests.runtime.ndarrays.comparing import assert_same

A = np.array([0.3, 1.7, 2.2, 3.9])


def made_in_a_loop(a: Any, n: Any) -> Any:
    part: Any = 0.0
    for k in range(n):
        part = a[1:3] * k
    part[0] = 7.0
    return a, part


def compared_in_a_loop(a: Any, n: Any) -> Any:
    size, goes_on = a[:1], (a[:1] > n - 3).any()
    while goes_on:
        size = size / 2
        goes_on = size > 0.1
    return size


def made_in_a_branch(a: Any, n: Any) -> Any:
    part: Any = 0.0
    if n > 0:
        part = a[:2] * 3
    part += 1
    return a, part


def view_that_is_read(a: Any, n: Any) -> Any:
    part: Any = 0.0
    if n > 0:
        part = a[:2]
    return a, part * 2


def written_in_the_branch(a: Any, n: Any) -> Any:
    part: Any = 0.0
    twice = a * 2
    if n > 0:
        part = twice
        twice[0] = 3.0
    return twice, part + 1


@pytest.mark.parametrize(
    "program", [made_in_a_loop, compared_in_a_loop, made_in_a_branch, view_that_is_read, written_in_the_branch]
)
def test_what_is_no_view(program: Callable[..., Any]) -> None:
    assert_same(program, A, 2)


def view_is_written(a: Any, n: Any) -> Any:
    part = a[0]
    if n > 0:
        part = a[:1]
    part[0] = 5.0
    return a


def view_grows(a: Any, n: Any) -> Any:
    part: Any = 0.0
    if n > 0:
        part = a[:2]
    part += 5.0
    return a, part


def array_is_written(a: Any, n: Any) -> Any:
    part: Any = 0.0
    if n > 0:
        part = a[:2]
    a[0] = 9.0
    return a, part


def other_name_is_written(a: Any, n: Any) -> Any:
    part: Any = 0.0
    twice = a
    if n > 0:
        twice = a * 2
        part = twice[1:]
    twice[1] = 9.0
    return twice, part


def view_of_an_iteration(a: Any, n: Any) -> Any:
    part: Any = 0.0
    for _ in range(n):
        part = a[:2]
    part[0] = 5.0
    return a


@pytest.mark.parametrize(
    "program", [view_is_written, view_grows, array_is_written, other_name_is_written, view_of_an_iteration]
)
def test_views_that_are_written_to_are_refused(program: Callable[..., Any]) -> None:
    with pytest.raises(StagingError, match="copy"):
        runtime.function(program)(A.copy(), runtime.constant(2))
    assert not np.array_equal(program(A.copy(), 2)[0], A)


def bound_anew(a: Any, n: Any) -> Any:
    found = np.where(a > n)[0]
    flags = np.zeros(found.size)
    for i in range(found.size):
        if a[i] > 1:
            flags = flags + 1.0
            flags[i] = 7.0
    return flags


@pytest.mark.parametrize("n", [0, 1, 3, 9])
def test_arrays_of_a_size_of_the_run_that_some_iterations_bind_anew(n: int) -> None:
    """Of one element, it was broadcast with one of none."""
    assert_same(bound_anew, A, n)
