"""A program that asks numpy to raise where a float leaves the numbers: refused, for a graph raises nothing there."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime
from autograph.errors import StagingError

X = np.array([0.0, 2.0])


def by_errstate(x: Any) -> Any:
    try:
        with np.errstate(divide="raise"):
            return 1.0 / x
    except FloatingPointError:
        return x * 0


def in_a_branch(x: Any) -> Any:
    y = x
    if x[1] > 0:
        with np.errstate(all="raise"):
            y = np.log(x)
    return y


def by_seterr(x: Any) -> Any:
    before = np.seterr(divide="raise")
    try:
        return 1.0 / x
    finally:
        np.seterr(**before)


def by_warnings(x: Any) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return 1.0 / x
    except RuntimeWarning:
        return x * 0


@pytest.mark.parametrize("program", [by_errstate, in_a_branch, by_seterr, by_warnings])
def test_refused(program: Callable[[Any], Any]) -> None:
    before = np.geterr()
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.resetwarnings()
        with pytest.raises(StagingError, match="a graph gives inf and nan and raises nothing"):
            runtime.function(program)(X.copy())
    assert np.geterr() == before


def quiet(x: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        y = 1.0 / x
    with np.errstate(all="raise"):
        count = len(x) + 1
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=DeprecationWarning)
        return np.where(x > 0, y, 0.0) * count


def test_what_asks_for_nothing_of_floats() -> None:
    with warnings.catch_warnings():
        warnings.resetwarnings()
        np.testing.assert_array_equal(runtime.function(quiet)(X.copy()), quiet(X.copy()))


def test_what_holds_for_the_caller() -> None:
    with np.errstate(all="raise"):
        np.testing.assert_array_equal(runtime.function(lambda x: 1.0 / x)(X.copy()), [np.inf, 0.5])
