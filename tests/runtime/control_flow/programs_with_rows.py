"""Programs that change, keep and pass on the lists in a list that grows."""

from __future__ import annotations

__all__ = ["PROGRAMS"]




def named_view(xs):
    rows = [[]]
    for x in xs:
        last = rows[-1]
        last.append(x)
        if x < 0:
            rows.append([])
    return rows


def stale_read(xs):
    rows = [[1], [2, 3]]
    for x in xs:
        rows.append([x])
        rows[0].append(x)
    first = rows[0]
    rows[0].append(9)
    return len(first), rows


def kept_copy(xs):
    rows = [[]]
    for x in xs:
        rows[-1].append(x)
    best = rows[0]
    for x in xs:
        if x > 0:
            best = rows[-1]
    rows[0].append(7)
    return best, rows


def for_rows(xs):
    rows = [[]]
    for x in xs:
        rows.append([x, x])
    for r in rows:
        r.append(0)
    return rows


def longest(xs):
    rows = [[]]
    for x in xs:
        row = []
        for i in range(x):
            row.append(i)
        rows.append(row)
    best = rows[0]
    for r in rows:
        if len(r) > len(best):
            best = r
    return best


def row_in_tuple(xs):
    out = []
    for x in xs:
        row = []
        for i in range(x):
            row.append(i)
        out.append((x, row))
    return out


def three(xs):
    cube = []
    for x in xs:
        plane = []
        for i in range(x):
            row = []
            for j in range(i):
                row.append(j)
            plane.append(row)
        cube.append(plane)
    return cube


def floats(xs):
    rows = [[]]
    for x in xs:
        rows[-1].append(1)
        rows[-1].append(x / 2)
        if x > 3:
            rows.append([])
    return rows


def set_in_row(xs):
    rows = [[0]]
    for x in xs:
        rows.append([x])
        rows[-1].append(2)
        rows[0][0] += x
    return rows


def iadd_row(xs):
    rows = [[0]]
    for x in xs:
        rows.append([x])
        rows[-1] += [5]
        rows[0] = rows[0] + [x]
    return rows


def swap_rows(xs):
    rows = [[0], [1, 2]]
    for x in xs:
        rows.append([x])
        rows[0], rows[-1] = rows[-1], rows[0]
    return rows


def returned_row(xs):
    rows = [[]]
    for x in xs:
        rows[-1].append(x)
        rows.append([])
    return rows[0]


def in_branch(xs):
    rows = [[]]
    for x in xs:
        row = rows[-1]
        if x > 0:
            row.append(x)
        else:
            rows.append([])
    return rows


def dict_of_lists(xs):
    d = {"rows": [[]]}
    for x in xs:
        if x > 0:
            d["rows"][-1].append(x)
        else:
            d["rows"].append([])
    return d


def path_queue(xs):
    queue = [[1]]
    done = []
    while queue:
        path = queue.pop(0)
        k = path[-1]
        if k < 6:
            queue.append(path + [k + 2])
            queue.append(path + [k * 3])
        else:
            done.append(path)
    return done


def cond_append(xs):
    rows = []
    for x in xs:
        if x > 3:
            rows.append([x, x, x])
        elif x > 0:
            rows.append([x])
        else:
            rows.append([])
    return rows


def sums(xs):
    rows = [[]]
    for x in xs:
        if x < 0:
            rows.append([])
        rows[-1].append(x)
    total = 0
    for r in rows:
        for v in r:
            total += v
    return total, [sum(r) for r in rows], [max(r) for r in rows if len(r) > 0]


def eq_rows(xs):
    rows = [[]]
    for x in xs:
        if x < 0:
            rows.append([])
        rows[-1].append(x)
    return 1 if rows[0] == [3] else 0


def in_rows(xs):
    rows = [[]]
    for x in xs:
        if x < 0:
            rows.append([])
        rows[-1].append(x)
    return 1 if 3 in rows[0] else 0


def func(xs):
    rows = [[]]
    def put(r, v):
        r.append(v)
    for x in xs:
        put(rows[-1], x)
        if x < 0:
            rows.append([])
    return rows


def append_named_copy(xs):
    rows = []
    row = []
    for x in xs:
        row.append(x)
        rows.append(row[:])
        rows[0].append(0)
    return rows, row


def mat(xs):
    n = len(xs)
    m = []
    for i in range(n):
        m.append([0] * n)
    for i in range(n):
        for j in range(n):
            m[i][j] = xs[i] * xs[j]
    return m


def mat_comp(xs):
    n = len(xs)
    m = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            m[i][j] = xs[i] * xs[j]
    return m


def stale_in_loop(xs):
    rows = [[]]
    keep = rows[0]
    for x in xs:
        if x > 0:
            keep = rows[-1]
        rows[-1].append(x)
    return len(keep)


def stale_in_branch(xs):
    rows = [[]]
    for x in xs:
        rows[-1].append(x)
    keep = rows[0]
    if xs[0] > 0:
        keep = rows[-1]
    n = 0
    if xs[0] > 0:
        rows[0].append(5)
        n = len(keep)
    return n


def while_rows(xs):
    rows = [[1]]
    while len(rows) < 4:
        rows.append([0])
        rows[-1].append(len(rows[-2]))
        rows[-1].extend(rows[-2])
    return rows


def pop_inner(xs):
    rows = [[]]
    for x in xs:
        rows[-1].append(x)
        rows[-1].append(x)
        if x > 0:
            rows[-1].pop()
        else:
            rows.append([])
    return rows


def in_object(xs):
    class Box:
        pass
    box = Box()
    box.rows = [[]]
    for x in xs:
        box.rows[-1].append(x)
        if x > 3:
            box.rows.append([])
    return box.rows


def try_rows(xs):
    rows = [[]]
    for x in xs:
        try:
            rows[-1].append(x)
            if x < 0:
                raise ValueError("neg")
            rows.append([])
        except ValueError:
            rows[-1].append(100)
    return rows


PROGRAMS = [
    ((
        named_view, stale_read, kept_copy, for_rows, longest, row_in_tuple, three, floats, set_in_row, iadd_row,
        swap_rows, returned_row, in_branch, dict_of_lists, path_queue, cond_append, sums, eq_rows, in_rows,
        func, append_named_copy, mat, mat_comp, stale_in_loop, stale_in_branch, while_rows, pop_inner,
        in_object, try_rows,
    ), (([3, -1, 4, 3],), ([1],), ([-2, -2],))),
]  # fmt: skip
"""Programs that take the same, and what they are called with."""
