"""Factorisations and solvers, in the matrix that they are given or in a copy."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(2)
SQUARE = RNG.normal(size=(5, 5))
POSITIVE = SQUARE @ SQUARE.T + 5 * np.eye(5)
RIGHT = RNG.normal(size=5)


@program((SQUARE,), (POSITIVE,))
def lu_with_pivoting(A):
    n = A.shape[0]
    piv = np.arange(n)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            piv[[k, p]] = piv[[p, k]]
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            A[i, k + 1 :] -= A[i, k] * A[k, k + 1 :]
    return A, piv


@program((RNG.normal(size=(5, 3)),))
def householder_qr(A):
    m, n = A.shape
    Q = np.eye(m)
    R = A.copy()
    for j in range(n):
        x = R[j:, j]
        v = x.copy()
        v[0] += np.copysign(np.linalg.norm(x), x[0])
        v /= np.linalg.norm(v)
        R[j:, j:] -= 2.0 * np.outer(v, v @ R[j:, j:])
        Q[:, j:] -= 2.0 * np.outer(Q[:, j:] @ v, v)
    return Q, np.triu(R)


@program((POSITIVE,))
def cholesky(A):
    n = len(A)
    L = np.zeros_like(A)
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j] - np.dot(L[i, :j], L[j, :j])
            if i == j:
                if s <= 0:
                    raise ValueError("not positive definite")
                L[i, i] = np.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return L


@program((RNG.normal(size=(4, 4)), RNG.normal(size=4)))
def solve_by_elimination(A, b):
    """With partial pivoting, in place, then back substitution."""
    n = len(b)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(A[i, k]) > abs(A[pivot, k]):
                pivot = i
        if pivot != k:
            for j in range(k, n):
                A[k, j], A[pivot, j] = A[pivot, j], A[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] -= f * A[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(A[i, i + 1 :], x[i + 1 :])) / A[i, i]
    return x


@program((np.tril(POSITIVE), RIGHT), (np.tril(SQUARE) + 3 * np.eye(5), RIGHT))
def triangular_solves(L, b):
    n = b.shape[0]
    y = b.copy()
    for i in range(n):
        for j in range(i):
            y[i] -= L[i, j] * y[j]
        y[i] /= L[i, i]
    x = y.copy()
    for i in reversed(range(n)):
        x[i] = (x[i] - L[i + 1 :, i] @ x[i + 1 :]) / L[i, i]
    return y, x


@program((np.full(6, -1.0), np.full(6, 4.0), np.full(6, -1.5), np.arange(6.0)))
def thomas(a, b, c, d):
    n = len(d)
    cp, dp = np.empty(n), np.empty(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.empty_like(d)
    x[-1] = dp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


@program((RNG.normal(size=(4, 4)),), (np.array([[0.0, 2, 1], [1, 1, 0], [3, 0, 1]]),), (np.ones((3, 3)),))
def determinant(A):
    A = A.astype(float)
    n = A.shape[0]
    det = 1.0
    for k in range(n):
        p = np.argmax(np.abs(A[k:, k])) + k
        if A[p, k] == 0:
            return 0.0
        if p != k:
            A[[k, p], :] = A[[p, k], :]
            det *= -1
        det *= A[k, k]
        A[k + 1 :] -= np.outer(A[k + 1 :, k] / A[k, k], A[k])
    return det


@program((SQUARE,), (POSITIVE.astype(np.float32),))
def gauss_jordan_inverse(A):
    n = len(A)
    M = np.hstack([A, np.eye(n, dtype=A.dtype)])
    for i in range(n):
        p = i + np.abs(M[i:, i]).argmax()
        M[[i, p]] = M[[p, i]]
        M[i] /= M[i, i]
        for j in range(n):
            if j != i:
                M[j] -= M[j, i] * M[i]
    return M[:, n:]


@program((RNG.normal(size=(5, 3)),))
def modified_gram_schmidt(V):
    n = V.shape[1]
    R = np.zeros((n, n))
    for i in range(n):
        R[i, i] = np.linalg.norm(V[:, i])
        V[:, i] /= R[i, i]
        for j in range(i + 1, n):
            R[i, j] = V[:, i].dot(V[:, j])
            V[:, j] -= R[i, j] * V[:, i]
    return V, R


@program((SQUARE, 1), (np.eye(3), 0))
def minor_and_cofactor(A, k):
    rows = np.arange(len(A)) != k
    minor = A[rows][:, rows]
    return minor, (-1) ** (k + k) * np.linalg.det(minor), np.delete(A, k, axis=0)


@program((RNG.normal(size=(6, 4)), RNG.normal(size=(6, 4))))
def rotation_between_points(P, Q):
    """Kabsch: the rotation that moves one cloud onto the other."""
    p, q = P - P.mean(axis=0), Q - Q.mean(axis=0)
    U, S, Vt = np.linalg.svd(p.T @ q)
    d = np.sign(np.linalg.det(U) * np.linalg.det(Vt))
    D = np.eye(len(S))
    D[-1, -1] = d
    R = U @ D @ Vt
    return R, np.sqrt(np.mean(np.sum((p @ R - q) ** 2, axis=1)))
