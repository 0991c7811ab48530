"""Complex numbers in NumPy's order: by their real parts, then by the imaginary ones, nan last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

TABLE = np.array([[1 + 2j, 1 - 1j, 0, 3], [3 + 1j, -2, 3 + 1j, 0.5j]])
GAPS = TABLE.copy()
GAPS[0, 1], GAPS[1, 2] = np.nan, complex(1, np.nan)

CALLS: dict[str, Callable[[Any], Any]] = {
    "max": lambda x: (x.max(), np.max(x, axis=0), np.max(x, axis=(0, 1)), np.max(x, initial=10)),
    "min": lambda x: (x.min(), np.min(x, axis=1, keepdims=True)),
    "argmax": lambda x: (x.argmax(), np.argmax(x, axis=1)),
    "argmin": lambda x: (x.argmin(), np.argmin(x, axis=0, keepdims=True)),
    "maximum": lambda x: (np.maximum(x, 1), np.minimum(x, x[0, 0]), np.maximum(x[0], x[1]), np.minimum(x[1], x[0])),
    "fmax": lambda x: (np.fmax(x[0], x[1]), np.fmin(x[0], x[1])),
    "ufunc methods": lambda x: (np.maximum.reduce(x), np.minimum.accumulate(x, axis=1), np.maximum.outer(x[0], x[1])),
    "comparisons": lambda x: (np.less(x[0], x[1]), np.less_equal(x, 1), np.greater(x[0], x[1])),
    "at least": lambda x: np.greater_equal(x, 3j),
    "clip": lambda x: np.clip(x, 0, 2),
    "ptp": lambda x: np.ptp(x, axis=0),
    "sort": lambda x: (np.sort(x, axis=1), np.argsort(x, axis=1), np.sort(x, axis=None)),
    "searchsorted": lambda x: (np.searchsorted(np.sort(x[0]), x), np.searchsorted(np.sort(x[1]), x[0], "right")),
    "isin": lambda x: (np.isin(x, x[:, 0]), np.isin(x, [1 + 2j]), np.isin(x, x[:, 0], invert=True)),
    "median": lambda x: (np.median(x), np.median(x[:, :3], axis=1), np.median(x, axis=0, keepdims=True)),
    "nanmedian": lambda x: (np.nanmedian(x), np.nanmedian(x[:, :3], axis=1), np.nanmedian(x, axis=0, keepdims=True)),
    "sets": lambda x: (
        np.intersect1d(x, x[:, 0], return_indices=True), np.union1d(x[0], x[1]), np.setdiff1d(x, x[1]),
        np.setxor1d(x[0], x[1]),
    ),
    "sets of distinct numbers": lambda x: np.intersect1d(x[0], x[1, :2], assume_unique=True, return_indices=True),
    "nan": lambda x: (np.nanmax(x), np.nanmin(x, axis=0), np.nansum(x), np.nanmean(x), np.nanprod(x)),
    "rint": lambda x: (np.rint(x * 1.5), np.round(x)),
}


@pytest.mark.parametrize("given", [TABLE, GAPS, TABLE.astype(np.complex64)], ids=["known", "nan", "complex64"])
@pytest.mark.parametrize("name", CALLS)
def test_order(name: str, given: Any) -> None:
    with np.errstate(invalid="ignore"):
        wanted = tf.nest.flatten(CALLS[name](given))
    for form in (given.copy(), tf.constant(given)):
        for found, expected in zip(tf.nest.flatten(tf.function(CALLS[name])(form)), wanted, strict=True):
            assert found.dtype.numpy == expected.dtype
            np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6 if expected.itemsize == 8 else 1e-12)


def test_operators_of_arrays_and_their_numbers() -> None:
    def compared(x: Any) -> Any:
        return x[0] < x[1], x >= x[0, 0], x[0, 0] < x[1, 0], x[0, 0] >= 1, max(x[0], key=lambda z: z.real)

    for found, expected in zip(tf.function(compared)(TABLE.copy()), compared(TABLE), strict=True):
        np.testing.assert_array_equal(found.numpy(), expected)


def test_each_nan_is_one_of_the_unique_numbers_once() -> None:
    assert tf.function(lambda x: np.unique(x))(GAPS).shape == np.unique(GAPS).shape


@pytest.mark.parametrize("method", ["linear", "hazen", "midpoint", "nearest", "lower", "inverted_cdf"])
def test_quantiles_of_bools_are_where_numpy_has_them(method: Any) -> None:
    given = np.array([True, False, True])
    for call in (lambda x: np.quantile(x, 0.3, method=method), lambda x: np.nanpercentile(x, 30, method=method)):
        try:
            wanted = call(given)
        except TypeError:
            with pytest.raises(TypeError, match=r"Use x.astype\(int\), or method='nearest'"):
                tf.function(call)(given)
        else:
            assert tf.function(call)(given) == wanted
