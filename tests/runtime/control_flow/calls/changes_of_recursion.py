"""Recursion that changes variables, attributes, lists, dicts and arrays from around it or among its arguments."""

from __future__ import annotations

from collections import Counter, deque
from typing import Any

import numpy as np

__all__ = ["PROGRAMS"]

TABLE: dict[str, Any] = {"calls": 0}
SUMS = np.zeros(3, np.int32)
COUNT = 0


def depth(n, stats):
    stats["calls"] += 1
    stats["max"] = max(stats["max"], n)
    if n > 1:
        depth(n // 2, stats)
        depth(n - n // 2 - 1, stats)


def counts_in_a_dict(n):
    s = {"calls": 0, "max": 0}
    depth(n, s)
    return (s["calls"], s["max"])


class Tree:
    def __init__(s):
        s.count = 0
        s.log = []

    def visit(s, n):
        s.count = s.count + 1
        if n > 0:
            s.visit(n - 1)

    def logv(s, n):
        s.log.append(n)
        if n > 0:
            s.logv(n - 1)


def count_in_an_attribute(n):
    t = Tree()
    t.visit(n)
    return t.count


def log_in_an_attribute(n):
    t = Tree()
    t.logv(n)
    return t.log


def two_lists(n):

    def go(a, b, k):
        if k > 0:
            a.append(k)
            go(b, a, k - 1)
            b.append(-k)

    a = []
    b = []
    go(a, b, n)
    return (a, b)


def before_and_after(n):

    def go(a, k):
        if k > 0:
            go(a, k - 1)
            a.append(k)
            go(a, k - 2)

    a = [0]
    go(a, n)
    return a


def sum_in_a_nonlocal(n):
    k = 0

    def go(n):
        nonlocal k
        k = k + n
        if n > 0 and k < 50:
            go(n - 1)

    go(n)
    return k


def _globd(n):
    TABLE["calls"] += 1
    if n > 0:
        _globd(n - 1)


def count_in_a_global_dict(n):
    TABLE["calls"] = 0
    _globd(n)
    return TABLE["calls"]


def _globa(n):
    SUMS[n % 3] += n
    if n > 0:
        _globa(n - 1)


def sums_in_a_global_array(n):
    SUMS[:] = 0
    _globa(n)
    return SUMS.copy()


def _cnt(n):
    global COUNT
    COUNT += 1
    if n > 0:
        _cnt(n - 1)


def count_in_a_global(n):
    global COUNT
    COUNT = 0
    _cnt(n)
    return COUNT


def list_from_around(n):
    log = []

    def go(k):
        log.append(k)
        if k > 0:
            return go(k - 1)
        return log

    r = go(n)
    r.append(99)
    return log


def table_from_around(n):
    table = [1, 2]

    def go(k):
        if k > 0:
            return go(k - 1)
        return table

    r = go(n)
    r[0] = 99
    return table


def in_loop(n):
    log = []

    def go(k):
        log.append(k)
        if k > 0:
            go(k - 1)

    for i in range(n):
        go(i)
    return log


def in_branch(n):
    log = [0]

    def go(k):
        log.append(k)
        if k > 0:
            go(k - 1)

    if n > 1:
        go(n)
    else:
        log.append(-1)
    return log


def twice(n):
    log = []

    def go(k):
        log.append(k)
        if k > 0:
            go(k - 1)

    go(n)
    log.append(77)
    go(n)
    return log


def sums_in_an_array(n):
    a = np.zeros(4, np.int32)

    def go(k):
        a[k % 4] += k
        if k > 0:
            go(k - 1)
        a[0] += 5

    go(n)
    return a


def sums_through_a_view(n):
    a = np.zeros(4, np.int32)
    v = a[1:]

    def go(k):
        v[k % 3] += k
        if k > 0:
            go(k - 1)
            a[0] += v[0]

    go(n)
    return a


def in_a_deque(n):
    d = deque()

    def go(k):
        d.appendleft(k)
        if k > 0:
            go(k - 1)

    go(n)
    return list(d)


class Acc:
    total = 0

    def __init__(s):
        s.items = []
        s.best = None

    def add(s, k):
        Acc.total += k
        s.items.append(k)
        if s.best is None or k > s.best:
            s.best = k
        if k > 0:
            s.add(k - 1)


def in_a_class(n):
    Acc.total = 0
    a = Acc()
    a.add(n)
    return (Acc.total, a.items, a.best)


def members_of_an_argument(n):
    def go(s, k):
        s.add(k % 3)
        if k > 0:
            go(s, k - 1)

    s = {7}
    go(s, n)
    return len(s), 7 in s


def keys_of_an_argument(n):
    def go(d, k):
        d[k % 3] = k
        if k > 0:
            go(d, k - 1)
        return d

    d = {7: 1}
    r = go(d, n)
    return len(d), d[0], r is d


def counts_of_an_argument(n):
    def go(c, k):
        c[k % 2] += 1
        if k > 0:
            go(c, k - 1)

    c = Counter()
    go(c, n)
    return c[0], c[1]


def window_of_an_argument(n):
    def go(q, k):
        q.append(k)
        if len(q) > 3:
            q.popleft()
        if k > 0:
            go(q, k - 1)

    q = deque()
    go(q, n)
    return list(q)


PROGRAMS = [
    counts_in_a_dict,
    count_in_an_attribute,
    log_in_an_attribute,
    two_lists,
    before_and_after,
    sum_in_a_nonlocal,
    count_in_a_global_dict,
    sums_in_a_global_array,
    count_in_a_global,
    list_from_around,
    table_from_around,
    in_loop,
    in_branch,
    twice,
    sums_in_an_array,
    sums_through_a_view,
    in_a_deque,
    in_a_class,
    members_of_an_argument,
    keys_of_an_argument,
    counts_of_an_argument,
    window_of_an_argument,
]
