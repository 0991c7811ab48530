"""Gradients of programs with regard to an argument, in a Function, against central differences of runs in Python.

The results are weighed with fixed numbers and added up, and the argument is moved along fixed directions.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.algorithms.program import Program
from tests.numpy_programs import (
    curves,
    dynamic_programming,
    iterations,
    learning,
    linear_algebra,
    odes,
    probability,
    signals,
)

CASES: list[tuple[Program, int]] = [
    (odes.rk4_oscillator, 0),
    (odes.heat_by_loops, 0),
    (odes.upwind_advection, 0),
    (odes.crank_nicolson, 0),
    (odes.n_body, 0),
    (linear_algebra.householder_qr, 0),
    (linear_algebra.cholesky, 0),
    (linear_algebra.solve_by_elimination, 0),
    (linear_algebra.thomas, 3),
    (linear_algebra.determinant, 0),
    (iterations.conjugate_gradient, 1),
    (iterations.jacobi_iteration, 1),
    (iterations.rayleigh_quotient, 0),
    (dynamic_programming.time_warping, 0),
    (learning.em_mixture, 0),
    (learning.lasso, 1),
    (learning.lasso, 0),
    (learning.ridge_path, 1),
    (learning.gaussian_process, 1),
    (curves.lagrange, 1),
    (curves.natural_spline, 1),
    (signals.moving_average, 0),
    (signals.autocorrelation, 0),
    (signals.bilinear, 0),
    (probability.hmm_forward_backward, 0),
    (probability.kalman_filter, 0),
    (probability.black_scholes, 0),
    (probability.black_scholes, 3),
    (odes.n_body, 3),
]
"""Each with the position of the argument that is moved."""


def floats_of(result: Any) -> list[Any]:
    """The real results, in order."""
    parts = result if isinstance(result, list | tuple) else [result]
    return [part for part in parts if np.asarray(part).dtype == np.float64]


def weights_of(result: Any) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    return [rng.normal(size=np.shape(part)) for part in floats_of(result)]


def weighed(program: Program, arguments: Any, weights: list[np.ndarray]) -> float:
    found = floats_of(program.function(*copy.deepcopy(arguments)))
    return sum(float(np.sum(w * part)) for w, part in zip(weights, found, strict=True))


@pytest.mark.parametrize(("program", "position"), CASES, ids=lambda v: "" if isinstance(v, int) else v.name)
def test_gradient(program: Program, position: int) -> None:
    call = program.calls[0]
    weights = weights_of(program.function(*copy.deepcopy(call)))
    staged = tf.function(program.function)
    given = [tf.constant(value) if isinstance(value, np.ndarray) else value for value in copy.deepcopy(call)]
    with tf.GradientTape() as tape:
        given[position] = tf.constant(np.asarray(call[position]))
        tape.watch(given[position])
        found = floats_of(staged(*given))
        total = sum(tf.reduce_sum(w * part) for w, part in zip(weights, found, strict=True))
    gradient = tape.gradient(total, given[position]).numpy()
    rng = np.random.default_rng(4)
    for _ in range(2):
        step = 1e-6 * rng.normal(size=gradient.shape)
        ends = [[*call[:position], call[position] + sign * step, *call[position + 1 :]] for sign in (1, -1)]
        difference = weighed(program, ends[0], weights) - weighed(program, ends[1], weights)
        scale = np.abs(gradient).max() * np.abs(step).sum()
        assert abs(difference / 2 - np.sum(gradient * step)) <= 1e-5 * scale
