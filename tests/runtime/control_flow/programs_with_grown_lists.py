"""More programs with lists that grow: stacks, queues, sorted lists, and `try` around what changes them."""

from __future__ import annotations

__all__ = ["PROGRAMS"]

def g(x):
    if x < 0:
        raise ValueError("neg")
    return x * 2


def try_append(xs):
    items = []
    for x in xs:
        try:
            if x < 0:
                raise ValueError("neg")
            items.append(x)
        except ValueError:
            items.append(0)
    return items


def try_two(xs):
    items = []
    d = {"k": 0}
    for x in xs:
        try:
            items.append(x)
            d["k"] = g(x)
            items.append(d["k"])
        except ValueError:
            d["k"] += 100
    return items, d


def try_flat(x):
    items = [1]
    d = {"k": 0}
    try:
        items.append(g(x))
        d["k"] = g(x - 3)
    except ValueError:
        d["k"] = 5
    return items, d


def try_before(x):
    items = [1]
    try:
        items.append(x)
        g(x)
        items.append(x + 1)
    except ValueError:
        pass
    return items


def try_index(x):
    items = [1, 2, 3]
    try:
        items.append(items[x])
    except IndexError:
        items.append(-1)
    return items


def try_remove(xs, v):
    items = [x for x in xs]
    try:
        items.remove(v)
        n = 1
    except ValueError:
        n = 0
    return items, n


def try_idx(xs, v):
    items = [x for x in xs if x > 0]
    try:
        return items.index(v)
    except ValueError:
        return -1


def zip_self(xs):
    a = [x for x in xs if x > 0]
    return [q - p for q, p in zip(a[1:], a)]


def sieve(xs):
    primes = []
    for k in range(2, xs[0] * 10):
        if all(k % q != 0 for q in primes):
            primes.append(k)
    return primes


def clear_reuse(xs):
    run = []
    best = []
    for x in xs:
        if not run or x > run[-1]:
            run.append(x)
        else:
            run = [x]
        if len(run) > len(best):
            best = run[:]
    return best


def mul(xs):
    a = [x for x in xs if x > 1]
    return a * 2, 2 * a, a * xs[0]


def dict_set_in(xs):
    d = {"hits": [], "n": 0}
    for x in xs:
        if x > 1:
            d["hits"].append(x)
            d["n"] += 1
    return d


def swap_bubble(xs):
    a = [x for x in xs]
    n = len(a)
    for i in range(n):
        for j in range(n - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
    return a


def merge_sorted(xs):
    a = sorted(xs)
    b = [1, 3]
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out += a[i:]
    out.extend(b[j:])
    return out


def counts_index(xs):
    keys = []
    counts = []
    for x in xs:
        if x in keys:
            counts[keys.index(x)] += 1
        else:
            keys.append(x)
            counts.append(1)
    return keys, counts


def prefix(xs):
    sums = [0]
    for x in xs:
        sums.append(sums[-1] + x)
    return sums


def mono_stack(xs):
    stack = []
    out = []
    for i, x in enumerate(xs):
        while stack and xs[stack[-1]] < x:
            out.append(stack.pop())
        stack.append(i)
    return stack, out


def lis(xs):
    best = []
    for x in xs:
        n = 1
        for j in range(len(best)):
            if xs[j] < x:
                n = max(n, best[j] + 1)
        best.append(n)
    return max(best)


def window(xs):
    w = []
    out = []
    for x in xs:
        w.append(x)
        if len(w) > 2:
            w.pop(0)
        out.append(sum(w))
    return out


def compress(xs):
    out = []
    i = 0
    n = len(xs)
    while i < n:
        j = i
        while j < n and xs[j] == xs[i]:
            j += 1
        out.append((xs[i], j - i))
        i = j
    return out


def remove_neg(xs):
    items = [x for x in xs]
    for x in xs:
        if x < 0:
            items.remove(x)
    return items


def del_loop(xs):
    items = [x for x in xs]
    i = 0
    while i < len(items):
        if items[i] < 0:
            del items[i]
        else:
            i += 1
    return items


def rotate(xs):
    items = [x for x in xs if x > -9]
    for _ in range(len(xs)):
        items.append(items.pop(0))
    return items


def star_loop(xs):
    items = [0]
    for x in xs:
        items = [x, *items, -x]
    return items


def swap_ends(xs):
    items = [*xs, 5]
    items[0], items[-1] = items[-1], items[0]
    return items


def poly(xs):
    p = [1]
    for x in xs:
        q = [0] + p
        for i in range(len(p)):
            q[i] -= x * p[i]
        p = q
    return p


def any_all(xs):
    seen = []
    dup = False
    for x in xs:
        if any(s == x for s in seen):
            dup = True
        seen.append(x)
    return dup, seen


def fifo(xs):
    q = []
    for x in xs:
        if x > 0:
            q.append(x)
        elif q:
            q.pop(0)
    return q, len(q)


def ins_sorted(xs):
    out = []
    for x in xs:
        j = len(out)
        while j > 0 and out[j - 1] > x:
            j -= 1
        out.insert(j, x)
    return out


def argsorted(xs):
    order = sorted(range(len(xs)), key=lambda i: xs[i])
    return order


def try_pop(xs):
    items = []
    out = []
    for x in xs:
        try:
            if x > 0:
                items.append(x)
            else:
                out.append(items.pop())
        except IndexError:
            out.append(-100)
    return items, out


def len_compare(xs):
    a = [x for x in xs if x > 0]
    b = [x for x in xs if x <= 0]
    return a if len(a) >= len(b) else b


def ternary_empty(xs):
    a = [x for x in xs if x > 0]
    m = max(a) if a else 0
    return m, (a[-1] if a else -1), a[-1:] + a[:1]


def cumul(xs):
    t = []
    s = 0
    for x in xs:
        s += x
        t += [s]
    return t


PROGRAMS = [
    ((try_append, try_two), (([3, -1, 4],), ([1, 2],))),
    ((try_flat, try_before, try_index), ((3,), (-1,))),
    ((try_remove, try_idx), (([3, 1, 4], 3), ([3, 1, 4], 9))),
    ((zip_self, sieve, clear_reuse, mul, dict_set_in, swap_bubble, merge_sorted), (([3, 1, 4, 2],), ([1, 2, 0, 0],))),
    ((
        counts_index, prefix, mono_stack, lis, window, compress, remove_neg, del_loop, rotate, star_loop,
        swap_ends, poly, any_all, fifo, ins_sorted, argsorted, try_pop, len_compare, ternary_empty, cumul,
    ), (([3, -1, 4, 3],), ([1],), ([-2, -2],))),
]  # fmt: skip
"""Programs that take the same, and what they are called with."""
