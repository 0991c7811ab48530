"""NumPy's functions of complex numbers, with the gradients of those that are analytic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf

POINTS = np.array([1 + 2j, -0.5 - 0.3j, 0.2 + 0.5j, 0.3 + 0.1j])
ANALYTIC = [
    np.arctan, np.arcsin, np.arccos, np.arctanh, np.arcsinh, np.arccosh, np.log10, np.log2, np.log1p, np.expm1, np.exp2,
]  # fmt: skip


@pytest.mark.parametrize("function", ANALYTIC, ids=lambda f: f.__name__)
def test_functions_of_complex_numbers(function: Any) -> None:
    expected = function(POINTS)
    for given in (POINTS.copy(), tf.constant(POINTS)):
        np.testing.assert_allclose(tf.function(lambda z: function(z))(given), expected)


@pytest.mark.parametrize("function", ANALYTIC, ids=lambda f: f.__name__)
def test_their_gradients(function: Any) -> None:
    """The gradient of the real part of an analytic function is the conjugate of its derivative."""
    z = tf.constant(POINTS)
    with tf.GradientTape() as tape:
        tape.watch(z)
        real = tf.math.real(function(z))
    step = 1e-6
    derivative = (function(POINTS + step) - function(POINTS - step)) / (2 * step)
    np.testing.assert_allclose(tape.gradient(real, z), derivative.conj(), rtol=1e-6)


def test_nonzero_complex_numbers_are_counted() -> None:
    table = np.array([[0j, 1j], [2, 0]])
    assert int(tf.function(lambda z: np.count_nonzero(z))(table)) == 2
