"""Number theory and arithmetic over plain numbers."""

from __future__ import annotations

__all__ = ["PROGRAMS"]


def sieve(n):
    is_prime = [True] * (n + 1)
    is_prime[0] = is_prime[1] = False
    i = 2
    while i * i <= n:
        if is_prime[i]:
            for j in range(i * i, n + 1, i):
                is_prime[j] = False
        i += 1
    return [i for i, prime in enumerate(is_prime) if prime]


def trial_division(n):
    found = []
    for candidate in range(2, n):
        divisor = 2
        while divisor * divisor <= candidate:
            if candidate % divisor == 0:
                break
            divisor += 1
        else:
            found.append(candidate)
    return found


def collatz(n):
    best, longest = 1, 0
    for start in range(1, n):
        x, steps = start, 0
        while x != 1:
            x = x // 2 if x % 2 == 0 else 3 * x + 1
            steps += 1
        if steps > longest:
            best, longest = start, steps
    return best, longest


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def coprime_pairs(n):
    count = 0
    for a in range(1, n):
        for b in range(1, a):
            if gcd(a, b) == 1:
                count += 1
    return count


def divisor_sum(n):
    total = 1
    d = 2
    while d * d <= n:
        if n % d == 0:
            total += d
            if d != n // d:
                total += n // d
        d += 1
    return total


def amicable(n):
    pairs = []
    for a in range(2, n):
        b = divisor_sum(a)
        if b > a and divisor_sum(b) == a:
            pairs.append((a, b))
    return pairs


def power_modulo(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def fermat_test(n):
    return [p for p in range(3, n, 2) if power_modulo(2, p - 1, p) == 1 and power_modulo(3, p - 1, p) in (0, 1)]


def newton_square_roots(n):
    total = 0.0
    for value in range(1, n):
        x = float(value)
        while abs(x * x - value) > 1e-9 * value:
            x = (x + value / x) / 2
        total += x
    return round(total, 6)


def digits_of_e(n):
    digits = [0] * n
    rest = [1] * (n + 2)
    for place in range(n):
        carry = 0
        for i in range(len(rest) - 1, 0, -1):
            value = rest[i] * 10 + carry
            carry, rest[i] = divmod(value, i + 1)
        digits[place] = carry
    return digits


def perfect_numbers(n):
    found = []
    for candidate in range(2, n):
        if sum(d for d in range(1, candidate // 2 + 1) if candidate % d == 0) == candidate:
            found.append(candidate)
    return found


def continued_fraction(n):
    longest = (0, 0)
    for value in range(2, n):
        root = int(value**0.5)
        if root * root == value:
            continue
        m, d, a, period = 0, 1, root, 0
        while a != 2 * root:
            m = d * a - m
            d = (value - m * m) // d
            a = (root + m) // d
            period += 1
        longest = max(longest, (period, value))
    return longest


def pascal_modulo(n):
    row, odd = [1], 1
    for _ in range(n):
        row = [1] + [(row[i] + row[i + 1]) % 2 for i in range(len(row) - 1)] + [1]
        odd += sum(row)
    return odd


def simpson(n):
    def f(x):
        return x * x / (1 + x)

    total, width = 0.0, 1.0 / n
    for i in range(n + 1):
        weight = 1 if i in (0, n) else 4 if i % 2 else 2
        total += weight * f(i * width)
    return total * width / 3


PROGRAMS = {
    sieve: 20_000,
    trial_division: 2_000,
    collatz: 700,
    coprime_pairs: 120,
    amicable: 1_300,
    fermat_test: 2_500,
    newton_square_roots: 3_000,
    digits_of_e: 120,
    perfect_numbers: 300,
    continued_fraction: 600,
    pascal_modulo: 180,
    simpson: 15_000,
}
