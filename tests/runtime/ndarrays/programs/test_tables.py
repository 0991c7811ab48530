"""Dynamic programming, counting and shortest ways: tables that are filled cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.runtime.ndarrays.comparing import assert_same


def longest_common_subsequence(x: Any, y: Any, table: Any) -> Any:
    for i in range(len(x)):
        for j in range(len(y)):
            if x[i] == y[j]:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i + 1, j], table[i, j + 1])
    return table[-1, -1]


def edit_distance(x: Any, y: Any) -> Any:
    """With two rows that are swapped."""
    above, row = np.arange(len(y) + 1), np.zeros(len(y) + 1, np.int64)
    for i in range(len(x)):
        row[0] = i + 1
        for j in range(len(y)):
            cost = 0 if x[i] == y[j] else 1
            row[j + 1] = min(row[j] + 1, above[j + 1] + 1, above[j] + cost)
        above, row = row, above
    return above[-1], above, row


def knapsack(weights: Any, values: Any, best: Any) -> Any:
    for i in range(len(weights)):
        for room in range(len(best) - 1, 0, -1):
            if weights[i] <= room:
                best[room] = max(best[room], best[room - weights[i]] + values[i])
    return best[-1]


def coin_change(coins: Any, ways: Any) -> Any:
    ways[0] = 1
    for coin in coins:
        for amount in range(len(ways)):
            if amount >= coin:
                ways[amount] += ways[amount - coin]
    return ways[-1]


def fewest_coins(coins: Any, amount: int) -> Any:
    fewest = np.full(12, 99)
    fewest[0] = 0
    i = 1
    while i <= amount:
        for coin in coins:
            if coin <= i and fewest[i - coin] + 1 < fewest[i]:
                fewest[i] = fewest[i - coin] + 1
        i += 1
    return fewest[amount]


def matrix_chain(sizes: Any, cost: Any, split: Any) -> Any:
    n = len(sizes) - 1
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = 10**9
            for k in range(i, j):
                price = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if price < cost[i, j]:
                    cost[i, j] = price
                    split[i, j] = k
    return cost[0, n - 1]


def floyd_warshall(d: Any) -> None:
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]


def floyd_warshall_by_rows(d: Any) -> None:
    for k in range(len(d)):
        np.minimum(d, d[:, k, None] + d[k], out=d)


def dijkstra(weights: Any, source: int) -> Any:
    n = len(weights)
    distance, done = np.full(n, np.inf), np.zeros(n, bool)
    distance[source] = 0
    for _ in range(n):
        u = np.argmin(np.where(done, np.inf, distance))
        done[u] = True
        for v in range(n):
            if not done[v] and distance[u] + weights[u, v] < distance[v]:
                distance[v] = distance[u] + weights[u, v]
    return distance


def bellman_ford(edges: Any, weights: Any, distance: Any) -> Any:
    changed = True
    rounds = 0
    while changed:
        changed = False
        for (u, v), w in zip(edges, weights):
            if distance[u] + w < distance[v]:
                distance[v] = distance[u] + w
                changed = True
        rounds += 1
    return rounds


def breadth_first(adjacent: Any, start: int, order: Any) -> Any:
    queue = np.zeros(len(adjacent), np.int64)
    order[:] = -1
    queue[0], order[start] = start, 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for other in range(len(adjacent)):
            if adjacent[node, other] and order[other] < 0:
                order[other] = order[node] + 1
                queue[tail] = other
                tail += 1
    return tail


def histogram(data: Any, low: float, width: float, counts: Any) -> None:
    for x in data:
        place = int((x - low) / width)
        if 0 <= place < len(counts):
            counts[place] += 1


def histogram_at_once(data: Any, counts: Any) -> None:
    np.add.at(counts, data % len(counts), 1)


def prefix_sums(a: Any) -> None:
    for i in range(1, len(a)):
        a[i] += a[i - 1]


def blelloch_scan(a: Any) -> None:
    n = len(a)
    step = 1
    while step < n:
        for i in range(2 * step - 1, n, 2 * step):
            a[i] += a[i - step]
        step *= 2
    a[n - 1] = 0
    step = n // 2
    while step > 0:
        for i in range(2 * step - 1, n, 2 * step):
            t = a[i - step]
            a[i - step] = a[i]
            a[i] += t
        step //= 2


def integral_image(image: Any) -> None:
    for row in image:
        np.cumsum(row, out=row)
    for column in image.T:
        np.cumsum(column, out=column)


def fenwick_add(tree: Any, i: int, value: float) -> None:
    while i < len(tree):
        tree[i] += value
        i += i & -i


def pascal(rows: Any) -> None:
    for i, row in enumerate(rows):
        row[0] = 1
        for j in range(1, i + 1):
            row[j] = rows[i - 1, j - 1] + rows[i - 1, j]


def viterbi(start: Any, move: Any, emit: Any, seen: Any, path: Any) -> Any:
    score = np.log(start) + np.log(emit[:, seen[0]])
    back = np.zeros((len(seen), len(start)), np.int64)
    for t in range(1, len(seen)):
        options = score[:, None] + np.log(move)
        back[t] = options.argmax(axis=0)
        score = options.max(axis=0) + np.log(emit[:, seen[t]])
    path[-1] = score.argmax()
    for t in range(len(seen) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return score.max()


rng = np.random.default_rng(2)
WAYS = np.array([[0.0, 3.0, np.inf, 7.0], [8.0, 0.0, 2.0, np.inf], [5.0, np.inf, 0.0, 1.0], [2.0, np.inf, np.inf, 0.0]])
EDGES = np.array([[0, 1], [1, 2], [0, 2], [2, 3]])
ADJACENT = np.array([[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]], bool)

PROGRAMS = [
    (longest_common_subsequence, (np.array([1, 2, 3, 2]), np.array([2, 1, 2]), np.zeros((5, 4), np.int64))),
    (edit_distance, (np.array([1, 2, 3]), np.array([2, 3, 3, 1]))),
    (knapsack, (np.array([1, 3, 4]), np.array([15.0, 20.0, 30.0]), np.zeros(6))),
    (coin_change, (np.array([1, 2, 5]), np.zeros(6, np.int64))),
    (fewest_coins, (np.array([1, 3, 4]), 6)),
    (matrix_chain, (np.array([10, 30, 5, 60]), np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64))),
    (floyd_warshall, (WAYS[:3, :3].copy(),)),
    (floyd_warshall_by_rows, (WAYS,)),
    (dijkstra, (WAYS, 0)),
    (bellman_ford, (EDGES, np.array([1.0, 1.0, 5.0, 2.0]), np.array([0.0, np.inf, np.inf, np.inf]))),
    (breadth_first, (ADJACENT, 0, np.zeros(4, np.int64))),
    (histogram, (rng.random(5), 0.0, 0.25, np.zeros(4, np.int64))),
    (histogram_at_once, (rng.integers(0, 20, 9), np.zeros(4, np.int64))),
    (prefix_sums, (np.arange(5.0),)),
    (blelloch_scan, (np.arange(8),)),
    (integral_image, (rng.random((3, 2)),)),
    (fenwick_add, (np.zeros(9), 3, 2.0)),
    (pascal, (np.zeros((4, 4), np.int64),)),
    (viterbi, (np.array([0.6, 0.4]), np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]]),
               np.array([0, 1, 2, 1]), np.zeros(4, np.int64))),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments"), PROGRAMS)
def test_as_numpy(function: Any, arguments: tuple[Any, ...]) -> None:
    assert_same(function, *arguments)
