"""Shapes and memory order of what NumPy makes of transposed arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

PROGRAMS: list[Callable[[Any, Any], Any]] = [
    lambda a, b: a.T @ b,
    lambda a, b: np.dot(a.T, b),
    lambda a, b: np.matmul(a.T, a),
    lambda a, b: b @ a,
    lambda a, b: np.zeros_like(a.T, shape=(2, 5)),
    lambda a, b: np.full_like(a.T, 2, shape=3),
    lambda a, b: np.clip(b, a.T[:, :1], 2),
    lambda a, b: np.add.outer(a.T[0], b),
    lambda a, b: np.add.reduce(a.T),
    lambda a, b: np.multiply.accumulate(a.T),
    lambda a, b: a.T * b,
    lambda a, b: np.sort(a.T),
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_in_numpy(program: Callable[[Any, Any], Any]) -> None:
    def traced(a: Any, b: Any) -> Any:
        made = program(a, b)
        kept.append(made)
        return made, np.ones(made.shape), made.reshape(-1), np.asarray(made.strides)

    kept: list[Any] = []
    a, b = np.arange(12.0).reshape(4, 3), np.arange(4.0)
    found, wanted = tf.function(traced)(a, b), traced(a, b)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.shape == other.shape
