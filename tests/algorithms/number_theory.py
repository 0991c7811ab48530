"""Programs of number theory: divisors, primes, sequences, powers."""

from __future__ import annotations

import math
from math import gcd, isqrt, sqrt

from tests.algorithms.program import program

NUMBERS = (1, 2, 6, 9, 12, 17, 28, 49, 97, 100, 360, 496)


@program((12, 18), (7, 3), (100, 75), (5, 0))
def greatest_common_divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@program((12, 18), (7, 3), (21, 6))
def least_common_multiple(a, b):
    return abs(a * b) // gcd(a, b), math.lcm(a, b), a * b // math.gcd(a, b)


@program(*NUMBERS)
def is_prime(n):
    if n < 2:
        return False
    for i in range(2, int(math.sqrt(n)) + 1):
        if n % i == 0:
            return False
    return True


@program(*NUMBERS)
def is_prime_in_steps_of_six(n):
    if n <= 3:
        return n > 1
    if n % 2 == 0 or n % 3 == 0:
        return False
    i = 5
    while i * i <= n:
        if n % i == 0 or n % (i + 2) == 0:
            return False
        i += 6
    return True


@program(*NUMBERS)
def is_prime_by_all(n):
    return n > 1 and all(n % i != 0 for i in range(2, isqrt(n) + 1))


@program(*NUMBERS)
def is_perfect(n):
    total = 0
    for i in range(1, n):
        if n % i == 0:
            total += i
    return total == n


@program(*NUMBERS)
def sum_of_divisors(n):
    return sum(i for i in range(1, n + 1) if n % i == 0)


@program(*NUMBERS)
def divisors(n):
    found = []
    for i in range(1, isqrt(n) + 1):
        if n % i == 0:
            found.append(i)
            if i != n // i:
                found.append(n // i)
    return sorted(found)


@program(*NUMBERS)
def prime_factors(n):
    factors = []
    i = 2
    while i * i <= n:
        while n % i == 0:
            factors.append(i)
            n //= i
        i += 1
    if n > 1:
        factors.append(n)
    return factors


@program(*NUMBERS)
def totient(n):
    return sum(1 for k in range(1, n + 1) if gcd(n, k) == 1)


@program(*NUMBERS)
def is_square(n):
    root = isqrt(n)
    return root * root == n, sqrt(n) == root, math.floor(sqrt(n)), math.ceil(sqrt(n))


@program(1, 2, 7, 27, 97)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program(0, 1, 5, 12, 20)
def factorial(n):
    product = 1
    for i in range(2, n + 1):
        product *= i
    return product, math.factorial(n)


@program((5, 2), (10, 3), (6, 6), (4, 0), (3, 5))
def binomial(n, k):
    if k > n:
        return 0
    result = 1
    for i in range(min(k, n - k)):
        result = result * (n - i) // (i + 1)
    return result


@program((2, 10, 1000), (3, 200, 13), (7, 0, 5))
def modular_power(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent % 2 == 1:
            result = (result * base) % modulus
        exponent = exponent >> 1
        base = (base * base) % modulus
    return result, pow(base, 3, modulus)


@program((3, 7), (10, 17), (2, 5))
def modular_inverse(a, m):
    old_r, r = a, m
    old_s, s = 1, 0
    while r != 0:
        quotient = old_r // r
        old_r, r = r, old_r - quotient * r
        old_s, s = s, old_s - quotient * s
    return old_s % m, pow(a, -1, m)


@program(1, 2, 10, 30)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program((220, 284), (6, 28), (1184, 1210))
def are_amicable(a, b):
    def proper(n):
        return sum(i for i in range(1, n // 2 + 1) if n % i == 0)

    return proper(a) == b and proper(b) == a


@program(1, 10, 50)
def gauss_circle(n):
    count = 0
    for x in range(-n, n + 1):
        count += 2 * math.isqrt(n * n - x * x) + 1
    return count


@program(7, 19, 12, 1000003)
def is_probable_prime(n):
    d, r = n - 1, 0
    while d % 2 == 0:
        d //= 2
        r += 1
    x = pow(2, d, n)
    if x == 1 or x == n - 1:
        return True
    for _ in range(r - 1):
        x = pow(x, 2, n)
        if x == n - 1:
            return True
    return False
