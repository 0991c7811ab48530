"""Graphs as matrices and lists of edges; labels, sets and ways on grids."""

from __future__ import annotations

import numpy as np

from tests.algorithms.program import program

RNG = np.random.default_rng(6)
INF = np.inf
DISTANCES = np.array([
    [0, 7, 9, INF, INF, 14],
    [7, 0, 10, 15, INF, INF],
    [9, 10, 0, 11, INF, 2],
    [INF, 15, 11, 0, 6, INF],
    [INF, INF, INF, 6, 0, 9],
    [14, INF, 2, INF, 9, 0],
])  # fmt: skip
MAZE = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 1, 1], [0, 1, 1, 1, 0], [1, 0, 0, 1, 0], [1, 1, 0, 1, 1]])
DAG = np.array([[0, 1, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 0, 0]])


@program((DISTANCES, 0), (DISTANCES, 4))
def dijkstra(w, source):
    n = len(w)
    dist = np.full(n, np.inf)
    dist[source] = 0.0
    done = np.zeros(n, dtype=bool)
    parent = np.full(n, -1)
    for _ in range(n):
        u = np.argmin(np.where(done, np.inf, dist))
        if np.isinf(dist[u]):
            break
        done[u] = True
        for v in range(n):
            if not done[v] and w[u, v] > 0 and dist[u] + w[u, v] < dist[v]:
                dist[v] = dist[u] + w[u, v]
                parent[v] = u
    return dist, parent


@program((DISTANCES,))
def floyd_warshall(D):
    n = D.shape[0]
    nxt = np.where(np.isfinite(D), np.arange(n), -1)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if D[i, k] + D[k, j] < D[i, j]:
                    D[i, j] = D[i, k] + D[k, j]
                    nxt[i, j] = nxt[i, k]
    return D, nxt


@program((DISTANCES,))
def floyd_warshall_by_rows(D):
    D = D.copy()
    for k in range(len(D)):
        np.minimum(D, D[:, k, None] + D[None, k, :], out=D)
    return D


@program(
    (np.array([[0, 1], [0, 2], [1, 2], [2, 3], [3, 1]]), np.array([4.0, 1.0, -2.0, 3.0, -2.0]), 5),
    (np.array([[0, 1], [1, 2], [2, 0], [2, 3], [3, 4]]), np.array([1.0, -2.0, 0.5, 3.0, 1.0]), 5),
)
def bellman_ford(edges, w, n):
    dist = np.full(n, np.inf)
    dist[0] = 0
    for _ in range(n - 1):
        changed = False
        for (u, v), c in zip(edges, w):
            if dist[u] + c < dist[v]:
                dist[v] = dist[u] + c
                changed = True
        if not changed:
            break
    for (u, v), c in zip(edges, w):
        if dist[u] + c < dist[v] - 1e-12:
            return None if n < 0 else np.full(n, -np.inf)
    return dist


@program((DAG,), (np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),))
def topological_sort(adj):
    n = len(adj)
    indegree = adj.sum(axis=0)
    order = np.full(n, -1)
    queue = np.zeros(n, dtype=int)
    head = tail = 0
    for i in range(n):
        if indegree[i] == 0:
            queue[tail] = i
            tail += 1
    count = 0
    while head < tail:
        u = queue[head]
        head += 1
        order[count] = u
        count += 1
        for v in range(n):
            if adj[u, v]:
                indegree[v] -= 1
                if indegree[v] == 0:
                    queue[tail] = v
                    tail += 1
    return order, count == n


@program((DAG > 0,), (np.eye(3, k=1, dtype=bool),))
def transitive_closure(R):
    n = len(R)
    for k in range(n):
        for i in range(n):
            if R[i, k]:
                R[i] |= R[k]
    return R, R.sum()


@program((np.array([[0, 1], [2, 3], [1, 2], [5, 6], [4, 4]]), 8))
def union_find(pairs, n):
    parent = np.arange(n)
    size = np.ones(n, dtype=int)

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    groups = n
    for a, b in pairs:
        ra, rb = find(a), find(b)
        if ra == rb:
            continue
        if size[ra] < size[rb]:
            ra, rb = rb, ra
        parent[rb] = ra
        size[ra] += size[rb]
        groups -= 1
    return groups, np.array([find(i) for i in range(n)])


@program((MAZE, (0, 0), (4, 4)), (MAZE, (0, 0), (3, 0)))
def shortest_way_in_a_maze(grid, start, goal):
    rows, cols = grid.shape
    dist = -np.ones((rows, cols), dtype=int)
    dist[start] = 0
    queue = [start]
    while queue:
        r, c = queue.pop(0)
        if (r, c) == goal:
            return dist[r, c]
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < rows and 0 <= nc < cols and grid[nr, nc] == 1 and dist[nr, nc] < 0:
                dist[nr, nc] = dist[r, c] + 1
                queue.append((nr, nc))
    return -1


@program((MAZE, 0, 0, 7), (MAZE, 4, 4, 3))
def flood_fill(image, r, c, colour):
    """With a stack in an array."""
    rows, cols = image.shape
    old = image[r, c]
    if old == colour:
        return image, 0
    stack = np.zeros((4 * image.size, 2), dtype=int)
    top = 1
    stack[0] = r, c
    filled = 0
    while top > 0:
        top -= 1
        i, j = stack[top]
        if i < 0 or i >= rows or j < 0 or j >= cols or image[i, j] != old:
            continue
        image[i, j] = colour
        filled += 1
        for di, dj in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
            stack[top] = [i + di, j + dj]
            top += 1
    return image, filled


@program((MAZE,), (MAZE.T.copy(),))
def connected_components(mask):
    """Labels that spread until nothing changes."""
    labels = np.where(mask > 0, np.arange(1, mask.size + 1).reshape(mask.shape), 0)
    while True:
        padded = np.pad(labels, 1)
        spread = np.maximum.reduce([labels, padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
        new = np.where(mask > 0, spread, 0)
        if (new == labels).all():
            break
        labels = new
    values, inverse = np.unique(labels, return_inverse=True)
    return inverse.reshape(mask.shape), len(values) - 1


@program((np.concatenate([RNG.normal(0, 0.2, (3, 2)), RNG.normal(3, 0.2, (2, 2)), [[10.0, 10.0]]]), 1.0, 3))
def dbscan(X, eps, min_pts):
    n = len(X)
    labels = np.full(n, -1)
    D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(-1))
    near = D <= eps
    core = near.sum(1) >= min_pts
    cluster = 0
    for i in range(n):
        if labels[i] != -1 or not core[i]:
            continue
        labels[i] = cluster
        changed = True
        while changed:
            changed = False
            for j in range(n):
                if labels[j] == cluster and core[j]:
                    for k in range(n):
                        if near[j, k] and labels[k] == -1:
                            labels[k] = cluster
                            changed = True
        cluster += 1
    return labels, cluster


@program((DISTANCES,))
def minimum_spanning_tree(w):
    n = len(w)
    in_tree = np.zeros(n, bool)
    in_tree[0] = True
    key = w[0].copy()
    parent = np.zeros(n, int)
    total = 0.0
    for _ in range(n - 1):
        masked = np.where(in_tree, np.inf, key)
        u = int(masked.argmin())
        total += key[u]
        in_tree[u] = True
        better = (w[u] < key) & ~in_tree
        key[better] = w[u][better]
        parent[better] = u
    return total, parent


@program((np.array([[1, 3, 2, 1], [5, 1, 1, 4]]), 2))
def game_of_nim(piles, rounds):
    xor = np.bitwise_xor.reduce(piles, axis=1)
    moves = np.zeros_like(piles)
    for r in range(rounds):
        for i, p in enumerate(piles[r]):
            target = p ^ xor[r]
            if target < p:
                moves[r, i] = p - target
                break
    return xor, moves
