"""Linear systems and eigenvalues by iteration; matrices that are stored as a few arrays."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program
from tests.numpy_programs.linear_algebra import POSITIVE, RIGHT

RNG = np.random.default_rng(12)


@program((POSITIVE, RIGHT, 1e-10))
def conjugate_gradient(A, b, tol):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    it = 0
    while np.sqrt(rs) > tol and it < 50:
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
        it += 1
    return x


@program((POSITIVE, RIGHT, np.zeros(5), 1e-6))
def jacobi_iteration(A, b, x, tol):
    D = np.diag(A)
    R = A - np.diagflat(D)
    for it in range(200):
        x_new = (b - R @ x) / D
        if np.linalg.norm(x_new - x, np.inf) < tol:
            return x_new, it
        x = x_new
    return x, -1


@program((POSITIVE, RIGHT, np.zeros(5), 1e-8, 1.1))
def sor(A, b, x, tol, omega):
    n = len(b)
    it = 0
    err = 1.0
    while err > tol:
        err = 0.0
        for i in range(n):
            s = 0.0
            for j in range(n):
                if j != i:
                    s += A[i, j] * x[j]
            new = (1 - omega) * x[i] + omega * (b[i] - s) / A[i, i]
            err = max(err, abs(new - x[i]))
            x[i] = new
        it += 1
        if it >= 100:
            break
    return it, err


@program((POSITIVE.astype(np.float32), RIGHT.astype(np.float32), 8))
def gauss_seidel(A, b, sweeps):
    x = np.zeros(b.shape, dtype=A.dtype)
    residuals = []
    for _ in range(sweeps):
        for i in range(x.size):
            x[i] += (b[i] - A[i] @ x) / A[i, i]
        residuals.append(np.linalg.norm(b - A @ x))
    return x, np.array(residuals)


@program((POSITIVE, 200, 1e-9))
def power_iteration(A, maxiter, tol):
    v = np.ones(A.shape[1])
    v /= np.linalg.norm(v)
    lam = 0.0
    for k in range(maxiter):
        w = A.dot(v)
        lam_new = v.dot(w)
        v = w / np.linalg.norm(w)
        if abs(lam_new - lam) < tol * abs(lam_new):
            break
        lam = lam_new
    else:
        return lam, v, False
    return lam_new, v, True


@program((POSITIVE, np.ones(5)))
def rayleigh_quotient(A, x):
    """Inverse iteration with a shift that follows."""
    x = x / np.linalg.norm(x)
    mu = x @ A @ x
    eye = np.eye(len(A))
    for _ in range(6):
        try_matrix = A - (mu + 1e-8) * eye
        y = np.linalg.solve(try_matrix, x)
        x = y / np.linalg.norm(y)
        mu = x @ A @ x
    return mu, np.abs(x)


@program((POSITIVE, 4))
def qr_eigenvalues(A, sweeps):
    off = []
    for _ in range(sweeps):
        Q, R = np.linalg.qr(A)
        A = R @ Q
        off.append(np.sqrt(np.sum(np.tril(A, -1) ** 2)))
    return np.sort(np.diag(A)), np.asarray(off)


@program((POSITIVE[:3, :3], 3))
def jacobi_rotations(A, sweeps):
    """All eigenvalues of a symmetric matrix."""
    n = A.shape[0]
    V = np.identity(n)
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) < 1e-14:
                    continue
                theta = 0.5 * np.arctan2(2 * A[p, q], A[q, q] - A[p, p])
                c, s = np.cos(theta), np.sin(theta)
                J = np.eye(n)
                J[p, p] = J[q, q] = c
                J[p, q], J[q, p] = s, -s
                A = J.T @ A @ J
                V = V @ J
    return A.diagonal(), V


@program((np.array([4.0, 1, 2, 5, 3, 6]), np.array([0, 2, 1, 2, 0, 3]), np.array([0, 2, 3, 3, 6]), np.arange(1.0, 5.0)))
def csr_product(data, indices, indptr, x):
    rows = len(indptr) - 1
    y = np.zeros(rows)
    for i in range(rows):
        acc = 0.0
        for jj in range(indptr[i], indptr[i + 1]):
            acc += data[jj] * x[indices[jj]]
        y[i] = acc
    return y


@program((np.array([0, 0, 1, 3, 3]), np.array([1, 2, 2, 0, 3]), np.array([1.0, 2, 3, 4, 5]), 4))
def coo_to_dense_and_back(row, col, val, n):
    dense = np.zeros((n, n))
    np.add.at(dense, (row, col), val)
    counts = np.bincount(row, minlength=n)
    indptr = np.concatenate(([0], np.cumsum(counts)))
    nz = np.nonzero(dense)
    return dense, indptr, dense[nz], np.stack(nz)


@program((np.array([[0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 0], [0, 0, 0, 0]]), 0.85, 1e-10))
def pagerank(links, d, tol):
    n = len(links)
    out = links.sum(axis=1)
    M = np.zeros((n, n))
    for i in range(n):
        if out[i] > 0:
            M[:, i] = links[i] / out[i]
        else:
            M[:, i] = 1.0 / n
    r = np.full(n, 1.0 / n)
    delta = np.inf
    while delta > tol:
        new = d * M @ r + (1 - d) / n
        delta = np.abs(new - r).sum()
        r = new
    return r
