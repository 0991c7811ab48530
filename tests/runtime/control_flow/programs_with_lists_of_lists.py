"""Programs with lists of lists, whose lengths depend on tensors."""

from __future__ import annotations

__all__ = ["PROGRAMS"]




def rows_last(xs):
    rows = [[]]
    for x in xs:
        if x < 0:
            rows.append([])
        else:
            rows[-1].append(x)
    return rows


def rows_local(xs):
    rows = []
    for x in xs:
        row = []
        for i in range(x):
            row.append(i)
        rows.append(row)
    return rows


def rows_fixed(xs):
    out = []
    for x in xs:
        out.append([x, x * 2])
    return out


def rows_tuples(xs):
    out = []
    for i, x in enumerate(xs):
        if x > 0:
            out.append((i, x))
    return out


def rows_comp(xs):
    return [[i for i in range(x)] for x in xs]


def chunks(xs, k):
    rows = []
    row = []
    for x in xs:
        row.append(x)
        if len(row) == k:
            rows.append(row)
            row = []
    if row:
        rows.append(row)
    return rows


def groups(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == x:
            out[-1].append(x)
        else:
            out.append([x])
    return out


def run_lengths(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == x:
            out[-1][1] += 1
        else:
            out.append([x, 1])
    return out


def buckets(xs):
    b = [[], [], []]
    for x in xs:
        b[x % 3].append(x)
    return b


def buckets_comp(xs):
    b = [[] for _ in range(3)]
    for x in xs:
        b[x % 3].append(x)
    return b


def buckets_n(xs, n):
    b = [[] for _ in range(n)]
    for x in xs:
        b[x % n].append(x)
    return b


def dict_buckets(xs, n):
    b = {"a": [], "b": []}
    for x in xs:
        if x % 2 == 0:
            b["a"].append(x)
        else:
            b["b"].append(x)
    return b


def pascal(n):
    rows = [[1]]
    for i in range(n):
        last = rows[-1]
        rows.append([1] + [last[j] + last[j + 1] for j in range(i)] + [1])
    return rows


def triangle(n):
    rows = []
    for i in range(n):
        rows.append([])
        for j in range(i):
            rows[i].append(i * j)
    return rows


def subsets(xs):
    out = [[]]
    for x in xs:
        out += [s + [x] for s in out]
    return out


def flatten(xs):
    rows = [[x, x + 1] for x in xs if x > 0]
    return [t for r in rows for t in r]


def flatten_ragged(xs):
    rows = [[i for i in range(x)] for x in xs]
    return [t for r in rows for t in r]


def row_sums(xs):
    rows = []
    for x in xs:
        row = []
        for i in range(x):
            row.append(i)
        rows.append(row)
    return [sum(r) for r in rows], [len(r) for r in rows], max(len(r) for r in rows)


def adjacency(xs):
    adj = [[] for _ in range(5)]
    for i, x in enumerate(xs):
        adj[i].append(x)
        adj[x].append(i)
    return adj


def matrix(n, xs):
    m = [[0] * 3 for _ in range(3)]
    for i, x in enumerate(xs):
        m[i][x % 3] = x
    return m


def merge_intervals(xs):
    out = []
    for x in sorted(xs):
        lo = x
        hi = x + 2
        if out and lo <= out[-1][1]:
            out[-1][1] = max(out[-1][1], hi)
        else:
            out.append([lo, hi])
    return out


def evens_odds(xs):
    groups = [[], []]
    for x in xs:
        groups[x % 2].append(x)
    return groups, len(groups[0])


def buckets_read(xs):
    b = [[] for _ in range(3)]
    for x in xs:
        if len(b[x % 3]) < 2:
            b[x % 3].append(x)
    return [sum(t) for t in b]


def bfs(xs):
    adj = [[1, 2], [3], [3], []]
    seen = [False] * 4
    order = []
    queue = [0]
    seen[0] = True
    while queue:
        k = queue.pop(0)
        order.append(k)
        for j in adj[k]:
            if not seen[j]:
                seen[j] = True
                queue.append(j)
    return order


def split_list(xs):
    parts = []
    cur = []
    for x in xs:
        if x < 0:
            parts.append(cur)
            cur = []
        else:
            cur.append(x)
    parts.append(cur)
    return parts


def matrix_mult(xs):
    a = [[x, 1] for x in xs]
    out = []
    for r in a:
        row = []
        for c in range(2):
            row.append(r[0] * c + r[1])
        out.append(row)
    return out


def transposed(xs):
    rows = []
    for x in xs:
        rows.append([x, x * 2])
    return [[r[i] for r in rows] for i in range(2)]


def nested_func(xs):
    def add(rows, x):
        if x < 0:
            rows.append([])
        else:
            rows[-1].append(x)
        return rows
    rows = [[]]
    for x in xs:
        rows = add(rows, x)
    return rows


def words(xs):
    out = []
    word = []
    for x in xs:
        if x == 3:
            out.append(word)
            word = []
        else:
            word = word + [x]
    return out, word


def perms(xs):
    out = [[]]
    for x in xs:
        nxt = []
        for s in out:
            nxt.append(s + [x])
            nxt.append(s)
        out = nxt
    return out


def triple(xs):
    return [[x, y] for x in xs for y in xs if x < y]


def grid(xs):
    g = []
    for x in xs:
        g.append([x] * 3)
    g[0][1] = 9
    return g


def grid_t(xs):
    g = [[0, 0, 0] for _ in range(3)]
    for x in xs:
        g[x % 3][(x + 1) % 3] += 1
    return g


PROGRAMS = [
    ((rows_last, rows_local, rows_fixed, rows_tuples, rows_comp), (([3, -1, 4, 3],), ([1],))),
    ((chunks,), (([3, -1, 4, 3], 2), ([1], 2))),
    ((groups, run_lengths, buckets, buckets_comp), (([3, 1, 1, 4, 4, 4],), ([1],))),
    ((buckets_n, dict_buckets), (([3, 1, 1, 4, 4, 4], 3), ([1], 2))),
    ((pascal,), ((6,), (0,))),
    ((triangle,), ((5,), (0,))),
    ((subsets,), (([3, 1, 2],), ([1],))),
    ((flatten, flatten_ragged, row_sums, adjacency), (([3, 1, 4, 2],), ([1, 2, 0, 0],))),
    ((matrix,), ((3, [3, 1, 2]), (2, [1, 1, 0]))),
    ((
        merge_intervals, evens_odds, buckets_read, bfs, split_list, matrix_mult, transposed, nested_func, words,
        perms, triple, grid, grid_t,
    ), (([3, -1, 4, 3],), ([1],), ([-2, -2],))),
]  # fmt: skip
"""Programs that take the same, and what they are called with."""
