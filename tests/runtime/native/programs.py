"""Programs with loops, as people write them, and arguments: each can be machine code from the first to the last loop.

    for program, arguments in PROGRAMS: ...
"""

import math

import numpy as np


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def greatest_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def sum_with_if(n):
    total = 0
    for i in range(n):
        if i % 3 == 0 or i % 5 == 0:
            total += i
        elif i % 7 == 0:
            total -= 2 * i
    return total


def first_above(n, limit):
    total = 0
    for i in range(n):
        if i % 2:
            continue
        total += i
        if total > limit:
            break
    else:
        return -1
    return i


def power_mod(base, exponent, modulus):
    result = 1
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def newton_root(a):
    x, old = a, 0.0
    while abs(x - old) > 1e-12 * abs(x):
        old = x
        x = 0.5 * (x + a / x)
    return x


def mandelbrot_turns(re, im, most):
    x = y = 0.0
    turns = 0
    while turns < most and x * x + y * y <= 4.0:
        x, y = x * x - y * y + re, 2.0 * x * y + im
        turns += 1
    return turns


def pendulum(angle, steps):
    speed = 0.0
    for _ in range(steps):
        speed -= 0.01 * np.sin(angle)
        angle += 0.01 * speed
    return angle, speed


def distance_on_a_sphere(steps):
    total = 0.0
    for i in range(steps):
        a = 0.001 * i
        total += math.sqrt(math.exp(-a) + math.cos(a) ** 2) * math.atan2(a, 1.0 + a)
    return total


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def sieve(n):
    prime = np.ones(n, np.bool_)
    prime[0] = prime[1] = False
    for i in range(2, n):
        if prime[i]:
            j = i * i
            while j < n:
                prime[j] = False
                j += i
    return prime


def edit_distance(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), np.int64)
    for i in range(len(a) + 1):
        table[i, 0] = i
    for j in range(len(b) + 1):
        table[0, j] = j
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            best = table[i - 1, j - 1] + cost
            if table[i - 1, j] + 1 < best:
                best = table[i - 1, j] + 1
            if table[i, j - 1] + 1 < best:
                best = table[i, j - 1] + 1
            table[i, j] = best
    return table[len(a), len(b)]


def shortest_ways(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def bubble_sort(a):
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def bodies(x, v, m, steps):
    n = len(x)
    for _ in range(steps):
        for i in range(n):
            force = 0.0
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    force += m[j] * d / (abs(d) * d * d + 0.01)
            v[i] += 0.001 * force
        for i in range(n):
            x[i] += 0.001 * v[i]
    return x


def two_buffers(a, steps):
    old, new = a.copy(), a.copy()
    for _ in range(steps):
        for i in range(1, len(a) - 1):
            new[i] = (old[i - 1] + old[i + 1]) / 2
        old, new = new, old
    return old


def knapsack(weights, values, limit):
    best = np.zeros(limit + 1, np.int64)
    for i in range(len(weights)):
        for room in range(limit, weights[i] - 1, -1):
            best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[limit]


def checksum(data):
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = crc ^ byte
        for _ in range(8):
            crc = (crc >> np.uint32(1)) ^ np.uint32(0xEDB88320) if crc & np.uint32(1) else crc >> np.uint32(1)
    return crc ^ np.uint32(0xFFFFFFFF)


def histogram(a):
    counts = np.zeros(7, np.int64)
    for value in a:
        counts[int(value * 7)] += 1
    return counts


def longest_run(a):
    best = length = 0
    last = a[0]
    for value in a:
        length = length + 1 if value == last else 1
        last = value
        best = max(best, length)
    return best


def product_of_matrices(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


def heat(u, steps):
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


def eliminate(a):
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
    return a


def power_method(a, steps):
    x = np.ones(a.shape[0])
    for _ in range(steps):
        y = a @ x
        x = y / np.sqrt(np.sum(y * y))
    return x


def columns(a, n):
    total = np.zeros(a.shape[0])
    for j in range(n):
        total += a[:, j] * j
        a[:, j] = total
    return total, a


def layers(w, b, x, steps):
    for _ in range(steps):
        x = np.tanh(w @ x + b)
    return x, np.max(x)


def waves(u, old, steps):
    for _ in range(steps):
        new = 2 * u - old
        new[1:-1] += 0.25 * (u[:-2] - 2 * u[1:-1] + u[2:])
        old, u = u, new
    return u


def rows_that_sum(a, limit, n):
    found = 0
    for i in range(n):
        if np.sum(a[i]) > limit:
            found += 1
            a[i] = 0.0
    return found, a


def windows(a, n, width):
    total = 0.0
    for i in range(n):
        total += np.sum(a[i : i + width]) * i
    return total


def picked(a, n):
    total = 0.0
    for i in range(n):
        b = a[i:]
        b[b < 0.0] = 0.25
        places = np.nonzero(b > 0.5)[0]
        total += np.sum(b[b > 0.5]) * i + np.sum(b[places]) + np.count_nonzero(b)
        a[a > 1.0] *= 0.5
    return total, a


def ordered(a, n):
    total = 0.0
    for i in range(n):
        b = np.sort(a[i:])
        total += b[np.searchsorted(b, 0.1) - 1] + a[np.argsort(a[i:], kind="stable")[0] + i]
        total += np.sum(np.cumsum(b)) + np.sum(np.bincount(np.argsort(a, kind="stable") % 7))
    return total


def spread(a, n):
    total = 0.0
    for i in range(n):
        b = np.roll(np.pad(a, (3, 1)), 2) + np.flip(np.concatenate([a, np.zeros(4)]))
        total = total * 0.5 + np.sum(np.tile(b, 3)) + np.sum(np.arange(i) * 0.5) + np.var(b)
    return total


def equations(a, b, n):
    for _ in range(n):
        c = a * np.sum(b)
        b = np.linalg.solve(c.T @ a + np.eye(9), b) + np.linalg.inv(c)[0] / np.linalg.det(c)
    return b


_random = np.random.default_rng(5)
_points = _random.normal(size=70)

PROGRAMS = [
    (collatz, (27,)),
    (greatest_divisor, (1071, 462)),
    (sum_with_if, (1000,)),
    (first_above, (1000, 90)),
    (first_above, (10, 90)),
    (power_mod, (7, 560, 561)),
    (newton_root, (2.0,)),
    (mandelbrot_turns, (-0.75, 0.1, 500)),
    (pendulum, (0.5, 300)),
    (distance_on_a_sphere, (200,)),
    (fibonacci, (12,)),
    (sieve, (200,)),
    (edit_distance, (_random.integers(0, 4, 70), _random.integers(0, 4, 80))),
    (shortest_ways, (_random.uniform(size=(8, 8)),)),
    (bubble_sort, (_random.integers(0, 50, 80),)),
    (bubble_sort, (_random.normal(size=75).astype(np.float32),)),
    (bodies, (_points, np.zeros(70), np.ones(70), 3)),
    (two_buffers, (_random.normal(size=12), 7)),
    (knapsack, (_random.integers(1, 9, 5), _random.integers(1, 90, 5), 30)),
    (checksum, (np.arange(40, dtype=np.uint32),)),
    (histogram, (_random.uniform(size=100),)),
    (longest_run, (_random.integers(0, 2, 50),)),
    (heat, (_random.normal(size=40), 70)),
    (eliminate, (_random.normal(size=(70, 70)),)),
    (power_method, (_random.normal(size=(9, 9)), 80)),
    (columns, (_random.normal(size=(5, 70)), 70)),
    (layers, (_random.normal(size=(6, 6)), _random.normal(size=6), _random.normal(size=6), 90)),
    (waves, (_random.normal(size=30), _random.normal(size=30), 70)),
    (windows, (_random.normal(size=80), 80, 7)),
    (rows_that_sum, (_random.normal(size=(70, 9)), 1.0, 70)),
    (picked, (_random.normal(size=67), 65)),
    (ordered, (_random.normal(size=67), 65)),
    (spread, (_random.normal(size=67), 65)),
    (equations, (_random.normal(size=(9, 9)), _random.normal(size=9), 2)),
    (product_of_matrices, (_random.normal(size=(66, 5)), _random.normal(size=(5, 67)))),
]
"""(program, arguments)"""
