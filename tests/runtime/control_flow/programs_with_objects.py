"""Programs that change objects, iterators and variables of functions, for test_programs_with_effects."""

from __future__ import annotations


class C:
    k = 0

    def __init__(self):
        self.n = 0
        self.items = []

    def add(self, x):
        self.n += x
        self.items.append(x)


def attr_one(n):
    c = C()
    if n > 0:
        c.extra = n
    return c.extra if hasattr(c, "extra") else -1


def attr_loop(n):
    c = C()
    for i in range(n):
        c.last = i
    return getattr(c, "last", -7)


def attr_read_absent(n):
    c = C()
    if n > 0:
        c.extra = n
    try:
        y = c.extra
    except AttributeError:
        y = -3
    return y


def class_default(n):
    c = C()
    if n > 0:
        c.k += n
    return c.k


def class_default_loop(n):
    c = C()
    for i in range(n):
        c.k += i
    return c.k


def recursion_effect(n):
    seen = []

    def rec(k):
        if k > 0:
            seen.append(k)
            rec(k - 1)
        return 0

    rec(n)
    return seen


def recursion_attr(n):
    c = C()

    def rec(k):
        if k > 0:
            c.n += k
            rec(k - 1)
        return 0

    rec(n)
    return c.n


def comp_in_rec(n):
    def rec(k):
        xs = [k + j for j in range(3)]
        if k > 0:
            return sum(xs) + rec(k - 1)
        return 0

    return rec(n)


def nonlocal_loop_nested(n):
    t = 0

    def inc(k):
        nonlocal t
        t += k

    for i in range(n):
        for j in range(i):
            if j % 2 == 0:
                inc(j)
    return t


def alias_obj(n):
    c = C()
    kept = c.items
    for i in range(n):
        c.add(i)
    return len(kept), c.n


def try_eff(n):
    seen = [0]
    try:
        if n > 2:
            raise ValueError("x")
        seen[0] = n
    except ValueError:
        seen[0] = -1
    return seen[0]


def try_app(n):
    seen = []
    try:
        if n > 2:
            raise ValueError("x")
        seen.append(n)
    except ValueError:
        seen.append(-1)
        seen.append(-2)
    return seen


def with_eff(n):
    log = []

    class M:
        def __enter__(s):
            log.append(1)

        def __exit__(s, *a):
            log.append(2)

    for i in range(n):
        with M():
            log.append(i)
    return log


def match_eff(n):
    d = {"a": 0}
    match n:
        case 1:
            d["a"] = 1
        case 2:
            d["b"] = 2
        case _:
            d["a"] = 9
    return d.get("b", 0), d["a"]


def ternary_eff(n):
    s = []
    y = s.append(1) if n > 0 else None
    return len(s)


def and_eff(n):
    s = []
    n > 0 and s.append(1) is None
    return len(s)


def while_test_eff(n):
    s = []

    def t(k):
        s.append(k)
        return k > 0

    while t(n):
        n = n - 1
    return len(s)


def class_attr(n):
    class K:
        total = 0

    for i in range(n):
        K.total += i
    return K.total


def func_attr(n):
    def f():
        pass

    f.calls = 0
    for i in range(n):
        f.calls += 1
    return f.calls


def cell_first(n):
    def setit(k):
        nonlocal v
        v = k

    for i in range(n):
        setit(i)
    v2 = v if n > 0 else -1  # noqa: F821
    return v2
    v = 0


def nested_first_attr(n):
    c = C()
    for i in range(n):
        for j in range(i):
            c.seen = j
    return getattr(c, "seen", -1)


def obj_list(n):
    cs = [C(), C()]
    for i in range(n):
        for c in cs:
            c.add(i)
    return [c.n for c in cs], [c.items for c in cs]


def swap_objs(n):
    a, b = C(), C()
    a.n = 1
    b.n = 2
    if n > 0:
        a, b = b, a
    a.n = 10
    return a.n, b.n


PROGRAMS = [
    attr_one,
    attr_loop,
    attr_read_absent,
    class_default,
    class_default_loop,
    recursion_effect,
    recursion_attr,
    comp_in_rec,
    nonlocal_loop_nested,
    alias_obj,
    try_eff,
    try_app,
    with_eff,
    match_eff,
    ternary_eff,
    and_eff,
    while_test_eff,
    class_attr,
    func_attr,
    cell_first,
    nested_first_attr,
    obj_list,
    swap_objs,
]
