"""Matrices as lists of lists, and numerical loops."""

from __future__ import annotations

import math

__all__ = ["PROGRAMS"]


def multiplied(a, b):
    n, m, p = len(a), len(b), len(b[0])
    result = [[0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            total = 0
            for k in range(m):
                total += a[i][k] * b[k][j]
            result[i][j] = total
    return result


def matrix_product(n):
    a = [[i * j % 7 for j in range(n)] for i in range(n)]
    return sum(map(sum, multiplied(a, a)))


def transpose(n):
    a = [[i * n + j for j in range(n)] for i in range(n)]
    b = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            b[j][i] = a[i][j]
    return b == [list(row) for row in zip(*a, strict=True)]


def determinant_of(a):
    a = [row[:] for row in a]
    n, sign, result = len(a), 1, 1.0
    for c in range(n):
        pivot = max(range(c, n), key=lambda r: abs(a[r][c]))
        if abs(a[pivot][c]) < 1e-12:
            return 0.0
        if pivot != c:
            a[c], a[pivot] = a[pivot], a[c]
            sign = -sign
        result *= a[c][c]
        for r in range(c + 1, n):
            factor = a[r][c] / a[c][c]
            for k in range(c, n):
                a[r][k] -= factor * a[c][k]
    return sign * result


def determinant(n):
    return round(determinant_of([[1.0 / (i + j + 1) + (i == j) for j in range(n)] for i in range(n)]), 9)


def spiral(n):
    grid = [[0] * n for _ in range(n)]
    x, y, dx, dy = 0, 0, 0, 1
    for step in range(n * n):
        grid[x][y] = step
        nx, ny = x + dx, y + dy
        if not (0 <= nx < n and 0 <= ny < n) or grid[nx][ny] != 0:
            dx, dy = dy, -dx
            nx, ny = x + dx, y + dy
        x, y = nx, ny
    return grid[n // 2][n // 2]


def mandelbrot(n):
    rows = []
    for i in range(n):
        row = ""
        for j in range(n):
            c = complex(3 * j / n - 2, 2 * i / n - 1)
            z, steps = 0j, 0
            while steps < 20 and abs(z) <= 2:
                z = z * z + c
                steps += 1
            row += "#" if steps == 20 else "."
        rows.append(row)
    return "\n".join(rows).count("#")


def jacobi(n):
    u = [0.0] * n
    u[0], u[-1] = 1.0, 2.0
    for _ in range(100):
        new = u[:]
        for i in range(1, n - 1):
            new[i] = (u[i - 1] + u[i + 1]) / 2
        u = new
    return round(sum(u), 9)


def pi_by_series(n):
    total, sign = 0.0, 1.0
    for i in range(n):
        total += sign / (2 * i + 1)
        sign = -sign
    return round(4 * total, 9)


def euler_method(n):
    t, x, v, dt = 0.0, 1.0, 0.0, 0.01
    while t < n * dt:
        x, v = x + v * dt, v - x * dt
        t += dt
    return round(x, 6), round(v, 6)


def distances(n):
    points = [(math.sin(i), math.cos(i * 2)) for i in range(n)]
    nearest = math.inf
    for i in range(n):
        for j in range(i + 1, n):
            d = math.hypot(points[i][0] - points[j][0], points[i][1] - points[j][1])
            if d < nearest:
                nearest = d
    return round(nearest, 12)


def magic_squares(n):
    found = 0
    for size in range(3, n, 2):
        square = [[0] * size for _ in range(size)]
        i, j = 0, size // 2
        for number in range(1, size * size + 1):
            square[i][j] = number
            a, b = (i - 1) % size, (j + 1) % size
            if square[a][b]:
                a, b = (i + 1) % size, j
            i, j = a, b
        wanted = size * (size * size + 1) // 2
        if all(sum(row) == wanted for row in square) and all(sum(column) == wanted for column in zip(*square)):  # noqa: B905
            found += 1
    return found


def valid_sudoku(n):
    board = [[(i * 3 + i // 3 + j) % 9 + 1 for j in range(9)] for i in range(9)]
    good = 0
    for _ in range(n):
        seen, valid = set(), True
        for i in range(9):
            for j in range(9):
                value = board[i][j]
                marks = (("r", i, value), ("c", j, value), ("b", i // 3, j // 3, value))
                for mark in marks:
                    if mark in seen:
                        valid = False
                    seen.add(mark)
        good += valid
    return good


PROGRAMS = {
    matrix_product: 28,
    transpose: 140,
    determinant: 26,
    spiral: 90,
    mandelbrot: 45,
    jacobi: 180,
    pi_by_series: 60_000,
    euler_method: 25_000,
    distances: 170,
    magic_squares: 19,
    valid_sudoku: 50,
}
