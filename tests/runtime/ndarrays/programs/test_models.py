"""Simulation, signals, statistics and pictures: state in arrays, step after step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def n_body(position: Any, velocity: Any, mass: Any, dt: float, steps: int) -> Any:
    n = len(mass)
    for _ in range(steps):
        force = np.zeros_like(position)
        for i in range(n):
            for j in range(n):
                if i != j:
                    way = position[j] - position[i]
                    force[i] += mass[j] * way / (np.sum(way**2) + 0.01) ** 1.5
        velocity += dt * force
        position += dt * velocity
    return 0.5 * np.sum(mass[:, None] * velocity**2)


def leapfrog(x: Any, v: Any, dt: float, steps: int) -> None:
    a = -x
    for _ in range(steps):
        v += 0.5 * dt * a
        x += dt * v
        a = -x
        v += 0.5 * dt * a


def runge_kutta(trajectory: Any, dt: float) -> None:
    def slope(state: Any) -> Any:
        change = np.empty(2)
        change[0] = state[1]
        change[1] = -np.sin(state[0])
        return change

    for t in range(len(trajectory) - 1):
        state = trajectory[t]
        k1 = slope(state)
        k2 = slope(state + dt / 2 * k1)
        k3 = slope(state + dt / 2 * k2)
        k4 = slope(state + dt * k3)
        trajectory[t + 1] = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def fft(x: Any) -> None:
    """Radix 2, in place."""
    n = len(x)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    size = 2
    while size <= n:
        twiddle = np.exp(-2j * np.pi * np.arange(size // 2) / size)
        for start in range(0, n, size):
            even = x[start : start + size // 2].copy()
            odd = x[start + size // 2 : start + size] * twiddle
            x[start : start + size // 2] = even + odd
            x[start + size // 2 : start + size] = even - odd
        size *= 2


def mandelbrot(counts: Any, low: float, high: float, limit: int) -> None:
    height, width = counts.shape
    for i in range(height):
        for j in range(width):
            c = low + (high - low) * i / height
            d = low + (high - low) * j / width
            x, y = 0.0 * c, 0.0 * d
            for n in range(limit):
                if x * x + y * y > 4:
                    break
                x, y = x * x - y * y + c, 2 * x * y + d
                counts[i, j] = n


def mandelbrot_by_masks(c: Any, limit: int) -> Any:
    z, counts = np.zeros_like(c), np.zeros(c.shape, np.int64)
    inside = np.ones(c.shape, bool)
    for _ in range(limit):
        np.multiply(z, z, out=z, where=inside)
        np.add(z, c, out=z, where=inside)
        inside &= np.abs(z) <= 2
        counts[inside] += 1
    return counts


def softmax(x: Any) -> None:
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)


def normalise(x: Any, mean: Any, deviation: Any) -> None:
    mean[:] = x.mean(axis=0)
    deviation[:] = x.std(axis=0)
    x -= mean
    x /= np.where(deviation == 0, 1.0, deviation)


def k_means(points: Any, centres: Any, labels: Any, rounds: int) -> None:
    for _ in range(rounds):
        for i, point in enumerate(points):
            labels[i] = np.argmin(np.sum((centres - point) ** 2, axis=1))
        for k in range(len(centres)):
            members = labels == k
            if members.any():
                centres[k] = np.sum(points * members[:, None], axis=0) / members.sum()


def horner(coefficients: Any, x: Any, out: Any) -> None:
    out.fill(0.0)
    for c in coefficients:
        out *= x
        out += c


def synthetic_division(p: Any, root: float) -> Any:
    for i in range(1, len(p)):
        p[i] += root * p[i - 1]
    return p[:-1], p[-1]


def random_walk(table: Any, visits: Any, place: int) -> Any:
    for step in table:
        place = (place + step) % len(visits)
        visits[place] += 1
    return place


def generator(state: Any, out: Any) -> None:
    for i in range(len(out)):
        state[0] = (state[0] * 1103515245 + 12345) % 2147483648
        out[i] = state[0] / 2147483648


def flip(image: Any) -> None:
    height = len(image)
    for i in range(height // 2):
        saved = image[i].copy()
        image[i] = image[height - 1 - i]
        image[height - 1 - i] = saved


def rotate(image: Any) -> None:
    """By a quarter, four pixels at a time."""
    n = len(image)
    for i in range(n // 2):
        for j in range((n + 1) // 2):
            saved = image[i, j]
            image[i, j] = image[n - 1 - j, i]
            image[n - 1 - j, i] = image[n - 1 - i, n - 1 - j]
            image[n - 1 - i, n - 1 - j] = image[j, n - 1 - i]
            image[j, n - 1 - i] = saved


def transpose(a: Any) -> None:
    for i in range(len(a)):
        for j in range(i):
            a[i, j], a[j, i] = a[j, i], a[i, j]


def flood_fill(image: Any, row: int, column: int, colour: int) -> Any:
    old = image[row, column]
    stack = np.zeros((20, 2), np.int64)
    stack[0] = row, column
    top = 1
    painted = 0
    while top > 0:
        top -= 1
        i, j = stack[top]
        if image[i, j] == old:
            image[i, j] = colour
            painted += 1
            if i > 0:
                stack[top] = i - 1, j
                top += 1
            if i < image.shape[0] - 1:
                stack[top] = i + 1, j
                top += 1
            if j > 0:
                stack[top] = i, j - 1
                top += 1
            if j < image.shape[1] - 1:
                stack[top] = i, j + 1
                top += 1
    return painted


def brightness(image: Any, factor: float, channel: Any = 0) -> Any:
    """A picture of bytes, with channels that are views."""
    red, rest = image[..., channel], image[..., 1:]
    red[:] = np.clip(red * factor, 0, 255).astype(np.uint8)
    rest //= 2
    return red.max()


def adam(weights: Any, m: Any, v: Any, gradients: Any, rate: float) -> None:
    first, second = np.float64(1), np.float64(1)
    for gradient in gradients:
        m *= 0.9
        m += 0.1 * gradient
        v[:] = 0.999 * v + 0.001 * gradient**2
        first, second = first * 0.9, second * 0.999
        weights -= rate * (m / (1 - first)) / (np.sqrt(v / (1 - second)) + 1e-8)


def perceptron(x: Any, y: Any, w: Any, rounds: int) -> Any:
    mistakes = 0
    for _ in range(rounds):
        for row, wanted in zip(x, y):
            if wanted * (row @ w) <= 0:
                w += wanted * row
                mistakes += 1
    return mistakes


def ping_pong(state: Any, rounds: int) -> Any:
    u, v = state[0], state[1]
    for i in range(rounds):
        v[:] = u * 2.0
        v[0] += 1.0
        u, v = v, u
    return u.sum(), v.sum()


rng = np.random.default_rng(3)
IMAGE = rng.integers(0, 256, (4, 4))
PLACES = rng.random((3, 2))
MAP = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1]])

PROGRAMS = [
    (n_body, (PLACES, np.zeros((3, 2)), np.array([1.0, 2.0, 0.5]), 0.01, 2)),
    (leapfrog, (np.ones(2), np.zeros(2), 0.1, 4)),
    (runge_kutta, (np.vstack([[[1.0, 0.0]], np.zeros((3, 2))]), 0.1)),
    (fft, (rng.random(8) + 1j * rng.random(8),)),
    (mandelbrot, (np.zeros((2, 3), np.int64), -1.5, 1.0, 6)),
    (mandelbrot_by_masks, (np.array([[0.1 + 0.2j, -1.0 + 0.3j], [0.5 + 0.5j, 1.0 + 1.0j]]), 5)),
    (softmax, (rng.random((2, 3)),)),
    (normalise, (rng.random((4, 2)), np.zeros(2), np.zeros(2))),
    (k_means, (rng.random((4, 2)), rng.random((2, 2)), np.zeros(4, np.int64), 2)),
    (horner, (np.array([2.0, -1.0, 3.0]), rng.random(3), np.ones(3))),
    (synthetic_division, (np.array([1.0, -6.0, 11.0, -6.0]), 1.0)),
    (random_walk, (np.array([1, -1, 1, 1]), np.zeros(3, np.int64), 0)),
    (generator, (np.array([42]), np.zeros(4))),
    (flip, (IMAGE,)),
    (rotate, (IMAGE,)),
    (transpose, (IMAGE,)),
    (flood_fill, (MAP, 0, 0, 7)),
    (brightness, (rng.integers(0, 256, (2, 2, 3)).astype(np.uint8), 1.5)),
    (adam, (np.ones(2), np.zeros(2), np.zeros(2), rng.random((2, 2)), 0.1)),
    (perceptron, (rng.random((4, 2)) - 0.5, np.array([1.0, -1.0, 1.0, -1.0]), np.zeros(2), 2)),
    (ping_pong, (rng.random((2, 3)), 3)),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_as_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments)
