"""Searches and backtracking: inner functions that try, note what they tried, and take it back."""

from __future__ import annotations

import numpy as np

__all__ = ["PROGRAMS"]


def subsets_by_turns(n):
    found = []
    path = []

    def go(k):
        if k == n:
            found.append(len(path))
            return
        path.append(k)
        go(k + 1)
        path.pop()
        go(k + 1)

    go(0)
    return found


def best_of_subsets(n):
    best = 0
    calls = 0

    def go(i, s):
        nonlocal best, calls
        calls += 1
        if i == 0:
            best = max(best, s)
            return
        go(i - 1, s + i)
        go(i - 1, s)

    go(n, 0)
    return (best, calls)


def permutations_by_swaps(n):
    out = []

    def go(a, k):
        if k == len(a):
            out.append(a[0] * 100 + a[1] * 10 + a[2])
            return
        for i in range(k, len(a)):
            a[k], a[i] = (a[i], a[k])
            go(a, k + 1)
            a[k], a[i] = (a[i], a[k])

    go([1, 2, n], 0)
    return out


def permutations_by_use(n):
    out = []
    used = [False] * 3
    cur = []
    vals = [1, 2, n]

    def go():
        if len(cur) == 3:
            out.append(cur[0] * 100 + cur[1] * 10 + cur[2])
            return
        for i in range(3):
            if not used[i]:
                used[i] = True
                cur.append(vals[i])
                go()
                cur.pop()
                used[i] = False

    go()
    return out


def combinations_of_a_sum(n):
    out = []

    def go(start, left, cur):
        if left == 0:
            out.append(len(cur))
            return
        if left < 0:
            return
        for i in range(start, 4):
            go(i, left - i, cur + [i])

    go(1, n, [])
    return out


def sudoku(n):
    grid = [[0, 2], [2, 0]]
    tries = [0]

    def ok(r, c, v):
        return all((grid[r][j] != v for j in range(2))) and all((grid[i][c] != v for i in range(2)))

    def solve(p):
        tries[0] += 1
        if p == 4:
            return True
        r, c = (p // 2, p % 2)
        if grid[r][c] != 0:
            return solve(p + 1)
        for v in (n % 2 + 1, 2 - n % 2):
            if ok(r, c, v):
                grid[r][c] = v
                if solve(p + 1):
                    return True
                grid[r][c] = 0
        return False

    return (solve(0), grid, tries[0])


def depth_first(n):
    graph = [[1, 2], [2], [0, 3], []]
    seen = [False] * 4
    order = []

    def dfs(u):
        seen[u] = True
        order.append(u)
        for v in graph[u]:
            if not seen[v]:
                dfs(v)

    dfs(n % 4)
    return (order, seen)


def heap_with_a_set(n):
    seen = set()
    order = []

    def dfs(u):
        if u in seen or u > 6:
            return
        seen.add(u)
        order.append(u)
        dfs(2 * u + 1)
        dfs(2 * u + 2)

    dfs(n % 3)
    return (order, len(seen))


def reached_with_a_set(n):
    seen = set()

    def go(x):
        if x < 0 or x > n or x in seen:
            return 0
        seen.add(x)
        return 1 + go(x - 1) + go(x + 2)

    return (go(0), len(seen))


def flood_of_rows(n):
    g = [[0] * 3 for _ in range(3)]
    g[1][0] = 1
    g[1][1] = 1

    def go(i, j):
        if i < 0 or j < 0 or i >= 3 or (j >= 3) or (g[i][j] != 0):
            return 0
        g[i][j] = 2
        return 1 + go(i + 1, j) + go(i - 1, j) + go(i, j + 1) + go(i, j - 1)

    return go(n % 3, 0)


def fill(grid, i, j):
    if i < 0 or j < 0 or i >= 4 or (j >= 4):
        return 0
    if grid[i, j] != 0:
        return 0
    grid[i, j] = 2
    return 1 + fill(grid, i + 1, j) + fill(grid, i - 1, j) + fill(grid, i, j + 1) + fill(grid, i, j - 1)


def flood_of_an_array(n):
    g = np.zeros((4, 4), np.int32)
    g[1, :3] = 1
    return (fill(g, n % 4, 0), g.sum())


PROGRAMS = [
    subsets_by_turns,
    best_of_subsets,
    permutations_by_swaps,
    permutations_by_use,
    combinations_of_a_sum,
    sudoku,
    depth_first,
    heap_with_a_set,
    reached_with_a_set,
    flood_of_rows,
    flood_of_an_array,
]
