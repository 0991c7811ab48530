"""Random numbers from a generator of numpy's: what operations with and without a state of their own have in common.

    uniform(np.random.default_rng(1), shape, np.float32(0), np.float32(1), "random_uniform")
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import NARROW
from runtime.errors import InvalidArgumentError, ShapeMismatchError
from runtime.ops.kernels.values import elements, integers, show_shape
from runtime.ops.records.record import Array

__all__ = ["bits", "categorical", "normal", "shuffled", "truncated_normal", "uniform"]

def sizes_of(shape: Array, operation: str) -> tuple[int, ...]:
    """A shape to draw. Raises InvalidArgumentError for a negative size."""
    sizes = integers(shape, operation)
    if any(n < 0 for n in sizes):
        raise InvalidArgumentError(f"{operation}: a shape has no negative sizes; got {list(sizes)}")
    return sizes


def uniform(generator: np.random.Generator, shape: Array, minval: Array, maxval: Array, operation: str) -> Any:
    """Numbers from [minval, maxval), all equally likely, of their dtype."""
    sizes, dtype = sizes_of(shape, operation), minval.dtype
    if dtype.kind in "iu":
        if not np.all(np.less(minval, maxval)):
            raise InvalidArgumentError(f"{operation}: minval ({minval}) must be less than maxval ({maxval})")
        return generator.integers(minval, maxval, sizes, dtype)
    numbers = generator.random(sizes, np.float64 if dtype == np.float64 else np.float32)
    if dtype in NARROW:
        numbers = np.floor(numbers * 256) / 256  # the numbers of 8 bits between 0 and 1; rounding would reach 1
    scaled = (numbers * (maxval - minval) + minval).astype(dtype, copy=False)
    # Rounding may reach the upper bound, which does not belong to the interval.
    return np.where(np.less(scaled, maxval), scaled, minval) if np.any(np.greater_equal(scaled, maxval)) else scaled


def bits(generator: np.random.Generator, shape: Array, dtype: np.dtype[Any], operation: str) -> Any:
    """Integers out of all that the dtype has."""
    sizes = sizes_of(shape, operation)
    limits = np.iinfo(dtype)
    return generator.integers(limits.min, limits.max, sizes, dtype, endpoint=True)


def normal(generator: np.random.Generator, shape: Array, dtype: np.dtype[Any], operation: str) -> Any:
    """Numbers of the normal distribution with mean 0 and standard deviation 1."""
    return _normal(generator, sizes_of(shape, operation), dtype)


def _normal(generator: np.random.Generator, sizes: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    numbers = generator.standard_normal(sizes, np.float64 if dtype == np.float64 else np.float32)
    return np.asarray(numbers).astype(dtype, copy=False)


def truncated_normal(generator: np.random.Generator, shape: Array, dtype: np.dtype[Any], operation: str) -> Any:
    """Numbers of the normal distribution, drawn again where they are further than 2 from 0."""
    numbers = np.array(normal(generator, shape, dtype, operation))
    flat = numbers.reshape(-1)
    far = np.flatnonzero(np.abs(flat) > 2)
    while far.size:
        flat[far] = _normal(generator, far.shape, dtype)
        far = far[np.abs(flat[far]) > 2]
    return numbers


def categorical(generator: np.random.Generator, logits: Array, num_samples: Array, operation: str) -> Array:
    """For each row `num_samples` classes as int64, each with the probability softmax(row)."""
    count, shown = int(num_samples), show_shape(logits)
    if logits.ndim != 2:
        raise ShapeMismatchError(f"{operation}: logits are [batch, classes]; their shape is {shown}")
    if count < 0:
        raise InvalidArgumentError(f"{operation}: num_samples is not negative; got {count}")
    if not logits.shape[1] and len(logits) and count:
        raise InvalidArgumentError(f"{operation}: logits of shape {shown} have no classes")
    result = np.empty((len(logits), count), np.int64)
    for row, chosen in zip(logits.astype(np.float64), result, strict=True):
        top = row.max(initial=-np.inf)
        if not np.isfinite(top) or np.isnan(row).any():
            raise InvalidArgumentError(f"{operation}: a row of logits must have a finite largest element: {row}")
        shares = np.exp(row - top)
        limits = np.cumsum(shares)
        # Rounding may reach the upper limit, where only classes without any probability are left.
        last = np.flatnonzero(shares)[-1]
        chosen[:] = np.minimum(np.searchsorted(limits, generator.random(count) * limits[-1], "right"), last)
    return result


def shuffled(generator: np.random.Generator, value: Array, operation: str) -> Array:
    """The rows (slices along the first axis) in random order."""
    array = elements(value)
    if not array.ndim:
        raise InvalidArgumentError(f"{operation}: a scalar has no rows")
    rows: Array = array[generator.permutation(len(array))]
    return rows
