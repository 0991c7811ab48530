"""Lists of several lengths in the tuples, dicts and lists that a growing list holds: stacks of `(state, path)`."""

from __future__ import annotations

from collections import deque, namedtuple
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same

Pair = namedtuple("Pair", "number items")


def counted_stack(n):
    todo = [(0, [])]
    out = []
    while todo:
        k, p = todo.pop()
        if k < n:
            todo.append((k + 1, p + [k]))
        else:
            out.append(len(p))
    return out


def factors(n):
    out = []
    todo = [(n, 2, [])]
    while todo:
        r, d, p = todo.pop()
        while d * d <= r:
            if r % d == 0:
                out.append(p + [d, r // d])
                todo.append((r // d, d, p + [d]))
            d += 1
    return [len(p) for p in out]


def longer_rows_put_later(n):
    todo = [(0, [9])]
    s = 0
    for i in range(n):
        todo.append((i, [i, i]))
    for k, p in todo:
        s += k * len(p) + sum(p)
    return s


def in_dicts(n):
    todo = [{"k": 0, "p": [9]}]
    s = 0
    for i in range(n):
        todo.append({"k": i, "p": [i, i]})
    for e in todo:
        s += e["k"] * len(e["p"])
    return s


def all_paths(n):
    stack = [(0, [0])]
    found = []
    while stack:
        node, path = stack.pop()
        if node == n:
            found.append(path)
        else:
            for nxt in (node + 1, node + 2):
                if nxt <= n:
                    stack.append((nxt, path + [nxt]))
    return ([len(p) for p in found], [p[-1] + p[len(p) // 2] for p in found])


def shortest_way(n):
    q = deque([(0, [n])])
    best = 99
    while q:
        c, p = q.popleft()
        x = p[-1]
        if x <= 1:
            if c < best:
                best = c
        else:
            q.append((c + 1, p + [x - 1]))
            if x % 2 == 0:
                q.append((c + 1, p + [x // 2]))
    return best


def rows_that_grow_in_tuples(n):
    out = []
    for i in range(n):
        row = []
        for k in range(i):
            row.append(k)
        out.append((i, row))
    t = 0
    for i, row in out:
        for v in row:
            t += v * i
    return (t, len(out))


def compositions(n):
    todo = [([], n)]
    out = []
    while todo:
        part, rest = todo.pop()
        if rest == 0:
            out.append(part)
        else:
            for k in (1, 2):
                if k <= rest:
                    todo.append((part + [k], rest - k))
    return ([len(p) for p in out], [sum(p) for p in out])


def in_named_tuples(n):
    todo = [Pair(0, [9])]
    s = 0
    for i in range(n):
        todo.append(Pair(i, [i, i, i]))
    for e in todo:
        s += e.number * len(e.items)
    return s


def lists_in_lists(n):
    rows = [[1, [2]], [3, [4, 5]]]
    for i in range(n):
        rows.append([i, [i, i, i]])
    return (sum([len(r[1]) for r in rows]), rows[-1][1][0])


def deeper_lists(n):
    rows = [(1, [[2]])]
    for i in range(n):
        rows.append((i, [[i], [i, i]]))
    return sum([len(r[1]) for r in rows])


def of_two_branches(n):
    rows = []
    for i in range(n):
        rows.append({"id": i, "tags": [i] if i % 2 else [i, i + 1]})
    c = 0
    for r in rows:
        c += len(r["tags"]) * r["id"]
    return c


def last_of_a_stack(n):
    todo = [(0, [])]
    while todo[-1][0] < n:
        k, p = todo[-1]
        todo.append((k + 1, p + [k * k]))
    return (todo[-1][1][0], sum(todo[-1][1]))


def changed_in_place(n):
    todo = [(0, [])]
    for i in range(n):
        todo[0][1].append(i)
    return len(todo[0][1])


def turned_round(n):
    todo = [(n, [])]
    out = []
    while todo:
        k, p = todo.pop(0)
        p = p[:]
        p.append(k)
        if k > 0:
            todo.append((k - 1, p))
            todo.append((k - 2, p[::-1]))
        else:
            out.append(p)
    return ([len(p) for p in out], [p[0] for p in out])


PROGRAMS = [
    counted_stack,
    factors,
    longer_rows_put_later,
    in_dicts,
    all_paths,
    shortest_way,
    rows_that_grow_in_tuples,
    compositions,
    in_named_tuples,
    lists_in_lists,
    deeper_lists,
    of_two_branches,
    last_of_a_stack,
    changed_in_place,
    turned_round,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_as_python(program: Callable[[Any], Any]) -> None:
    assert_same(program, 2, 5)


def test_lists_of_tuples_of_several_lengths_are_refused() -> None:
    @tf.function
    def f(n):
        rows = [(0, [(1, 2)])]
        for i in tf.range(n):
            rows.append((i, [(i, i), (i, i)]))
        return len(rows)

    with pytest.raises(
        TypeError, match="lists that differ in length hold a tuple, not tensors or lists. Keep one list"
    ):
        f(tf.constant(2))
