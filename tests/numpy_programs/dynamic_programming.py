"""Tables that are filled cell by cell: distances, alignments, chains, ways."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(3)


@program(
    (np.array([11, 9, 20, 20, 5, 14]), np.array([19, 9, 20, 20, 9, 14, 7])),
    (np.array([1, 2, 3, 4, 5, 6]), np.array([1, 3, 3, 4, 0, 6, 7])),
)
def edit_distance(a, b):
    m, n = len(a), len(b)
    D = np.zeros((m + 1, n + 1), dtype=int)
    D[:, 0] = np.arange(m + 1)
    D[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            D[i, j] = min(D[i - 1, j] + 1, D[i, j - 1] + 1, D[i - 1, j - 1] + cost)
    return D[m, n]


@program((np.array([30, 35, 15, 5, 10, 20, 25]),))
def matrix_chain(p):
    n = len(p) - 1
    m = np.zeros((n, n))
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = np.inf
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
                    split[i, j] = k
    return m[0, n - 1], split


@program((np.array([1, 3, 4, 5]), np.array([1, 4, 5, 7]), 7), (np.array([2, 2, 3]), np.array([3, 7, 2]), 5))
def knapsack(weights, values, capacity):
    n = weights.size
    K = np.zeros((n + 1, capacity + 1), dtype=values.dtype)
    for i in range(1, n + 1):
        for w in range(capacity + 1):
            K[i, w] = K[i - 1, w]
            if weights[i - 1] <= w:
                K[i, w] = max(K[i, w], K[i - 1, w - weights[i - 1]] + values[i - 1])
    chosen = np.zeros(n, dtype=bool)
    w = capacity
    for i in range(n, 0, -1):
        if K[i, w] != K[i - 1, w]:
            chosen[i - 1] = True
            w -= weights[i - 1]
    return K[n, capacity], chosen


@program((np.array([1, 2, 3, 2, 4, 1, 2]), np.array([2, 4, 3, 1, 2, 1])))
def longest_common_subsequence(a, b):
    L = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int32)
    for i, x in enumerate(a, start=1):
        for j, y in enumerate(b, start=1):
            L[i, j] = L[i - 1, j - 1] + 1 if x == y else max(L[i - 1, j], L[i, j - 1])
    i, j = len(a), len(b)
    k = L[i, j]
    out = np.full(min(len(a), len(b)), -1)
    while i > 0 and j > 0:
        if a[i - 1] == b[j - 1]:
            k -= 1
            out[k] = a[i - 1]
            i -= 1
            j -= 1
        elif L[i - 1, j] >= L[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return L[-1, -1], out


@program((np.array([0, 1, 2, 3, 0, 1]), np.array([2, 3, 0, 1, 1]), 2, -1, -1))
def smith_waterman(a, b, match, mismatch, gap):
    H = np.zeros((len(a) + 1, len(b) + 1))
    best, where = 0, (0, 0)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            H[i, j] = max(0, H[i - 1, j - 1] + s, H[i - 1, j] + gap, H[i, j - 1] + gap)
            if H[i, j] > best:
                best = H[i, j]
                where = (i, j)
    return best, where, H


@program((np.array([0, 1, 2, 3, 0, 1]), np.array([2, 3, 0, 1, 1])))
def levenshtein_two_rows(s, t):
    prev = np.arange(len(t) + 1)
    cur = np.zeros_like(prev)
    for i in range(len(s)):
        cur[0] = i + 1
        for j in range(len(t)):
            cur[j + 1] = min(prev[j + 1] + 1, cur[j] + 1, prev[j] + (s[i] != t[j]))
        prev, cur = cur, prev
    return prev[-1]


@program((np.array([-2, 1, -3, 4, -1, 2, 1, -5, 4]),), (np.array([-3.5, -1.5, -2.0]),))
def maximum_subarray(a):
    best = cur = a[0]
    start = end = s = 0
    for i in range(1, len(a)):
        if cur < 0:
            cur = a[i]
            s = i
        else:
            cur += a[i]
        if cur > best:
            best = cur
            start, end = s, i
    return best, start, end


@program((np.array([10, 9, 2, 5, 3, 7, 101, 18]),))
def longest_increasing(a):
    n = len(a)
    length = np.ones(n, dtype=int)
    prev = -np.ones(n, dtype=int)
    for i in range(n):
        for j in range(i):
            if a[j] < a[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
                prev[i] = j
    k = int(np.argmax(length))
    seq = []
    while k >= 0:
        seq.append(a[k])
        k = prev[k]
    return length.max(), np.array(seq[::-1])


@program((RNG.normal(size=7), RNG.normal(size=5)), (RNG.normal(size=4).astype("f4"), RNG.normal(size=4).astype("f4")))
def time_warping(x, y):
    n, m = len(x), len(y)
    D = np.full((n + 1, m + 1), np.inf, dtype=x.dtype)
    D[0, 0] = 0
    for i in range(n):
        for j in range(m):
            D[i + 1, j + 1] = abs(x[i] - y[j]) + min(D[i, j], D[i, j + 1], D[i + 1, j])
    return D[n, m]


@program((np.array([1, 5, 10, 25]), 43), (np.array([4, 6]), 7))
def coins(denominations, amount):
    fewest = np.full(amount + 1, 10**9)
    fewest[0] = 0
    ways = np.zeros(amount + 1, dtype=np.int64)
    ways[0] = 1
    for c in denominations:
        for a in range(c, amount + 1):
            ways[a] += ways[a - c]
            if fewest[a - c] + 1 < fewest[a]:
                fewest[a] = fewest[a - c] + 1
    return (int(fewest[amount]) if fewest[amount] < 10**9 else -1), ways[amount]


@program((RNG.integers(0, 9, size=(5, 6)),), (RNG.uniform(size=(4, 4)),))
def seam(energy):
    """The cheapest way from the top to the bottom."""
    cost = energy.copy()
    h, w = cost.shape
    for i in range(1, h):
        for j in range(w):
            lo, hi = max(j - 1, 0), min(j + 2, w)
            cost[i, j] += cost[i - 1, lo:hi].min()
    path = np.empty(h, dtype=np.intp)
    path[-1] = np.argmin(cost[-1])
    for i in range(h - 2, -1, -1):
        lo = max(path[i + 1] - 1, 0)
        path[i] = lo + np.argmin(cost[i, lo : path[i + 1] + 2])
    return path, cost[-1].min()
