"""Effects on Python objects in staged branches: both branches start from the same contents, one of them counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

import runtime as tf
from autograph.errors import StagingError
from tests.runtime.comparing import assert_same
from tests.runtime.control_flow.effects_in_containers import PROGRAMS as CONTAINERS


class Counter:
    def __init__(self, start=0):
        self.n = start
        self.items = [0, 0, 0]
        self.names = {"a": 1, "b": 2}

    def add(self, x):
        self.n += x
        return self.n

    def deep(self, x):
        helper(self, x)
        return self.n


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self):
        self.left = 1
        self.right = 2


@dataclasses.dataclass
class Point:
    x: Any = 0
    y: Any = 0


class Shared:
    total = 0


CALLS = 0
BOARD = [0, 0]


def helper(counter, x):
    deeper(counter, x)


def deeper(counter, x):
    counter.n = counter.n * 2 + x
    counter.items[1] = x


def append_in_both(n):
    items = []
    if n > 0:
        items.append(n)
    else:
        items.append(-n)
    return items


def update_in_both(n):
    d = {"a": 0}
    if n > 0:
        d.update(a=n)
    else:
        d.update(a=1)
    return d


def pop_in_both(n):
    d = {"a": n, "b": 2}
    items = [n, n + 1, n + 2]
    if n > 0:
        x = d.pop("a") + items.pop()
    else:
        x = d.pop("a") - items.pop(0)
    return x, d, items


def key_in_both(n):
    d = {}
    if n > 0:
        d["new"] = n
    else:
        d["new"] = 1
    return d


def nonlocal_in_helper(n):
    calls = 0

    def count(k):
        nonlocal calls
        calls += k

    if n > 0:
        count(n)
        count(1)
    elif n < -1:
        count(10)
    return calls


def global_in_helper(n):
    global CALLS
    CALLS = 0

    def count(k):
        global CALLS
        CALLS += k

    if n > 0:
        count(2)
    else:
        count(3)
    return CALLS


def global_list(n):
    BOARD[:] = [0, 0]

    def put(k):
        BOARD[1] = k

    if n > 0:
        put(n)
    result = BOARD[1] + 1
    BOARD[1] = 0
    return result


def method_that_mutates(n):
    c = Counter()
    if n > 0:
        c.add(n)
    else:
        c.add(1)
    return c.n


def three_levels_deep(n):
    c = Counter(1)
    if n > 0:
        c.deep(n)
    return c.n, c.items


def attributes(n):
    c = Counter()
    c.n = 5
    if n > 0:
        c.n += n
    else:
        c.names["a"] -= 1
        c.items[0] = 9
    return c.n, c.names, c.items


def set_by_setattr(n):
    c = Counter()
    if n > 0:
        setattr(c, "n", n)
    else:
        setattr(c, "n", n - 1)
    return c.n


def slots(n):
    s = Slotted()

    def swap(k):
        s.left, s.right = s.right, k

    if n > 0:
        swap(n)
    return s.left, s.right


def class_attribute(n):
    Shared.total = 1

    def grow(k):
        Shared.total += k

    if n > 0:
        grow(n)
    total, Shared.total = Shared.total, 1
    return total


def objects_in_lists(n):
    cs = [Counter(1), Counter(2)]
    if n > 1:
        cs[0].items[2] += n
        cs[1].add(n)
    return cs[0].items, cs[1].n


def dataclass_points(n):
    p = Point(1, 2)
    q = p

    def move(k):
        p.x += k

    if n > 0:
        move(n)
    else:
        p.y = n
    return p.x, p.y, q.x, q.y


def list_methods(n):
    items = [3, 1, 2]
    if n > 0:
        items.reverse()
        items.insert(0, n)
        items.pop()
    else:
        items.sort()
        items.extend([7])
        del items[0]
    return items


def aliased_list(n):
    a = [1, 2]
    b = a
    if n > 0:
        a[0] = 5
    else:
        b[1] = n
    return a, b, b[0]


def aliased_by_augmented(n):
    a = [n]
    b = a
    if n > 0:
        a[0] += 1
    a[0] += 1
    return b


def container_in_container(n):
    inner = [1]
    outer = {"in": inner, "pair": (inner, 2)}
    if n > 0:
        outer["in"][0] = n
    return inner, outer["pair"][0]


def ternary_with_effects(n):
    items = [n, 2, 3]
    other = [4, 5]
    x = items.pop() if n > 0 else items.pop(0)
    y = other.pop(0) if n > 1 else other.pop()
    return x, y, items, other


def counted_operand(n):
    calls = []

    def positive(k):
        calls.append(k)
        return k > 0

    d = {"n": 0}

    def count(k):
        d["n"] += k
        return n > 1

    a = positive(n) and count(1)
    b = n > 5 or count(10)
    return a, b, d["n"], len(calls)


def nested_branches(n):
    c = Counter()
    log = [0, 0]
    if n > 0:
        c.add(1)
        if n > 1:
            c.add(10)
            log[0] = c.n
        else:
            log[1] += c.n
    else:
        log[0] -= 1
    return c.n, log


PROGRAMS = [
    append_in_both, update_in_both, pop_in_both, key_in_both, nonlocal_in_helper, global_in_helper, global_list,
    method_that_mutates, three_levels_deep, attributes, set_by_setattr, slots, class_attribute, objects_in_lists,
    dataclass_points, list_methods, aliased_list, aliased_by_augmented, container_in_container, ternary_with_effects,
    counted_operand, nested_branches,
    *CONTAINERS,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_same_as_python(program: Callable[..., Any]) -> None:
    assert_same(program, -2, -1, 0, 1, 2, 3, 6)


def test_a_failed_trace_leaves_objects_as_they_were() -> None:
    c, items, d = Counter(), [1, 2], {"a": 1}

    @tf.function
    def program(n):
        if n > 0:
            c.add(n)
            c.extra = n
            items.append(n)
            d["b"] = n
            d["a"] = object()
        return n

    with pytest.raises(StagingError):
        program(tf.constant(1))
    assert (vars(c), items, d) == (vars(Counter()), [1, 2], {"a": 1})


def test_prints_in_branches_appear_once(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def program(n):
        c = Counter()
        if n > 0:
            print("then")
            c.add(n)
        else:
            print("else")
        return c.n

    assert int(program(tf.constant(3))) == 3
    assert capsys.readouterr().out == "then\nelse\n"
