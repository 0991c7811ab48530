"""Views of dicts of which only the run knows the keys: operands of sets, and what is in the dict just now."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


def of_run(n: Any) -> Any:
    m = {}
    for i in range(n):
        m[i * 2] = i
    return m


def operators(n: Any) -> Any:
    m, s = of_run(n), {0, 1, 2}
    keys = m.keys()
    return (
        sorted(keys | s), sorted(keys & s), sorted(keys - s), sorted(keys ^ s), sorted(s | keys), sorted(s & keys),
        sorted(s - keys), sorted(s ^ keys), sorted(keys & [2, 3]), sorted([7, n] | keys),
        sorted(m.items() & {(0, 0), (2, 1), (2, 2)}), sorted(frozenset({4}) | keys),
    )  # fmt: skip


def comparisons(n: Any) -> Any:
    m, other = of_run(n), {}
    for i in range(n):
        other[4 - 2 * i] = i
    keys = m.keys()
    return (
        keys == {0, 2, 4}, keys != {0, 2, 4}, keys == other.keys(), keys == [0, 2, 4], m.values() == m.values(),
        keys >= {0}, keys <= {0, 2, 4, 6}, keys > {0, 2}, keys < other.keys(), {0, 2} <= keys, keys.isdisjoint({7}),
        keys.isdisjoint(other), m.items() == {(0, 0)}, set(keys) == {0, 2},
    )  # fmt: skip


def live(n: Any) -> Any:
    m = of_run(n)
    keys, values, items = m.keys(), m.values(), m.items()
    m[100] = 7
    first = len(keys), len(values), len(items), 100 in keys, sum(values), (100, 7) in items
    for i in range(n):
        m[i + 50] = 1
    if n > 2:
        m[99] = 1
    return first, len(keys), 99 in keys, max(values), [k for k in keys]


def changed_on_the_way(n: Any) -> Any:
    m = {0: 0, 1: 0, 2: 0}
    for i in range(n):
        m[i] = 0
    for k, v in m.items():
        m[(k + 1) % 3] = v + 1
    return m[0], m[1], m[2]


def grown_on_the_way(n: Any) -> Any:
    m = of_run(n)
    for k in m.keys():
        m[k + 99] = 1
    return len(m)


def shrunk_on_the_way(n: Any) -> Any:
    m = of_run(n)
    for k in m:
        if k == 0:
            del m[k]
    return len(m)


def grown_at_the_end(n: Any) -> Any:
    m = of_run(n)
    for k in m:
        if k == n - 1:
            m[99] = 1
    return len(m)


def grown_at_the_end_of_a_zip(n: Any) -> Any:
    m = of_run(n)
    total = 0
    for i, (k, v) in enumerate(zip(m, range(n))):
        total += i * k * v
        if k == n - 1:
            m[99] = 1
    return total


def not_asked_again(n: Any) -> Any:
    """A zip that ends with what stands before a dict asks the dict no more."""
    m = of_run(n)
    total = 0
    for v, k in zip(range(n), m.items()):
        total += v * k[0]
        if v == n - 1:
            m[99] = 1
    for k in m:
        if k == 99:
            m[100] = 2
            break
    else:
        total = -1
    return total, len(m)


def left_in_time(n: Any) -> Any:
    m = of_run(n)
    for k in m:
        if k == 2:
            m[99] = 1
            break
    for k in list(m):
        m[k + 1] = 2
    return sorted(m)


def inversions(n: Any) -> Any:
    """What is gone through is empty in the first turn, and what is in it known from the second one on."""
    count, seen, pairs = 0, {}, set()
    for i in range(n * 2):
        v = i * 7 % 5
        for k, c in seen.items():
            if k > v:
                count += c
        for p in pairs:
            count += p * 100
        seen[v] = seen.get(v, 0) + 1
        pairs.add(v % 3)
    return count


@pytest.mark.parametrize(
    "program", [operators, comparisons, live, changed_on_the_way, left_in_time, not_asked_again, inversions]
)
def test_as_in_python(program: Any) -> None:
    staged = tf.function(program)
    for n in (0, 2, 3):
        assert alike(plain(staged(tf.constant(n))), plain(program(n)))


@pytest.mark.parametrize("program", [grown_on_the_way, shrunk_on_the_way, grown_at_the_end, grown_at_the_end_of_a_zip])
def test_a_dict_that_changes_its_size_while_a_loop_goes_through_it(program: Any) -> None:
    for function in (program, tf.function(program)):
        with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
            function(3)
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        tf.function(program)(tf.constant(3))


@pytest.mark.parametrize("call", [lambda m, s: m.values() | s, lambda m, s: m.keys() < [1], lambda m, s: m.keys() + s])
def test_what_python_refuses_of_views(call: Any) -> None:
    def program(n: Any) -> Any:
        return call(of_run(n), {1})

    for n in (2, tf.constant(2)):
        with pytest.raises(TypeError):
            tf.function(program)(n)


def test_an_ordered_dict_takes_keys_of_the_run() -> None:
    def program(n: Any) -> Any:
        found: Any = OrderedDict()
        for i in range(n):
            found[i % 3] = i
        return len(found), list(found.values())

    assert plain(tf.function(program)(tf.constant(5))) == plain(program(5))
