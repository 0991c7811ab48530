"""Signals, pictures, polynomials and curves."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(8)
SIGNAL = np.sin(np.linspace(0, 6, 16)) + 0.1 * RNG.normal(size=16)
PICTURE = RNG.integers(0, 256, size=(6, 7)).astype(np.uint8)


@program((SIGNAL,), (SIGNAL.astype(complex) * 1j,))
def fft_by_hand(x):
    """Iterative Cooley-Tukey with bit reversal."""
    n = len(x)
    levels = int(np.log2(n))
    X = np.zeros(n, dtype=complex)
    for i in range(n):
        j, k = 0, i
        for _ in range(levels):
            j = (j << 1) | (k & 1)
            k >>= 1
        X[j] = x[i]
    size = 2
    while size <= n:
        half = size // 2
        w = np.exp(-2j * np.pi * np.arange(half) / size)
        for start in range(0, n, size):
            even = X[start : start + half].copy()
            odd = X[start + half : start + size] * w
            X[start : start + half] = even + odd
            X[start + half : start + size] = even - odd
        size *= 2
    return X


@program((SIGNAL,), (SIGNAL[:8].astype(np.float32),))
def dft_by_recursion(x):
    n = x.shape[0]
    if n == 1:
        return x.astype(complex)
    even, odd = dft_by_recursion.function(x[::2]), dft_by_recursion.function(x[1::2])
    t = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate([even + t, even - t])


@program((SIGNAL, np.array([0.25, 0.5, 0.25])), (np.arange(6), np.array([1, -1])))
def convolution(x, k):
    n, m = len(x), len(k)
    y = np.zeros(n + m - 1, dtype=np.result_type(x, k))
    for i in range(n):
        for j in range(m):
            y[i + j] += x[i] * k[j]
    return y


@program((SIGNAL, 4))
def moving_average(x, w):
    c = np.cumsum(np.insert(x, 0, 0))
    smooth = (c[w:] - c[:-w]) / w
    ema = np.empty_like(x)
    ema[0] = x[0]
    alpha = 2 / (w + 1)
    for i in range(1, len(x)):
        ema[i] = alpha * x[i] + (1 - alpha) * ema[i - 1]
    return smooth, ema


@program((SIGNAL, 5))
def autocorrelation(x, lags):
    x = x - x.mean()
    r = np.array([np.dot(x[: len(x) - k], x[k:]) for k in range(lags)])
    return r / r[0]


@program((SIGNAL, 4), (np.arange(10), 3))
def histogram(x, bins):
    lo, hi = x.min(), x.max()
    counts = np.zeros(bins, dtype=int)
    width = (hi - lo) / bins
    for v in x:
        k = int((v - lo) / width)
        if k == bins:
            k -= 1
        counts[k] += 1
    return counts, lo + width * np.arange(bins + 1)


@program((PICTURE, np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]])))
def sharpened(img, kernel):
    h, w = img.shape
    out = np.zeros_like(img)
    padded = np.pad(img.astype(int), 1, mode="edge")
    for i in range(h):
        for j in range(w):
            v = (padded[i : i + 3, j : j + 3] * kernel).sum()
            out[i, j] = min(max(v, 0), 255)
    return out


@program((PICTURE,))
def sobel(img):
    f = img.astype(np.float32) / 255
    gx = f[:-2, 2:] + 2 * f[1:-1, 2:] + f[2:, 2:] - f[:-2, :-2] - 2 * f[1:-1, :-2] - f[2:, :-2]
    gy = f[2:, :-2] + 2 * f[2:, 1:-1] + f[2:, 2:] - f[:-2, :-2] - 2 * f[:-2, 1:-1] - f[:-2, 2:]
    mag = np.hypot(gx, gy)
    edges = mag > mag.mean() + mag.std()
    return mag, edges, edges.sum()


@program((PICTURE,))
def median_filter(img):
    out = img.copy()
    for i in range(1, img.shape[0] - 1):
        for j in range(1, img.shape[1] - 1):
            out[i, j] = np.sort(img[i - 1 : i + 2, j - 1 : j + 2].ravel())[4]
    return out


@program((PICTURE,))
def otsu_threshold(img):
    hist = np.bincount(img.ravel(), minlength=256)
    total = img.size
    sum_all = np.dot(np.arange(256), hist)
    best, threshold = 0.0, 0
    w0 = sum0 = 0
    for t in range(256):
        w0 += hist[t]
        if w0 == 0:
            continue
        if w0 == total:
            break
        sum0 += t * hist[t]
        between = w0 * (total - w0) * (sum0 / w0 - (sum_all - sum0) / (total - w0)) ** 2
        if between > best:
            best, threshold = between, t
    return threshold, img > threshold


@program((np.arange(12.0).reshape(3, 4), np.array([0.5, 1.25, 2.0]), np.array([0.25, 2.5, 3.0])))
def bilinear(grid, ys, xs):
    out = np.empty(len(ys))
    for n in range(len(ys)):
        i = min(int(ys[n]), grid.shape[0] - 2)
        j = min(int(xs[n]), grid.shape[1] - 2)
        dy, dx = ys[n] - i, xs[n] - j
        a, b = grid[i, j], grid[i, j + 1]
        c, d = grid[i + 1, j], grid[i + 1, j + 1]
        out[n] = a * (1 - dy) * (1 - dx) + b * (1 - dy) * dx + c * dy * (1 - dx) + d * dy * dx
    return out


@program((RNG.integers(0, 2, size=(4, 4)), 2))
def game_of_life(board, generations):
    rows, cols = board.shape
    for _ in range(generations):
        new = board.copy()
        for r in range(rows):
            for c in range(cols):
                n = 0
                for dr in (-1, 0, 1):
                    for dc in (-1, 0, 1):
                        if dr or dc:
                            n += board[(r + dr) % rows, (c + dc) % cols]
                if board[r, c] == 1 and (n < 2 or n > 3):
                    new[r, c] = 0
                elif board[r, c] == 0 and n == 3:
                    new[r, c] = 1
        board[:] = new
    return board.sum()


@program((5, 4, 15))
def mandelbrot_by_points(w, h, limit):
    out = np.zeros((h, w), dtype=np.int32)
    for i in range(h):
        for j in range(w):
            c = complex(-2 + 2.5 * j / (w - 1), -1.2 + 2.4 * i / (h - 1))
            z = 0j
            n = 0
            while abs(z) <= 2 and n < limit:
                z = z * z + c
                n += 1
            out[i, j] = n
    return out


@program((np.linspace(-2, 0.5, 6), np.linspace(-1.2, 1.2, 5), 15))
def mandelbrot_by_masks(re, im, limit):
    c = re + 1j * im[:, np.newaxis]
    z = np.zeros_like(c)
    n = np.zeros(c.shape, dtype=int)
    for _ in range(limit):
        alive = np.abs(z) <= 2
        z[alive] = z[alive] ** 2 + c[alive]
        n += alive
    return n


@program((np.linspace(-2, 0.5, 5), np.linspace(-1.2, 1.2, 4), 15))
def mandelbrot_of_reals(re, im, limit):
    n = np.full((im.size, re.size), limit)
    for i, y0 in enumerate(im):
        for j, x0 in enumerate(re):
            x = y = 0.0
            for k in range(limit):
                if x * x + y * y > 4:
                    n[i, j] = k
                    break
                x, y = x * x - y * y + x0, 2 * x * y + y0
    return n
