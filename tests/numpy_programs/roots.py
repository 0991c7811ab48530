"""Roots, minima and integrals of functions of one or more variables."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(4)


@program((0.0, 2.0, 1e-10), (0.0, 1.0, 1e-10))
def bisection(a, b, tol):
    def f(x):
        return np.cos(x) - x

    fa = f(a)
    if fa * f(b) > 0:
        return np.nan
    while (b - a) / 2 > tol:
        m = (a + b) / 2
        fm = f(m)
        if fm == 0:
            return m
        if fa * fm < 0:
            b = m
        else:
            a, fa = m, fm
    return (a + b) / 2


@program((1.5, 1e-12, 50), (-4.0, 1e-12, 50))
def newton(x, tol, maxiter):
    for i in range(maxiter):
        fx = x**3 - 2 * x - 5
        dfx = 3 * x**2 - 2
        if abs(dfx) < 1e-14:
            return x, i, False
        step = fx / dfx
        x -= step
        if abs(step) < tol:
            return x, i + 1, True
    return x, maxiter, False


@program((0.0, 1.0, 1e-12),)
def secant(x0, x1, tol):
    def f(x):
        return np.exp(-x) - x

    f0, f1 = f(x0), f(x1)
    n = 0
    while abs(x1 - x0) > tol:
        if f1 == f0:
            break
        x0, x1 = x1, x1 - f1 * (x1 - x0) / (f1 - f0)
        f0, f1 = f1, f(x1)
        n += 1
    return x1, n


@program((-4.0, 4 / 3, 1e-10), (0.0, 3.0, 1e-10))
def brent(a, b, tol):
    def f(x):
        return (x + 3) * (x - 1) ** 2 - 0.5

    fa, fb = f(a), f(b)
    if abs(fa) < abs(fb):
        a, b = b, a
        fa, fb = fb, fa
    c, fc = a, fa
    mflag = True
    d = 0.0
    steps = 0
    while fb != 0 and abs(b - a) > tol and steps < 100:
        if fa != fc and fb != fc:
            s = (
                a * fb * fc / ((fa - fb) * (fa - fc))
                + b * fa * fc / ((fb - fa) * (fb - fc))
                + c * fa * fb / ((fc - fa) * (fc - fb))
            )
        else:
            s = b - fb * (b - a) / (fb - fa)
        low, high = (3 * a + b) / 4, b
        if low > high:
            low, high = high, low
        if (
            not (low < s < high)
            or (mflag and abs(s - b) >= abs(b - c) / 2)
            or (not mflag and abs(s - b) >= abs(c - d) / 2)
        ):
            s = (a + b) / 2
            mflag = True
        else:
            mflag = False
        fs = f(s)
        d, c, fc = c, b, fb
        if fa * fs < 0:
            b, fb = s, fs
        else:
            a, fa = s, fs
        if abs(fa) < abs(fb):
            a, b, fa, fb = b, a, fb, fa
        steps += 1
    return b, steps


@program((np.array([1.0, 1.0]), 1e-10))
def newton_system(x, tol):
    def F(x):
        return np.array([x[0] ** 2 + x[1] ** 2 - 4, x[0] * x[1] - 1])

    def J(x):
        return np.array([[2 * x[0], 2 * x[1]], [x[1], x[0]]]) + 1e-9 * np.eye(2)

    x = x + np.array([1.0, -0.5])
    for k in range(20):
        dx = np.linalg.solve(J(x), -F(x))
        x += dx
        if np.linalg.norm(dx) < tol:
            break
    return x, k


@program((0.0, 3.0, 1e-6))
def golden_section(a, b, tol):
    phi = (np.sqrt(5) - 1) / 2
    f = lambda x: (x - 2) ** 2 + np.sin(x)
    c, d = b - phi * (b - a), a + phi * (b - a)
    fc, fd = f(c), f(d)
    while abs(b - a) > tol:
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - phi * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + phi * (b - a)
            fd = f(d)
    return 0.5 * (a + b)


@program((np.array([[-1.2, 1.0], [0.0, 0.0], [1.0, 2.0]]), 40))
def nelder_mead(simplex, maxiter):
    def f(x):
        return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2

    values = np.array([f(p) for p in simplex])
    for _ in range(maxiter):
        order = np.argsort(values)
        simplex, values = simplex[order], values[order]
        centroid = simplex[:-1].mean(axis=0)
        xr = centroid + (centroid - simplex[-1])
        fr = f(xr)
        if values[0] <= fr < values[-2]:
            simplex[-1], values[-1] = xr, fr
        elif fr < values[0]:
            xe = centroid + 2 * (xr - centroid)
            fe = f(xe)
            if fe < fr:
                simplex[-1], values[-1] = xe, fe
            else:
                simplex[-1], values[-1] = xr, fr
        else:
            xc = centroid + 0.5 * (simplex[-1] - centroid)
            fc = f(xc)
            if fc < values[-1]:
                simplex[-1], values[-1] = xc, fc
            else:
                for i in range(1, len(simplex)):
                    simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
                    values[i] = f(simplex[i])
    return simplex[0], values[0]


@program((0.0, np.pi, 10), (0.0, 1.0, 7))
def simpson(a, b, n):
    if n % 2 == 1:
        n += 1
    x = np.linspace(a, b, n + 1)
    y = np.sin(x) * np.exp(-x)
    h = (b - a) / n
    return h / 3 * (y[0] + y[-1] + 4 * np.sum(y[1:-1:2]) + 2 * np.sum(y[2:-1:2]))


@program((0.0, 1.0, 6))
def romberg(a, b, levels):
    f = lambda x: 4 / (1 + x * x)
    R = np.zeros((levels, levels))
    h = b - a
    R[0, 0] = h * (f(a) + f(b)) / 2
    for i in range(1, levels):
        h /= 2
        total = 0.0
        for k in range(1, 2**i, 2):
            total += f(a + k * h)
        R[i, 0] = R[i - 1, 0] / 2 + h * total
        for j in range(1, i + 1):
            R[i, j] = R[i, j - 1] + (R[i, j - 1] - R[i - 1, j - 1]) / (4**j - 1)
    return R[-1, -1], R


@program((-1.0, 2.0, 5))
def gauss_legendre(a, b, n):
    """Nodes by Newton's method on the polynomial."""
    x = np.cos(np.pi * (np.arange(1, n + 1) - 0.25) / (n + 0.5))
    for _ in range(20):
        p0, p1 = np.ones_like(x), x.copy()
        for k in range(2, n + 1):
            p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
        dp = n * (x * p1 - p0) / (x * x - 1)
        dx = p1 / dp
        x = x - dx
        if np.max(np.abs(dx)) < 1e-14:
            break
    w = 2 / ((1 - x**2) * dp**2)
    t = 0.5 * (b - a) * x + 0.5 * (a + b)
    return 0.5 * (b - a) * np.sum(w * np.exp(t)), w


@program((24, 1.0 + 0.5j), (24, 3.0 + 0.5j))
def contour_integral(n, z0):
    theta = 2 * np.pi * np.arange(n) / n
    z = 2 * np.exp(1j * theta)
    dz = 1j * z * (2 * np.pi / n)
    return np.sum(np.exp(z) / (z - z0) * dz) / (2j * np.pi)


@program((np.linspace(-1.5, 1.5, 5), np.linspace(-1.5, 1.5, 4), 12))
def newton_fractal(re, im, steps):
    roots = np.array([1, -0.5 + 0.8660254037844386j, -0.5 - 0.8660254037844386j])
    z = re[None, :] + 1j * im[:, None]
    z[np.abs(z) < 1e-9] = 1e-3
    for _ in range(steps):
        z -= (z**3 - 1) / (3 * z**2)
    return np.argmin(np.abs(z[..., None] - roots), axis=-1)
