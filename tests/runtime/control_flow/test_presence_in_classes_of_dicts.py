"""Counters, defaultdicts and OrderedDicts of which a tensor decides what keys they have: as in Python."""

from __future__ import annotations

import collections
from collections import Counter, OrderedDict, defaultdict

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same


def counted(x):
    c = Counter("ab")
    if x > 0:
        c["z"] += 1
    return c["q"], c["z"], c.total(), len(c), "q" in c, c


def counted_in_a_loop(x):
    c = Counter()
    for i in tf.range(x):
        if i % 2 == 0:
            c["even"] += 1
        else:
            c["odd"] += 5
    return c["even"], c["odd"], c["none"], dict(c)


def updated(x):
    c = Counter()
    if x > 0:
        c.update("hello")
    else:
        c.update({"l": 5})
    c.subtract("l")
    return c["l"], c["h"], c


def removed(x):
    c = Counter(a=1)
    if x > 0:
        del c["a"]
    del c["nothing"]
    return c["a"], len(c), Counter(c), c.copy()["a"]


def bound_to_one_of_two(x):
    c = Counter() if x > 0 else Counter("a")
    c["b"] += 1
    return c["a"], c


def of_lists(x):
    d = defaultdict(list)
    if x > 0:
        d["k"].append(x)
    size = len(d["k"])
    d["l"].append(7)
    return size, d["l"], dict(d)


def of_lists_in_a_loop(x):
    d = defaultdict(list)
    for i in tf.range(x):
        d["even" if i % 2 == 0 else "odd"].append(i)
    return dict(d)


def of_rows(x):
    d = defaultdict(lambda: [0, 0])
    if x > 0:
        d["k"][1] = 5
    d["k"][0] += 1
    return d["k"], dict(d)


def of_sets(x):
    d = defaultdict(set)
    if x > 0:
        d["s"].add(3)
    return 3 in d["s"], len(d)


def asked_for(x):
    d = defaultdict(int, a=1)
    if x > 0:
        d["b"] += 2
    asked = isinstance(d, defaultdict), isinstance(d, dict), type(d) is defaultdict, d.default_factory is int
    return asked, d.get("c", -1), "c" in d, d.copy()["b"], d


def without_a_factory(x):
    d = defaultdict(None)
    if x > 0:
        d["a"] = 1
    return d["a"]


def in_order(x):
    d = OrderedDict(b=1)
    if x > 0:
        d["a"] = 2
    d["c"] = 3
    return d, isinstance(d, OrderedDict), [v for v in d.values()], d.pop("a", 0), OrderedDict(d)


def after_try(x):
    d = defaultdict(int)
    try:
        d["a"] += 1
        if x > 0:
            raise ValueError
        d["b"] += 1
    except ValueError:
        d["c"] += 5
    return d["a"], d["b"], d["c"]


def in_an_object(x):
    class Model:
        def __init__(self):
            self.seen = Counter()
            self.rows = defaultdict(list)

    m = Model()
    if x > 0:
        m.seen["p"] += 1
        m.rows["p"].append(x)
    m.seen["p"] += 1
    return m.seen, dict(m.rows)


def united(x):
    d, e, f = {}, OrderedDict(), defaultdict(int)
    if x > 0:
        d["a"], e["a"], f["a"] = 1, 2, 3
    left = d | {"b": 4}, e | {"b": 4}, f | {"b": 4}
    right = {"b": 4, "a": 5} | d, {"b": 4} | e, {"b": 4} | f, OrderedDict(b=1) | d
    return left, right, d | e, e | d


def gone_through(x):
    d = {}
    if x > 0:
        d["a"] = x
    pairs = [v + w for v, w in zip(d.values(), [1, 2])]
    return pairs, sum(w for _, w in zip(d, [3])), next(iter(d.values()), -1), next(iter(d), None) is None


def holding_one_of_several(x):
    a, b = [1], [2]
    d = {"k": a if x > 0 else b}
    if x > 1:
        d["n"] = 1
    return d


PROGRAMS = [
    counted, counted_in_a_loop, updated, removed, bound_to_one_of_two, of_lists, of_lists_in_a_loop, of_rows, of_sets,
    asked_for, without_a_factory, in_order, after_try, in_an_object, united, gone_through, holding_one_of_several,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program):
    assert_same(program, -1, 0, 1, 4)


@pytest.mark.parametrize("make", [Counter, OrderedDict, lambda: defaultdict(list)])
def test_what_a_run_leaves_in_that_of_the_caller(make):
    @tf.function
    def note(d, x):
        if x > 0:
            d["new"] = x
        else:
            d["other"] = 2.0

    given = make()
    kind = type(given)
    for x in (3.0, -1.0):
        note(given, tf.constant(x))
    assert type(given) is kind
    assert given == {"new": 3.0, "other": 2.0}


def test_the_class_of_a_result():
    @tf.function
    def made(x):
        d = collections.OrderedDict()
        if x > 0:
            d["b"] = 1
        d["a"] = 2
        return d

    result = made(tf.constant(1))
    assert type(result) is collections.OrderedDict
    assert list(result) == ["b", "a"]
