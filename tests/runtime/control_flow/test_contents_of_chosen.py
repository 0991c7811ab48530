"""Reading one of several dicts and sets that grow: once, whatever their number, and each stays what it is."""

from __future__ import annotations

import linecache
from collections import Counter
from typing import Any

import pytest

import runtime as tf
from runtime.graph.nesting import operations_within
from tests.runtime.comparing import assert_same


def counters(n, k):
    old = Counter([n % 5, 3])
    c = old
    if n > 1:
        c = c - Counter([k % 5])
    if n > 2:
        c = c + Counter([k % 3, k])
    total = c.total()
    old[k] += 2
    c[n] += 1
    return sorted(old.items()), sorted(c.items()), total, len(c)


def sets(n, k):
    old = {n % 5, 3}
    s = old
    if n > 1:
        s = s | {k}
    if k > 1:
        s = s ^ {n, 3}
    both = s & old, s - {k}, {k, 1} - s, s.union([7]), s <= old
    s.add(11)
    old.discard(3)
    return sorted(old), sorted(s), [sorted(part) for part in both[:4]], both[4], sum(s), len(s)


def dicts(n, k):
    old = {n: 1, 3: k}
    d = old
    if n > 1:
        d = d | {k: 7}
    if k > 1:
        d = d | {n: 9, 4: k}
    other = d | {8: n}
    before = d.get(n, 0), d.get(k, 5), len(d), sorted(d), max(d), list(d)
    d[n] = 20
    return sorted(old.items()), sorted(d.items()), sorted(other.items()), before


@pytest.mark.parametrize("program", [counters, sets, dicts])
def test_read_as_in_python(program: Any) -> None:
    assert_same(program, *((n, k) for n in (0, 1, 2, 5) for k in (0, 2, 5)))


def chain(length: int) -> Any:
    """So many `if`s, each of which may bind a variable to another set."""
    step = "    if n > {}:\n        c = c | {{k}}\n    total += len(c)\n"
    text = "def program(n, k):\n    c, total = {n, 3}, 0\n" + "".join(map(step.format, range(length)))
    text += "    return total, sorted(c)\n"
    name = f"<chain of {length}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {}
    exec(compile(text, name, "exec"), namespace)
    return namespace["program"]


def test_twice_as_many_take_twice_as_many_operations() -> None:
    counts = []
    for length in (5, 10):
        program = chain(length)
        assert_same(program, (3, 2))
        graph = tf.function(program).get_concrete_function(tf.constant(3), tf.constant(2)).graph
        counts.append(sum(1 for _ in operations_within(graph.operations)))
    assert counts[1] < 2.2 * counts[0]
