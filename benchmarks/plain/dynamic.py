"""Dynamic programming over lists and dicts."""

from __future__ import annotations

__all__ = ["PROGRAMS"]


def longest_common_subsequence(n):
    a, b = "ACGTTGCA" * n, "GTCAAGCT" * n
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


def edit_distance(n):
    a, b = "kitten" * n, "sitting" * n
    before = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = 0 if x == y else 1
            row.append(min(before[j] + 1, row[j - 1] + 1, before[j - 1] + cost))
        before = row
    return before[-1]


def knapsack(n):
    weights = [i % 13 + 1 for i in range(n)]
    values = [i * 7 % 31 + 1 for i in range(n)]
    capacity = 3 * n
    best = [0] * (capacity + 1)
    for weight, value in zip(weights, values, strict=True):
        for room in range(capacity, weight - 1, -1):
            candidate = best[room - weight] + value
            if candidate > best[room]:
                best[room] = candidate
    return best[capacity]


def coin_change(n):
    coins = [1, 2, 5, 10, 20, 50, 100, 200]
    ways = [1] + [0] * n
    for coin in coins:
        for amount in range(coin, n + 1):
            ways[amount] += ways[amount - coin]
    return ways[n]


def fewest_coins(n):
    coins = (1, 7, 10, 22)
    least = [0]
    for amount in range(1, n + 1):
        best = None
        for coin in coins:
            if coin <= amount and (best is None or least[amount - coin] + 1 < best):
                best = least[amount - coin] + 1
        least.append(best)
    return least[n]


def longest_increasing(n):
    items = [i * 7919 % 1009 for i in range(n)]
    length = [1] * n
    for i in range(n):
        for j in range(i):
            if items[j] < items[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
    return max(length)


def matrix_chain(n):
    sizes = [i * 13 % 29 + 1 for i in range(n + 1)]
    cost = [[0] * n for _ in range(n)]
    for span in range(1, n):
        for i in range(n - span):
            j = i + span
            cost[i][j] = min(
                cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)
            )
    return cost[0][n - 1]


def paths_in_grid(n):
    ways = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if (i * j) % 7 == 6:
                continue
            if i == 0 and j == 0:
                ways[i][j] = 1
            else:
                above = ways[i - 1][j] if i > 0 else 0
                left = ways[i][j - 1] if j > 0 else 0
                ways[i][j] = (above + left) % 1_000_007
    return ways[-1][-1]


def fibonacci_with_memo(n):
    memo = {}

    def fibonacci(k):
        if k in memo:
            return memo[k]
        memo[k] = k if k < 2 else fibonacci(k - 1) + fibonacci(k - 2)
        return memo[k]

    total = 0
    for start in range(n):
        memo.clear()
        total += fibonacci(start % 80)
    return total


def partitions(n):
    table = [[0] * (n + 1) for _ in range(n + 1)]
    for limit in range(n + 1):
        table[0][limit] = 1
    for total in range(1, n + 1):
        for limit in range(1, n + 1):
            table[total][limit] = table[total][limit - 1]
            if limit <= total:
                table[total][limit] += table[total - limit][limit]
    return table[n][n]


def largest_sum(n):
    items = [i * 31 % 101 - 50 for i in range(n)]
    best = current = items[0]
    for item in items[1:]:
        current = item if current < 0 else current + item
        if current > best:
            best = current
    return best


PROGRAMS = {
    longest_common_subsequence: 14,
    edit_distance: 15,
    knapsack: 110,
    coin_change: 5_000,
    fewest_coins: 5_000,
    longest_increasing: 300,
    matrix_chain: 38,
    paths_in_grid: 120,
    fibonacci_with_memo: 200,
    partitions: 120,
    largest_sum: 40_000,
}
