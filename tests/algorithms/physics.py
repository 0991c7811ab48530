"""Formulas of physics and finance, ciphers of numbers, and searches that take a step back."""

from __future__ import annotations

import math

from tests.algorithms.program import program

G = 6.674e-11


@program((2.0, 3.0), (10.0, 0.5))
def kinetic_energy(mass, speed):
    return 0.5 * mass * speed**2, mass * speed


@program((5.0e24, 7.0e22, 3.8e8))
def gravity(m1, m2, distance):
    if distance == 0:
        raise ValueError("no distance")
    return G * m1 * m2 / distance**2


@program((20.0, 45.0), (10.0, 30.0))
def projectile_path(speed, angle):
    radians = math.radians(angle)
    time = 2 * speed * math.sin(radians) / 9.81
    return speed * math.cos(radians) * time, (speed * math.sin(radians)) ** 2 / (2 * 9.81)


@program((100.0, 0.1), (300.0, 0.5))
def lorentz_factor(rest, fraction):
    return rest / math.sqrt(1 - fraction**2)


@program((1.0, 0.01, 200), (0.3, 0.05, 50))
def pendulum(angle, step, turns):
    speed = 0.0
    for _ in range(turns):
        speed -= 9.81 * math.sin(angle) * step
        angle += speed * step
    return angle, speed


@program((100.0, 20.0, 0.1, 30), (90.0, 25.0, 0.05, 10))
def newton_cooling(hot, room, rate, minutes):
    temperature = hot
    for _ in range(minutes):
        temperature += -rate * (temperature - room)
    return temperature


@program(([2.0, 3.0, 6.0],), ([1.0, 1.0, 1.0],))
def resistors(values):
    return sum(values), 1 / sum(1 / r for r in values)


@program((100000.0, 0.05, 360), (5000.0, 0.1, 12))
def monthly_payment(principal, rate, months):
    monthly = rate / 12
    return principal * monthly / (1 - (1 + monthly) ** -months)


@program((3, 33, 7), (7, 33, 20))
def rsa(e, n, message):
    cipher = pow(message, e, n)
    plain = pow(cipher, 7 if e == 3 else 3, n)
    return cipher, plain


@program(([8, 5, 12, 12, 15], 5, 8), ([0, 1, 2, 3, 25], 7, 3))
def affine_cipher(letters, a, b):
    return [(a * letter + b) % 26 for letter in letters]


@program(([1, 2, 3, 4],), ([9, 9, 1, 0],))
def checksum_of_adler(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return (b << 16) | a


@program(([104, 101, 108, 108],), ([1, 2, 3, 250],))
def hash_fnv(data):
    value = 2166136261
    for byte in data:
        value = value ^ byte
        value = (value * 16777619) % 4294967296
    return value


@program((42, 5), (7, 12))
def random_by_congruence(seed, count):
    values = []
    for _ in range(count):
        seed = (1103515245 * seed + 12345) % 2147483648
        values.append(seed % 100)
    return values


@program((6,), (5,))
def queens(n):
    columns = [-1] * n
    row = count = 0
    while row >= 0:
        columns[row] += 1
        if columns[row] >= n:
            columns[row] = -1
            row -= 1
            continue
        safe = True
        for other in range(row):
            if columns[other] == columns[row] or abs(columns[other] - columns[row]) == row - other:
                safe = False
        if safe:
            if row == n - 1:
                count += 1
            else:
                row += 1
    return count


@program((3,), (4,))
def gray_codes(n):
    return [i ^ (i >> 1) for i in range(2**n)]


@program((3,), (5,))
def moves_of_hanoi(n):
    if n == 0:
        return 0
    return 2 * moves_of_hanoi.function(n - 1) + 1


@program((2, 3), (1, 1), (2, 0))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann.function(m - 1, 1)
    return ackermann.function(m - 1, ackermann.function(m, n - 1))


@program(([1, 2, 3, 4], 5), ([2, 4, 6, 8], 6))
def subsets_with_sum(numbers, total):
    n = len(numbers)
    count = 0
    for bits in range(2**n):
        found = 0
        for i in range(n):
            if bits >> i & 1:
                found += numbers[i]
        if found == total:
            count += 1
    return count


@program(([1, 2, 3],), ([3, 1, 2],), ([3, 2, 1],))
def next_permutation(numbers):
    i = len(numbers) - 2
    while i >= 0 and numbers[i] >= numbers[i + 1]:
        i -= 1
    if i >= 0:
        j = len(numbers) - 1
        while numbers[j] <= numbers[i]:
            j -= 1
        numbers[i], numbers[j] = numbers[j], numbers[i]
    left, right = i + 1, len(numbers) - 1
    while left < right:
        numbers[left], numbers[right] = numbers[right], numbers[left]
        left += 1
        right -= 1
    return numbers
