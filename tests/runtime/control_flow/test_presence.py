"""Keys, members and attributes that are there in some runs only: what Python does with them."""

from __future__ import annotations

import copy

import pytest

from tests.runtime.comparing import assert_same


class Node:
    """An object with attributes."""


class WithDefault:
    cache = 7

    def bump(self):
        self.cache = self.cache + 1


class Answers:
    def __init__(self):
        self.known = 1

    def __getattr__(self, name):
        return len(name)


class Hidden:
    def __init__(self):
        self._value = 1

    @property
    def value(self):
        return self._value

    def reset(self):
        del self._value


def of_the_class(x):
    o = WithDefault()
    if x > 0:
        o.cache = x
    if x > 1:
        o.bump()
    return o.cache, hasattr(o, "cache"), getattr(o, "cache", -1)


def answered_by_the_class(x):
    o = Answers()
    if x > 0:
        o.four = x
    return o.four, o.known, isinstance(o, Answers), (1 if type(o) is Answers and o.__class__ is Answers else 0)


def behind_a_property(x):
    o = Hidden()
    if x > 0:
        o.reset()
    if x > 2:
        o._value = x
    return o.value


def by_setattr(x):
    o = Node()
    if x > 0:
        setattr(o, "a", x)
    if x > 2:
        delattr(o, "a")
    return hasattr(o, "a"), getattr(o, "a", 5)


def added_to(x):
    o, d = Node(), {}
    if x > 0:
        o.total = 1
        d["n"] = x
    d["n"] += 1
    o.total += x
    return o.total, d


def objects_in_objects(x):
    o = Node()
    if x > 0:
        o.out = Node()
        o.out.w = x
    if hasattr(o, "out"):
        o.out.w = o.out.w + 1
        o.out.u = 2
    if x > 2:
        o.out.w += 1
    return o.out.w if x > 0 else -1


def lists_in_places(x):
    o, d = Node(), {}
    if x > 0:
        o.items = [x, 1]
        d["xs"] = []
    if hasattr(o, "items"):
        o.items[0] += 1
        o.items.append(3)
    d.setdefault("xs", []).append(x)
    return getattr(o, "items", []), d["xs"]


def gone_through(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    if x > 2:
        del d["a"]
    total = 0
    for key in d:
        total = total * 10 + d[key]
    for i, (key, value) in enumerate(d.items()):
        total += i * value if key == "b" else value
    for value in d.values():
        if value > 2:
            break
        total += 100
    listed = [v for v in d.values()]
    return total, listed, sum(d.values()), any(v > 2 for v in d.values()), len(d.keys()), "b" in d.keys()


def sorted_keys(x):
    d, s = {"a": 1}, {3, 1}
    if x > 0:
        d["b"] = x
        s.add(2)
    if x > 1:
        s.remove(3)
    return len(sorted(d)), sorted(s), sorted(s, reverse=True), sum(1 for v in (1, 2, 3) if v in s)


def copies(x):
    d, s = {"a": 1}, {1}
    if x > 0:
        d["b"] = x
        s.add(2)
    e, f, g, t = dict(d, c=4), d.copy(), copy.copy(d), set(s)
    if x > 1:
        del e["a"]
    f["b"] = 9
    g.clear()
    t.add(5)
    return d, e, f, g, len(s), len(t), 5 in s


def merged(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    e = d | {"c": 1}
    d |= {"b": 3}
    return d, e, d == {"a": 1, "b": 3}


def under_two_names(x):
    o = Node()
    o.d = {}
    rows = [o.d]
    same = o
    if x > 0:
        rows[0]["k"] = x
        same.v = x
    if x > 2:
        o.d["j"] = 1
    return o.d, rows[0] is o.d, "j" in rows[0], hasattr(o, "v"), isinstance(o.d, dict), (1 if type(o.d) is dict else 0)


def by_a_helper(x):
    def put(d, key, value):
        if value > 0:
            d[key] = value
        return d

    d = {}
    e = put(d, "a", x)
    put(e, "b", x - 1)
    return d, e is d, max(d.values(), default=0)


def made_in_a_branch(x):
    d = None
    if x > 0:
        d = {}
        if x > 1:
            d["a"] = x
        if x > 2:
            d["b"] = x
    return {} if d is None else d


def one_dict_or_another(x):
    if x > 0:
        d = {"a": x}
    else:
        d = {"b": 2 * x}
    return d, d.get("a", 0)


def around_exceptions(x):
    d, e = {"k": 1}, {}
    try:
        e["a"] = 1
        if x > 0:
            del d["k"]
        y = d["k"]
        e["b"] = 2
    except KeyError as error:
        e["c"] = 3
        y = 5 if error.args[0] == "k" else 6
    finally:
        e["d"] = 4
    return y, d, e


def raised_in_the_run(x):
    d, s = {"a": 1}, {1}
    if x > 0:
        d.pop("a")
    if x > 2:
        s.remove(1)
    found = d.pop("a", -1) if x < 3 else d["a"]
    s.remove(1)
    return found, d.setdefault("a", x)


def set_operators(x):
    s, t = {1, 2}, {5}
    if x > 0:
        s.add(3)
    if x > 1:
        t.add(2)
    u = s | t
    v = s - t
    w = s & t
    y = {1, 7} - s
    z = s ^ {1, 3}
    made = len(u), len(v), len(w), len(y), len(z), 2 in v, 3 in u, 7 in y, 3 in z, 2 in w
    s -= {1}
    t |= {9}
    s.update([4], {5})
    t.difference_update({5})
    return made, 1 in s, len(s.union(t)), len(s.intersection([4, 3])), 5 in t, sorted(s), sorted(t)


def sets_compared(x):
    s, t = {1, 2}, {1, 2}
    if x > 0:
        s.add(3)
    if x > 1:
        t |= {3, 4}
    orders = s <= t, s < t, s >= t, s > t, s == t, s != t, t <= s, {1} < s, {1, 2, 3} == s, s == {1, 2}, s != 5
    return orders, s.issubset([1, 2, 3]), s.issuperset((3,)), s.isdisjoint({3, 7}), t.isdisjoint([5]), s == [1, 2]


def one_set_of_two_taken_in(x):
    s = {1, 2}
    same = s
    r = {2, 3} if x > 0 else {1, 9}
    s |= r
    return len(same), 3 in same, 9 in s, s is same


PROGRAMS = [
    set_operators, sets_compared, one_set_of_two_taken_in,
    of_the_class, answered_by_the_class, behind_a_property, by_setattr, added_to, objects_in_objects, lists_in_places,
    gone_through, sorted_keys, copies, merged, under_two_names, by_a_helper, made_in_a_branch, one_dict_or_another,
    around_exceptions, raised_in_the_run,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program):
    assert_same(program, -1, 0, 1, 2, 3, 5)
