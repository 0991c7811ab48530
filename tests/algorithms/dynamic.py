"""Programs that fill tables: dynamic programming."""

from __future__ import annotations

from tests.algorithms.program import program


@program(([1, 3, 4, 5], [1, 4, 5, 7], 7), ([2, 3, 4, 6], [3, 4, 5, 8], 10))
def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for i in range(len(weights)):
        for room in range(capacity, weights[i] - 1, -1):
            best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[capacity]


@program(([1, 3, 4, 5], [1, 4, 5, 7], 7), ([2, 3, 4, 6], [3, 4, 5, 8], 10))
def knapsack_table(weights, values, capacity):
    n = len(weights)
    table = [[0] * (capacity + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for room in range(capacity + 1):
            table[i][room] = table[i - 1][room]
            if weights[i - 1] <= room:
                table[i][room] = max(table[i][room], table[i - 1][room - weights[i - 1]] + values[i - 1])
    return table[n][capacity]


@program(([1, 2, 5], 11), ([2, 5, 10], 3), ([1, 3, 4], 6))
def fewest_coins(coins, amount):
    best = [0] + [amount + 1] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total:
                best[total] = min(best[total], best[total - coin] + 1)
    return best[amount] if best[amount] <= amount else -1


@program(([1, 2, 5], 11), ([2, 5, 10], 20))
def ways_to_change(coins, amount):
    ways = [1] + [0] * amount
    for coin in coins:
        for total in range(coin, amount + 1):
            ways[total] += ways[total - coin]
    return ways[amount]


@program(([1, 2, 3, 4, 1], [3, 4, 1, 2, 1]), ([1, 7, 1, 7, 1], [7, 1, 7, 1, 7]))
def longest_common_subsequence(a, b):
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[-1][-1]


@program(([1, 2, 3, 4, 1], [3, 4, 1, 2, 1]), ([1, 7, 1, 7, 1], [7, 1, 7, 1, 7]))
def edit_distance(a, b):
    previous = list(range(len(b) + 1))
    for i in range(len(a)):
        current = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + cost))
        previous = current
    return previous[-1]


@program(([10, 9, 2, 5, 3, 7, 101, 18],), ([0, 1, 0, 3, 2, 3, 9, 1],))
def longest_increasing_subsequence(numbers):
    best = [1] * len(numbers)
    for i in range(len(numbers)):
        for j in range(i):
            if numbers[j] < numbers[i]:
                best[i] = max(best[i], best[j] + 1)
    return max(best)


@program(([2, 7, 9, 3, 1],), ([2, 1, 1, 2, 9],))
def house_robber(amounts):
    previous = current = 0
    for amount in amounts:
        previous, current = current, max(current, previous + amount)
    return current


@program(1, 2, 7, 12)
def climbing_stairs(n):
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(([[1, 3, 1], [1, 5, 1], [4, 2, 1]],), ([[1, 2, 3], [4, 5, 6], [7, 8, 9]],))
def least_path_sum(grid):
    rows, columns = len(grid), len(grid[0])
    cost = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            if i == 0 and j == 0:
                best = 0
            elif i == 0:
                best = cost[0][j - 1]
            elif j == 0:
                best = cost[i - 1][0]
            else:
                best = min(cost[i - 1][j], cost[i][j - 1])
            cost[i][j] = best + grid[i][j]
    return cost[-1][-1]


@program((3, 7), (3, 2), (5, 5))
def unique_paths(m, n):
    row = [1] * n
    for _ in range(m - 1):
        for j in range(1, n):
            row[j] += row[j - 1]
    return row[n - 1]


@program(([3, 34, 4, 12, 5, 2], 9), ([3, 34, 4, 12, 5, 2], 30))
def subset_sum(numbers, total):
    possible = [True] + [False] * total
    for number in numbers:
        for value in range(total, number - 1, -1):
            if possible[value - number]:
                possible[value] = True
    return possible[total]


@program(5, 8, 10)
def catalan(n):
    numbers = [1] + [0] * n
    for i in range(1, n + 1):
        for j in range(i):
            numbers[i] += numbers[j] * numbers[i - 1 - j]
    return numbers[n]


@program(6, 10)
def pascal_row(n):
    row = [1]
    for k in range(n):
        row.append(row[k] * (n - k) // (k + 1))
    return row


@program(([1, 5, 8, 9, 10, 17], 6), ([1, 5, 8, 9, 10, 17], 4))
def cutting_rods(prices, n):
    best = [0] * (n + 1)
    for length in range(1, n + 1):
        for cut in range(1, length + 1):
            best[length] = max(best[length], prices[cut - 1] + best[length - cut])
    return best[n]


@program(4, 7)
def partitions(n):
    ways = [1] + [0] * n
    for part in range(1, n + 1):
        for total in range(part, n + 1):
            ways[total] += ways[total - part]
    return ways[n]


@program(10, 30)
def primes_by_sieve(n):
    sieve = [True] * (n + 1)
    primes = []
    for i in range(2, n + 1):
        if sieve[i]:
            primes.append(i)
            for multiple in range(i * i, n + 1, i):
                sieve[multiple] = False
    return primes


@program(10, 15)
def ugly_number(n):
    ugly = [1]
    i = j = k = 0
    while len(ugly) < n:
        following = min(ugly[i] * 2, ugly[j] * 3, ugly[k] * 5)
        ugly.append(following)
        if following == ugly[i] * 2:
            i += 1
        if following == ugly[j] * 3:
            j += 1
        if following == ugly[k] * 5:
            k += 1
    return ugly[-1]
