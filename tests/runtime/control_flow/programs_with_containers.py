"""Programs that change lists, dicts and sets in each kind of staged statement, for test_programs_with_effects."""

from __future__ import annotations

import collections


def put(items, x):
    items.append(x)


def key_one(n):
    d = {}
    if n > 0:
        d["k"] = n
    return "k" in d, d.get("k", 5), len(d)


def key_one_read(n):
    d = {}
    if n > 0:
        d["k"] = n
    return d["k"]


def key_loop(n):
    d = {}
    for i in range(n):
        d["last"] = i
    return d.get("last", -1)


def plus_list(n):
    items = []
    for i in range(n):
        items = items + [i]
    return items


def iplus_list(n):
    items = []
    for i in range(n):
        items += [i]
    return items


def plus_list_branch(n):
    items = [1]
    if n > 1:
        items = items + [n]
    return items


def plus_star(n):
    items = [1]
    for i in range(n):
        items = [*items, i]
    return items


def set_branch(n):
    s = set()
    if n > 0:
        s.add(1)
    return len(s)


def set_loop(n):
    s = {0}
    for i in range(n):
        s.add(1)
    return len(s)


def put_helper(n):
    items = [1]
    if n > 0:
        put(items, n)
    return items


def put_helper_loop(n):
    items = [1]
    for i in range(n):
        put(items, i)
    return items


def put_inside(n):
    items = [1]

    def put2(it, x):
        if x > 0:
            it.append(x)

    put2(items, n)
    return items


def put_inside_loop(n):
    items = []

    def grow(it, k):
        for i in range(k):
            it.append(i)

    grow(items, n)
    grow(items, n)
    return items


def dict_pop(n):
    d = {"a": 1, "b": 2}
    if n > 0:
        d.pop("a")
    return len(d)


def dict_loop_sum(n):
    d = {"a": 1, "b": 2}
    for i in range(n):
        for k in d:
            d[k] += i
    return d


def dict_setdefault(n):
    d = {}
    for i in range(n):
        d.setdefault("x", 0)
        d["x"] += i
    return d.get("x", -1)


def dict_default(n):
    d = collections.defaultdict(int)
    for i in range(n):
        d["x"] += i
    return d["x"]


def counter(n):
    d = collections.Counter()
    for i in range(n):
        d["x"] += 1
    return d["x"]


def memo(n):
    cache = {}

    def f(k):
        if k in cache:
            return cache[k]
        cache[k] = k * 2
        return cache[k]

    if n > 0:
        y = f(3)
    else:
        y = f(4)
    return y, len(cache)


def list_del(n):
    items = [1, 2, 3]
    if n > 0:
        del items[0]
    return items


def list_slice(n):
    items = [1, 2, 3]
    if n > 0:
        items[1:] = [n]
    return items


def list_sort(n):
    items = [3, n, 1]
    if n > 0:
        items.reverse()
    return items


def list_clear(n):
    items = [3, 2, 1]
    for i in range(n):
        items.clear()
        items.append(i)
    return items


def alias(n):
    a = [1]
    b = a
    for i in range(n):
        a.append(i)
    return len(b)


def tuple_held(n):
    a = []
    t = (a, 1)
    for i in range(n):
        a.append(i)
    return len(t[0])


def unknown_ref(n):
    a = []
    f = a.append
    for i in range(n):
        f(i)
    return len(a)


def nested_dict_of_lists(n):
    d = {"a": []}
    for i in range(n):
        if i % 2 == 0:
            d["a"].append(i)
    return d


def iter_list_pop(n):
    stack = [n]
    t = 0
    while stack:
        k = stack.pop()
        t += 1
        if k > 0:
            stack.append(k - 1)
    return t


def dict_update_kw(n):
    d = {}
    if n > 0:
        d.update(a=1, b=n)
    else:
        d.update(a=2)
    return d.get("b", 0), sorted(d) == ["a", "b"]


def iter_dict_after(n):
    d = {"z": 1}
    if n > 0:
        d["k"] = n
    t = 0
    for k in d:
        t += d[k]
    return t


def set_both(n):
    s = set()
    if n > 0:
        s.add(1)
    else:
        s.add(2)
    return 1 in s


PROGRAMS = [
    key_one,
    key_one_read,
    key_loop,
    plus_list,
    iplus_list,
    plus_list_branch,
    plus_star,
    set_branch,
    set_loop,
    put_helper,
    put_helper_loop,
    put_inside,
    put_inside_loop,
    dict_pop,
    dict_loop_sum,
    dict_setdefault,
    dict_default,
    counter,
    memo,
    list_del,
    list_slice,
    list_sort,
    list_clear,
    alias,
    tuple_held,
    unknown_ref,
    nested_dict_of_lists,
    iter_list_pop,
    dict_update_kw,
    iter_dict_after,
    set_both,
]
