"""Programs over matrices, tables and graphs, by loops. `prange`: see programs_fields.py."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

prange = range


def product(a, b):
    n, m, k = a.shape[0], b.shape[1], a.shape[1]
    c = np.zeros((n, m))
    for i in prange(n):
        for p in range(k):
            for j in range(m):
                c[i, j] += a[i, p] * b[p, j]
    return c


def cholesky(a):
    n = a.shape[0]
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = np.sqrt(total) if i == j else total / lower[j, j]
    return lower


def lu(a):
    n = a.shape[0]
    for k in range(n - 1):
        best = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[best, k]):
                best = i
        for j in range(n):
            saved = a[k, j]
            a[k, j] = a[best, j]
            a[best, j] = saved
        for i in prange(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def substituted(lower, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= lower[i, j] * x[j]
        x[i] = total / lower[i, i]
    return x


def orthogonal(a):
    for j in range(a.shape[0]):
        for k in range(j):
            a[j] -= np.sum(a[j] * a[k]) * a[k]
        a[j] /= np.sqrt(np.sum(a[j] * a[j]))
    return a


def largest_eigenvalue(a, steps):
    x = np.ones(a.shape[0])
    size = 0.0
    for _ in range(steps):
        x = a @ x
        size = np.sqrt(np.sum(x * x))
        x = x / size
    return size


def conjugate_gradients(a, b, steps):
    x = np.zeros(len(b))
    r = b - a @ x
    p = r.copy()
    square = np.sum(r * r)
    for _ in range(steps):
        q = a @ p
        alpha = square / np.sum(p * q)
        x = x + alpha * p
        r = r - alpha * q
        following = np.sum(r * r)
        p = r + (following / square) * p
        square = following
    return x


def tridiagonal(lower, middle, upper, right):
    n = len(middle)
    for i in range(1, n):
        factor = lower[i] / middle[i - 1]
        middle[i] -= factor * upper[i - 1]
        right[i] -= factor * right[i - 1]
    right[n - 1] /= middle[n - 1]
    for i in range(n - 2, -1, -1):
        right[i] = (right[i] - upper[i] * right[i + 1]) / middle[i]
    return right


def sparse_product(values, columns, starts, x):
    y = np.zeros(len(starts) - 1)
    for i in prange(len(starts) - 1):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


def all_ways(d):
    n = d.shape[0]
    for k in range(n):
        for i in prange(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def cheapest_path(costs):
    n, m = costs.shape
    for i in range(1, n):
        for j in range(m):
            least = costs[i - 1, j]
            if j > 0:
                least = min(least, costs[i - 1, j - 1])
            if j < m - 1:
                least = min(least, costs[i - 1, j + 1])
            costs[i, j] += least
    return np.min(costs[n - 1])


def alignment(a, b):
    n, m = len(a), len(b)
    table = np.zeros((n + 1, m + 1), np.int64)
    best = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            score = table[i - 1, j - 1] + (2 if a[i - 1] == b[j - 1] else -1)
            score = max(0, max(score, max(table[i - 1, j], table[i, j - 1]) - 1))
            table[i, j] = score
            best = max(best, score)
    return best


def knapsack(weights, values, limit):
    best = np.zeros(limit + 1, np.int64)
    for i in range(len(weights)):
        for room in range(limit, weights[i] - 1, -1):
            best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[limit]


def viterbi(moves, seen, observed):
    states = moves.shape[0]
    score = np.zeros(states)
    for t in range(len(observed)):
        new = np.zeros(states)
        for j in range(states):
            best = -np.inf
            for i in range(states):
                best = max(best, score[i] + moves[i, j])
            new[j] = best + seen[j, observed[t]]
        score = new
    return score


def nearest_centres(points, centres, turns):
    n, k = points.shape[0], centres.shape[0]
    label = np.zeros(n, np.int64)
    for _ in range(turns):
        for i in prange(n):
            best = np.inf
            for j in range(k):
                x, y = points[i, 0] - centres[j, 0], points[i, 1] - centres[j, 1]
                distance = x * x + y * y
                if distance < best:
                    best = distance
                    label[i] = j
        sums = np.zeros((k, 3))
        for i in range(n):
            sums[label[i], 0] += points[i, 0]
            sums[label[i], 1] += points[i, 1]
            sums[label[i], 2] += 1.0
        for j in range(k):
            centres[j, 0] = sums[j, 0] / sums[j, 2]
            centres[j, 1] = sums[j, 1] / sums[j, 2]
    return centres


_drawn = np.random.default_rng(1)


def _positive(n: int) -> Any:
    a = _drawn.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


def _mixed(n: int) -> Any:
    return np.tril(_drawn.uniform(size=(n, n))) + n * np.eye(n)


PROGRAMS: list[tuple[Any, tuple[Any, ...]]] = [
    (product, (_drawn.normal(size=(150, 150)), _drawn.normal(size=(150, 150)))),
    (cholesky, (_positive(200),)),
    (lu, (_drawn.normal(size=(150, 150)),)),
    (substituted, (_mixed(1000), _drawn.normal(size=1000))),
    (orthogonal, (_drawn.normal(size=(100, 500)),)),
    (largest_eigenvalue, (_positive(300), 200)),
    (conjugate_gradients, (_positive(300), _drawn.normal(size=300), 100)),
    (tridiagonal, (np.full(100_000, -1.0), np.full(100_000, 4.0), np.full(100_000, -1.5), _drawn.normal(size=100_000))),
    (sparse_product, (_drawn.normal(size=500_000), _drawn.integers(0, 50_000, 500_000), np.arange(50_001) * 10,
                      _drawn.normal(size=50_000))),
    (all_ways, (_drawn.uniform(size=(150, 150)),)),
    (cheapest_path, (_drawn.uniform(size=(500, 500)),)),
    (alignment, (_drawn.integers(0, 4, 500), _drawn.integers(0, 4, 500))),
    (knapsack, (_drawn.integers(1, 30, 100), _drawn.integers(1, 90, 100), 5000)),
    (viterbi, (np.log(_drawn.uniform(size=(20, 20))), np.log(_drawn.uniform(size=(20, 10))),
               _drawn.integers(0, 10, 1000))),
    (nearest_centres, (_drawn.normal(size=(20_000, 2)), _drawn.normal(size=(8, 2)), 5)),
]  # fmt: skip
