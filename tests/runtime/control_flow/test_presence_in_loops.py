"""Keys, members and attributes that loops, memos and searches make in some runs only."""

from __future__ import annotations

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.test_presence import Node


class Memo:
    def __init__(self):
        self.store, self.hits = {}, 0

    def get(self, key, make):
        if key in self.store:
            self.hits += 1
            return self.store[key]
        value = make(key)
        if value > 0:
            self.store[key] = value
        return value


def a_memo(x):
    memo = {}

    def factorial(n):
        if n not in memo:
            memo[n] = 1 if n == 0 else n * factorial(n - 1)
        return memo[n]

    y = factorial(3) if x > 0 else factorial(4)
    return y + factorial(5)


def a_memo_of_a_class(x):
    memo = Memo()
    first = memo.get("k", lambda key: x)
    second = memo.get("k", lambda key: x * 2)
    return first, second, memo.hits, memo.store


def visited(x):
    seen, total = set(), 0
    for node in ["a", "b", "a", "c"]:
        if x > 0 and node in seen:
            continue
        if x > -2:
            seen.add(node)
        total += 1
    return total, len(seen), isinstance(seen, set)


def groups_in_a_loop(x):
    groups = {}
    for i in tf.range(x):
        if i % 2 == 0:
            groups.setdefault("even", []).append(i)
        else:
            groups.setdefault("odd", []).append(i)
    return groups.get("even", []), groups.get("odd", [])


def the_best_so_far(x):
    o, d = Node(), {}
    for i in tf.range(x):
        if not hasattr(o, "best") or o.best < i % 3:
            o.best = i % 3
        d["n"] = d.get("n", 0) + i
        if i == 2:
            d["two"] = i
    return getattr(o, "best", -1), d.get("n", -5), "two" in d, len(d)


def made_by_a_loop_of_python(x):
    d, o = {"p": 3}, Node()
    for _ in (1, 2):
        if x > 2:
            continue
        n = 0
        while n < 2:
            n += 1
            d["r"] = x
            o.r = x
    return d, hasattr(o, "r")


def left_by_a_break(x):
    d = {}
    for i in tf.range(x):
        if i > 1:
            d["u"] = i
        if i == 3:
            del d["u"]
        if i > 3:
            break
    return d, "u" in d


def nested_loops(x):
    o, d = Node(), {}
    for i in range(3):
        for j in tf.range(x):
            o.last = i * j
            if j == i:
                d[i] = j
            if j > 1:
                del o.last
    return getattr(o, "last", -1), [k for k in (0, 1, 2) if k in d], len(d)


def asked_by_a_loop(x):
    d = {}
    while "k" not in d or d["k"] < x:
        d["k"] = d.get("k", 0) + 1
    return d["k"]


PROGRAMS = [
    a_memo, a_memo_of_a_class, visited, groups_in_a_loop, the_best_so_far, made_by_a_loop_of_python, left_by_a_break,
    nested_loops, asked_by_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_in_python(program):
    assert_same(program, -1, 0, 1, 2, 3, 5)
