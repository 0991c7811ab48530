"""Programs over grids and signals. `prange` is Python's `range`; for numba its own, whose turns all cores take."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

prange = range


def heat_in_slices(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.4 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return u


def heat_on_a_plate(u, steps):
    n, m = u.shape
    new = u.copy()
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = u[i, j] + 0.2 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u, new = new, u
    return u


def waves_on_a_pond(u, old, steps):
    for _ in range(steps):
        new = np.zeros_like(u)
        new[1:-1, 1:-1] = (
            2.0 * u[1:-1, 1:-1] - old[1:-1, 1:-1]
            + 0.2 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1])
        )  # fmt: skip
        old, u = u, new
    return u


def laplace(u, tolerance):
    change = 1.0
    while change > tolerance:
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        change = np.max(np.abs(new - u))
        u = new
    return u


def gauss_seidel(u, sweeps):
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def game_of_life(cells, steps):
    n, m = cells.shape
    new = cells.copy()
    for _ in range(steps):
        for i in prange(1, n - 1):
            for j in range(1, m - 1):
                around = 0
                for di in range(-1, 2):
                    for dj in range(-1, 2):
                        around += cells[i + di, j + dj]
                around -= cells[i, j]
                new[i, j] = 1 if around == 3 or (around == 2 and cells[i, j] == 1) else 0
        cells, new = new, cells
    return cells


def upwind(u, speed, steps):
    for _ in range(steps):
        flux = np.maximum(speed, 0.0) * u[:-1] + np.minimum(speed, 0.0) * u[1:]
        u[1:-1] -= 0.5 * (flux[1:] - flux[:-1])
    return u


def burgers(u, steps):
    for _ in range(steps):
        flux = 0.5 * u * u
        middle = 0.5 * (u[1:] + u[:-1]) - 0.25 * (flux[1:] - flux[:-1])
        u[1:-1] -= 0.5 * (0.5 * middle[1:] ** 2 - 0.5 * middle[:-1] ** 2)
    return u


def reaction_and_diffusion(u, v, steps):
    for _ in range(steps):
        a, b = u[1:-1, 1:-1], v[1:-1, 1:-1]
        of_u = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * a
        of_v = v[2:, 1:-1] + v[:-2, 1:-1] + v[1:-1, 2:] + v[1:-1, :-2] - 4.0 * b
        rate = a * b * b
        new_u, new_v = a + 0.16 * of_u - rate + 0.06 * (1.0 - a), b + 0.08 * of_v + rate - 0.122 * b
        u[1:-1, 1:-1] = new_u
        v[1:-1, 1:-1] = new_v
    return v


def edges(image):
    n, m = image.shape
    found = np.zeros((n, m))
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            x = (image[i - 1, j + 1] + 2.0 * image[i, j + 1] + image[i + 1, j + 1]
                 - image[i - 1, j - 1] - 2.0 * image[i, j - 1] - image[i + 1, j - 1])  # fmt: skip
            y = (image[i + 1, j - 1] + 2.0 * image[i + 1, j] + image[i + 1, j + 1]
                 - image[i - 1, j - 1] - 2.0 * image[i - 1, j] - image[i - 1, j + 1])  # fmt: skip
            found[i, j] = np.sqrt(x * x + y * y)
    return found


def blurred(image, weights):
    n, m = image.shape
    k = weights.shape[0]
    found = np.zeros((n - k + 1, m - k + 1))
    for i in prange(n - k + 1):
        for j in range(m - k + 1):
            total = 0.0
            for p in range(k):
                for q in range(k):
                    total += weights[p, q] * image[i + p, j + q]
            found[i, j] = total
    return found


def eroded(image):
    n, m = image.shape
    found = image.copy()
    for i in prange(1, n - 1):
        for j in range(1, m - 1):
            least = image[i, j]
            for p in range(i - 1, i + 2):
                for q in range(j - 1, j + 2):
                    least = min(least, image[p, q])
            found[i, j] = least
    return found


def spectrum(x):
    n = len(x)
    power = np.zeros(n // 2)
    for k in prange(n // 2):
        re = 0.0
        im = 0.0
        for t in range(n):
            angle = 2.0 * np.pi * ((k * t) % n) / n
            re += x[t] * np.cos(angle)
            im -= x[t] * np.sin(angle)
        power[k] = re * re + im * im
    return power


def goertzel(x, frequency):
    factor = 2.0 * np.cos(2.0 * np.pi * frequency)
    before = 0.0
    last = 0.0
    for t in range(len(x)):
        now = x[t] + factor * last - before
        before = last
        last = now
    return last * last + before * before - factor * last * before


def filtered(x, taps):
    n, k = len(x), len(taps)
    y = np.zeros(n - k + 1)
    for i in prange(n - k + 1):
        total = 0.0
        for j in range(k):
            total += taps[j] * x[i + j]
        y[i] = total
    return y


def resonator(x, a, b):
    y = np.zeros(len(x))
    for t in range(2, len(x)):
        y[t] = x[t] + a * y[t - 1] - b * y[t - 2]
    return y


def correlations(x, most):
    found = np.zeros(most)
    for lag in prange(most):
        total = 0.0
        for t in range(len(x) - lag):
            total += x[t] * x[t + lag]
        found[lag] = total
    return found


def envelope(x, window):
    y = np.zeros(len(x) - window)
    for i in prange(len(x) - window):
        y[i] = np.max(np.abs(x[i : i + window]))
    return y


_drawn = np.random.default_rng(0)
_plate = _drawn.uniform(size=(500, 500))
_signal = _drawn.normal(size=200_000)

PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (heat_in_slices, (_drawn.normal(size=10_000), 1000)),
    (heat_on_a_plate, (_plate, 20)),
    (waves_on_a_pond, (_plate, _plate, 50)),
    (laplace, (_drawn.uniform(size=(100, 100)), 1e-4)),
    (gauss_seidel, (_plate, 10)),
    (game_of_life, (_drawn.integers(0, 2, (300, 300)), 10)),
    (upwind, (_drawn.normal(size=10_000), -0.6, 1000)),
    (burgers, (_drawn.uniform(size=10_000), 500)),
    (reaction_and_diffusion, (_drawn.uniform(size=(200, 200)), _drawn.uniform(size=(200, 200)), 100)),
    (edges, (_drawn.uniform(size=(1000, 1000)),)),
    (blurred, (_plate, _drawn.uniform(size=(5, 5)))),
    (eroded, (_plate,)),
    (spectrum, (_signal[:1500],)),
    (goertzel, (_signal, 0.01)),
    (filtered, (_signal, _drawn.normal(size=32))),
    (resonator, (_signal, 1.6, 0.8)),
    (correlations, (_signal[:20_000], 100)),
    (envelope, (_signal[:50_000], 64)),
]
