"""Stencils, filters and automata that write to the grids that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def jacobi(u: Any, v: Any, rounds: int) -> Any:
    for _ in range(rounds):
        v[1:-1] = 0.5 * (u[:-2] + u[2:])
        u, v = v, u
    return u


def jacobi_2d(a: Any, b: Any, rounds: int) -> None:
    for _ in range(rounds):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


def heat(u: Any, alpha: float, rounds: int) -> None:
    for _ in range(rounds):
        u[1:-1] += alpha * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[1]
        u[-1] = u[-2]


def gauss_seidel(a: Any, b: Any, x: Any, rounds: int) -> Any:
    n = len(b)
    for _ in range(rounds):
        for i in range(n):
            x[i] = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return np.abs(a @ x - b).max()


def red_black(grid: Any, rounds: int) -> Any:
    rows, columns = grid.shape
    for _ in range(rounds):
        for colour in range(2):
            for i in range(1, rows - 1):
                for j in range(1 + (i + colour) % 2, columns - 1, 2):
                    grid[i, j] = (grid[i - 1, j] + grid[i + 1, j] + grid[i, j - 1] + grid[i, j + 1]) / 4.0
    return grid.mean()


def until_converged(u: Any, tolerance: float) -> Any:
    """A while loop with two buffers, one of which is the caller's."""
    new = u.copy()
    steps = 0
    change = np.inf
    while change > tolerance:
        new[1:-1] = (u[:-2] + u[2:]) / 2
        change = np.max(np.abs(new - u))
        u, new = new, u
        steps += 1
    return u, steps


def life(board: Any, rounds: int) -> None:
    rows, columns = board.shape
    for _ in range(rounds):
        before = board.copy()
        for i in range(rows):
            for j in range(columns):
                count = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            count += before[(i + di) % rows, (j + dj) % columns]
                if before[i, j] == 1:
                    board[i, j] = 1 if count == 2 or count == 3 else 0
                elif count == 3:
                    board[i, j] = 1


def life_by_masks(board: Any, rounds: int) -> None:
    for _ in range(rounds):
        count = np.zeros(board.shape, np.int64)
        for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
            count += np.roll(board, shift, axis)
            if axis == 0:
                count += np.roll(np.roll(board, shift, 0), 1, 1)
                count += np.roll(np.roll(board, shift, 0), -1, 1)
        born = (board == 0) & (count == 3)
        dies = (board == 1) & ((count < 2) | (count > 3))
        board[born] = 1
        board[dies] = 0


def automaton(history: Any, rule: int) -> None:
    for t in range(1, len(history)):
        row, above = history[t], history[t - 1]
        for i in range(len(row)):
            code = 4 * above[i - 1] + 2 * above[i] + above[(i + 1) % len(row)]
            row[i] = (rule >> code) & 1


def convolve(image: Any, kernel: Any, out: Any) -> None:
    height, width = kernel.shape
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = np.sum(image[i : i + height, j : j + width] * kernel)


def convolve_by_shifts(image: Any, kernel: Any) -> Any:
    height, width = kernel.shape
    out = np.zeros((image.shape[0] - height + 1, image.shape[1] - width + 1))
    for i in range(height):
        for j in range(width):
            out += kernel[i, j] * image[i : i + out.shape[0], j : j + out.shape[1]]
    return out


def max_pool(image: Any, out: Any, where: Any) -> None:
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            window = image[2 * i : 2 * i + 2, 2 * j : 2 * j + 2]
            out[i, j] = window.max()
            where[i, j] = window.argmax()


def moving_average(samples: Any, ring: Any, out: Any) -> None:
    total = 0.0
    place = 0
    for i in range(len(samples)):
        total += samples[i] - ring[place]
        ring[place] = samples[i]
        place = (place + 1) % len(ring)
        out[i] = total / len(ring)


def recursive_filter(x: Any, a: float, b: float) -> None:
    state = x[0]
    for i in range(1, len(x)):
        state = a * state + b * x[i]
        x[i] = state


def sobel(image: Any) -> Any:
    across, down = np.zeros_like(image), np.zeros_like(image)
    across[:, 1:-1] = image[:, 2:] - image[:, :-2]
    down[1:-1] = image[2:] - image[:-2]
    edges = np.hypot(across, down)
    edges[edges < 0.5] = 0.0
    image[:] = edges / edges.max()
    return edges


rng = np.random.default_rng(0)
GRID = rng.random((5, 5))
SYSTEM = rng.random((3, 3)) + 4 * np.eye(3)
BOARD = (rng.random((5, 4)) > 0.5).astype(np.int64)

PROGRAMS = [
    (jacobi, (np.array([0.0, 0.0, 8.0, 0.0, 1.0]), np.array([0.0, 5.0, 5.0, 5.0, 1.0]), 3)),
    (jacobi, (np.array([0.0, 0.0, 8.0, 0.0, 1.0]), np.array([0.0, 5.0, 5.0, 5.0, 1.0]), 2)),
    (jacobi_2d, (GRID, GRID.copy(), 2)),
    (heat, (np.array([0.0, 0.0, 9.0, 0.0, 0.0, 1.0]), 0.25, 3)),
    (gauss_seidel, (SYSTEM, np.array([1.0, 2.0, 3.0]), np.zeros(3), 3)),
    (red_black, (GRID, 1)),
    (until_converged, (np.array([1.0, 0.0, 0.0, 0.0, 5.0]), 0.05)),
    (until_converged, (np.array([1.0, 0.0, 0.0, 0.0, 5.0]), 0.1)),
    (life, (BOARD[:3, :3].copy(), 1)),
    (life_by_masks, (BOARD, 2)),
    (automaton, (np.vstack([[[0, 0, 1, 0, 1]], np.zeros((3, 5), np.int64)]), 110)),
    (convolve, (GRID, rng.random((2, 3)), np.zeros((4, 3)))),
    (convolve_by_shifts, (GRID, rng.random((2, 3)))),
    (max_pool, (GRID[:4, :4].copy(), np.zeros((2, 2)), np.zeros((2, 2), np.int64))),
    (moving_average, (rng.random(7), np.zeros(3), np.zeros(7))),
    (recursive_filter, (rng.random(5), 0.9, 0.1)),
    (sobel, (GRID,)),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_as_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments)
