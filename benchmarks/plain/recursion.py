"""Functions that call themselves."""

from __future__ import annotations

__all__ = ["PROGRAMS"]


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def move(n, source, target, other, moves):
    if n == 0:
        return
    move(n - 1, source, other, target, moves)
    moves.append((source, target))
    move(n - 1, other, target, source, moves)


def hanoi(n):
    moves = []
    move(n, "a", "b", "c", moves)
    return len(moves)


def ackermann_of(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann_of(m - 1, 1)
    return ackermann_of(m - 1, ackermann_of(m, n - 1))


def ackermann(n):
    return ackermann_of(2, n)


def permuted(items):
    if len(items) <= 1:
        return [items]
    result = []
    for i in range(len(items)):
        rest = items[:i] + items[i + 1 :]
        for each in permuted(rest):
            result.append([items[i]] + each)
    return result


def permutations(n):
    return len(permuted(list(range(n))))


def queens(n):
    columns, found = [], 0

    def is_free(row, column):
        for other in range(row):
            if columns[other] == column or abs(columns[other] - column) == row - other:
                return False
        return True

    def place(row):
        nonlocal found
        if row == n:
            found += 1
            return
        for column in range(n):
            if is_free(row, column):
                columns.append(column)
                place(row + 1)
                columns.pop()

    place(0)
    return found


def subsets_of(items, chosen, target):
    if target == 0:
        return 1
    if not items or target < 0:
        return 0
    return subsets_of(items[1:], chosen + [items[0]], target - items[0]) + subsets_of(items[1:], chosen, target)


def subset_sums(n):
    return subsets_of([i + 3 for i in range(n)], [], 2 * n + 9)


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def factorials(n):
    return sum(factorial(i % 100) for i in range(n)) % 1_000_007


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def mutual(n):
    return [is_even(k % 200) for k in range(n)].count(True)


def flattened(tree):
    if isinstance(tree, list):
        result = []
        for child in tree:
            result += flattened(child)
        return result
    return [tree]


def nested(depth):
    return [depth] if depth == 0 else [nested(depth - 1), depth, nested(depth - 1)]


def flatten(n):
    return sum(flattened(nested(n)))


def fill(grid, row, column):
    if row < 0 or column < 0 or row >= len(grid) or column >= len(grid[0]) or grid[row][column] != ".":
        return 0
    grid[row][column] = "#"
    return (
        1
        + fill(grid, row + 1, column)
        + fill(grid, row - 1, column)
        + fill(grid, row, column + 1)
        + fill(grid, row, column - 1)
    )


def flood_fill(n):
    grid = [["." if i * j % 5 != 4 else "x" for j in range(20)] for i in range(n)]
    return fill(grid, 0, 0)


def exponent(base, n):
    if n == 0:
        return 1
    half = exponent(base, n // 2)
    return half * half % 998_244_353 * (base if n % 2 else 1) % 998_244_353


def powers(n):
    total = 0
    for base in range(n):
        total += exponent(base, 65_537 + base)
    return total


PROGRAMS = {
    fibonacci: 19,
    hanoi: 12,
    ackermann: 40,
    permutations: 7,
    queens: 6,
    subset_sums: 14,
    factorials: 500,
    mutual: 300,
    flatten: 10,
    flood_fill: 40,
    powers: 1_000,
}
