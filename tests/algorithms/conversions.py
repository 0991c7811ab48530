"""Programs that convert numbers: bases, units, coordinates, dates; and formulas of physics and money."""

from __future__ import annotations

import math

from tests.algorithms.program import program

NUMBERS = (1, 2, 5, 10, 37, 255, 1024)


@program(*NUMBERS, 0)
def to_binary(n):
    if n == 0:
        return "0"
    digits = ""
    while n > 0:
        digits = str(n % 2) + digits
        n //= 2
    return digits


@program(*NUMBERS)
def to_binary_by_format(n):
    return bin(n)[2:], format(n, "b").zfill(12), f"{n:o}", hex(n).upper()[2:], bin(n).count("1"), int(bin(n), 2)


@program("1", "101", "11111111", "0")
def from_binary(text):
    value = 0
    for bit in text:
        value = value * 2 + int(bit)
    return value, int(text, 2)


@program(*[(n, base) for n in NUMBERS for base in (2, 7, 16)])
def to_base(n, base):
    digits = "0123456789ABCDEF"
    result = ""
    while n:
        n, rest = divmod(n, base)
        result = digits[rest] + result
    return result


@program(0.0, 36.6, -40.0, 100.0)
def temperatures(celsius):
    fahrenheit = celsius * 9 / 5 + 32
    kelvin = celsius + 273.15
    return round(fahrenheit, 2), round(kelvin, 1), f"{celsius:.1f} C = {fahrenheit:.1f} F"


@program((3.0, 4.0), (-1.0, 1.0), (0.0, -2.0))
def polar(x, y):
    r, phi = math.hypot(x, y), math.atan2(y, x)
    return r, math.degrees(phi), r * math.cos(phi), r * math.sin(phi)


@program(3661, 59, 86399, 90061)
def clock(seconds):
    minutes, s = divmod(seconds, 60)
    h, m = divmod(minutes, 60)
    days, h = divmod(h, 24)
    return f"{h:02d}:{m:02d}:{s:02d}", days, str(h).zfill(2) + "h", "%d days" % days


@program(1900, 2000, 2023, 2024)
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


@program((2024, 2, 29), (1969, 7, 20), (2000, 1, 1))
def day_of_week(year, month, day):
    """Zeller's congruence."""
    if month < 3:
        month += 12
        year -= 1
    k, j = year % 100, year // 100
    return (day + 13 * (month + 1) // 5 + k + k // 4 + j // 4 + 5 * j) % 7


@program((1.0, -3.0, 2.0), (1.0, 2.0, 1.0), (2.0, 1.0, 5.0))
def quadratic(a, b, c):
    d = b**2 - 4 * a * c
    if d > 0:
        roots = [(-b + math.sqrt(d)) / (2 * a), (-b - math.sqrt(d)) / (2 * a)]
    elif d == 0:
        roots = [-b / (2 * a), -b / (2 * a)]
    else:
        roots = [-b / (2 * a), math.sqrt(-d) / (2 * a)]
    return roots


@program((3.0, 4.0, 5.0), (1.0, 1.0, 1.0), (1.0, 2.0, 9.0))
def heron(a, b, c):
    s = (a + b + c) / 2
    try:
        return math.sqrt(s * (s - a) * (s - b) * (s - c))
    except ValueError:
        return -1.0


@program((52.5, 13.4, 48.9, 2.4), (0.0, 0.0, 0.0, 180.0))
def haversine(lat1, lon1, lat2, lon2):
    phi1, phi2 = math.radians(lat1), math.radians(lat2)
    a = math.sin((phi2 - phi1) / 2) ** 2
    a += math.cos(phi1) * math.cos(phi2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371.0 * math.asin(math.sqrt(a))


@program((1000.0, 0.05, 10), (250.0, 0.01, 1))
def compound_interest(principal, rate, years):
    amount = principal
    for _ in range(years):
        amount += amount * rate
    return round(amount, 2), round(principal * (1 + rate) ** years, 2), f"{amount:.2f}"


@program(2.0, 10.0, 0.5, 1e6)
def newton_root(x):
    guess = x / 2
    while abs(guess * guess - x) > 1e-9 * x:
        guess = (guess + x / guess) / 2
    return guess


@program(0.5, 1.0, -2.0)
def exponential_series(x):
    total, term, n = 1.0, 1.0, 1
    while abs(term) > 1e-16:
        term *= x / n
        total += term
        n += 1
    return total, math.exp(x)


@program((10.0, 45.0), (3.0, 30.0))
def projectile(speed, angle):
    rad = math.radians(angle)
    time = 2 * speed * math.sin(rad) / 9.81
    return time, speed * math.cos(rad) * time, (speed * math.sin(rad)) ** 2 / (2 * 9.81)
