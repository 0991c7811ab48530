"""Families of numpy's functions: calls of them, each on values that are found by the names of its parameters.

    CALLS = {"det": lambda m: np.linalg.det(m)}      # m is a regular matrix; see VALUES

One trace is made for all calls of a family, so that many calls take little time. `COMPLEX` names those whose result is
complex here and real in numpy where nothing is imaginary; `SIZES` those that have to know the sizes; `SLOPES` those
whose gradients are compared with differences; `OF_NUMPY` those that `runtime.numpy` does not have.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["VALUES", "arguments_of", "values_of"]

_RANDOM = np.random.default_rng(11)
_MATRIX = _RANDOM.uniform(-1, 1, (3, 3)) + 3 * np.eye(3)


def _some(*shape: int) -> Any:
    return _RANDOM.uniform(-2, 2, shape)


def _with_nan(x: Any) -> Any:
    x[0, 1] = x[2, 0] = x[2, 3] = np.nan
    return x


VALUES: dict[str, Any] = {
    "x": _some(3, 4), "y": _some(3, 4), "cube": _some(2, 3, 4), "v": _some(5), "w": _some(5), "long": _some(16),
    "s": np.sort(_some(5)), "positive": np.abs(_some(3, 4)) + 0.5, "m": _MATRIX, "p": _MATRIX @ _MATRIX.T,
    "batch": _some(2, 3, 3) + 2 * np.eye(3), "tall": _some(5, 3), "c": _some(8) + 1j * _some(8),
    "z": _some(3, 3) + 1j * _some(3, 3) + 3 * np.eye(3), "gaps": _with_nan(_some(3, 4)),
    "n": np.array([3, 0, 5, 2, 2, 1]), "k": np.array([[4, 1, 3], [1, 1, 0]]), "one": np.float64(0.7),
    "b": np.array([[True, False, True, True], [False, False, True, False], [True, True, False, True]]),
    "small": np.array([1, 2, 3], np.float32), "bytes": np.array([200, 7, 96], np.uint8), "two": np.int64(2),
}  # fmt: skip
"""Parameter -> its value in all calls."""


def arguments_of(call: Callable[..., Any]) -> list[str]:
    """The names of what a call takes."""
    return list(inspect.signature(call).parameters)


def values_of(calls: Any) -> dict[str, Any]:
    """The values that some calls need."""
    names = {name for call in calls for name in arguments_of(call)}
    return {name: value for name, value in VALUES.items() if name in names}
