"""`:=` in operands, choices, comparisons, loop tests, arguments and text, staged, against Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same, say

TOTAL = 0


def in_and(n):
    if n > 2 and (y := n * 2) < 20:
        return y
    return -n


def in_or(n):
    y = 0
    found = n < 0 or (y := n + 1) > 3 or (z := y * 2) > 5
    return found, y


def read_after_that_may_be_unbound(n):
    n > 2 and (y := n * 2) < 20
    return y


def in_ternary(n):
    x = (low := n - 1) if n > 0 else (low := n + 1)
    w = (high := 5) if n > 3 else 7
    return x, low, w, high if n > 3 else 0


def in_comparison(n):
    c = 0 < n < (m := n + 5) < 9 < (k := n + 100)
    return c, m if n > 0 else -1, k if 0 < n < 4 else -1


def in_loop_test(n):
    i = 0
    while i < 10 and (square := i * i) < n:
        i += 1
        say(i, square)
    return i, square


def in_loop_test_only(n):
    i = 0
    while (s := i * i) < n and (t := s + i) < n:
        i += 1
    return i


def in_loop_body(n):
    best = 0
    for i in tf.range(n):
        if i > 1 and (v := i * i % 7) > best:
            best = v
        elif (v := i) > 100 or v < 0:
            best = -1
    return best


def in_arguments(n):
    y = tf.maximum(z := n + 1, 3) + z
    text = f"{(t := n * 2)} {t}"
    return y, z, text, t, max(a := n, 2), a


def effects_once_and_in_order(n):
    def heard(name, value):
        say(name)
        return value

    r = heard("a", n > 0) and heard("b", (y := n) > 1) and heard("c", (z := y + 1) > 3)
    return r


def nested(n):
    a = b = 0
    r = n > 0 and (((a := n) > 2 and (b := a * 2) > 7) or (b := 50) > n) and (a := a + b) > 0
    return r, a, b


def seen_by_closures(n):
    y = 0

    def get():
        return y

    n > 1 and (y := n) > 0
    return get(), y


def of_a_global(n):
    global TOTAL
    TOTAL = n
    n > 1 and (TOTAL := n * 2) > 0
    total, TOTAL = TOTAL, 0
    return total


def in_nested_function(n):
    y = 1

    def inner(k):
        nonlocal y
        return k > 2 and (y := k) > 3

    return inner(n), y


class Holder:
    def take(self, n):
        return (self.seen if n > 2 and (v := n) > 0 else n), (v if n > 2 else 0)


def in_method(n):
    h = Holder()
    h.seen = 5
    return h.take(n)


def in_assert_message(n):
    assert n < 100, f"{(y := n)}"
    say("done")
    return n


def in_python_comprehension(n):
    return [q for v in [1, 2, 3] if (q := v + 1) > 2], q, n


def in_comprehension(n):
    q = 0
    found = [q + v for v in tf.range(n) if (q := v * 2) > 2]
    total = sum(v for v in tf.range(n) if (last := v) % 2 == 0)
    return tf.reduce_sum(tf.stack([0, *[len(found)]])), q, total, last if n > 0 else -1


def in_condition_of_python_comprehension(n):
    q = 0
    found = [(q := n + i) for i in [1, 2, 3] if n > i and (r := i) > 0]
    return len(found), q, {i: (s := n) for i in (1, 2)}[1], s, r if n > 1 else 0


PROGRAMS = [
    in_and, in_or, in_ternary, in_comparison, in_loop_test, in_loop_test_only, in_loop_body, in_arguments,
    effects_once_and_in_order, nested, seen_by_closures, of_a_global, in_nested_function, in_method, in_assert_message,
    in_python_comprehension, in_comprehension, in_condition_of_python_comprehension,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 4, 5, 12, -3)


def test_a_name_that_was_not_bound() -> None:
    assert_same(read_after_that_may_be_unbound, 3, 11, 0, -4)
