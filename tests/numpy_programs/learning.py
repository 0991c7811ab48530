"""Models that are fitted to data: clusters, regressions, classifiers, components."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(7)
POINTS = np.concatenate([RNG.normal(0, 1, (10, 2)), RNG.normal(4, 1, (10, 2))])
LABELS = np.repeat([0, 1], 10)
DESIGN = np.column_stack([np.ones(12), RNG.normal(size=(12, 3))])
TARGET = DESIGN @ np.array([1.0, 2.0, 0.0, -1.0]) + 0.1 * RNG.normal(size=12)


@program((POINTS, POINTS[[0, 15]], 20))
def k_means(X, centers, max_iter):
    centers = centers.copy()
    labels = np.zeros(len(X), dtype=int)
    for it in range(max_iter):
        for i in range(len(X)):
            labels[i] = np.argmin(((X[i] - centers) ** 2).sum(axis=1))
        old = centers.copy()
        for k in range(len(centers)):
            mask = labels == k
            if mask.any():
                centers[k] = X[mask].mean(axis=0)
        if np.allclose(old, centers):
            break
    inertia = sum(((X[i] - centers[labels[i]]) ** 2).sum() for i in range(len(X)))
    return centers, labels, inertia


@program((POINTS[:, 0], np.array([-1.0, 5.0]), np.ones(2), np.array([0.5, 0.5]), 8))
def em_mixture(x, mu, sigma, w, steps):
    loglik = []
    for _ in range(steps):
        pdf = np.exp(-0.5 * ((x[:, None] - mu) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))
        weighted = w * pdf
        total = weighted.sum(axis=1, keepdims=True)
        r = weighted / total
        loglik.append(np.log(total).sum())
        nk = r.sum(axis=0)
        mu = (r * x[:, None]).sum(axis=0) / nk
        sigma = np.sqrt((r * (x[:, None] - mu) ** 2).sum(axis=0) / nk)
        w = nk / len(x)
    return mu, sigma, w, np.array(loglik)


@program((DESIGN, TARGET))
def least_squares(X, y):
    beta = np.linalg.solve(X.T @ X, X.T @ y)
    residuals = y - X @ beta
    dof = X.shape[0] - X.shape[1]
    s2 = residuals @ residuals / dof
    se = np.sqrt(s2 * np.diag(np.linalg.inv(X.T @ X)))
    r2 = 1 - (residuals**2).sum() / ((y - y.mean()) ** 2).sum()
    return beta, se, beta / se, r2


@program((DESIGN, TARGET, np.array([0.0, 0.1, 1.0, 10.0])))
def ridge_path(X, y, lambdas):
    p = X.shape[1]
    betas = np.empty((len(lambdas), p))
    penalty = np.eye(p)
    penalty[0, 0] = 0
    for i, lam in enumerate(lambdas):
        betas[i] = np.linalg.inv(X.T @ X + lam * penalty) @ X.T @ y
    return betas


@program((DESIGN[:, :3], TARGET, 0.3, 1e-7))
def lasso(X, y, lam, tol):
    """Coordinate descent with soft thresholds."""
    p = X.shape[1]
    beta = np.zeros(p)
    norms = (X**2).sum(axis=0)
    for sweep in range(6):
        biggest = 0.0
        for j in range(p):
            r = y - X @ beta + X[:, j] * beta[j]
            rho = X[:, j] @ r
            old = beta[j]
            if rho > lam:
                beta[j] = (rho - lam) / norms[j]
            elif rho < -lam:
                beta[j] = (rho + lam) / norms[j]
            else:
                beta[j] = 0.0
            biggest = max(biggest, abs(beta[j] - old))
        if biggest < tol:
            break
    return beta, np.count_nonzero(beta)


@program((POINTS, LABELS, np.zeros(2), 0.0, 0.1, 30), (POINTS.astype("f4"), LABELS, np.zeros(2, "f4"), 0.0, 0.1, 30))
def logistic_regression(X, y, w, b, lr, epochs):
    losses = np.zeros(epochs)
    for e in range(epochs):
        z = X @ w + b
        p = 1 / (1 + np.exp(-z))
        losses[e] = -np.mean(y * np.log(p + 1e-9) + (1 - y) * np.log(1 - p + 1e-9))
        err = p - y
        w -= lr * X.T @ err / len(y)
        b -= lr * err.mean()
    accuracy = ((X @ w + b > 0).astype(int) == y).mean()
    return b, losses, accuracy


@program((POINTS, np.where(LABELS == 1, 1, -1), 0.5, 10))
def perceptron(X, y, eta, epochs):
    w = np.zeros(X.shape[1] + 1)
    errors = []
    for _ in range(epochs):
        wrong = 0
        for xi, target in zip(X, y):
            activation = np.dot(xi, w[1:]) + w[0]
            update = eta * (target - (1 if activation >= 0 else -1))
            w[1:] += update * xi
            w[0] += update
            wrong += int(update != 0.0)
        errors.append(wrong)
        if wrong == 0:
            break
    return w, np.array(errors)


@program((POINTS, LABELS, 3))
def softmax_regression(X, y, classes):
    onehot = np.zeros((len(y), classes))
    onehot[np.arange(len(y)), y] = 1
    W = np.zeros((X.shape[1], classes))
    for _ in range(15):
        scores = X @ W
        scores -= scores.max(axis=1, keepdims=True)
        p = np.exp(scores)
        p /= p.sum(axis=1, keepdims=True)
        W -= 0.1 * X.T @ (p - onehot) / len(X)
    return W, np.argmax(X @ W, axis=1)


@program((POINTS, LABELS, np.array([[0.0, 0.0], [5.0, 3.0], [2.0, 2.0]])))
def naive_bayes(X, y, new):
    classes = np.unique(y)
    k = len(classes)
    mean, var = np.zeros((k, X.shape[1])), np.zeros((k, X.shape[1]))
    prior = np.zeros(k)
    for i, c in enumerate(classes):
        Xc = X[y == c]
        mean[i], var[i] = Xc.mean(0), Xc.var(0) + 1e-9
        prior[i] = len(Xc) / len(X)
    logp = np.empty((len(new), k))
    for i in range(k):
        logp[:, i] = np.log(prior[i]) - 0.5 * np.sum(np.log(2 * np.pi * var[i]) + (new - mean[i]) ** 2 / var[i], axis=1)
    return classes[logp.argmax(axis=1)], logp


@program((RNG.normal(size=(15, 4)) * np.array([3.0, 1.0, 0.5, 0.1]), 2))
def pca_by_power_iteration(X, k):
    Xc = X - X.mean(axis=0)
    C = Xc.T @ Xc / (len(X) - 1)
    components = np.zeros((k, X.shape[1]))
    variances = np.zeros(k)
    for i in range(k):
        v = np.ones(X.shape[1]) / np.sqrt(X.shape[1])
        for _ in range(100):
            v_new = C @ v
            v_new /= np.linalg.norm(v_new)
            if np.abs(np.abs(v_new @ v) - 1) < 1e-12:
                v = v_new
                break
            v = v_new
        components[i] = v
        variances[i] = v @ C @ v
        C = C - variances[i] * np.outer(v, v)
    return components, variances, Xc @ components.T


@program((POINTS, LABELS, np.array([[0.5, 0.5], [3.0, 3.5]]), 3))
def nearest_neighbours(X, y, queries, k):
    out = np.zeros(len(queries), dtype=y.dtype)
    for i, q in enumerate(queries):
        d = np.linalg.norm(X - q, axis=1)
        votes = np.bincount(y[np.argsort(d)[:k]], minlength=2)
        out[i] = votes.argmax()
    return out


@program((POINTS[:8, :1], np.sin(POINTS[:8, 0]), np.linspace(-1, 1, 5)[:, None], 0.7, 1e-3))
def gaussian_process(x, y, xs, length, noise):
    def kernel(a, b):
        return np.exp(-0.5 * ((a[:, None, 0] - b[None, :, 0]) / length) ** 2)

    K = kernel(x, x) + noise * np.eye(len(x))
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    Ks = kernel(x, xs)
    v = np.linalg.solve(L, Ks)
    return Ks.T @ alpha, 1 - (v**2).sum(axis=0)


@program((RNG.normal(size=(6, 2)), RNG.normal(size=(2, 5)), np.zeros(5), RNG.normal(size=(5, 1)), 0.05, 6))
def two_layer_network(X, W1, b1, W2, lr, epochs):
    t = (X[:, :1] * X[:, 1:] > 0).astype(X.dtype)
    for _ in range(epochs):
        h = np.maximum(X @ W1 + b1, 0)
        y = 1 / (1 + np.exp(-h @ W2))
        d2 = (y - t) / len(X)
        d1 = d2 @ W2.T * (h > 0)
        W2 -= lr * h.T @ d2
        W1 -= lr * X.T @ d1
        b1 -= lr * d1.sum(0)
    return np.mean((y - t) ** 2)
