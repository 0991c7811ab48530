"""Programs of particles, chance, codes and fractals. `prange`: see programs_fields.py."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

prange = range


def stars(x, v, mass, steps):
    n = x.shape[0]
    for _ in range(steps):
        for i in prange(n):
            fx = 0.0
            fy = 0.0
            fz = 0.0
            for j in range(n):
                dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                square = dx * dx + dy * dy + dz * dz + 0.01
                weight = mass[j] / (square * np.sqrt(square))
                fx += weight * dx
                fy += weight * dy
                fz += weight * dz
            v[i, 0] += 0.001 * fx
            v[i, 1] += 0.001 * fy
            v[i, 2] += 0.001 * fz
        x += 0.001 * v
    return x


def lennard_jones(x):
    n = x.shape[0]
    total = 0.0
    for i in prange(n):
        own = 0.0
        for j in range(n):
            if i != j:
                dx, dy, dz = x[j, 0] - x[i, 0], x[j, 1] - x[i, 1], x[j, 2] - x[i, 2]
                inverse = 1.0 / (dx * dx + dy * dy + dz * dz)
                sixth = inverse * inverse * inverse
                own += 2.0 * (sixth * sixth - sixth)
        total += own
    return total


def pair_counts(x, counts):
    for i in range(x.shape[0]):
        for j in range(i):
            dx, dy = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1]
            place = int(np.sqrt(dx * dx + dy * dy) * len(counts))
            if place < len(counts):
                counts[place] += 1
    return counts


def chain(x, v, steps):
    for _ in range(steps):
        bend = np.zeros_like(x)
        bend[1:-1] = x[2:] - 2.0 * x[1:-1] + x[:-2]
        v += 0.01 * (bend + 0.25 * bend * bend)
        x += 0.01 * v
    return x


def lorenz(steps):
    x, y, z = 1.0, 1.0, 1.0
    for _ in range(steps):
        dx, dy, dz = 10.0 * (y - x), x * (28.0 - z) - y, x * y - 2.5 * z
        x, y, z = x + 0.001 * dx, y + 0.001 * dy, z + 0.001 * dz
    return x + y + z


def mandelbrot(n, most):
    turns = np.zeros((n, n), np.int64)
    for i in prange(n):
        for j in range(n):
            re, im = -2.0 + 2.5 * i / n, -1.25 + 2.5 * j / n
            x = 0.0
            y = 0.0
            count = 0
            while count < most and x * x + y * y <= 4.0:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                count += 1
            turns[i, j] = count
    return turns


def julia(x, y, most):
    turns = np.zeros(x.shape, np.int64)
    for _ in range(most):
        inside = x * x + y * y <= 4.0
        turns += inside
        x, y = np.where(inside, x * x - y * y - 0.8, x), np.where(inside, 2.0 * x * y + 0.156, y)
    return turns


def logistic_map(rates, steps):
    x = np.full(len(rates), 0.5)
    for _ in range(steps):
        x = rates * x * (1.0 - x)
    return x


def crc(data):
    value = np.uint32(0xFFFFFFFF)
    for byte in data:
        value = value ^ byte
        for _ in range(8):
            low = value & np.uint32(1)
            value = value >> np.uint32(1)
            if low:
                value = value ^ np.uint32(0xEDB88320)
    return value ^ np.uint32(0xFFFFFFFF)


def pi_by_chance(count):
    state = np.uint64(12345)
    inside = 0
    for _ in range(count):
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        x = (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        y = (state >> np.uint64(11)) * (1.0 / 9007199254740992.0)
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / count


def magnet(spins, places, chances, coldness):
    n = spins.shape[0]
    for t in range(len(chances)):
        i, j = places[t, 0], places[t, 1]
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
        cost = 2.0 * spins[i, j] * around
        if cost <= 0.0 or chances[t] < np.exp(-coldness * cost):
            spins[i, j] = -spins[i, j]
    return spins


def metropolis(steps, chances):
    x = 0.0
    total = 0.0
    for t in range(len(chances)):
        candidate = x + steps[t]
        if chances[t] < np.exp(0.5 * (x * x - candidate * candidate)):
            x = candidate
        total += x
    return total


def option_prices(spots, strike, rate, spread, years):
    d = (np.log(spots / strike) + (rate + 0.5 * spread * spread) * years) / (spread * np.sqrt(years))
    e = d - spread * np.sqrt(years)
    share, other = 1.0 / (1.0 + np.exp(-1.702 * d)), 1.0 / (1.0 + np.exp(-1.702 * e))
    return spots * share - strike * np.exp(-rate * years) * other


def option_tree(spot, strike, steps):
    up = np.exp(0.3 * np.sqrt(1.0 / steps))
    chance = (np.exp(0.05 / steps) - 1.0 / up) / (up - 1.0 / up)
    value = np.maximum(strike - spot * up ** (2.0 * np.arange(steps + 1) - steps), 0.0)
    for _ in range(steps):
        value = np.exp(-0.05 / steps) * (chance * value[1:] + (1.0 - chance) * value[:-1])
    return value[0]


_drawn = np.random.default_rng(2)
_grid = np.linspace(-1.5, 1.5, 300)

PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (stars, (_drawn.normal(size=(200, 3)), np.zeros((200, 3)), np.ones(200), 10)),
    (lennard_jones, (_drawn.uniform(0, 10, size=(500, 3)),)),
    (pair_counts, (_drawn.uniform(size=(500, 2)), np.zeros(50, np.int64))),
    (chain, (_drawn.normal(size=1000), np.zeros(1000), 1000)),
    (lorenz, (500_000,)),
    (mandelbrot, (200, 100)),
    (julia, (*np.meshgrid(_grid, _grid), 50)),
    (logistic_map, (np.linspace(2.5, 4.0, 10_000), 1000)),
    (crc, (_drawn.integers(0, 256, 50_000).astype(np.uint32),)),
    (pi_by_chance, (500_000,)),
    (magnet, (_drawn.choice([-1, 1], (100, 100)), _drawn.integers(0, 100, (200_000, 2)), _drawn.uniform(size=200_000),
              0.44)),
    (metropolis, (_drawn.normal(size=200_000), _drawn.uniform(size=200_000))),
    (option_prices, (np.linspace(50, 150, 100_000), 100.0, 0.03, 0.25, 0.5)),
    (option_tree, (100.0, 95.0, 1000)),
]  # fmt: skip
