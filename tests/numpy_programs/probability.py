"""Chains, filters, walks and prices: probabilities in arrays, random numbers given."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(5)
TRANSITION = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]])
EMISSION = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6], [0.3, 0.3, 0.4]])
START = np.array([0.6, 0.3, 0.1])


@program((TRANSITION, EMISSION, START, np.array([0, 1, 2, 2, 0, 1])))
def viterbi(A, B, pi, obs):
    T, N = len(obs), len(pi)
    delta = np.zeros((T, N))
    psi = np.zeros((T, N), dtype=int)
    delta[0] = np.log(pi) + np.log(B[:, obs[0]])
    for t in range(1, T):
        for j in range(N):
            scores = delta[t - 1] + np.log(A[:, j])
            psi[t, j] = np.argmax(scores)
            delta[t, j] = scores[psi[t, j]] + np.log(B[j, obs[t]])
    path = np.zeros(T, dtype=int)
    path[-1] = delta[-1].argmax()
    for t in range(T - 2, -1, -1):
        path[t] = psi[t + 1, path[t + 1]]
    return path, delta[-1].max()


@program((TRANSITION, EMISSION, START, np.array([0, 1, 2, 2, 0, 1])))
def hmm_forward_backward(A, B, pi, obs):
    T = len(obs)
    alpha = np.empty((T, len(pi)))
    scale = np.empty(T)
    alpha[0] = pi * B[:, obs[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, T):
        alpha[t] = (alpha[t - 1] @ A) * B[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    beta = np.ones_like(alpha)
    for t in reversed(range(T - 1)):
        beta[t] = A @ (B[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
    gamma = alpha * beta
    return np.log(scale).sum(), gamma / gamma.sum(1, keepdims=True)


@program((RNG.normal(size=(12, 2)), np.eye(4) + 0.1 * np.eye(4, k=2), 0.01, 0.5))
def kalman_filter(z, F, q, r):
    H = np.zeros((2, 4))
    H[0, 0] = H[1, 1] = 1
    Q, R = q * np.eye(4), r * np.eye(2)
    x = np.zeros(4)
    P = np.eye(4) * 10.0
    out = np.zeros((len(z), 4))
    loglik = 0.0
    for k, zk in enumerate(z):
        x = F @ x
        P = F @ P @ F.T + Q
        y = zk - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ y
        P = (np.eye(4) - K @ H) @ P
        loglik -= 0.5 * (y @ np.linalg.solve(S, y) + np.log(np.linalg.det(2 * np.pi * S)))
        out[k] = x
    return out, P, loglik


@program((RNG.uniform(-1, 1, size=(200, 2)),))
def monte_carlo_pi(points):
    inside = (points**2).sum(axis=1) <= 1.0
    running = 4 * np.cumsum(inside) / np.arange(1, len(points) + 1)
    p = inside.mean()
    return running[-1], 4 * np.sqrt(p * (1 - p) / len(points)), running[::50]


@program((RNG.normal(size=40), RNG.uniform(size=40), 0.3))
def metropolis(proposals, u, x):
    def logp(x):
        return -0.5 * x * x + np.log1p(np.exp(-np.abs(x)))

    chain = np.empty(len(u))
    accepted = 0
    current = logp(x)
    for i in range(len(u)):
        y = x + 1.5 * proposals[i]
        new = logp(y)
        if np.log(u[i]) < new - current:
            x, current = y, new
            accepted += 1
        chain[i] = x
    return chain, accepted / len(u), chain[10:].mean()


SPINS = np.where(RNG.uniform(size=(5, 5)) < 0.5, 1, -1)


@program((SPINS, RNG.integers(0, 5, size=(60, 2)), RNG.uniform(size=60), 0.44))
def ising(spins, sites, u, beta):
    n = spins.shape[0]
    energies = []
    E = 0
    for i in range(n):
        for j in range(n):
            E -= spins[i, j] * (spins[(i + 1) % n, j] + spins[i, (j + 1) % n])
    for (i, j), r in zip(sites, u):
        nb = spins[(i + 1) % n, j] + spins[(i - 1) % n, j] + spins[i, (j + 1) % n] + spins[i, (j - 1) % n]
        dE = 2 * spins[i, j] * nb
        if dE <= 0 or r < np.exp(-beta * dE):
            spins[i, j] *= -1
            E += dE
        energies.append(E)
    return np.array(energies), abs(spins.sum()) / spins.size


@program((RNG.integers(0, 4, size=50), 5), (RNG.integers(0, 4, size=9), 2))
def random_walk(choices, limit):
    moves = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    pos = np.zeros(2, dtype=int)
    visited = {}
    path = np.cumsum(moves[choices], axis=0)
    steps = 0
    for c in choices:
        pos += moves[c]
        steps += 1
        if np.abs(pos).max() >= limit:
            break
    return steps, pos, np.hypot(*path[-1])


@program((100.0, 105.0, 0.03, 0.25, 0.5), (100.0, np.array([90.0, 100.0, 110.0]), 0.03, 0.25, 0.5))
def black_scholes(S, K, r, sigma, T):
    def ncdf(x):
        t = 1 / (1 + 0.2316419 * np.abs(x))
        poly = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
        tail = np.exp(-x * x / 2) / np.sqrt(2 * np.pi) * poly
        return np.where(x >= 0, 1 - tail, tail)

    d1 = (np.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * np.sqrt(T))
    d2 = d1 - sigma * np.sqrt(T)
    call = S * ncdf(d1) - K * np.exp(-r * T) * ncdf(d2)
    put = call - S + K * np.exp(-r * T)
    return call, put


@program((100.0, 95.0, 0.05, 0.3, 1.0, 12, True), (100.0, 95.0, 0.05, 0.3, 1.0, 12, False))
def binomial_tree(S, K, r, sigma, T, N, american):
    dt = T / N
    u = np.exp(sigma * np.sqrt(dt))
    d = 1 / u
    p = (np.exp(r * dt) - d) / (u - d)
    prices = S * d ** np.arange(N, -1, -1) * u ** np.arange(0, N + 1)
    V = np.maximum(K - prices, 0)
    for i in range(N - 1, -1, -1):
        V = np.exp(-r * dt) * (p * V[1 : i + 2] + (1 - p) * V[0 : i + 1])
        if american:
            prices = S * d ** np.arange(i, -1, -1) * u ** np.arange(0, i + 1)
            V = np.maximum(V, K - prices)
    return V[0]


@program((RNG.uniform(size=(8, 2)), RNG.integers(0, 8, size=(15, 2)), RNG.uniform(size=15), 1.0))
def annealed_tour(cities, swaps, u, temperature):
    def length(tour):
        d = cities[tour] - cities[np.roll(tour, -1)]
        return np.sqrt((d**2).sum(axis=1)).sum()

    tour = np.arange(len(cities))
    cost = length(tour)
    best = cost
    for k in range(len(u)):
        i, j = np.sort(swaps[k])
        new = tour.copy()
        new[i : j + 1] = new[i : j + 1][::-1]
        c = length(new)
        if c < cost or u[k] < np.exp((cost - c) / temperature):
            tour, cost = new, c
            best = min(best, cost)
        temperature *= 0.9
    return tour, best


@program((np.array([0.2, 0.5, 0.3]), RNG.uniform(size=20)))
def inverse_sampling(p, u):
    cdf = np.cumsum(p)
    out = np.zeros(len(u), dtype=np.int64)
    for i, v in enumerate(u):
        k = 0
        while k < len(cdf) - 1 and v > cdf[k]:
            k += 1
        out[i] = k
    assert np.array_equal(out, np.searchsorted(cdf, u))
    return out, np.bincount(out, minlength=len(p)) / len(u)


@program((np.array([3.0, 1.0, 2.0]), np.array([0.1, 0.35, 0.8])), (np.array([1, 1, 0, 2]), np.array([0.1, 0.6, 0.9])))
def systematic_resampling(weights, u):
    w = weights / weights.sum()
    edges = w.cumsum()
    picked = [np.flatnonzero(edges >= x)[0] for x in u]
    return np.array(picked), 1.0 / np.sum(w**2)
