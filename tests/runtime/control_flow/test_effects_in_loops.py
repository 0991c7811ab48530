"""Effects on Python objects in staged loops: what an iteration changes is a variable of the loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.test_effects_in_branches import Counter, Point, Shared, Slotted

CALLS = 0


def nonlocal_counter(n):
    c = 0

    def inc():
        nonlocal c
        c += 1

    for _ in range(n):
        inc()
    return c


def global_counter(n):
    global CALLS
    CALLS = 0

    def inc():
        global CALLS
        CALLS += 1

    for _ in range(n):
        inc()
    return CALLS


def method_counter(n):
    o = Counter()
    for i in range(n):
        o.add(i)
        o.deep(1)
    return o.n, o.items


def dict_counter(n):
    d = {"even": 0, "odd": 0}
    for i in range(n):
        d["even" if True else "odd"] = d.get("even", 0) + 1
        if i % 2 == 0:
            d["odd"] += i
    return d


def objects_in_lists(n):
    cs = [Counter(1), Counter(2)]
    for i in range(n):
        for c in cs:
            c.add(i)
        cs[1].items[0] += cs[0].n
    return [c.n for c in cs], cs[1].items


def late_binding(n):
    a = 0
    show = lambda: a
    for i in range(n):
        a = i
    return show()


def lambda_in_body(n):
    total = 0
    for i in range(n):
        add = lambda k: k + i
        total = add(total)
    return total


def in_while(n):
    c = Counter()

    def more():
        return c.n < n

    while more():
        c.add(2)
    return c.n


def effects_in_the_test(n):
    c = Counter()
    total = 0
    while c.add(1) < n:
        total += c.n
    return c.n, total


def nested_loops(n):
    c = Counter()
    grid = [[0, 0], [0, 0]]
    for i in range(n):
        c.add(1)
        for j in range(i):
            c.add(j)
            grid[0][1] += 1
            if j > 1:
                grid[1][0] = c.n
    return c.n, grid


def branches_in_loops(n):
    c = Counter()
    for i in range(n):
        if i > 1:
            c.add(i)
        else:
            c.items[0] -= 1
    return c.n, c.items


def loops_in_branches(n):
    c = Counter()
    if n > 1:
        for i in range(n):
            c.add(i)
    else:
        c.add(100)
    return c.n


def aliased(n):
    a = [0, 0]
    b = a
    for i in range(n):
        a[0] += i
        b[1] += a[0]
    return a, b


def swapped_lists(n):
    a, b = [1, 2], [3, 4]
    for _ in range(n):
        a, b = b, a
        a = [a[0] + 1, a[1]]
    return a, b


def rotated(n):
    items = [1, 2, 3]
    for i in range(n):
        items.append(items.pop(0) + i)
    return items


def sorted_in_place(n):
    items = [3, 1, 2]
    for i in range(n):
        items.reverse()
        items[0] += i
    return items


def slots_and_points(n):
    s, p = Slotted(), Point(0, 0)

    def step(i):
        s.left += i
        p.x, p.y = p.y + i, p.x

    for i in range(n):
        step(i)
    return s.left, s.right, p.x, p.y


def class_attribute(n):
    Shared.total = 0

    def grow():
        Shared.total += 2

    for _ in range(n):
        grow()
    total, Shared.total = Shared.total, 0
    return total



def break_with_effects(n):
    c = Counter()
    for i in range(n):
        if i > 2:
            break
        c.add(i + 1)
    else:
        c.add(100)
    return c.n


def return_with_effects(n):
    c = Counter()
    for i in range(n):
        c.add(1)
        if c.n > 2:
            return c.n * 100
    return c.n


def python_loop_with_break(n):
    c = Counter()
    for i in range(4):
        c.add(i)
        if c.n > n:
            break
        c.items[0] += 1
    return c.n, c.items


def effects_in_comprehension_call(n):
    c = Counter()
    total = 0
    for i in range(n):
        total += sum([c.add(k) for k in (1, 2)])
    return c.n, total


def undefined_before(n):
    last = -1

    def put(k):
        nonlocal last
        last = k

    for i in range(n):
        put(i)
    return last


def three_deep(n):
    c = Counter()

    def outer(k):
        inner(k)

    def inner(k):
        c.names["a"] += k
        c.items[2] = k

    for i in range(n):
        outer(i)
    return c.names, c.items


PROGRAMS = [
    nonlocal_counter, global_counter, method_counter, dict_counter, objects_in_lists, late_binding, lambda_in_body,
    in_while, effects_in_the_test, nested_loops, branches_in_loops, loops_in_branches, aliased, swapped_lists, rotated,
    sorted_in_place, slots_and_points, class_attribute, break_with_effects, return_with_effects,
    python_loop_with_break, effects_in_comprehension_call, undefined_before, three_deep,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, 0, 1, 2, 3, 5)


def test_lambdas_of_a_python_loop_bind_late() -> None:
    @tf.function
    def program(x):
        found = []
        for i in range(3):
            found.append(lambda: i)
        return [f() + x for f in found]

    assert [int(v) for v in program(tf.constant(0))] == [2, 2, 2]


def test_prints_appear_again_only_where_places_are_found_in_the_body(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def direct(n):
        c = Counter()
        c.n = 0
        for i in tf.range(n):
            print("direct")
            c.n += i
        return c.n

    @tf.function
    def hidden(n):
        c = Counter()
        c.n = 0
        for i in tf.range(n):
            print("hidden")
            c.add(i)
        return c.n

    assert int(direct(tf.constant(4))) == int(hidden(tf.constant(4))) == 6
    assert capsys.readouterr().out == "direct\nhidden\nhidden\n"
