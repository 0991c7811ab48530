"""Polynomials, interpolation and splines."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

KNOTS = np.array([0.0, 1.0, 2.5, 3.0, 4.0])
VALUES = np.array([1.0, 2.0, 0.5, 0.0, 3.0])


@program((np.array([2.0, -6.0, 2.0, -1.0]), 3.0), (np.array([1, 2, 3]), 2))
def horner(coefficients, x):
    y = 0
    dy = 0
    for c in coefficients:
        dy = dy * x + y
        y = y * x + c
    return y, dy


@program((KNOTS, VALUES, np.array([0.5, 1.7, 3.3])))
def lagrange(xs, ys, t):
    n = len(xs)
    total = np.zeros_like(t)
    for i in range(n):
        li = np.ones_like(t)
        for j in range(n):
            if i != j:
                li *= (t - xs[j]) / (xs[i] - xs[j])
        total += ys[i] * li
    return total


@program((KNOTS, VALUES, 1.7))
def divided_differences(x, y, t):
    c = y.copy()
    n = len(x)
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            c[i] = (c[i] - c[i - 1]) / (x[i] - x[i - j])
    p = c[-1]
    for i in range(n - 2, -1, -1):
        p = p * (t - x[i]) + c[i]
    return c, p


@program((KNOTS, VALUES, np.linspace(0, 4, 7)))
def natural_spline(x, y, t):
    n = len(x) - 1
    h = np.diff(x)
    A = np.zeros((n + 1, n + 1))
    rhs = np.zeros(n + 1)
    A[0, 0] = A[n, n] = 1
    for i in range(1, n):
        A[i, i - 1], A[i, i], A[i, i + 1] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        rhs[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    M = np.linalg.solve(A, rhs)
    out = np.empty(len(t))
    for k, v in enumerate(t):
        i = min(np.searchsorted(x, v, side="right") - 1, n - 1)
        a, b = x[i + 1] - v, v - x[i]
        out[k] = (
            (M[i] * a**3 + M[i + 1] * b**3) / (6 * h[i])
            + (y[i] / h[i] - M[i] * h[i] / 6) * a
            + (y[i + 1] / h[i] - M[i + 1] * h[i] / 6) * b
        )
    return out


@program((np.array([1, 2, 3]), np.array([4, 5])), (np.array([1.5, 0.0]), np.array([1, 2, 3])))
def polynomial_product(a, b):
    out = np.zeros(len(a) + len(b) - 1, dtype=(a[:1] * b[:1]).dtype)
    for i, x in enumerate(a):
        out[i : i + len(b)] += x * b
    return out


@program((np.array([1.0, -6.0, 11.0, -6.0]), 40))
def durand_kerner(coefficients, steps):
    """All roots at once."""
    a = coefficients / coefficients[0]
    n = len(a) - 1
    z = (0.4 + 0.9j) ** np.arange(n)
    for _ in range(steps):
        old = z.copy()
        for i in range(n):
            others = np.delete(z, i)
            z[i] = z[i] - np.polyval(a, z[i]) / np.prod(z[i] - others)
        if np.max(np.abs(z - old)) < 1e-14:
            break
    return np.sort(z.real)


@program((np.array([[0.0, 0.0], [1.0, 2.0], [3.0, 3.0], [4.0, 0.0]]), 6))
def bezier(points, n):
    curve = np.empty((n, 2))
    for k in range(n):
        t = k / (n - 1)
        p = points.copy()
        for level in range(len(points) - 1, 0, -1):
            p[:level] = (1 - t) * p[:level] + t * p[1 : level + 1]
        curve[k] = p[0]
    length = np.sqrt(((curve[1:] - curve[:-1]) ** 2).sum(axis=1)).sum()
    return curve, length


@program((np.array([0.0, 4.0, 4.0, 0.0, 2.0]), np.array([0.0, 0.0, 3.0, 3.0, 1.5]), 1.0, 1.0))
def polygon(x, y, px, py):
    area = 0.5 * np.abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))
    inside = False
    j = len(x) - 1
    for i in range(len(x)):
        if (y[i] > py) != (y[j] > py) and px < (x[j] - x[i]) * (py - y[i]) / (y[j] - y[i]) + x[i]:
            inside = not inside
        j = i
    return area, inside


@program((np.array([[0.0, 0.0], [2.0, 1.0], [1.0, 1.0], [3.0, 3.0], [0.0, 2.0], [1.5, 0.5]]),))
def convex_hull(points):
    """Gift wrapping; -1 behind the end."""
    n = len(points)
    hull = np.full(n, -1)
    start = np.lexsort((points[:, 1], points[:, 0]))[0]
    p = start
    for k in range(n):
        hull[k] = p
        q = (p + 1) % n
        for r in range(n):
            a, b = points[q] - points[p], points[r] - points[p]
            if a[0] * b[1] - a[1] * b[0] < 0:
                q = r
        p = q
        if p == start:
            break
    return hull
