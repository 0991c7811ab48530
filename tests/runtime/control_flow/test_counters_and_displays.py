"""Displays of sets and dicts with tensors in them, loops over sets, Counters: `{n, k}`, `{n: x}`, `Counter(t) + c`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.algorithms.test_algorithms import alike, plain


def sets(n: Any, k: Any, x: Any) -> Any:
    s = {n, k, 3}
    t = {*range(2), k}
    s.update({n + 1})
    s.difference_update({3})
    same = s == {n, k, n + 1}, {(n, k)} == {(k, n)}, {n} <= s
    return len(s), n in s, 3 in s, sorted(s | t), same, sum({n, k}), max(t)


def dicts(n: Any, k: Any, x: Any) -> Any:
    d = {n: x, 7: 2.0}
    e = {**d, k: x + 1, **{4: 1.0, 5: 2.5}}.get(k)
    d |= {k: x * 2}
    d.update({n + 1: 0.5})
    merged = {**d, 7: x}
    return d, merged[7], e, list(d), {1: 2.0} | d == d | {1: 2.0}, len({n: 1, k: 1}), dict.fromkeys([n, k, n], 0)


def of_texts(n: Any, k: Any, x: Any) -> Any:
    names = {str(n): n, "b": 2}
    return names["b"], str(n) in names, names.get(str(k), -1), sorted({str(n), str(k), "x"})


def evaluated_in_order(n: Any, k: Any, x: Any) -> Any:
    seen = []

    def note(value: Any) -> Any:
        seen.append(value)
        return value

    made = {note(n): note(1), note(k): note(2), **{note(3): note(3)}}
    return len(made), len({note(n), note(k)}), seen


def counts_of_known_keys(n: Any, k: Any, x: Any) -> Any:
    c = Counter("abracadabra")
    if n > 3:
        c.subtract("aab")
        c["d"] += k
    return c.most_common(2), c.most_common(), c.most_common(n=1)[0][0], c.total()


def compared(n: Any, k: Any, x: Any) -> Any:
    pair, items, found = (n, 1), [n, k], 0
    for i in range(3):
        for j in range(3):
            if (i, j) == (n - 5, k):
                found += 10
            elif (j, i) != (k, n):
                found += 1
    same = (n, k) == (6, 2), pair == (7, 1), (6, 1) != pair, items == [2, 2], items != [6, 2, 1], (n,) == 6
    return found, same, (n, 2) == (6, k) == (n, n - 4)


@pytest.mark.parametrize(
    "program", [sets, dicts, of_texts, evaluated_in_order, counts_of_known_keys, compared], ids=lambda p: p.__name__
)
def test_displays(program: Any) -> None:
    staged = tf.function(program)
    for n, k in ((6, 2), (2, 2), (7, 1), (0, -1)):
        found = staged(tf.constant(n), tf.constant(k), tf.constant(0.5, tf.float64))
        assert alike(plain(found), plain(program(n, k, 0.5)))


def test_what_is_no_mapping_is_refused_in_pythons_words() -> None:
    with pytest.raises(TypeError, match="'int' object is not a mapping"):
        tf.function(lambda n: {**5, n: 1})(tf.constant(1))


def gone_through(t: Any) -> Any:
    s, r = set(t), 0
    for v in s:
        r = (r * 31 + v) % 1009
    grown = set()
    for v in t:
        grown.add(v * v % 23)
    return r, list(s), [v for v in grown], next(iter(s)), list({v % 7 for v in t}), grown.pop(), len(grown)


def counted(t: Any) -> Any:
    a, b = Counter(t), Counter([3, 1, 3])
    c = Counter()
    c.update(t)
    c.update({1: 5})
    c.subtract([1, 2])
    del c[77]
    sums = dict((a - b) | (b & a)), sorted((a + b).elements()), (a | b).most_common(2), +c, -c, b + a
    return a == b, a != b, a <= b, a >= b + a, a == Counter(t), a < a + b, a == {1: 2}, *sums, 5 in a, a[9], a.total()


@pytest.mark.parametrize("program", [gone_through, counted], ids=lambda p: p.__name__)
def test_of_lists(program: Any) -> None:
    staged = tf.function(program, reduce_retracing=True)
    draw = random.Random(4)
    for _ in range(12):
        large = draw.random() < 0.5
        values = [draw.randrange(-9, 3000) if large else draw.randrange(5) for _ in range(draw.randrange(1, 20))]
        found = staged(tf.constant(np.asarray(values)))
        assert alike(plain(found), plain(program(values))), values


@pytest.mark.parametrize(
    "program",
    [
        lambda n: [v + 1 for v in {n, 2}], lambda n: sum([v[1] for v in {(n, 1), (n, 2)}]),
        lambda n: len([v for v in {(n, 1), (1, n)}]), lambda n: sum(v for v in {n, 1}),
    ],
)  # fmt: skip
def test_a_set_that_is_written_out_is_gone_through(program: Callable[..., Any]) -> None:
    for n in (0, 1, 2):
        np.testing.assert_array_equal(tf.function(program)(tf.constant(n)), program(n))


def test_pop_of_an_empty_set() -> None:
    def program(n: Any) -> Any:
        s = {n}
        s.discard(n)
        return s.pop()

    with pytest.raises(KeyError, match="pop from an empty set"):
        tf.function(program)(tf.constant(1))


def test_gradients_go_through_a_display() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.function(lambda n, x: {n: x * x, 1: x}[n + 0])(tf.constant(5), x)
    assert float(tape.gradient(y, x)) == 6.0
