"""More programs whose branches change containers, for test_effects_in_branches."""

from __future__ import annotations

import collections


def set_in_both(n):
    seen = set()
    if n > 0:
        seen.add(1)
        x = n
    else:
        seen.add(1)
        x = -n
    return x, len(seen)


def unchanged_after_all(n):
    items = [1, 2]
    if n > 0:
        items.append(3)
        n += items.pop()
    return n, items


def deque(n):
    q = collections.deque([1, 2, 3], maxlen=3)
    if n > 0:
        q.append(n)
    else:
        q.rotate(1)
    return list(q)


def ordered(n):
    d = collections.OrderedDict(a=1, b=2)
    c = collections.Counter(a=1, b=2)
    e = collections.defaultdict(int, a=0)
    if n > 0:
        d["b"] = n
        c["a"] += 1
        e["a"] += n
    return list(d.values()), c["a"], e["a"]


def first_value_in_helper(n):
    def put(k):
        nonlocal x
        x = k

    if n > 0:
        put(n)
    else:
        put(0)
    x = x + 1  # noqa: F821
    return x


def raising_branch(n):
    seen = [0]
    if n > 5:
        seen[0] = 100
        raise ValueError("too many")
    else:
        seen[0] += n
    return seen[0]


PROGRAMS = [set_in_both, unchanged_after_all, deque, ordered, first_value_in_helper, raising_branch]
