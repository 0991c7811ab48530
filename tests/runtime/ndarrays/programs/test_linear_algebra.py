"""Factorisations and solvers that work in the matrices that they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def lu(a: Any) -> None:
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]


def lu_with_pivots(a: Any, order: Any) -> Any:
    n = len(a)
    sign = 1.0
    for k in range(n):
        best = k + np.argmax(np.abs(a[k:, k]))
        if best != k:
            a[[k, best]] = a[[best, k]]
            order[[k, best]] = order[[best, k]]
            sign = -sign
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return sign * np.prod(np.diag(a))


def cholesky(a: Any) -> None:
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = np.sqrt(a[i, i])
    a[np.triu_indices(n, 1)] = 0.0


def gram_schmidt(q: Any) -> Any:
    n = q.shape[1]
    r = np.zeros((n, n))
    for j in range(n):
        column = q[:, j]
        for k in range(j):
            r[k, j] = q[:, k] @ column
            column -= r[k, j] * q[:, k]
        r[j, j] = np.linalg.norm(column)
        column /= r[j, j]
    return r


def householder(a: Any) -> Any:
    rows, columns = a.shape
    q = np.eye(rows)
    for k in range(columns):
        v = a[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v)
        a[k:, k:] -= 2 * np.outer(v, v @ a[k:, k:])
        q[:, k:] -= 2 * np.outer(q[:, k:] @ v, v)
    return q


def givens(a: Any) -> None:
    rows, columns = a.shape
    for j in range(columns):
        for i in range(rows - 1, j, -1):
            if a[i, j] != 0:
                length = np.hypot(a[i - 1, j], a[i, j])
                c, s = a[i - 1, j] / length, a[i, j] / length
                upper, lower = a[i - 1].copy(), a[i].copy()
                a[i - 1] = c * upper + s * lower
                a[i] = c * lower - s * upper


def gauss(a: Any, b: Any) -> Any:
    """Elimination with pivots, and back substitution; the rows are swapped through views."""
    n = len(b)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        row = a[k].copy()
        a[k] = a[pivot]
        a[pivot] = row
        b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i] -= factor * a[k]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return x


def gauss_jordan(a: Any) -> Any:
    n = len(a)
    inverse = np.identity(n)
    both = np.hstack([a, inverse])
    for k in range(n):
        both[k] /= both[k, k]
        for i in range(n):
            if i != k:
                both[i] -= both[i, k] * both[k]
    a[:] = both[:, n:]
    return both


def back_substitution(upper: Any, b: Any) -> None:
    for i in reversed(range(len(b))):
        for j in range(i + 1, len(b)):
            b[i] -= upper[i, j] * b[j]
        b[i] /= upper[i, i]


def thomas(lower: Any, diagonal: Any, upper: Any, d: Any) -> None:
    n = len(d)
    for i in range(1, n):
        w = lower[i - 1] / diagonal[i - 1]
        diagonal[i] -= w * upper[i - 1]
        d[i] -= w * d[i - 1]
    d[-1] /= diagonal[-1]
    for i in range(n - 2, -1, -1):
        d[i] = (d[i] - upper[i] * d[i + 1]) / diagonal[i]


def power_iteration(a: Any, v: Any, rounds: int) -> Any:
    value = 0.0
    for _ in range(rounds):
        v[:] = a @ v
        value = np.linalg.norm(v)
        v /= value
    return value


def conjugate_gradients(a: Any, b: Any, x: Any, rounds: int) -> Any:
    r = b - a @ x
    p = r.copy()
    old = r @ r
    for _ in range(rounds):
        ap = a @ p
        step = old / (p @ ap)
        x += step * p
        r -= step * ap
        new = r @ r
        if new < 1e-20:
            break
        p *= new / old
        p += r
        old = new
    return old


def jacobi_rotation(a: Any, vectors: Any) -> None:
    n = len(a)
    for p in range(n):
        for q in range(p + 1, n):
            if np.abs(a[p, q]) > 1e-12:
                theta = 0.5 * np.arctan2(2 * a[p, q], a[q, q] - a[p, p])
                c, s = np.cos(theta), np.sin(theta)
                turn = np.eye(n)
                turn[p, p] = turn[q, q] = c
                turn[p, q], turn[q, p] = s, -s
                a[:] = turn.T @ a @ turn
                vectors[...] = vectors @ turn


def levinson(r: Any, a: Any) -> Any:
    a[0] = 1.0
    error = r[0]
    for k in range(1, len(r)):
        acc = r[k]
        for j in range(1, k):
            acc += a[j] * r[k - j]
        reflection = -acc / error
        before = a.copy()
        for j in range(1, k):
            a[j] = before[j] + reflection * before[k - j]
        a[k] = reflection
        error *= 1 - reflection * reflection
    return error


def multiply(a: Any, b: Any, c: Any) -> None:
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0.0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def by_blocks(a: Any, b: Any, c: Any, size: int) -> None:
    n = len(c)
    for i in range(0, n, size):
        for j in range(0, n, size):
            block = c[i : i + size, j : j + size]
            for k in range(0, n, size):
                block += a[i : i + size, k : k + size] @ b[k : k + size, j : j + size]


rng = np.random.default_rng(1)
A = rng.random((3, 3)) + np.eye(3)
SPD = A @ A.T + np.eye(3)
TALL = rng.random((4, 2))

PROGRAMS = [
    (lu, (A,)),
    (lu_with_pivots, (A, np.arange(3))),
    (cholesky, (SPD,)),
    (gram_schmidt, (TALL,)),
    (householder, (TALL,)),
    (givens, (TALL,)),
    (gauss, (A[::-1].copy(), np.array([1.0, 2.0, 3.0]))),
    (gauss_jordan, (A,)),
    (back_substitution, (np.triu(A), np.array([1.0, 2.0, 3.0]))),
    (thomas, (np.full(3, -1.0), np.full(4, 4.0), np.full(3, -2.0), np.arange(4.0))),
    (power_iteration, (SPD, np.ones(3), 4)),
    (conjugate_gradients, (SPD, np.array([1.0, 2.0, 3.0]), np.zeros(3), 3)),
    (jacobi_rotation, (SPD, np.eye(3))),
    (levinson, (np.array([4.0, 2.0, 1.0, 0.5]), np.zeros(4))),
    (multiply, (rng.random((2, 3)), rng.random((3, 2)), np.ones((2, 2)))),
    (by_blocks, (rng.random((4, 4)), rng.random((4, 4)), np.zeros((4, 4)), 2)),
]


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_as_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments, numbers="plain" if function is by_blocks else "both")
