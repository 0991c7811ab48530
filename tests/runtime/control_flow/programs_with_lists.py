"""Programs with lists that grow, and with methods of lists at positions that a tensor decides."""

from __future__ import annotations

__all__ = ["PROGRAMS"]




def star_append(xs):
    items = []
    for x in xs:
        if x > 0:
            items = [*items, x]
    return items


def star_end(xs):
    items = []
    for x in xs:
        if x > 0:
            items.append(x)
    return [*items, 7]


def star_both(xs, ys):
    a = [x for x in xs if x > 0]
    b = [y * 2 for y in ys if y > 0]
    return [*a, *b]


def star_known_and_grown(xs, ys):
    a = [x for x in xs if x > 0]
    return [0, *a, 1, *ys]


def plus(xs):
    items = [0]
    for x in xs:
        if x > 0:
            items = items + [x]
        else:
            items = [x] + items
    return items


def slice_all(xs):
    items = [x for x in xs if x > 0]
    b = items[:]
    b.append(9)
    c = items.copy()
    c.append(8)
    d = list(items)
    d.append(7)
    return items, b, c, d


def sort_rev(xs):
    items = [x for x in xs if x > 0]
    return sorted(items), list(reversed(items)), sorted(items, reverse=True)


def sort_place(xs):
    items = [x for x in xs if x > 0]
    items.sort()
    return items


def sort_key(xs):
    items = [x for x in xs if x > 0]
    items.sort(key=lambda t: -t)
    return items


def for_reversed(xs):
    items = [x for x in xs if x > 0]
    s = 0
    for t in reversed(items):
        s = s * 10 + t
    return s


def index(xs, v):
    items = [x for x in xs if x > 0]
    return items.index(v)


def count(xs, v):
    items = [x for x in xs if x > 0]
    return items.count(v)


def contains(xs, v):
    items = [x for x in xs if x > 0]
    if v in items:
        return 1
    return 0


def unique(xs):
    seen = []
    for x in xs:
        if x not in seen:
            seen.append(x)
    return seen


def remove(xs, v):
    items = [x for x in xs if x > 0]
    items.remove(v)
    return items


def remove_if(xs, v):
    items = [x for x in xs]
    if v in items:
        items.remove(v)
    return items


def remove_known(xs, v):
    items = [5, 3, 1]
    items.remove(v)
    return items


def insert_tensor(xs, i):
    items = [x for x in xs if x > 0]
    items.insert(i, 99)
    return items


def insert_tensor_known(xs, i):
    items = [1, 2, 3]
    items.insert(i, 99)
    return items


def insertion_sort(xs):
    out = []
    for x in xs:
        i = 0
        while i < len(out) and out[i] < x:
            i += 1
        out.insert(i, x)
    return out


def enum_write(zs):
    out = [0] * 3
    for i, z in enumerate(zs):
        out[i] = z * 2
    return out


def enum_write_float(zs):
    out = [0.0] * 3
    for i, z in enumerate(zs):
        out[i] = z / 2
    return out


def zip_write(zs, ys):
    out = [0, 0, 0]
    for i, (z, y) in enumerate(zip(zs, ys)):
        out[i] = z * y
    return out


def hist(zs):
    out = [0] * 5
    for z in zs:
        out[z] += 1
    return out


def len_write(zs):
    out = [0] * len(zs)
    for i, z in enumerate(zs):
        out[i] = z
    return out


def del_i(xs, i):
    items = [x for x in xs if x > 0]
    del items[i]
    return items


def pop_i(xs, i):
    items = [x for x in xs if x > 0]
    a = items.pop(i)
    return a, items


def pop_known(i):
    items = [1, 2, 3]
    a = items.pop(i)
    return a, items


def del_known(i):
    items = [1, 2, 3]
    del items[i]
    return items


def if_not(xs):
    items = [x for x in xs if x > 0]
    if not items:
        return -1
    return items[0]


def while_items(xs):
    items = [x for x in xs if x > 0]
    s = 0
    while items:
        s = s * 10 + items.pop()
    return s


def stack_dfs(xs):
    stack = [0]
    seen = 0
    while stack:
        k = stack.pop()
        seen += k
        if k < 10:
            stack.append(k + 4)
            stack.append(k + 7)
    return seen


def queue_pop0(xs):
    q = [1]
    out = []
    while len(q) > 0:
        k = q.pop(0)
        out.append(k)
        if k < 8:
            q.append(k * 2)
            q.append(k * 3)
    return out


def slice_assign(xs):
    items = [x for x in xs if x > 0]
    items[:1] = [7, 8]
    return items


def slice_step_known(xs):
    items = [1, 2, 3, 4]
    for x in xs:
        items[::2] = [x, x + 1]
    return items


def sum_min(xs):
    items = [x for x in xs if x > 0]
    return sum(items), max(items), len(items), any(t > 3 for t in items)


def eq_lists(xs, ys):
    a = [x for x in xs if x > 0]
    b = [y for y in ys if y > 0]
    return 1 if a == b else 0


def eq_known(xs):
    a = [x for x in xs if x > 0]
    return 1 if a == [1, 2] else 0


PROGRAMS = [
    ((star_append, star_end, plus, slice_all), (([3, -1, 4],), ([-1],))),
    ((star_both, star_known_and_grown), (([3, -1, 4], [1, 2, -3]), ([-1], [5]))),
    ((sort_rev, sort_place, sort_key, for_reversed), (([3, -1, 4, 2],), ([-1],))),
    ((index,), (([3, -1, 4, 2], 4), ([3, 3, 3], 3), ([3, 2], 7))),
    ((count, contains, remove, remove_if, remove_known), (([3, -1, 4, 3], 3), ([1], 3))),
    ((unique,), (([3, -1, 4, 3],), ([1],), ([1, 1, 1],))),
    ((insert_tensor, insert_tensor_known), (([3, -1, 4, 3], 2), ([1], -3))),
    ((insertion_sort,), (([3, -1, 4, 3],), ([1],))),
    ((enum_write, enum_write_float), (([3, 1, 4],), ([3, 1, 4],))),
    ((zip_write,), (([3, 1, 4], [1, 2, 3]), ([3, 1, 4], [5, 5, 5]))),
    ((hist, len_write), (([3, 1, 4],), ([0, 1, 4],))),
    ((del_i, pop_i), (([3, -1, 4, 2], 1), ([1, 2], 0), ([1, 2], 5))),
    ((pop_known, del_known), ((1,), (-1,), (5,))),
    ((if_not, while_items, stack_dfs, queue_pop0, slice_assign), (([3, -1, 4, 2],), ([1, 2],), ([-1],))),
    ((slice_step_known, sum_min, eq_known), (([3, 1, 4, 2],), ([1, 2, 0, 0],))),
    ((eq_lists,), (([3, 1, 4, 2], [1, 2]), ([1, 2, 0, 0], [5]))),
]  # fmt: skip
"""Programs that take the same, and what they are called with."""
