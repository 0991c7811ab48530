"""Programs on graphs that are given as matrices, on grids, and on permutations."""

from __future__ import annotations

from tests.algorithms.program import program

FAR = 1000
ROADS = [[0, 3, FAR, 7], [8, 0, 2, FAR], [5, FAR, 0, 1], [2, FAR, FAR, 0]]
LINKS = [[0, 1, 0, 0, 1], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]]
APART = [[0, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [0, 0, 1, 1, 0]]


@program((ROADS,))
def floyd_warshall(distances):
    n = len(distances)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if distances[i][k] + distances[k][j] < distances[i][j]:
                    distances[i][j] = distances[i][k] + distances[k][j]
    return distances


@program((ROADS, 0), (ROADS, 3))
def dijkstra(roads, start):
    n = len(roads)
    distance = [FAR] * n
    done = [False] * n
    distance[start] = 0
    for _ in range(n):
        nearest, best = -1, FAR + 1
        for i in range(n):
            if not done[i] and distance[i] < best:
                nearest, best = i, distance[i]
        done[nearest] = True
        for i in range(n):
            if best + roads[nearest][i] < distance[i]:
                distance[i] = best + roads[nearest][i]
    return distance


@program((ROADS, 0), (ROADS, 2))
def bellman_ford(roads, start):
    n = len(roads)
    distance = [FAR] * n
    distance[start] = 0
    for _ in range(n - 1):
        for i in range(n):
            for j in range(n):
                distance[j] = min(distance[j], distance[i] + roads[i][j])
    return distance


@program((LINKS, 0), (APART, 2), (APART, 0))
def reachable_by_breadth(links, start):
    n = len(links)
    seen = [False] * n
    seen[start] = True
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in range(n):
            if links[node][other] == 1 and not seen[other]:
                seen[other] = True
                queue.append(other)
    return seen


@program((LINKS,), (APART,))
def components(links):
    n = len(links)
    label = list(range(n))
    changed = True
    while changed:
        changed = False
        for i in range(n):
            for j in range(n):
                if links[i][j] and label[j] > label[i]:
                    label[j] = label[i]
                    changed = True
    return label


@program((LINKS,), (APART,))
def degrees(links):
    return [sum(row) for row in links], sum(sum(row) for row in links) // 2


@program(([[0, 2, 3, 9], [2, 0, 4, 5], [3, 4, 0, 6], [9, 5, 6, 0]],))
def spanning_tree_by_prim(weights):
    n = len(weights)
    cost = [FAR] * n
    used = [False] * n
    cost[0] = 0
    total = 0
    for _ in range(n):
        node = -1
        for i in range(n):
            if not used[i] and (node == -1 or cost[i] < cost[node]):
                node = i
        used[node] = True
        total += cost[node]
        for i in range(n):
            if not used[i] and weights[node][i] < cost[i]:
                cost[i] = weights[node][i]
    return total


@program(([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]],))
def paths_of_length_two(links):
    n = len(links)
    return [[sum(links[i][k] * links[k][j] for k in range(n)) for j in range(n)] for i in range(n)]


@program(([1, 2, 0, 4, 3],), ([0, 1, 2, 3, 4],))
def cycles_of_a_permutation(permutation):
    seen = [False] * len(permutation)
    count = 0
    for start in range(len(permutation)):
        if not seen[start]:
            count += 1
            place = start
            while not seen[place]:
                seen[place] = True
                place = permutation[place]
    return count


@program(([[1, 1, 0], [0, 1, 0], [1, 0, 1]],), ([[0, 0, 0], [0, 1, 0], [0, 0, 0]],))
def islands_by_sinking(grid):
    rows, columns = len(grid), len(grid[0])
    land = [[cell for cell in row] for row in grid]
    count = 0
    for i in range(rows):
        for j in range(columns):
            if land[i][j] == 1:
                count += 1
                land[i][j] = 2
                for _ in range(rows * columns):
                    for a in range(rows):
                        for b in range(columns):
                            near = (
                                (a > 0 and land[a - 1][b] == 2) or (a < rows - 1 and land[a + 1][b] == 2)
                                or (b > 0 and land[a][b - 1] == 2) or (b < columns - 1 and land[a][b + 1] == 2)
                            )  # fmt: skip
                            if land[a][b] == 1 and near:
                                land[a][b] = 2
                land = [[0 if cell == 2 else cell for cell in row] for row in land]
    return count


@program(([[0, 1, 0], [0, 1, 0], [0, 1, 0]],), ([[1, 1, 0], [1, 0, 0], [0, 0, 0]],))
def game_of_life(cells):
    n = len(cells)
    following = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            alive = 0
            for a in range(max(0, i - 1), min(n, i + 2)):
                for b in range(max(0, j - 1), min(n, j + 2)):
                    if (a, b) != (i, j):
                        alive += cells[a][b]
            if alive == 3 or (cells[i][j] == 1 and alive == 2):
                following[i][j] = 1
    return following
