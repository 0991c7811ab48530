"""Whole programs written with numpy alone: decorated, they give what they give in plain numpy, arrays in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.tensor.numpy_calls.test_functions import assert_same

RNG = np.random.default_rng(7)


def k_means_step(points: Any, centres: Any) -> Any:
    distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
    nearest = np.argmin(distances, axis=1)
    moved = []
    for k in range(centres.shape[0]):
        mine = nearest == k
        count = np.count_nonzero(mine)
        if count > 0:
            centre = np.sum(np.where(mine[:, None], points, 0), axis=0) / np.add(count, 0.0)
        else:
            centre = centres[k]
        moved.append(centre)
    return np.stack(moved), nearest


def power_iteration(matrix: Any, steps: int = 50) -> Any:
    vector = np.ones_like(matrix[0])
    for _ in range(steps):
        vector = np.dot(matrix, vector)
        vector = vector / np.linalg.norm(vector)
    return np.dot(vector, np.dot(matrix, vector)), np.abs(vector)


def power_iteration_until(matrix: Any, tolerance: float = 1e-10) -> Any:
    vector = np.ones_like(matrix[0]) / np.sqrt(np.size(matrix[0]))
    change = np.max(vector)
    while change > tolerance:
        following = matrix @ vector
        following = following / np.linalg.norm(following)
        change = np.max(np.abs(following - vector))
        vector = following
    return vector.dot(matrix @ vector)


def mandelbrot(real: Any, imaginary: Any, rounds: int = 30) -> Any:
    x0, y0 = np.meshgrid(real, imaginary)
    x, y = np.zeros_like(x0), np.zeros_like(y0)
    counts = np.zeros_like(x0, dtype=np.int32)
    for _ in range(rounds):
        inside = np.hypot(x, y) <= 2
        x, y = np.where(inside, x * x - y * y + x0, x), np.where(inside, 2 * x * y + y0, y)
        counts = counts + inside.astype(np.int32)
    return counts


def moving_average(values: Any, width: int = 3) -> Any:
    total = np.cumsum(values)
    by_sums = (total[width:] - total[:-width]) / width
    by_products = np.convolve(values, np.ones(width), "valid") / width
    return np.concatenate([total[width - 1 : width] / width, by_sums]), by_products


def softmax_regression_step(x: Any, labels: Any, weights: Any, bias: Any) -> Any:
    logits = np.dot(x, weights) + bias
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    exponentials = np.exp(shifted)
    probabilities = exponentials / exponentials.sum(axis=1, keepdims=True)
    picked = np.take_along_axis(probabilities, labels[:, None], axis=1)
    loss = -np.mean(np.log(picked))
    wanted = np.equal(labels[:, None], np.array([0, 1, 2])).astype(np.float64)
    error = (probabilities - wanted) / x.shape[0]
    return loss, weights - 0.5 * x.T.dot(error), bias - 0.5 * np.sum(error, axis=0)


def game_of_life(cells: Any, generations: int = 4) -> Any:
    for _ in range(generations):
        neighbours = np.zeros_like(cells)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down, right) != (0, 0):
                    neighbours = neighbours + np.roll(cells, (down, right), axis=(0, 1))
        survives = np.logical_and(cells, (neighbours == 2) | (neighbours == 3))
        born = np.logical_and(np.logical_not(cells), neighbours == 3)
        cells = np.logical_or(survives, born).astype(cells.dtype)
    return cells


def bisection(low: Any, high: Any) -> Any:
    rounds = 0
    while np.abs(high - low) > 1e-9:
        middle = (low + high) / 2
        if np.cos(middle) - middle > 0:
            low = middle
        else:
            high = middle
        rounds += 1
        if rounds > 100:
            break
    return low


def gram_schmidt(vectors: Any) -> Any:
    basis = []
    for row in range(vectors.shape[0]):
        rest = vectors[row]
        for other in basis:
            rest = rest - np.dot(rest, other) * other
        basis.append(rest / np.sqrt(np.sum(rest**2)))
    return np.array(basis) if isinstance(vectors, np.ndarray) else np.stack(basis)


def linear_fit(x: Any, y: Any) -> Any:
    design = np.column_stack([np.ones_like(x), x, np.square(x)])
    return np.linalg.solve(design.T @ design, design.T @ y)


def histogram_of_dice(throws: Any) -> Any:
    counts = np.bincount(throws, minlength=7)[1:]
    share = counts / np.sum(counts)
    return counts, share, np.argmax(share) + 1


def standardised(table: Any) -> Any:
    centred = table - table.mean(axis=0)
    spread = table.std(axis=0, ddof=1)
    return np.clip(centred / np.where(spread == 0, 1, spread), -2, 2).round(2)


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[np.ndarray, ...]]] = {
    "k_means_step": (k_means_step, (RNG.normal(size=(30, 2)), np.array([[0.0, 0.0], [1.0, 1.0], [90.0, 90.0]]))),
    "power_iteration": (power_iteration, (np.array([[2.0, 1.0], [1.0, 3.0]]),)),
    "power_iteration_until": (power_iteration_until, (np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]]),)),
    "mandelbrot": (mandelbrot, (np.linspace(-2, 0.5, 12), np.linspace(-1.2, 1.2, 9))),
    "moving_average": (moving_average, (RNG.normal(size=12),)),
    "softmax_regression_step": (
        softmax_regression_step,
        (RNG.normal(size=(8, 4)), RNG.integers(0, 3, 8), RNG.normal(size=(4, 3)), np.zeros(3)),
    ),
    "game_of_life": (game_of_life, (RNG.integers(0, 2, (8, 9)),)),
    "bisection": (bisection, (np.array(0.0), np.array(1.5))),
    "gram_schmidt": (gram_schmidt, (RNG.normal(size=(3, 5)),)),
    "linear_fit": (linear_fit, (np.arange(6.0), np.array([1.0, 3.0, 7.0, 13.0, 21.0, 31.0]))),
    "histogram_of_dice": (histogram_of_dice, (RNG.integers(1, 7, 40),)),
    "standardised": (standardised, (RNG.normal(size=(6, 3)).astype(np.float32),)),
}

CONVERTED_ALONE = {"k_means_step", "power_iteration_until", "bisection"}
"""Programs that branch or loop on values: without conversion a tensor is no Python bool."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    program, arrays = PROGRAMS[name]
    before = [array.copy() for array in arrays]
    wanted = program(*arrays)
    assert_same(program(*map(tf.constant, arrays)), wanted, "eager")
    for autograph in (True, False):
        function = tf.function(program, autograph=autograph)
        if not autograph and name in CONVERTED_ALONE:
            with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="bool"):
                function(*arrays)
            continue
        for _ in range(2):
            assert_same(function(*arrays), wanted, f"autograph={autograph}")
        assert function.experimental_get_tracing_count() == 1
    for array, copy in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, copy)


@pytest.mark.parametrize("name", ["power_iteration_until", "mandelbrot", "game_of_life", "standardised", "linear_fit"])
def test_program_for_arrays_of_any_size(name: str) -> None:
    program, arrays = PROGRAMS[name]
    specs = [tf.TensorSpec([None] * array.ndim, array.dtype) for array in arrays]
    assert_same(tf.function(program, input_signature=specs)(*arrays), program(*arrays))


def test_means_of_rows_in_a_list_that_grows() -> None:
    def means(rows: Any, join: Any, part: Any = np.mean) -> Any:
        found = []
        for row in rows:
            found.append(part(row))
        return join(found)

    rows = RNG.normal(size=(4, 3))
    signature = [tf.TensorSpec([None, None], tf.float64)]
    staged = tf.function(lambda rows: means(rows, tf.stack), input_signature=signature)
    assert_same(staged(rows), means(rows, np.stack))
    for join in (np.stack, np.array, np.asarray, np.sum, np.max, np.vstack, np.hstack, np.column_stack):
        for part in (np.mean,) if join in (np.sum, np.max) else (np.mean, np.sort):
            for options in ({}, {"input_signature": signature}):
                staged = tf.function(lambda rows, join=join, part=part: means(rows, join, part), **options)
                assert_same(staged(rows), means(rows, join, part))


def test_an_array_of_a_list_that_grows_is_written_to() -> None:
    def squares(a: Any) -> Any:
        found = []
        for x in a:
            found.append(x * x)
        made = np.array(found)
        made[0] = -1.0
        a[1] = 7.0
        return made, np.concatenate([np.stack(found), made]), np.concatenate([found, found])

    ours, numpys = np.arange(4.0), np.arange(4.0)
    assert_same(tf.function(squares)(ours), squares(numpys))
    assert ours.tolist() == numpys.tolist()


def test_results_are_arguments_of_the_next_call() -> None:
    """What comes back goes in again as it is, and into plain numpy."""
    x, labels, weights, bias = PROGRAMS["softmax_regression_step"][1]
    step = tf.function(softmax_regression_step)
    plain: tuple[Any, Any] = (weights, bias)
    staged: tuple[Any, Any] = (weights, bias)
    losses = []
    for _ in range(20):
        loss, *plain = softmax_regression_step(x, labels, *plain)
        found, *staged = step(x, labels, *staged)
        np.testing.assert_allclose(np.asarray(found), loss)
        losses.append(loss)
    assert losses[-1] < losses[0]
    np.testing.assert_allclose(np.asarray(staged[0]), plain[0])
