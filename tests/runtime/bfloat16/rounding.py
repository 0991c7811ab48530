"""bfloat16 beside float64: how near a result has to be, and the values that numpy's own tests can look at."""

from __future__ import annotations

import importlib.util

import numpy as np

import runtime

NARROW = runtime.bfloat16.numpy if importlib.util.find_spec("ml_dtypes") else None
"""numpy's dtype of bfloat16, where the extra brings one."""


def assert_one_rounding(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    """bfloat16 beside float64: no further than half of its last digit, and what float32 loses before it is rounded."""
    assert found.dtype == runtime.bfloat16.numpy and found.shape == wanted.shape, what
    with np.errstate(over="ignore"):
        wanted = np.where(np.isinf(wanted.astype(found.dtype)), np.copysign(np.inf, wanted), wanted)
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=2**-8 + 1e-5, atol=1e-5, err_msg=what)


def in_numpy(array: np.ndarray) -> np.ndarray:
    """The same numbers in a dtype of which numpy's tests know nan."""
    return array.astype(np.float32) if NARROW is not None and array.dtype == NARROW else array
