"""Ordinary and partial differential equations: steps in time, with loops, slices and swapped buffers."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(1)


@program((1.0, 0.0, 2.0, 25), (0.5, 0.0, 1.0, 25))
def euler_decay(y0, t0, t1, n):
    def f(t, y):
        return -2.0 * y + np.sin(t)

    t = np.linspace(t0, t1, n + 1)
    y = np.zeros(n + 1)
    y[0] = y0
    h = (t1 - t0) / n
    for i in range(n):
        y[i + 1] = y[i] + h * f(t[i], y[i])
    return t, y


@program((np.array([1.0, 0.0]), 0.1, 9))
def rk4_oscillator(y, dt, steps):
    def rhs(t, y):
        return np.array([y[1], -y[0] - 0.1 * y[1] + np.cos(0.5 * t)])

    out = np.empty((steps + 1, len(y)))
    out[0] = y
    t = 0.0
    for k in range(steps):
        k1 = rhs(t, y)
        k2 = rhs(t + dt / 2, y + dt / 2 * k1)
        k3 = rhs(t + dt / 2, y + dt / 2 * k2)
        k4 = rhs(t + dt, y + dt * k3)
        y = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t += dt
        out[k + 1] = y
    return out


@program((np.array([1.0, 1.0]), 0.0, 3.0, 1e-6))
def rkf45_lotka_volterra(y, t, t_end, tol):
    """Runge-Kutta-Fehlberg with a step that adapts."""
    A = np.array([
        [0, 0, 0, 0, 0],
        [1 / 4, 0, 0, 0, 0],
        [3 / 32, 9 / 32, 0, 0, 0],
        [1932 / 2197, -7200 / 2197, 7296 / 2197, 0, 0],
        [439 / 216, -8, 3680 / 513, -845 / 4104, 0],
        [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
    ])  # fmt: skip
    b4 = np.array([25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0])
    b5 = np.array([16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55])

    def rhs(y):
        return np.array([1.5 * y[0] - y[0] * y[1], y[0] * y[1] - 3.0 * y[1]])

    h = 0.1
    accepted = rejected = 0
    while t < t_end:
        h = min(h, t_end - t)
        K = np.zeros((6, 2))
        K[0] = rhs(y)
        for s in range(1, 6):
            K[s] = rhs(y + h * (A[s, :s] @ K[:s]))
        err = np.max(np.abs(h * (b5 - b4) @ K))
        if err <= tol:
            t += h
            y = y + h * (b5 @ K)
            accepted += 1
        else:
            rejected += 1
        h *= min(4.0, max(0.1, 0.84 * (tol / (err + 1e-300)) ** 0.25))
    return y, accepted, rejected


@program((np.sin(np.linspace(0, np.pi, 12)), 0.4, 15))
def heat_by_loops(u, r, steps):
    n = len(u)
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            new[i] = u[i] + r * (u[i + 1] - 2 * u[i] + u[i - 1])
        u = new
    return u


@program((np.sin(np.linspace(0, np.pi, 12)).astype(np.float32), 0.4, 15))
def heat_by_slices(u, r, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + r * (u[2:] - 2 * u[1:-1] + u[:-2])
        u[0] = u[-1] = 0
    return u.max(), u.mean()


@program((np.exp(-np.linspace(-3, 3, 24) ** 2), 0.5, 30))
def wave_equation(u, c, steps):
    """Leapfrog with three buffers that are rotated."""
    prev, cur = u.copy(), u.copy()
    nxt = np.zeros_like(u)
    energy = []
    for n in range(steps):
        nxt[1:-1] = 2 * cur[1:-1] - prev[1:-1] + c**2 * (cur[2:] - 2 * cur[1:-1] + cur[:-2])
        nxt[0] = nxt[-1] = 0.0
        prev, cur, nxt = cur, nxt, prev
        if n % 10 == 0:
            energy.append(float(np.sum((cur - prev) ** 2)))
    return cur, np.array(energy)


@program((np.where(np.arange(20) < 8, 1.0, 0.0), -0.6, 12), (np.where(np.arange(20) < 8, 1.0, 0.0), 0.6, 12))
def upwind_advection(q, cfl, steps):
    for _ in range(steps):
        if cfl > 0:
            q[1:] -= cfl * (q[1:] - q[:-1])
        else:
            q[:-1] -= cfl * (q[1:] - q[:-1])
    return q


@program((np.linspace(0, 1, 10) * (1 - np.linspace(0, 1, 10)), 0.8, 6))
def crank_nicolson(u, r, steps):
    n = u.size - 2
    off = np.full(n - 1, -r / 2)
    A = np.diag(np.full(n, 1 + r)) + np.diag(off, 1) + np.diag(off, -1)
    B = np.diag(np.full(n, 1 - r)) - np.diag(off, 1) - np.diag(off, -1)
    history = [u[1:-1].copy()]
    for _ in range(steps):
        u[1:-1] = np.linalg.solve(A, B @ u[1:-1])
        history.append(u[1:-1].copy())
    return np.vstack(history)


@program((RNG.normal(size=(4, 2)), RNG.normal(size=(4, 2)), np.array([1.0, 2.0, 0.5, 1.5]), 0.01, 8))
def n_body(pos, vel, mass, dt, steps):
    def acceleration(pos):
        acc = np.zeros_like(pos)
        for i in range(len(mass)):
            d = pos - pos[i]
            r2 = (d * d).sum(axis=1) + 1e-3
            w = mass / r2**1.5
            w[i] = 0.0
            acc[i] = w @ d
        return acc

    a = acceleration(pos)
    for _ in range(steps):
        vel += 0.5 * dt * a
        pos += dt * vel
        a = acceleration(pos)
        vel += 0.5 * dt * a
    kinetic = 0.5 * (mass[:, None] * vel**2).sum()
    potential = 0.0
    for i in range(len(mass)):
        for j in range(i + 1, len(mass)):
            potential -= mass[i] * mass[j] / np.linalg.norm(pos[i] - pos[j])
    return kinetic, potential
