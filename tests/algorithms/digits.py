"""Programs about the digits of a number, most of them by way of its text."""

from __future__ import annotations

from tests.algorithms.program import program

NUMBERS = (0, 7, 10, 121, 153, 370, 1634, 9474, 12321, 45, 9999)


@program(*NUMBERS)
def sum_of_digits(n):
    return sum(int(digit) for digit in str(n))


@program(*NUMBERS)
def sum_of_digits_by_division(n):
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


@program(*NUMBERS)
def is_palindrome(n):
    return str(n) == str(n)[::-1]


@program(*NUMBERS, -12)
def reversed_number(n):
    sign = -1 if n < 0 else 1
    return sign * int(str(abs(n))[::-1])


@program(*NUMBERS)
def is_armstrong(n):
    length = len(str(n))
    total = 0
    rest = n
    while rest > 0:
        rest, digit = divmod(rest, 10)
        total += digit**length
    return total == n


@program(*NUMBERS)
def is_armstrong_by_text(n):
    text = str(n)
    return n == sum(int(d) ** len(text) for d in text)


@program(*NUMBERS)
def digital_root(n):
    while n >= 10:
        n = sum(map(int, str(n)))
    return n


@program(19, 2, 7, 20, 1, 100)
def is_happy(n):
    steps = 0
    while n != 1 and steps < 30:
        n = sum(int(c) ** 2 for c in str(n))
        steps += 1
    return n == 1


@program(18, 21, 1729, 11)
def is_harshad(n):
    return n % sum([int(c) for c in str(n)]) == 0


@program(5, 6, 25, 76, 7, 10)
def is_automorphic(n):
    return str(n * n).endswith(str(n))


@program(9, 45, 55, 10, 297)
def is_kaprekar(n):
    square = str(n**2)
    for i in range(1, len(square)):
        left, right = int(square[:i]), int(square[i:])
        if right > 0 and left + right == n:
            return True
    return n == 1


@program(145, 1, 2, 40585, 144)
def is_strong_number(n):
    total = 0
    for c in str(n):
        factorial = 1
        for i in range(1, int(c) + 1):
            factorial *= i
        total += factorial
    return total == n


@program(*NUMBERS)
def counts_of_digits(n):
    text = str(n)
    return [text.count(str(d)) for d in range(10)], "".join(sorted(text)), max(text), min(text)


@program(1, 2, 3, 5)
def look_and_say(n):
    text = "1"
    for _ in range(n - 1):
        made = ""
        i = 0
        while i < len(text):
            count = 1
            while i + count < len(text) and text[i + count] == text[i]:
                count += 1
            made += str(count) + text[i]
            i += count
        text = made
    return text


@program(1234567, 5, 999, 1000, -1234)
def with_thousands(n):
    return f"{n:,}", format(n, ",").replace(",", "."), f"{n:>12}", "%08d" % n, str(n).rjust(10, "*")


@program(*NUMBERS)
def every_second_digit_doubled(n):
    """Luhn's checksum."""
    total = 0
    for i, c in enumerate(reversed(str(n))):
        digit = int(c)
        if i % 2 == 1:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total % 10 == 0
