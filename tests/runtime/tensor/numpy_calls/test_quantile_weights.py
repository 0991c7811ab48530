"""`weights` of quantiles and percentiles: the first elements up to which a line has a share of its weight."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

VALUES = np.array([[3.0, 1, 2, 5], [7, 7, 0, 4], [6, 8, 1, 1]])
WEIGHTS = np.array([[1.0, 2, 0, 4], [0, 1, 1, 3], [2, 0, 2, 2]])
METHOD = "inverted_cdf"

CALLS: list[Callable[[Any, Any], Any]] = [
    lambda x, w: np.quantile(x, 0.3, weights=w, method=METHOD),
    lambda x, w: np.percentile(x, [0, 10, 50, 90, 100], weights=w, method=METHOD),
    lambda x, w: np.quantile(x, [[0.0, 0.2], [0.7, 1.0]], axis=1, weights=w, method=METHOD),
    lambda x, w: np.quantile(x, 0.5, axis=0, weights=w, method=METHOD, keepdims=True),
    lambda x, w: np.quantile(x, [0.1, 0.9], axis=1, weights=w[0], method=METHOD),
    lambda x, w: np.quantile(x, np.float32(0.4), axis=(0, 1), weights=w, method=METHOD),
    lambda x, w: np.quantile(x.astype(int), 0.5, axis=0, weights=w, method=METHOD),
    lambda x, w: np.nanquantile(x, [0.0, 0.3, 1.0], weights=w, method=METHOD),
    lambda x, w: np.nanpercentile(x, 50, axis=1, weights=w + 1, method=METHOD, keepdims=True),
    lambda x, w: np.nanquantile(x, [0.1, 0.9], axis=0, weights=w + 1, method=METHOD),
]

REFUSED: list[Callable[[Any, Any], Any]] = [
    lambda x, w: np.quantile(x, 0.5, weights=w),
    lambda x, w: np.quantile(x, 0.5, weights=-w, method=METHOD),
    lambda x, w: np.quantile(x, 0.5, weights=w * 0, method=METHOD),
    lambda x, w: np.quantile(x, 0.5, weights=w[0], method=METHOD),
    lambda x, w: np.quantile(x, 0.5, axis=0, weights=w[0], method=METHOD),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
@pytest.mark.parametrize("with_nan", [False, True])
def test_weighted_quantiles_are_those_of_numpy(number: int, with_nan: bool) -> None:
    values = VALUES.copy()
    if with_nan and number != 6:  # nan is no integer
        values[0, 1] = values[1] = np.nan
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        expected = CALLS[number](values, WEIGHTS)
    for given in (np.copy, tf.constant):
        found = np.asarray(tf.function(CALLS[number])(given(values), given(WEIGHTS)))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_weights_that_numpy_refuses(number: int) -> None:
    with np.errstate(all="ignore"), pytest.raises((TypeError, ValueError)) as expected:
        REFUSED[number](VALUES, WEIGHTS)
    with pytest.raises(expected.type):
        tf.function(REFUSED[number])(VALUES, WEIGHTS)
