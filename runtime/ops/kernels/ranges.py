"""Kernels that work in float64 block by block, and formulas that are each for a range of numbers.

    by_range(x, (x <= 1, near), (x > 1, far))        # near(...) and far(...) of the elements that they are for

A block fits into the first cache: these formulas take a hundred steps and more, each of which goes over all elements.
What is cast to float64 at once has the elements for some blocks of each range.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from runtime.ops.records.record import Array

__all__ = ["Compute", "by_range", "clenshaw", "in_float64"]

Compute = Callable[[Array], Any]

BLOCK: Final = 2048
CAST: Final = 16 * BLOCK


def in_float64(compute: Compute) -> Compute:
    """A kernel that works in float64, block by block, and returns the dtype of its argument."""

    @functools.wraps(compute)
    def kernel(x: Array) -> Any:
        if x.size <= CAST:
            return compute(np.asarray(x, np.float64)).astype(x.dtype, copy=False)
        flat, result = np.reshape(x, -1), np.empty(x.size, x.dtype)
        for begin in range(0, x.size, CAST):
            block = slice(begin, begin + CAST)
            result[block] = compute(np.asarray(flat[block], np.float64))
        return result.reshape(x.shape)

    return kernel


def by_range(x: Array, *ranges: tuple[Any, Compute]) -> Array:
    """Each function on the elements where its condition holds, in blocks; nan where none does."""
    flat = np.reshape(x, -1)
    result = np.full_like(flat, np.nan)
    for condition, compute in ranges:
        places = np.flatnonzero(condition)
        for begin in range(0, len(places), BLOCK):
            block = places[begin : begin + BLOCK]
            result[block] = compute(flat[block])
    return result.reshape(x.shape)


def clenshaw(coefficients: Sequence[float], z: Array) -> tuple[Array, Array]:
    """The last two sums of Clenshaw's recurrence for a Chebyshev series at z (Mathematics of Computation 9, 1955)."""
    ahead, here, free = np.zeros_like(z), np.zeros_like(z), np.empty_like(z)
    twice = np.asarray(2 * z)
    for c in coefficients[::-1]:
        np.multiply(twice, here, out=free)
        np.subtract(free, ahead, out=free)
        np.add(free, c, out=free)
        here, ahead, free = free, here, ahead
    return here, ahead
