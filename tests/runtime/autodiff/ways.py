"""The ways to a gradient that must agree: eagerly, with the tape in the Function, with the Function in the tape.

    agree(lambda x: x * x, 3.0)         # first and second gradients in all ways, against central differences

Programs are functions of float64 scalars and vectors that return a scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime as tf
from runtime.graph.verify import verify

STEP = 1e-5


def tensors(values: Sequence[Any]) -> list[Any]:
    floats = float, list, np.ndarray
    return [tf.constant(np.asarray(v, np.float64)) if isinstance(v, floats) else tf.constant(v) for v in values]


def gradient(function: Callable[..., Any], *args: Any) -> list[Any]:
    """The gradients of a function by its float arguments, by a tape around the call."""
    floats = [a for a in args if a.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        result = function(*args)
    return tape.gradient(result, floats, unconnected_gradients="zero")


def second(function: Callable[..., Any], *args: Any) -> list[Any]:
    """The gradients of the weighted sum of all gradients."""
    floats = [a for a in args if a.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        total = weighted(gradient(function, *args))
    return tape.gradient(total, floats, unconnected_gradients="zero")


def weighted(gradients: Sequence[Any]) -> Any:
    return sum(tf.reduce_sum(g * (i + 1.5)) for i, g in enumerate(gradients))


def differences(function: Callable[..., Any], values: Sequence[Any]) -> list[Any]:
    """Central differences of a function of Python numbers, lists and tensors, by those that are floats."""
    found = []
    for place, value in enumerate(values):
        if not isinstance(value, float | list):
            continue
        array = np.asarray(value, np.float64)
        slopes = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            ends = []
            for sign in (1, -1):
                moved = array.copy()
                moved[index] += sign * STEP
                given = [*values[:place], moved, *values[place + 1 :]]
                ends.append(float(function(*tensors(given))))
            slopes[index] = (ends[0] - ends[1]) / (2 * STEP)
        found.append(slopes)
    return found


def same(found: Sequence[Any], wanted: Sequence[Any], rtol: float = 1e-9) -> None:
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=rtol, atol=rtol)


def agree(function: Callable[..., Any], *values: Any, order: int = 2) -> None:
    """Checks first (and second) gradients of a program in all ways against each other and central differences."""
    args = tensors(values)
    staged = tf.function(function)
    same([function(*args)], [staged(*args)])
    eager = gradient(function, *args)
    same(eager, differences(function, values), rtol=2e-6)
    inside = tf.function(lambda *args: gradient(function, *args))
    same(inside(*args), eager)
    same(gradient(staged, *args), eager)
    check_graphs(inside.get_concrete_function(*args))
    if order > 1:
        twice = second(function, *args)
        same(twice, differences(lambda *args: weighted(gradient(function, *args)), values), rtol=2e-5)
        inside = tf.function(lambda *args: second(function, *args))
        same(inside(*args), twice)
        same(second(staged, *args), twice)
        check_graphs(inside.get_concrete_function(*args))


def check_graphs(concrete: Any) -> None:
    verify(concrete.graph)
    verify(concrete.optimized_graph)
    text = tf.Graph.from_text(concrete.graph.as_text()).as_text()
    assert tf.Graph.from_text(text).as_text() == text
