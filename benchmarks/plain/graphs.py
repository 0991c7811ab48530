"""Search in graphs and grids, and simulations."""

from __future__ import annotations

import heapq
from collections import deque

__all__ = ["PROGRAMS"]


def graph_of(n):
    return {i: [(i * 3 + 1) % n, (i * 7 + 2) % n, (i + 1) % n] for i in range(n)}


def breadth_first(n):
    graph, distance, queue = graph_of(n), {0: 0}, deque([0])
    while queue:
        node = queue.popleft()
        for neighbour in graph[node]:
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                queue.append(neighbour)
    return max(distance.values())


def visit(graph, node, seen, order):
    seen.add(node)
    for neighbour in graph[node]:
        if neighbour not in seen:
            visit(graph, neighbour, seen, order)
    order.append(node)


def depth_first(n):
    graph, seen, order = {i: [j for j in (2 * i + 1, 2 * i + 2) if j < n] for i in range(n)}, set(), []
    for node in graph:
        if node not in seen:
            visit(graph, node, seen, order)
    return order[:5]


def dijkstra(n):
    graph, best, heap = graph_of(n), {0: 0}, [(0, 0)]
    while heap:
        distance, node = heapq.heappop(heap)
        if distance > best[node]:
            continue
        for neighbour in graph[node]:
            longer = distance + (node ^ neighbour) % 17 + 1
            if neighbour not in best or longer < best[neighbour]:
                best[neighbour] = longer
                heapq.heappush(heap, (longer, neighbour))
    return sum(best.values())


def floyd_warshall(n):
    far = 10**9
    d = [[0 if i == j else (i * j % 11 + 1 if (i + j) % 3 else far) for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return sum(map(sum, d))


class Sets:
    def __init__(self, n):
        self.parent = list(range(n))

    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x

    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        self.parent[a] = b
        return True


def spanning_tree(n):
    edges = sorted(((i * j) % 97, i, j) for i in range(n) for j in range(i))
    sets, total = Sets(n), 0
    for weight, a, b in edges:
        if sets.union(a, b):
            total += weight
    return total


def topological(n):
    after = {i: list(range(i + 1, min(n, i + 4))) for i in range(n)}
    waiting = dict.fromkeys(range(n), 0)
    for following in after.values():
        for node in following:
            waiting[node] += 1
    ready, order = [node for node in waiting if waiting[node] == 0], []
    while ready:
        node = ready.pop()
        order.append(node)
        for following in after[node]:
            waiting[following] -= 1
            if waiting[following] == 0:
                ready.append(following)
    return order[-1]


def islands(n):
    grid = [[1 if (i * 5 + j * 3) % 4 else 0 for j in range(n)] for i in range(n)]
    count = 0
    for i in range(n):
        for j in range(n):
            if grid[i][j] == 1:
                count += 1
                pending = [(i, j)]
                while pending:
                    x, y = pending.pop()
                    if 0 <= x < n and 0 <= y < n and grid[x][y] == 1:
                        grid[x][y] = 2
                        pending += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return count


def maze(n):
    walls = {(i, j) for i in range(n) for j in range(n) if (i * 7 + j * 11) % 5 == 0}
    frontier, steps, seen = [(1, 1)], 0, {(1, 1)}
    while frontier:
        following = []
        for x, y in frontier:
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                cell = x + dx, y + dy
                if cell in seen or cell in walls or not (0 <= cell[0] < n and 0 <= cell[1] < n):
                    continue
                seen.add(cell)
                following.append(cell)
        frontier, steps = following, steps + 1
    return steps, len(seen)


def monte_carlo(n):
    x, inside = 42, 0
    for _ in range(n):
        x = (1664525 * x + 1013904223) % 4294967296
        a = x / 4294967296
        x = (1664525 * x + 1013904223) % 4294967296
        b = x / 4294967296
        if a * a + b * b <= 1:
            inside += 1
    return 4 * inside / n


def tic_tac_toe_winner(board):
    for a, b, c in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)):
        if board[a] != " " and board[a] == board[b] == board[c]:
            return board[a]
    return None


def best_score(board, player, depth):
    winner = tic_tac_toe_winner(board)
    if winner is not None:
        return 1 if winner == "x" else -1
    if depth == 0 or " " not in board:
        return 0
    scores = []
    for i in range(9):
        if board[i] == " ":
            board[i] = player
            scores.append(best_score(board, "o" if player == "x" else "x", depth - 1))
            board[i] = " "
    return max(scores) if player == "x" else min(scores)


def tic_tac_toe(n):
    return best_score([" "] * 9, "x", n)


PROGRAMS = {
    breadth_first: 8_000,
    depth_first: 8_000,
    dijkstra: 2_000,
    floyd_warshall: 32,
    spanning_tree: 90,
    topological: 4_000,
    islands: 70,
    maze: 70,
    monte_carlo: 25_000,
    tic_tac_toe: 4,
}
