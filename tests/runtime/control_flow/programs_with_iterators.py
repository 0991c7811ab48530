"""Programs that move iterators and other hidden state, or keep rows, for test_programs_with_effects."""

from __future__ import annotations

import collections
import functools
import io
import itertools
import random


def rows(n):
    rows = []
    for i in range(n):
        rows.append([])
    for i in range(n):
        rows[i].append(i)
    return rows


def rows2(n):
    rows = [[], []]
    for i in range(n):
        rows[0].append(i)
    return rows


def rows3(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(j)
        rows.append(row)
    return rows


def rows4(n):
    rows = []
    for i in range(n):
        row = [i]
        rows.append(row)
        row[0] = 7
    return rows


def append_none(n):
    items = []
    for i in range(n):
        items.append(None)
    return items


def append_maybe_none(n):
    items = []
    for i in range(n):
        items.append(i if i > 1 else None)
    return len(items)


def islice_branch(n):
    it = itertools.islice([1, 2, 3, 4], 3)
    if n > 0:
        a = next(it)
    else:
        a = 0
    return a, next(it)


def chain_branch(n):
    it = itertools.chain([1, 2], [3])
    if n > 0:
        a = next(it)
    else:
        a = 0
    return a, next(it)


def cycle_loop(n):
    it = itertools.cycle([1, 2, 3])
    t = 0
    for i in range(n):
        t = t + next(it)
    return t


def zip_branch(n):
    it = zip([1, 2], [3, 4])
    if n > 0:
        a, b = next(it)
    else:
        a, b = 0, 0
    return a + b


def map_branch(n):
    it = map(abs, [1, 2, 3])
    if n > 0:
        a = next(it)
    else:
        a = 0
    return a, next(it)


def enum_branch(n):
    it = enumerate([5, 6])
    if n > 0:
        a = next(it)
    else:
        a = (0, 0)
    return a[1]


def enum_gen_branch(n):
    it = enumerate(x for x in [5, 6])
    if n > 0:
        a = next(it)
    else:
        a = (0, 0)
    return a[1], next(it)


def random_branch(n):
    r = random.Random(3)
    if n > 0:
        a = r.randint(0, 9)
    else:
        a = 0
    return a, r.randint(0, 9)


def random_loop(n):
    r = random.Random(3)
    t = 0
    for i in range(n):
        t = t + r.randint(0, 9)
    return t


def stringio_read(n):
    f = io.StringIO("a\nb\nc\n")
    if n > 0:
        a = len(f.readline()) + 1
    else:
        a = 0
    return a, f.readline() == "b\n"


def stringio_value(n):
    f = io.StringIO()
    if n > 0:
        f.write("yes")
    return len(f.getvalue())


def comp_append(n):
    seen = []
    ys = [seen.append(i) or i for i in range(n)]
    return len(seen), len(ys)


def deque_loop(n):
    q = collections.deque()
    for i in range(n):
        q.append(i)
    return len(q)


def deque_rot(n):
    q = collections.deque([1, 2, 3])
    for i in range(n):
        q.rotate(1)
    return list(q)


def bytearr(n):
    b = bytearray(3)
    for i in range(n):
        b[0] += 1
    return b[0]


def gen_eff(n):
    log = []

    def g(k):
        for i in range(k):
            log.append(i)
            yield i

    t = 0
    for v in g(n):
        t += v
    return t, len(log)


def it_arg(n):
    it = iter(range(10))
    while n > 0:
        next(it)
        n = n - 1
    return next(it)


def reduced(n):
    def f(a, b):
        if b > a:
            return b
        return a

    return functools.reduce(f, [n, 2, 3])


def sort_key(n):
    items = [3, 1, 2]

    def key(v):
        if n > 0:
            return v
        return -v

    items.sort(key=key)
    return items


def acc(n):
    def f(a, b):
        if b > a:
            return b
        return a

    return list(itertools.accumulate([n, 2, 3], f))


def groupby(n):
    return [len(list(g)) for k, g in itertools.groupby([n, n, 3], key=lambda v: v if n > 0 else 0)]


def starmap(n):
    return sum(itertools.starmap(lambda a, b: a if a > b else b, [(n, 2), (1, n)]))


def takewhile(n):
    return sum(itertools.takewhile(lambda a: a < 3, [n, n + 1, n + 2]))


def filterfalse(n):
    return sum(itertools.filterfalse(lambda a: a < 3, [n, n + 1, n + 2]))


PROGRAMS = [
    rows,
    rows2,
    rows3,
    rows4,
    append_none,
    append_maybe_none,
    islice_branch,
    chain_branch,
    cycle_loop,
    zip_branch,
    map_branch,
    enum_branch,
    enum_gen_branch,
    random_branch,
    random_loop,
    stringio_read,
    stringio_value,
    comp_append,
    deque_loop,
    deque_rot,
    bytearr,
    gen_eff,
    it_arg,
    reduced,
    sort_key,
    acc,
    groupby,
    starmap,
    takewhile,
    filterfalse,
]
