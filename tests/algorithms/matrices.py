"""Programs on matrices that are lists of lists, on polynomials and on points."""

from __future__ import annotations

import math

from tests.algorithms.program import program

A, B = [[1, 2], [3, 4]], [[0, 1], [1, 1]]
SQUARE = [[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]]


@program((A, B), (B, B))
def product_of_matrices(a, b):
    result = [[0] * len(b[0]) for _ in range(len(a))]
    for i in range(len(a)):
        for j in range(len(b[0])):
            for k in range(len(b)):
                result[i][j] += a[i][k] * b[k][j]
    return result


@program((A,), (B,))
def transposed(matrix):
    return [[row[i] for row in matrix] for i in range(len(matrix[0]))]


@program((A, B), (B, A))
def sum_of_matrices(a, b):
    return [[x + y for x, y in zip(p, q)] for p, q in zip(a, b)]


@program((A,), (B,))
def turned(matrix):
    n = len(matrix)
    result = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            result[j][n - 1 - i] = matrix[i][j]
    return result


@program(([[1, 2, 3], [4, 5, 6], [7, 8, 9]],))
def in_a_spiral(matrix):
    found = []
    top, bottom, left, right = 0, len(matrix) - 1, 0, len(matrix[0]) - 1
    while top <= bottom and left <= right:
        for j in range(left, right + 1):
            found.append(matrix[top][j])
        for i in range(top + 1, bottom + 1):
            found.append(matrix[i][right])
        if top < bottom and left < right:
            for j in range(right - 1, left - 1, -1):
                found.append(matrix[bottom][j])
            for i in range(bottom - 1, top, -1):
                found.append(matrix[i][left])
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
    return found


@program((SQUARE,), ([[4.0, 3.0, 2.0], [1.0, 5.0, 2.0], [2.0, 2.0, 6.0]],))
def determinant(matrix):
    n = len(matrix)
    rows = [list(row) for row in matrix]
    result = 1.0
    for k in range(n):
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
        result *= rows[k][k]
    return result


@program((SQUARE, [8.0, -11.0, -3.0]))
def solved_by_gauss(matrix, right):
    n = len(right)
    for k in range(n):
        for i in range(k + 1, n):
            factor = matrix[i][k] / matrix[k][k]
            for j in range(k, n):
                matrix[i][j] -= factor * matrix[k][j]
            right[i] -= factor * right[k]
    result = [0.0] * n
    for i in range(n - 1, -1, -1):
        total = right[i]
        for j in range(i + 1, n):
            total -= matrix[i][j] * result[j]
        result[i] = total / matrix[i][i]
    return result


@program((5,), (10,))
def fibonacci_by_matrices(n):
    a, b, c, d = 1, 0, 0, 1
    p, q, r, s = 1, 1, 1, 0
    while n > 0:
        if n % 2 == 1:
            a, b, c, d = a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s
        p, q, r, s = p * p + q * r, p * q + q * s, r * p + s * r, r * q + s * s
        n //= 2
    return b


@program((A,), ([[2, 7], [9, 1]],))
def trace_and_sums(matrix):
    n = len(matrix)
    diagonal = sum(matrix[i][i] for i in range(n))
    other = sum(matrix[i][n - 1 - i] for i in range(n))
    return diagonal, other, [sum(row) for row in matrix], max(max(row) for row in matrix)


@program(([[2, 7, 6], [9, 5, 1], [4, 3, 8]],), ([[2, 7, 6], [9, 5, 1], [4, 8, 3]],))
def is_magic(square):
    n = len(square)
    total = sum(square[0])
    for row in square:
        if sum(row) != total:
            return False
    for j in range(n):
        if sum(square[i][j] for i in range(n)) != total:
            return False
    return sum(square[i][i] for i in range(n)) == total


@program(([2.0, -3.0, 0.5, 1.0], 1.5), ([0.0, 1.0, 2.0, 3.0], -2.0))
def horner(coefficients, x):
    result = 0.0
    for c in reversed(coefficients):
        result = result * x + c
    return result


@program(([1, 2, 3], [4, 5]), ([1, 0, 1], [1, 1]))
def product_of_polynomials(p, q):
    result = [0] * (len(p) + len(q) - 1)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            result[i + j] += a * b
    return result


@program(([0.0, 4.0, 4.0, 0.0], [0.0, 0.0, 3.0, 3.0]), ([0.0, 2.0, 5.0, 1.0], [0.0, -1.0, 3.0, 2.5]))
def area_of_a_polygon(xs, ys):
    area = 0.0
    for i in range(len(xs)):
        j = (i + 1) % len(xs)
        area += xs[i] * ys[j] - xs[j] * ys[i]
    return abs(area) / 2


@program(([0.0, 4.0, 4.0, 0.0], [0.0, 0.0, 3.0, 3.0], 1.0, 1.0), ([0.0, 4.0, 4.0, 0.0], [0.0, 0.0, 3.0, 3.0], 5.0, 1.0))
def is_inside(xs, ys, x, y):
    inside = False
    j = len(xs) - 1
    for i in range(len(xs)):
        if (ys[i] > y) != (ys[j] > y) and x < (xs[j] - xs[i]) * (y - ys[i]) / (ys[j] - ys[i]) + xs[i]:
            inside = not inside
        j = i
    return inside


@program(([1.0, 4.0, 2.0, 8.0], [2.0, 1.0, 5.0, 3.0]))
def closest_pair(xs, ys):
    best = math.inf
    for i in range(len(xs)):
        for j in range(i + 1, len(xs)):
            best = min(best, math.hypot(xs[i] - xs[j], ys[i] - ys[j]))
    return best


@program(([1.0, 2.0, 3.0, 4.0], [2.1, 3.9, 6.2, 7.8]))
def fitted_line(xs, ys):
    n = len(xs)
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
    return slope, mean_y - slope * mean_x


@program(([0.0, 1.0, 2.0], [1.0, 3.0, 11.0], 1.5), ([0.0, 1.0, 2.0], [0.0, 1.0, 4.0], 3.0))
def interpolated_by_lagrange(xs, ys, x):
    total = 0.0
    for i in range(len(xs)):
        term = ys[i]
        for j in range(len(xs)):
            if i != j:
                term *= (x - xs[j]) / (xs[i] - xs[j])
        total += term
    return total
