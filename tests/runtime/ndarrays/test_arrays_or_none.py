"""An array that a branch has made and that is None otherwise: numpy's functions and operators take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf

USES: dict[str, Callable[[Any, Any], Any]] = {
    "a ufunc": lambda a, x: np.sin(a),
    "with out": lambda a, x: np.add(a, x, out=a),
    "two operands": lambda a, x: np.maximum(x, a),
    "a list": lambda a, x: np.stack([x, a]),
    "a choice": lambda a, x: np.where(x > 0, a, x),
    "a bound": lambda a, x: np.clip(x, 0, a),
    "a norm": lambda a, x: np.linalg.norm(a),
    "made an array": lambda a, x: np.array(a),
    "taken as one": lambda a, x: np.asarray(a),
    "+": lambda a, x: x + a,
    "-": lambda a, x: a - x,
    "@": lambda a, x: x @ a,
    "<": lambda a, x: x < a,
    "==": lambda a, x: x == a,
    "all equal": lambda a, x: np.array_equal(x, a),
}


def perhaps(x: Any, n: Any, use: Any) -> Any:
    a = None
    if n > 1:
        a = np.cos(x)
    x += 1
    return use(a, x)


def added_in_place(x: Any, n: Any) -> Any:
    a = None
    if n > 1:
        a = np.cos(x)
    x += a
    x[1:] *= a[0]
    return a


def the_best(x: Any, n: Any) -> Any:
    best, least = None, np.inf
    for _ in range(n):
        x = np.cos(x)
        if np.sum(x) < least:
            best = x
            least = np.sum(x)
    return np.sort(best)


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_where_it_is_an_array(use: Callable[[Any, Any], Any]) -> None:
    x, y = (np.array([0.1, 0.2]) for _ in "xy")
    found = tf.function(perhaps)(x, tf.constant(2), use)
    np.testing.assert_allclose(np.asarray(found), perhaps(y, 2, use), rtol=1e-12)
    np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("use", ["a ufunc", "+", "-"])
def test_where_it_is_none(use: str) -> None:
    with pytest.raises(TypeError) as wanted:
        perhaps(np.array([0.1, 0.2]), 0, USES[use])
    with pytest.raises(TypeError) as found:
        tf.function(perhaps)(np.array([0.1, 0.2]), tf.constant(0), USES[use])
    assert str(wanted.value) in str(found.value)


@pytest.mark.parametrize("program", [added_in_place, the_best])
def test_programs(program: Callable[..., Any]) -> None:
    x, y = (np.array([0.1, 0.2]) for _ in "xy")
    np.testing.assert_allclose(tf.function(program)(x, tf.constant(3)), program(y, 3), rtol=1e-12)
    np.testing.assert_allclose(x, y, rtol=1e-12)
    with pytest.raises(TypeError):
        tf.function(program)(x, tf.constant(0))
